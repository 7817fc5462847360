use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use serde::Deserialize;
use serde_json::Value;

use crate::names::names;

/// The name of the ABI that this package speaks.
pub(crate) const ABI_NAME: &str = "turncontext";
/// The version of the ABI that this package speaks.
pub(crate) const ABI_VERSION: u32 = 1;

names! {
    /// What was wrong with a request (`abi/README.md`, "Errors").
    ErrorKind {
        /// The request is larger than a request may be.
        RequestTooLarge = "request_too_large",
        /// The request is not JSON.
        InvalidJson = "invalid_json",
        /// The request is JSON, but no request.
        InvalidRequest = "invalid_request",
        /// A member has the wrong type or value, is missing or stands twice; data has its `path`.
        InvalidParams = "invalid_params",
        /// A newer state, or a tokenizer that the module lacks.
        Unsupported = "unsupported",
        /// The client did not opt in to the experimental API, and sent context.
        ExperimentalApiRequired = "experimental_api_required",
        /// The user's text is too long.
        InputTooLarge = "input_too_large",
        /// A steer, and no turn is active.
        NoActiveTurn = "no_active_turn",
        /// A steer that expects another turn than the active one.
        TurnMismatch = "turn_mismatch",
        /// The active turn is a review or a compact turn.
        TurnNotSteerable = "turn_not_steerable",
        /// The user's input is empty where it must not be.
        EmptyInput = "empty_input",
        /// The module failed. A call gives a [`ModuleError`] instead.
        Internal = "internal",
    }
}

/// A request that the module refused. It changed nothing: the state that the
/// caller holds is still the thread's.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// What was wrong.
    pub kind: ErrorKind,
    /// The code of JSON-RPC that goes with the kind.
    pub code: i64,
    /// The same, for people.
    pub message: String,
    /// Depends on the kind: `{"offset"}` for `invalid_json`, `{"path", "offset"}`
    /// for `invalid_params`. Offsets count bytes of the request as it was sent.
    pub data: Option<Value>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}

impl error::Error for Refusal {}

/// The module itself failed. The instance was dropped with all that was in it,
/// which is nothing that a caller needs: the same call may be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleError {
    /// The function that was called.
    pub function: String,
    /// How it failed.
    pub failure: Failure,
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the module failed in {}: {}",
            self.function, self.failure
        )
    }
}

impl error::Error for ModuleError {}

/// How a module failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// It trapped, exited, or reported that it failed; the text is the SDK's.
    Stopped(String),
    /// It wanted more memory than [`Options::memory_limit`](crate::Options::memory_limit) allows.
    Memory,
    /// It took longer than [`Options::timeout`](crate::Options::timeout) allows.
    Timeout,
    /// It gave no answer: so looks an exit with code 0.
    NoAnswer,
    /// Its answer is not what the ABI says; the text tells where.
    Malformed(String),
    /// No instance could be made; the text is the SDK's.
    NoInstance(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(reason) => f.write_str(reason),
            Self::Memory => f.write_str("the memory limit is reached"),
            Self::Timeout => f.write_str("the time-out is reached"),
            Self::NoAnswer => f.write_str("no answer"),
            Self::Malformed(reason) => write!(f, "malformed answer: {reason}"),
            Self::NoInstance(reason) => write!(f, "no instance: {reason}"),
        }
    }
}

/// Why a call gave no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The module refused the request.
    Refused(Refusal),
    /// The module failed.
    Module(ModuleError),
    /// The module has no such function: the name given to
    /// [`Module::call`](crate::Module::call) is wrong, or the module is older
    /// than the method. It was not called.
    NoFunction {
        /// The function's name.
        name: String,
    },
    /// [`Module::close`](crate::Module::close) was called.
    Closed,
    /// A state given to [`Thread::restore`](crate::Thread::restore) is that of
    /// another thread.
    OtherThread {
        /// The id in the state.
        id: String,
    },
    /// The request could not be written as JSON. The types of this package
    /// leave no way to such a request.
    Request(serde_json::Error),
}

impl Error {
    /// The refusal, if that is what it is.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Module(failed) => failed.fmt(f),
            Self::NoFunction { name } => write!(f, "the module has no function {name:?}"),
            Self::Closed => f.write_str("the module is closed"),
            Self::OtherThread { id } => write!(f, "the state is that of thread {id:?}"),
            Self::Request(error) => write!(f, "the request cannot be written as JSON: {error}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Module(failed) => Some(failed),
            Self::Request(error) => Some(error),
            Self::NoFunction { .. } | Self::Closed | Self::OtherThread { .. } => None,
        }
    }
}

/// Why a module could not be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// An option has a value that it cannot have.
    Options(&'static str),
    /// The file could not be read.
    File {
        /// The path given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// This is no turncontext module.
    NotAModule {
        /// The file, where it was opened by its path.
        path: Option<PathBuf>,
        /// What it lacks.
        reason: String,
    },
    /// The module keeps another ABI than this package speaks.
    Abi {
        /// The file, where it was opened by its path.
        path: Option<PathBuf>,
        /// The name of the module's ABI.
        name: String,
        /// Its version.
        version: u32,
    },
    /// The module failed when it was asked what it is.
    Module {
        /// The file, where it was opened by its path.
        path: Option<PathBuf>,
        /// How it failed.
        source: ModuleError,
    },
}

impl OpenError {
    /// The same error, of a module that was read from a file.
    pub(crate) fn of_file(mut self, file: &Path) -> Self {
        match &mut self {
            Self::NotAModule { path, .. } | Self::Abi { path, .. } | Self::Module { path, .. } => {
                *path = Some(file.to_owned());
            }
            Self::Options(_) | Self::File { .. } => {}
        }
        self
    }

    /// The file, where the module was opened by its path.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::NotAModule { path, .. } | Self::Abi { path, .. } | Self::Module { path, .. } => {
                path.as_deref()
            }
            Self::File { path, .. } => Some(path),
            Self::Options(_) => None,
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        match self {
            Self::Options(reason) => f.write_str(reason),
            Self::File { source, .. } => write!(f, "it cannot be read: {source}"),
            Self::NotAModule { reason, .. } => write!(
                f,
                "this is no module of ABI {ABI_NAME} version {ABI_VERSION}: {reason}"
            ),
            Self::Abi { name, version, .. } => write!(
                f,
                "the module keeps ABI {name:?} version {version}, this package speaks \
                 {ABI_NAME:?} version {ABI_VERSION}"
            ),
            Self::Module { source, .. } => source.fmt(f),
        }
    }
}

impl error::Error for OpenError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            Self::Module { source, .. } => Some(source),
            Self::Options(_) | Self::NotAModule { .. } | Self::Abi { .. } => None,
        }
    }
}
