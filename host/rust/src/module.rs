use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use extism::{Manifest, Wasm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{ABI_NAME, ABI_VERSION};
use crate::instance::{Guest, Slot, compile};
use crate::pool::Pool;
use crate::request::{
    ClassifyRequest, GuidanceRequest, MergeRequest, ReconcileRequest, TurnRequest, TurnSetRequest,
};
use crate::{
    ActiveTurn, ClassifyResponse, Description, Error, ErrorKind, Failure, GuidanceResponse, Merge,
    MergeResponse, ModuleError, OpenError, Policy, Reconcile, ReconcileResponse, Refusal, State,
    Store, Thread, TurnResponse, TurnSetResponse, TurnStart, TurnSteer,
};

/// The module that this package carries.
const MODULE: &[u8] = include_bytes!("../turncontext.wasm");
const _: () = assert!(
    MODULE.len() > 4096,
    "turncontext.wasm is no module: check the repository out with symbolic links"
);

/// The unit in bytes in which an instance's memory grows.
const PAGE: u64 = 64 << 10;

const DESCRIBE: &str = "describe";

/// What to open a module with.
///
/// ```
/// use std::time::Duration;
/// use turncontext::Module;
///
/// let module = Module::options()
///     .memory_limit(256 << 20)
///     .instances(4)
///     .timeout(Duration::from_secs(2))
///     .open()?;
/// # Ok::<(), turncontext::OpenError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Options {
    memory_limit: u64,
    instances: usize,
    timeout_ms: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory_limit: 1 << 30,
            instances: available_parallelism().map_or(1, NonZeroUsize::get),
            timeout_ms: None,
        }
    }
}

impl Options {
    /// By how many bytes, in pages of 64 KiB, one instance may grow beyond what
    /// it begins with: its own memory, and the SDK's copy of requests and
    /// answers. 1 GiB by default; less than 4 GiB. What it begins with, about
    /// 2 MiB, has to fit in as well.
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// How many instances there may be, and so how many calls run at a time;
    /// more wait. Instances are made when they are needed. By default as many as
    /// the machine runs threads at a time.
    pub fn instances(mut self, count: usize) -> Self {
        self.instances = count;
        self
    }

    /// How long the work of one call may take, in whole milliseconds: a fraction
    /// is dropped. Waiting for an instance and making one do not count. None by
    /// default: the size of a request is bounded, and so is the work on it.
    ///
    /// With a time-out each instance is compiled by itself, because the SDK ends
    /// all calls in progress of one compiled module at once. That takes some
    /// ten milliseconds where the SDK has its cache, and seconds where not.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout_ms = Some(limit.as_millis().try_into().unwrap_or(u64::MAX));
        self
    }

    /// Opens the module that this package carries.
    ///
    /// # Errors
    ///
    /// An option that is out of range, or an instance that cannot be made.
    pub fn open(&self) -> Result<Module, OpenError> {
        self.open_bytes(MODULE)
    }

    /// Opens the module in a file.
    ///
    /// # Errors
    ///
    /// As [`open_bytes`](Self::open_bytes), or a file that cannot be read.
    pub fn open_file(&self, path: impl AsRef<Path>) -> Result<Module, OpenError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|source| OpenError::File {
            path: path.to_owned(),
            source,
        })?;
        self.open_bytes(bytes).map_err(|error| error.of_file(path))
    }

    /// Opens a module from its bytes.
    ///
    /// # Errors
    ///
    /// An option that is out of range, bytes that are no turncontext module, or
    /// one of another ABI.
    pub fn open_bytes(&self, module: impl Into<Vec<u8>>) -> Result<Module, OpenError> {
        let manifest = self.manifest(module.into())?;
        let compiled = compile(&manifest).map_err(|e| not_a_module(e.root_cause().to_string()))?;
        let compiled = Arc::new(compiled);
        let guest = match self.timeout_ms {
            None => Guest::Shared(Arc::clone(&compiled)),
            Some(_) => Guest::Apart(Box::new(manifest)),
        };
        let mut first = Slot::new(compiled);
        let description = describe(&mut first)?;
        let inner = Inner {
            guest,
            functions: description.functions,
            timeout: Duration::from_millis(self.timeout_ms.unwrap_or(0)),
            pool: Pool::new(self.instances, first),
        };
        Ok(Module {
            inner: Arc::new(inner),
        })
    }

    /// Puts the options into the SDK's form.
    fn manifest(&self, module: Vec<u8>) -> Result<Manifest, OpenError> {
        let pages = u32::try_from(self.memory_limit / PAGE).unwrap_or(u32::MAX);
        if pages == 0 || pages > u32::from(u16::MAX) {
            return Err(OpenError::Options(
                "the memory limit is below 64 KiB, or 4 GiB or more",
            ));
        }
        if self.instances == 0 {
            return Err(OpenError::Options("the number of instances is 0"));
        }
        if self.timeout_ms == Some(0) {
            return Err(OpenError::Options("the time-out is below a millisecond"));
        }
        if !module.starts_with(b"\0asm") {
            return Err(not_a_module("not a WebAssembly file".to_owned()));
        }
        let mut manifest = Manifest::new([Wasm::data(module)]);
        manifest.memory.max_pages = Some(pages);
        manifest.timeout_ms = self.timeout_ms;
        Ok(manifest)
    }
}

