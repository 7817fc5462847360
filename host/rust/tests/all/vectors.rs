//! Reads the vectors of `testdata/vectors` (`testdata/README.md`). A member
//! that the format does not know is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::repository;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    #[serde(skip)]
    pub path: PathBuf,
    pub format: String,
    pub kind: String,
    #[serde(rename = "about")]
    _about: String,
    pub vectors: Vec<Value>,
}

/// Reads all files, in the order of their names.
pub fn load() -> Vec<File> {
    let folder = repository("testdata/vectors");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no vectors in {}", folder.display());
    paths.into_iter().map(load_file).collect()
}

fn load_file(path: PathBuf) -> File {
    let text = fs::read_to_string(&path).unwrap();
    let file: File =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(file.format, "turncontext-vectors/1", "{}", path.display());
    assert!(!file.vectors.is_empty(), "{}: no vectors", path.display());
    File { path, ..file }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Merge {
    pub name: String,
    pub steps: Vec<MergeStep>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MergeStep {
    /// What stands, null too.
    #[serde(default, deserialize_with = "present")]
    pub additional_context: Option<Value>,
    pub inputs: Vec<MergeInput>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergeInput {
    pub role: String,
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wire {
    pub params: String,
    pub ok: bool,
    #[serde(default, deserialize_with = "present")]
    pub entries: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Truncate {
    pub name: String,
    pub value: String,
    pub max_tokens: u64,
    pub text: String,
    pub original_tokens: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classify {
    pub text: String,
    pub hidden: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    pub name: String,
    pub calls: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Call {
    pub function: String,
    request: Option<String>,
    request_parts: Option<Vec<(String, usize)>>,
    request_base64: Option<String>,
    response: Option<String>,
    response_parts: Option<Vec<(String, usize)>>,
    response_contains: Option<BTreeMap<String, Value>>,
    error: Option<ExpectedError>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    pub kind: String,
    pub code: i64,
    pub message: Option<String>,
    pub data: Option<Value>,
}

/// What a call has to be answered.
pub enum Expected {
    Bytes(Vec<u8>),
    Contains(Value),
    Error(ExpectedError),
}

impl Call {
    pub fn request(&self) -> Vec<u8> {
        match (&self.request, &self.request_parts, &self.request_base64) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(parts), None) => join(parts),
            (None, None, Some(encoded)) => BASE64_STANDARD.decode(encoded).unwrap(),
            _ => panic!("a call has one request"),
        }
    }

    pub fn expected(&self) -> Expected {
        match (
            &self.response,
            &self.response_parts,
            &self.response_contains,
            &self.error,
        ) {
            (Some(text), None, None, None) => Expected::Bytes(text.clone().into_bytes()),
            (None, Some(parts), None, None) => Expected::Bytes(join(parts)),
            (None, None, Some(members), None) => {
                assert!(!members.is_empty(), "every answer contains nothing");
                Expected::Contains(serde_json::to_value(members).unwrap())
            }
            (None, None, None, Some(error)) => Expected::Error(error.clone()),
            _ => panic!("a call has one expectation"),
        }
    }
}

fn join(parts: &[(String, usize)]) -> Vec<u8> {
    parts
        .iter()
        .flat_map(|(text, times)| text.repeat(*times).into_bytes())
        .collect()
}

/// Tells null from absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
