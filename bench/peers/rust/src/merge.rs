//! `merge` under the default policy, receipts included (`abi/README.md`), as one
//! would write it natively: serde_json into typed maps, merge, serde_json out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How many bytes of a value the model is given.
const BUDGET: usize = 4000;
const BYTES_PER_TOKEN: usize = 4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    store: Option<Context>,
    additional_context: Option<Context>,
}

type Context = BTreeMap<String, Entry>;

#[derive(Deserialize, Serialize, PartialEq, Eq)]
struct Entry {
    value: String,
    kind: Kind,
}

#[derive(Deserialize, Serialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Untrusted,
    Application,
}

#[derive(Serialize)]
struct Response<'a> {
    store: &'a Context,
    inputs: Vec<Input<'a>>,
    receipts: Vec<Receipt<'a>>,
}

#[derive(Serialize)]
struct Input<'a> {
    source: &'static str,
    key: &'a str,
    kind: Kind,
    hidden: bool,
    item: Item,
}

#[derive(Serialize)]
struct Item {
    r#type: &'static str,
    role: &'static str,
    content: [Content; 1],
}

#[derive(Serialize)]
struct Content {
    r#type: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Receipt<'a> {
    key: &'a str,
    kind: Kind,
    change: Change,
    tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<Truncated>,
    warnings: Vec<Warning>,
}

#[derive(Serialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Change {
    Added,
    Changed,
    Unchanged,
    Removed,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Truncated {
    original_tokens: usize,
    removed_tokens: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Warning {
    KeyHasGt,
    ValueHasClosingTag,
    ControlCharacters,
}

/// Answers a request.
pub fn merge(request: &[u8]) -> serde_json::Result<Vec<u8>> {
    let Request {
        store,
        additional_context,
    } = serde_json::from_slice(request)?;
    let (old, new) = (
        store.unwrap_or_default(),
        additional_context.unwrap_or_default(),
    );

    let mut inputs = Vec::new();
    let mut receipts = Vec::with_capacity(new.len());
    for (key, entry) in &new {
        let change = match old.get(key) {
            None => Change::Added,
            Some(told) if told == entry => Change::Unchanged,
            Some(_) => Change::Changed,
        };
        if change == Change::Unchanged {
            receipts.push(silent(key, entry.kind, change));
            continue;
        }
        let fragment = Fragment::new(key, entry);
        receipts.push(Receipt {
            key,
            kind: entry.kind,
            change,
            tokens: tokens(fragment.text.len()),
            truncated: fragment.truncated,
            warnings: fragment.warnings,
        });
        inputs.push(input(key, entry.kind, fragment.text));
    }
    let known = receipts.len();
    let removed = old.iter().filter(|(key, _)| !new.contains_key(*key));
    receipts.extend(removed.map(|(key, entry)| silent(key, entry.kind, Change::Removed)));
    if receipts.len() > known {
        receipts.sort_unstable_by_key(|receipt| receipt.key);
    }

    let mut answer = Vec::with_capacity(request.len());
    let response = Response {
        store: &new,
        inputs,
        receipts,
    };
    serde_json::to_writer(&mut answer, &response)?;
    Ok(answer)
}

/// The receipt of a key that injects nothing.
fn silent(key: &str, kind: Kind, change: Change) -> Receipt<'_> {
    Receipt {
        key,
        kind,
        change,
        tokens: 0,
        truncated: None,
        warnings: Vec::new(),
    }
}

fn input(key: &str, kind: Kind, text: String) -> Input<'_> {
    Input {
        source: "additionalContext",
        key,
        kind,
        hidden: true,
        item: Item {
            r#type: "message",
            role: match kind {
                Kind::Untrusted => "user",
                Kind::Application => "developer",
            },
            content: [Content {
                r#type: "input_text",
                text,
            }],
        },
    }
}

/// What the model is told of an entry.
struct Fragment {
    text: String,
    truncated: Option<Truncated>,
    warnings: Vec<Warning>,
}

impl Fragment {
    fn new(key: &str, entry: &Entry) -> Self {
        let prefix = match entry.kind {
            Kind::Untrusted => "external_",
            Kind::Application => "",
        };
        let closing_tag = format!("</{prefix}{key}>");
        let cut = cut(&entry.value);
        let value = cut.as_ref().map_or(&entry.value, |(text, _)| text);

        let mut text = String::with_capacity(2 * closing_tag.len() + value.len());
        text.push('<');
        text.push_str(prefix);
        text.push_str(key);
        text.push('>');
        text.push_str(value);
        text.push_str(&closing_tag);

        let mut warnings = Vec::new();
        if entry.kind == Kind::Untrusted && key.contains('>') {
            warnings.push(Warning::KeyHasGt);
        }
        if value.contains(&closing_tag) {
            warnings.push(Warning::ValueHasClosingTag);
        }
        if value.chars().any(is_control) {
            warnings.push(Warning::ControlCharacters);
        }
        Self {
            text,
            truncated: cut.map(|(_, truncated)| truncated),
            warnings,
        }
    }
}

/// Cuts the middle out of a value that is over the budget. A cut that gives the
/// same text is none.
fn cut(value: &str) -> Option<(String, Truncated)> {
    let over = value.len().checked_sub(BUDGET).filter(|&over| over > 0)?;
    let prefix = &value[..value.floor_char_boundary(BUDGET / 2)];
    let suffix = &value[value.ceil_char_boundary(value.len() - BUDGET / 2)..];
    let removed_tokens = tokens(over);
    let text = format!("{prefix}…{removed_tokens} tokens truncated…{suffix}");
    let truncated = Truncated {
        original_tokens: tokens(value.len()),
        removed_tokens,
    };
    (text != value).then_some((text, truncated))
}

fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Whether a character is a control character other than tab and line feed, or
/// turns the direction of text.
fn is_control(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}