fn not_a_module(reason: String) -> OpenError {
    OpenError::NotAModule { path: None, reason }
}

/// Asks a module that is being opened what it is.
fn describe(slot: &mut Slot) -> Result<Description, OpenError> {
    match slot.has(DESCRIBE) {
        Ok(true) => {}
        Ok(false) => return Err(not_a_module("it has no function describe".to_owned())),
        Err(failure) => return Err(not_a_module(failure.to_string())),
    }
    let failed = |failure| OpenError::Module {
        path: None,
        source: ModuleError {
            function: DESCRIBE.to_owned(),
            failure,
        },
    };
    let answer = slot
        .call(DESCRIBE, &[], |answer| Ok(answer.to_vec()))
        .map_err(failed)?;

    // Another version may describe itself in another way.
    #[derive(Deserialize)]
    struct AnyVersion {
        abi: crate::Abi,
    }
    let malformed = |error: serde_json::Error| not_a_module(format!("describe: {error}"));
    let AnyVersion { abi } = serde_json::from_slice(&answer).map_err(malformed)?;
    if abi.name != ABI_NAME || abi.version != ABI_VERSION {
        return Err(OpenError::Abi {
            path: None,
            name: abi.name,
            version: abi.version,
        });
    }
    serde_json::from_slice(&answer).map_err(malformed)
}

/// An open module: compiled code, and a pool of instances that calls share.
///
/// A clone is the same module. It may be used by any number of threads. The
/// module keeps nothing between calls, so an instance that failed is dropped,
/// and the next call gets another. Everything is given back when the last clone
/// and the last [`Thread`] are dropped.
#[derive(Clone)]
pub struct Module {
    inner: Arc<Inner>,
}

struct Inner {
    guest: Guest,
    functions: Vec<String>,
    timeout: Duration,
    pool: Pool<Slot>,
}

impl Module {
    /// Opens the module that this package carries, with the default options.
    ///
    /// # Errors
    ///
    /// An instance that cannot be made.
    pub fn open() -> Result<Self, OpenError> {
        Options::default().open()
    }

    /// Options to open a module with.
    pub fn options() -> Options {
        Options::default()
    }

    /// A thread that has had no turn.
    pub fn new_thread(&self, id: impl Into<String>) -> Thread {
        Thread::new(self.clone(), id.into())
    }

    /// A thread that goes on from a state, of [`Thread::snapshot`] or of an
    /// answer. The module reads it first.
    ///
    /// # Errors
    ///
    /// A state that the module refuses; the kind is `unsupported` where a newer
    /// module wrote it.
    pub fn restore_thread(&self, state: &State) -> Result<Thread, Error> {
        Thread::restored(self.clone(), state)
    }

    /// Sends a request to a function of the module and returns the answer; both
    /// are JSON in UTF-8 (`abi/README.md`). Neither is looked into: an answer may
    /// be the error object of a refused request.
    ///
    /// # Errors
    ///
    /// A module that fails, is closed, or has no such function.
    pub fn call(&self, function: &str, request: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
        self.run(function, request.as_ref(), |answer| Ok(answer.to_vec()))
    }

    /// Asks the module what it is and what its limits are.
    ///
    /// # Errors
    ///
    /// A module that fails, or is closed.
    pub fn describe(&self) -> Result<Description, Error> {
        self.answer(DESCRIBE, &[])
    }

    /// Compares the context that a client sent with what the thread was told
    /// before, and returns what to tell the model now, with the store to keep.
    /// `None` for a thread that was told nothing.
    ///
    /// # Errors
    ///
    /// A request that the module refuses, or a module that fails or is closed.
    pub fn merge(&self, store: Option<&Store>, request: &Merge) -> Result<MergeResponse, Error> {
        let Merge {
            additional_context,
            policy,
        } = request;
        let request = MergeRequest {
            store,
            additional_context: additional_context.as_ref(),
            policy: policy.as_ref(),
        };
        self.ask("merge", &request)
    }

    /// Starts a turn, or steers the active one, and returns what to tell the
    /// model, with the state to keep. `None` for a thread that has no state yet:
    /// its id is then the params'. A [`Thread`] does this for one thread.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge); a turn that cannot be started is a refusal.
    pub fn turn_start(
        &self,
        state: Option<&State>,
        request: &TurnStart,
    ) -> Result<TurnResponse, Error> {
        let TurnStart {
            turn_id,
            params,
            prompt_hook,
            policy,
        } = request;
        let request = TurnRequest {
            state,
            turn_id: Some(turn_id),
            params,
            prompt_hook: prompt_hook.as_ref(),
            policy: policy.as_ref(),
        };
        self.ask("turn_start", &request)
    }

