use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A bounded number of things, lent one at a time.
pub(crate) struct Pool<T> {
    inner: Mutex<Inner<T>>,
    changed: Condvar,
    size: usize,
}

struct Inner<T> {
    idle: Vec<T>,
    lent: usize,
    closed: bool,
}

/// The pool was closed.
#[derive(Debug)]
pub(crate) struct Closed;

impl<T> Pool<T> {
    /// A pool that lends at most `size` things at a time, and has one.
    pub fn new(size: usize, first: T) -> Self {
        let inner = Inner {
            idle: vec![first],
            lent: 0,
            closed: false,
        };
        Self {
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            size,
        }
    }

    /// Waits until fewer than `size` things are lent, and lends one. It is empty
    /// where it has to be made.
    pub fn take(&self) -> Result<Lent<'_, T>, Closed> {
        let mut inner = self.lock();
        while !inner.closed && inner.lent == self.size {
            inner = self
                .changed
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if inner.closed {
            return Err(Closed);
        }
        inner.lent += 1;
        Ok(Lent {
            thing: inner.idle.pop(),
            pool: self,
        })
    }

    /// Lends nothing any more, waits for what is lent, and drops everything.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        self.changed.notify_all();
        while inner.lent > 0 {
            inner = self
                .changed
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        inner.idle.clear();
    }

    // Nothing in here panics with the lock held, so a poisoned one is sound.
    fn lock(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thing that is lent; dropped, it goes back.
pub(crate) struct Lent<'a, T> {
    thing: Option<T>,
    pool: &'a Pool<T>,
}

impl<T> Lent<'_, T> {
    /// The thing, made if it is missing.
    pub fn get_or_make<E>(&mut self, make: impl FnOnce() -> Result<T, E>) -> Result<&mut T, E> {
        let thing = match self.thing.take() {
            Some(thing) => thing,
            None => make()?,
        };
        Ok(self.thing.insert(thing))
    }
}

impl<T> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        let mut inner = self.pool.lock();
        inner.lent -= 1;
        inner.idle.extend(self.thing.take());
        // Of those who take, one can go on; once it is closed, only closers wait.
        if inner.closed {
            self.pool.changed.notify_all();
        } else {
            self.pool.changed.notify_one();
        }
    }
}
