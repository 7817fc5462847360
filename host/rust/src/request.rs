use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Policy, State, Store};

/// How far the model may trust an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Data, which carries no authority.
    Untrusted,
    /// The runtime's own word.
    Application,
}

/// One named piece of context.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Entry {
    /// The text.
    pub value: String,
    /// How far to trust it.
    pub kind: Kind,
}

impl Entry {
    /// An entry that is data: a page, a log, a file.
    pub fn untrusted(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            kind: Kind::Untrusted,
        }
    }

    /// An entry that speaks for the runtime itself.
    pub fn application(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            kind: Kind::Application,
        }
    }
}

/// The context that a client sends: entries by key, the complete current set
/// unless the policy's `updates` says otherwise. `None` in the place of an
/// entry is JSON's null, which removes it where the policy has
/// [`Updates::Patch`](crate::Updates::Patch) and is refused elsewhere.
///
/// ```
/// use turncontext::{Context, Entry};
///
/// let context = Context::from([
///     ("browser_tab", Entry::untrusted("Inbox")),
///     ("workspace", Entry::application("The user works in ~/parser.")),
/// ]);
/// assert_eq!(context.0.len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Context(pub BTreeMap<String, Option<Entry>>);

impl<K: Into<String>, E: Into<Option<Entry>>, const N: usize> From<[(K, E); N]> for Context {
    fn from(entries: [(K, E); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Into<String>, E: Into<Option<Entry>>> FromIterator<(K, E)> for Context {
    fn from_iter<I: IntoIterator<Item = (K, E)>>(entries: I) -> Self {
        Self(
            entries
                .into_iter()
                .map(|(key, entry)| (key.into(), entry.into()))
                .collect(),
        )
    }
}

/// What [`Module::merge`](crate::Module::merge) is asked.
///
/// It is made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default)]
pub struct Merge {
    /// What the client sent. `None` and an empty one both say that there is no
    /// context, but a policy without the experimental API refuses the latter.
    pub additional_context: Option<Params<Context>>,
    /// `None` for the default.
    pub policy: Option<Policy>,
}

impl From<Context> for Merge {
    fn from(context: Context) -> Self {
        Self {
            additional_context: Some(context.into()),
            policy: None,
        }
    }
}

/// The kind of a turn. Only a regular one can be steered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// One that a client started.
    Regular,
    /// A review.
    Review,
    /// A compaction.
    Compact,
}

/// The turn that a thread is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ActiveTurn {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: TurnKind,
}

/// How closely the model looks at an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// The default.
    High,
    /// At its full size.
    Original,
}

/// One piece of what a user sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum UserInput {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image at a URL, which may be a data URL.
    Image {
        /// The URL.
        url: String,
        /// `None` for the default.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<Detail>,
    },
    /// An image in a file, for the host to resolve.
    LocalImage {
        /// The file's path.
        path: String,
        /// `None` for the default.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<Detail>,
    },
    /// A skill, for the host to resolve.
    Skill {
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
    /// A mention, for the host to resolve.
    Mention {
        /// Its name.
        name: String,
        /// Its path.
        path: String,
    },
}

impl UserInput {
    /// A piece of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// The params of turn/start, those members that turncontext reads.
///
/// They are made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnStartParams {
    /// The thread's id. A [`Thread`](crate::Thread) puts its own into an empty one.
    pub thread_id: String,
    /// What the user sent.
    pub input: Vec<UserInput>,
    /// The context, as in [`Merge`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<Context>,
}

/// The params of turn/steer.
///
/// They are made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnSteerParams {
    /// The thread's id. A [`Thread`](crate::Thread) puts its own into an empty one.
    pub thread_id: String,
    /// The turn that the client takes for the active one.
    pub expected_turn_id: String,
    /// What the user sent.
    pub input: Vec<UserInput>,
    /// The context, as in [`Merge`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<Context>,
}

/// Params, or a context, by its fields or as a client sent it.
///
/// The fields' types are not `Deserialize`: JSON is for the module to read,
/// which refuses what serde would take, such as a name that stands twice.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Params<P> {
    /// The members that turncontext reads.
    Fields(P),
    /// The client's own JSON, which goes to the module as it is.
    Json(Box<RawValue>),
}