    /// Adds to the active turn. It is like [`turn_start`](Self::turn_start)
    /// otherwise.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge); a turn that cannot be steered is a refusal.
    pub fn turn_steer(&self, state: &State, request: &TurnSteer) -> Result<TurnResponse, Error> {
        let TurnSteer {
            params,
            prompt_hook,
            policy,
        } = request;
        let request = TurnRequest {
            state: Some(state),
            turn_id: None,
            params,
            prompt_hook: prompt_hook.as_ref(),
            policy: policy.as_ref(),
        };
        self.ask("turn_steer", &request)
    }

    /// Writes into a state which turn is active: one that no client started
    /// began, or the turn ended (`None`). With `if_turn_id` it does so only if
    /// that turn is the active one, and else answers the state as it was.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge).
    pub fn turn_set(
        &self,
        state: &State,
        active_turn: Option<&ActiveTurn>,
        if_turn_id: Option<&str>,
    ) -> Result<TurnSetResponse, Error> {
        let request = TurnSetRequest {
            state,
            active_turn,
            if_turn_id,
        };
        self.ask("turn_set", &request)
    }

    /// Compares what a thread was told with what is left of it in its history,
    /// after a compaction, rollback, resume or fork, and returns what to tell the
    /// model again.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge).
    pub fn reconcile(
        &self,
        state: &State,
        request: &Reconcile,
    ) -> Result<ReconcileResponse, Error> {
        let Reconcile { history, policy } = request;
        let policy = policy.as_ref();
        self.ask(
            "reconcile",
            &ReconcileRequest {
                state: Some(state),
                store: None,
                history,
                policy,
            },
        )
    }

    /// [`reconcile`](Self::reconcile) for a runtime that keeps a store only.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge).
    pub fn reconcile_store(
        &self,
        store: &Store,
        request: &Reconcile,
    ) -> Result<MergeResponse, Error> {
        let Reconcile { history, policy } = request;
        let policy = policy.as_ref();
        self.ask(
            "reconcile",
            &ReconcileRequest {
                state: None,
                store: Some(store),
                history,
                policy,
            },
        )
    }

    /// Tells of each item of a history whether it is hidden context. Developer
    /// messages are recognised by the keys of the store.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge).
    pub fn classify(
        &self,
        items: &[Box<RawValue>],
        store: Option<&Store>,
        policy: Option<&Policy>,
    ) -> Result<ClassifyResponse, Error> {
        let request = ClassifyRequest {
            items,
            store,
            policy,
        };
        self.ask("classify", &request)
    }

    /// Returns a paragraph for a system prompt, which tells the model what the
    /// hidden messages are.
    ///
    /// # Errors
    ///
    /// Those of [`merge`](Self::merge).
    pub fn guidance(&self, policy: Option<&Policy>) -> Result<GuidanceResponse, Error> {
        self.ask("guidance", &GuidanceRequest { policy })
    }

    /// Refuses new calls with [`Error::Closed`], those of clones and threads
    /// included, waits for the calls in progress and drops all instances.
    pub fn close(&self) {
        self.inner.pool.close();
    }

    /// Makes a call with values for JSON.
    fn ask<T: DeserializeOwned>(
        &self,
        function: &str,
        request: &impl Serialize,
    ) -> Result<T, Error> {
        self.answer(
            function,
            &serde_json::to_vec(request).map_err(Error::Request)?,
        )
    }

    fn answer<T: DeserializeOwned>(&self, function: &str, request: &[u8]) -> Result<T, Error> {
        self.run(function, request, read)?.map_err(Error::Refused)
    }

    /// Makes one call on an instance of the pool. `read` gets the answer where it
    /// lies.
    fn run<T>(
        &self,
        function: &str,
        request: &[u8],
        read: impl Fn(&[u8]) -> Result<T, Failure>,
    ) -> Result<T, Error> {
        let failed = |failure| {
            Error::Module(ModuleError {
                function: function.to_owned(),
                failure,
            })
        };
        if !self.inner.functions.iter().any(|name| name == function) {
            return Err(Error::NoFunction {
                name: function.to_owned(),
            });
        }
        let mut lent = self.inner.pool.take().map_err(|_| Error::Closed)?;
        let slot = lent
            .get_or_make(|| self.inner.guest.slot())
            .map_err(failed)?;
        loop {
            let started = Instant::now();
            match slot.call(function, request, &read) {
                // The signal came late, and was meant for the call before.
                Err(Failure::Timeout) if started.elapsed() < self.inner.timeout => {}
                result => return result.map_err(failed),
            }
        }
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module")
            .field("functions", &self.inner.functions)
            .finish_non_exhaustive()
    }
}

/// Reads an answer: a value, or the error object of a refused request, which is
/// the only answer that begins so.
fn read<T: DeserializeOwned>(answer: &[u8]) -> Result<Result<T, Refusal>, Failure> {
    let malformed = |error: serde_json::Error| Failure::Malformed(error.to_string());
    if !answer.starts_with(br#"{"error":"#) {
        return serde_json::from_slice(answer).map(Ok).map_err(malformed);
    }
    #[derive(Deserialize)]
    struct ErrorObject {
        error: Refusal,
    }
    let ErrorObject { error } = serde_json::from_slice(answer).map_err(malformed)?;
    if error.kind == ErrorKind::Internal {
        return Err(Failure::Stopped(error.message));
    }
    Ok(Err(error))
}
