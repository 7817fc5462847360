use serde::{Deserialize, Serialize};

use crate::names::names;
use crate::{Detail, Kind, State, Store};

/// What a module is: the answer of describe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Description {
    /// The contract that it keeps.
    pub abi: Abi,
    /// What it was built from.
    pub build: Build,
    /// The names of its functions, sorted.
    pub functions: Vec<String>,
    /// The bounds that it enforces.
    pub limits: Limits,
    /// The names that a policy's tokenizer may have.
    pub tokenizers: Vec<String>,
}

/// The contract that a module keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Abi {
    /// `turncontext`.
    pub name: String,
    /// 1.
    pub version: u32,
}

/// What a module was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Build {
    /// The version of turncontext.
    pub version: String,
    /// The Go toolchain.
    pub go: String,
}

/// The bounds that a module enforces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Limits {
    /// The size of the largest request, in bytes.
    pub request_bytes: u64,
    /// How deep a request may nest; its outermost value is at 1.
    pub depth: u64,
    /// The most text of one user input, in Unicode scalars.
    pub text_chars: u64,
}

/// The answer of merge, and of reconcile for a store.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MergeResponse {
    /// To be saved once the inputs stand in the history.
    pub store: Store,
    /// What to tell the model, in order.
    pub inputs: Vec<Input>,
    /// What happened to each key of the old or the new map, in key order.
    pub receipts: Vec<Receipt>,
}

/// The answer of turn_start and turn_steer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TurnResponse {
    /// To be saved once the inputs stand in the history.
    pub state: State,
    /// The turn that the input went to.
    pub turn: Turn,
    /// What to tell the model, in order: context, the user's message, and what
    /// the prompt hook adds.
    pub inputs: Vec<Input>,
    /// What happened to each key of the old or the new map, in key order.
    pub receipts: Vec<Receipt>,
}

/// The answer of reconcile for a state.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReconcileResponse {
    /// To be saved once the inputs stand in the history.
    pub state: State,
    /// What the model has to be told again, in order.
    pub inputs: Vec<Input>,
    /// What happened to each key, in key order.
    pub receipts: Vec<Receipt>,
}

/// The answer of turn_set.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TurnSetResponse {
    /// To be saved.
    pub state: State,
}

/// The answer of classify.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClassifyResponse {
    /// What each item is, in order.
    pub items: Vec<Classified>,
}

/// The answer of guidance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GuidanceResponse {
    /// A paragraph for a system prompt.
    pub text: String,
}

/// The turn that an input went to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// Its id.
    pub id: String,
    /// True if the turn was active already.
    pub steered: bool,
}

names! {
    /// Where an input comes from.
    Source {
        /// An entry of the context.
        AdditionalContext = "additionalContext",
        /// What the user sent.
        User = "user",
        /// What the host's prompt hook adds.
        PromptHook = "promptHook",
    }
}

names! {
    /// The role of a message.
    Role {
        /// The user's, and that of untrusted context.
        User = "user",
        /// That of application context and of the prompt hook's.
        Developer = "developer",
    }
}

/// One message for the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// The entry's key, of context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The entry's kind, of context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// False for the user's own message only.
    pub hidden: bool,
    /// What goes into the history.
    pub item: Item,
    /// What only the host can put into the item's content, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<Unresolved>,
}

/// A message as the Responses API takes it. It serializes to
/// `{"type":"message","role":…,"content":[…]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "message")]
pub struct Item {
    /// Whose message it is.
    pub role: Role,
    /// Its parts.
    pub content: Vec<Content>,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    InputText {
        /// The text.
        text: String,
    },
    /// An image.
    InputImage {
        /// Its URL.
        image_url: String,
        /// How closely the model looks at it.
        detail: Detail,
    },
}

/// A part of a user's input that only a host can resolve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Unresolved {
    /// An image in a file (`abi/README.md`, "Params and user input", says what to put there).
    LocalImage {
        /// The index in the item's content where it belongs.
        at: usize,
        /// The file's path.
        path: String,
        /// How closely the model looks at it.
        detail: Detail,
        /// Its place, from 1, among all images of the input.
        number: usize,
    },
    /// A skill.
    Skill {
        /// The index in the item's content where it belongs.
        at: usize,
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
    /// A mention.
    Mention {
        /// The index in the item's content where it belongs.
        at: usize,
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
}

names! {
    /// What happened to a key.
    Change {
        /// It is new.
        Added = "added",
        /// Its value or its kind is another.
        Changed = "changed",
        /// It is as it was, and nothing was injected.
        Unchanged = "unchanged",
        /// It is gone.
        Removed = "removed",
        /// Reconcile injected it again.
        Restored = "restored",
        /// The policy's total budget left it out.
        Dropped = "dropped",
    }
}

names! {
    /// Something about an injected text that a person may want to see
    /// (`abi/README.md`, "Warnings").
    Warning {
        /// The key of untrusted text has a `>`.
        KeyHasGt = "key_has_gt",
        /// The value, as cut, contains its own closing tag.
        ValueHasClosingTag = "value_has_closing_tag",
        /// The value, as cut, contains control characters.
        ControlCharacters = "control_characters",
    }
}

/// What happened to one key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Receipt {
    /// The key.
    pub key: String,
    /// The new entry's kind, for a removed one the old.
    pub kind: Kind,
    /// What happened.
    pub change: Change,
    /// The tokens of the whole text injected, 0 where nothing was.
    pub tokens: u64,
    /// Where the value was cut in this call, how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<Truncated>,
    /// What to know about the text injected.
    pub warnings: Vec<Warning>,
}

/// How much of a value was cut, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Truncated {
    /// Of the whole value.
    pub original_tokens: u64,
    /// The number that the marker shows.
    pub removed_tokens: u64,
    /// A [`Tokenizer`](crate::Tokenizer) counted a long value only in part, so
    /// that both numbers are estimates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What an item of a history is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Classified {
    /// Whether it is hidden context.
    pub hidden: bool,
    /// Its key, where it is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its kind, where it is hidden.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}
