use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use extism::{CompiledPlugin, Manifest, Plugin, PluginBuilder};

use crate::Failure;

/// The bytes that a call may move before its instance is not used again. A
/// guest's memory never shrinks, and a new instance costs less than such a call.
const LARGE: usize = 4 << 20;

/// A module to make instances of.
pub(crate) enum Guest {
    /// Compiled, for all instances.
    Shared(Arc<CompiledPlugin>),
    /// To be compiled for each instance: the SDK ends a call that takes too long
    /// by a signal to everything that was made from the same compiled module.
    Apart(Box<Manifest>),
}

impl Guest {
    /// Makes room for an instance.
    pub fn slot(&self) -> Result<Slot, Failure> {
        let compiled = match self {
            Self::Shared(compiled) => Arc::clone(compiled),
            Self::Apart(manifest) => Arc::new(compile(manifest).map_err(no_instance)?),
        };
        Ok(Slot::new(compiled))
    }
}

/// Compiles a module. The SDK keeps compiled code in a cache; where that cannot
/// be had, for want of a writable folder say, it compiles all the same.
pub(crate) fn compile(manifest: &Manifest) -> Result<CompiledPlugin, extism::Error> {
    let builder = || PluginBuilder::new(manifest).with_wasi(true);
    builder()
        .compile()
        .or_else(|_| builder().with_cache_disabled().compile())
}

/// A place for one instance, which serves one call at a time.
pub(crate) struct Slot {
    compiled: Arc<CompiledPlugin>,
    plugin: Option<Plugin>,
}

impl Slot {
    /// Room for an instance of a compiled module.
    pub fn new(compiled: Arc<CompiledPlugin>) -> Self {
        Self {
            compiled,
            plugin: None,
        }
    }

    /// Makes the instance, unless there is one, and tells whether it has a function.
    pub fn has(&mut self, function: &str) -> Result<bool, Failure> {
        let plugin = self.take()?;
        Ok(self.plugin.insert(plugin).function_exists(function))
    }

    /// Makes a call and reads the answer where it lies. Only after a call that
    /// went well is the instance used again.
    pub fn call<T>(
        &mut self,
        function: &str,
        request: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut plugin = self.take()?;
        // The SDK panics where a part of it is gone, as while the process ends.
        let (answer, moved) = catch_unwind(AssertUnwindSafe(|| {
            let answer: &[u8] = plugin.call(function, request).map_err(failure)?;
            if answer.is_empty() {
                return Err(Failure::NoAnswer);
            }
            Ok((read(answer)?, request.len() + answer.len()))
        }))
        .unwrap_or_else(|_| Err(Failure::Stopped("the SDK panicked".to_owned())))?;
        if moved < LARGE {
            self.plugin = Some(plugin);
        }
        Ok(answer)
    }

    /// Takes the instance out, or makes one.
    fn take(&mut self) -> Result<Plugin, Failure> {
        match self.plugin.take() {
            Some(plugin) => Ok(plugin),
            None => Plugin::new_from_compiled(&self.compiled).map_err(no_instance),
        }
    }
}

fn no_instance(error: extism::Error) -> Failure {
    Failure::NoInstance(error.root_cause().to_string())
}

/// Reads what the SDK says of a call that failed: it has no types for it.
fn failure(error: extism::Error) -> Failure {
    let cause = error.root_cause().to_string();
    match cause.as_str() {
        "oom" => Failure::Memory,
        "timeout" => Failure::Timeout,
        _ => Failure::Stopped(cause),
    }
}