impl From<Context> for Params<Context> {
    fn from(context: Context) -> Self {
        Self::Fields(context)
    }
}

impl From<TurnStartParams> for Params<TurnStartParams> {
    fn from(params: TurnStartParams) -> Self {
        Self::Fields(params)
    }
}

impl From<TurnSteerParams> for Params<TurnSteerParams> {
    fn from(params: TurnSteerParams) -> Self {
        Self::Fields(params)
    }
}

impl<P> From<Box<RawValue>> for Params<P> {
    fn from(params: Box<RawValue>) -> Self {
        Self::Json(params)
    }
}

/// What a host's hook decided about the user's prompt.
///
/// It is made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptHook {
    /// Leaves the user's input out.
    pub blocked: bool,
    /// Texts that are given to the model as developer messages.
    pub contexts: Vec<String>,
}

/// What [`Module::turn_start`](crate::Module::turn_start) and
/// [`Thread::start`](crate::Thread::start) are asked.
///
/// It is made with [`new`](Self::new), and its other fields are set after that,
/// because fields may be added.
#[derive(Debug, Clone)]
pub struct TurnStart {
    /// The id that a new turn gets. It is not used, and may be empty, where a
    /// turn is active, which is then steered.
    pub turn_id: String,
    /// What the client sent.
    pub params: Params<TurnStartParams>,
    /// `None` where no hook looked at the prompt.
    pub prompt_hook: Option<PromptHook>,
    /// `None` for the default, or for the thread's.
    pub policy: Option<Policy>,
}

impl TurnStart {
    /// A start without a hook and a policy.
    pub fn new(turn_id: impl Into<String>, params: impl Into<Params<TurnStartParams>>) -> Self {
        Self {
            turn_id: turn_id.into(),
            params: params.into(),
            prompt_hook: None,
            policy: None,
        }
    }
}

/// What [`Module::turn_steer`](crate::Module::turn_steer) and
/// [`Thread::steer`](crate::Thread::steer) are asked.
///
/// It is made with [`new`](Self::new), and its other fields are set after that,
/// because fields may be added.
#[derive(Debug, Clone)]
pub struct TurnSteer {
    /// What the client sent.
    pub params: Params<TurnSteerParams>,
    /// `None` where no hook looked at the prompt.
    pub prompt_hook: Option<PromptHook>,
    /// `None` for the default, or for the thread's.
    pub policy: Option<Policy>,
}

impl TurnSteer {
    /// A steer without a hook and a policy.
    pub fn new(params: impl Into<Params<TurnSteerParams>>) -> Self {
        Self {
            params: params.into(),
            prompt_hook: None,
            policy: None,
        }
    }
}

/// What [`Module::reconcile`](crate::Module::reconcile) and
/// [`Thread::reconcile`](crate::Thread::reconcile) are asked.
///
/// It is made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default)]
pub struct Reconcile {
    /// The items that the model still sees, in order, each as JSON; they are
    /// only read. [`serde_json::value::to_raw_value`] makes one of any value.
    pub history: Vec<Box<RawValue>>,
    /// `None` for the default, or for the thread's.
    pub policy: Option<Policy>,
}

// What goes to the module: a request with what it is about.

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MergeRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<&'a Store>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<&'a Params<Context>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'a Policy>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnRequest<'a, P> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'a State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<&'a str>,
    pub params: &'a Params<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_hook: Option<&'a PromptHook>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'a Policy>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TurnSetRequest<'a> {
    pub state: &'a State,
    pub active_turn: Option<&'a ActiveTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_turn_id: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct ReconcileRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'a State>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<&'a Store>,
    pub history: &'a [Box<RawValue>],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'a Policy>,
}

#[derive(Serialize)]
pub(crate) struct ClassifyRequest<'a> {
    pub items: &'a [Box<RawValue>],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<&'a Store>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'a Policy>,
}

#[derive(Serialize)]
pub(crate) struct GuidanceRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'a Policy>,
}
