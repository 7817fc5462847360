#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod carried;
mod error;
mod instance;
mod module;
mod names;
mod policy;
mod pool;
mod request;
mod response;
mod thread;

pub use carried::{State, Store};
pub use error::{Error, ErrorKind, Failure, ModuleError, OpenError, Refusal};
pub use module::{Module, Options};
pub use policy::{
    ControlCharacters, KeyPolicy, Policy, Preset, Removals, Tokenizer, Truncation, Updates, Wrapper,
};
pub use request::{
    ActiveTurn, Context, Detail, Entry, Kind, Merge, Params, PromptHook, Reconcile, TurnKind,
    TurnStart, TurnStartParams, TurnSteer, TurnSteerParams, UserInput,
};
pub use response::{
    Abi, Build, Change, Classified, ClassifyResponse, Content, Description, GuidanceResponse,
    Input, Item, Limits, MergeResponse, Receipt, ReconcileResponse, Role, Source, Truncated, Turn,
    TurnResponse, TurnSetResponse, Unresolved, Warning,
};
pub use thread::{Prepared, PreparedReconcile, Thread};

pub use serde_json::value::RawValue;
