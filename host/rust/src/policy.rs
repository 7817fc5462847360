use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// How the module works. Every field that is `None` is left to the module's
/// default, so `Policy::default()` changes nothing.
///
/// It is made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Policy {
    /// What the fields that are not set stand for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// The budget of each value, in tokens; 1000 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_value_tokens: Option<u32>,
    /// The budget, in tokens, of all context that one call injects; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_total_tokens: Option<u32>,
    /// Exceptions by key.
    #[serde(deserialize_with = "keys", skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, KeyPolicy>,
    /// What of a value that is too long is kept; both ends by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<Truncation>,
    /// Whether the marker and escapes count too; false by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_budget: Option<bool>,
    /// How tokens are counted; four bytes each by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<Tokenizer>,
    /// How a value is wrapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrapper: Option<Wrapper>,
    /// What is done about control characters in values; they are kept by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_characters: Option<ControlCharacters>,
    /// How the map that a client sends is read; as the complete set by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<Updates>,
    /// Whether the model is told of removed keys; it is not by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removals: Option<Removals>,
    /// Whether a steer may carry context and no input; false by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steer_context_only: Option<bool>,
    /// False for a client that did not opt in to the experimental API: context
    /// of it is refused. True by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental_api: Option<bool>,
}

/// Reads exceptions by key. Null is the default, of all as of one.
fn keys<'de, D>(deserializer: D) -> Result<BTreeMap<String, KeyPolicy>, D::Error>
where
    D: Deserializer<'de>,
{
    let keys = Option::<BTreeMap<_, Option<_>>>::deserialize(deserializer)?;
    let exceptions = keys.unwrap_or_default().into_iter();
    Ok(exceptions
        .map(|(key, policy)| (key, policy.unwrap_or_default()))
        .collect())
}

/// What a policy says of one key.
///
/// It is made with `..Default::default()`, because fields may be added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct KeyPolicy {
    /// The budget of its value, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_value_tokens: Option<u32>,
    /// What of a value that is too long is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<Truncation>,
    /// Which keys a total budget drops last: those with the highest; 0 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// A choice of defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// The reference's behaviour.
    Reference,
    /// For hostile context: escaped, stripped, strictly within budget, removals announced.
    Safe,
}

/// What is kept of a value that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truncation {
    /// The beginning and the end.
    Middle,
    /// The beginning.
    Head,
    /// The end.
    Tail,
}

/// How tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tokenizer {
    /// Four bytes of UTF-8 each.
    #[serde(rename = "approx")]
    Approx,
    /// Exactly, where the module has it ([`Description::tokenizers`](crate::Description::tokenizers)).
    #[serde(rename = "o200k_base")]
    O200kBase,
    /// Exactly, where the module has it.
    #[serde(rename = "cl100k_base")]
    Cl100kBase,
}

/// How a value is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wrapper {
    /// In a tag named after the key, with nothing escaped.
    Reference,
    /// In a fixed tag with the key as an attribute, both escaped.
    Attribute,
}

/// What is done about control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlCharacters {
    /// Nothing.
    Keep,
    /// They are taken out, with terminal escapes and bidirectional overrides.
    Strip,
}

/// How the map that a client sends is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Updates {
    /// As the complete set.
    Replace,
    /// As changes: an absent key stays, a null entry removes.
    Patch,
}

/// Whether the model is told of removed keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Removals {
    /// It is not.
    Silent,
    /// A note says that the entry no longer applies.
    Announce,
}
