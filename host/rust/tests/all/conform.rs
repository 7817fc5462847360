//! Runs every conformance vector through [`Module::call`]. The report names
//! what is not run, and why.

use std::collections::BTreeMap;
use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use turncontext::Module;

use crate::vectors::{
    self, Calls, Classify, Expected, ExpectedError, Merge, MergeInput, MergeStep, Truncate, Wire,
};

/// Why a vector did not pass.
enum Trouble {
    NotRun(String),
    Failed(String),
}
use Trouble::{Failed, NotRun};

type Outcome = Result<(), Trouble>;

#[test]
fn every_vector() {
    let runner = Runner::new();
    let mut passed = 0;
    let mut failed = Vec::new();
    let mut not_run = BTreeMap::<String, usize>::new();
    for file in vectors::load() {
        let name = file
            .path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        for (index, vector) in file.vectors.into_iter().enumerate() {
            match runner.run(&file.kind, vector) {
                Ok(()) => passed += 1,
                Err(NotRun(reason)) => {
                    *not_run.entry(format!("{name}: {reason}")).or_default() += 1
                }
                Err(Failed(reason)) => failed.push(format!("{name}, vector {index}: {reason}")),
            }
        }
    }
    let skipped: usize = not_run.values().sum();
    // Past the test harness, which shows only what a failed test prints.
    let mut out = io::stderr();
    for (reason, count) in &not_run {
        writeln!(out, "not run: {count} vectors of {reason}").unwrap();
    }
    writeln!(
        out,
        "conformance: {passed} passed, {} failed, {skipped} not run",
        failed.len()
    )
    .unwrap();
    if let Some(path) = env::var_os("TURNCONTEXT_CONFORM") {
        let line = format!(
            "{{\"host\":\"rust\",\"passed\":{passed},\"failed\":{},\"notRun\":{skipped}}}\n",
            failed.len()
        );
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed > 0);
}

struct Runner {
    module: Module,
    functions: Vec<String>,
}

impl Runner {
    fn new() -> Self {
        let module = Module::open().unwrap();
        let functions = module.describe().unwrap().functions;
        Self { module, functions }
    }

    fn run(&self, kind: &str, vector: Value) -> Outcome {
        match kind {
            "merge" => self.merge(read(vector)),
            "wire" => self.wire(read(vector)),
            "truncate" => self.truncate(read(vector)),
            "classify" => self.classify(read(vector)),
            "calls" => self.calls(read(vector)),
            _ => panic!("unknown kind {kind:?}"),
        }
    }

    fn ask(&self, function: &str, request: &[u8]) -> Result<Vec<u8>, Trouble> {
        if !self.functions.iter().any(|name| name == function) {
            return Err(NotRun(format!("the module has no function {function}")));
        }
        self.module
            .call(function, request)
            .map_err(|error| Failed(error.to_string()))
    }

    fn ask_value(&self, function: &str, request: &[u8]) -> Result<Value, Trouble> {
        let answer = self.ask(function, request)?;
        serde_json::from_slice(&answer).map_err(|error| Failed(error.to_string()))
    }

    fn merge(&self, vector: Merge) -> Outcome {
        let mut request = Map::new();
        for (
            step,
            MergeStep {
                additional_context,
                inputs,
            },
        ) in vector.steps.into_iter().enumerate()
        {
            match additional_context {
                Some(context) => request.insert("additionalContext".to_owned(), context),
                None => request.remove("additionalContext"),
            };
            let answer =
                self.ask_value("merge", Value::from(request.clone()).to_string().as_bytes())?;
            let told: Vec<_> = answer["inputs"]
                .as_array()
                .ok_or_else(|| Failed(format!("{}, step {step}: {answer}", vector.name)))?
                .iter()
                .map(|input| MergeInput {
                    role: text(&input["item"]["role"]),
                    text: only(&input["item"]["content"])
                        .map_or_else(String::new, |part| text(&part["text"])),
                })
                .collect();
            check(told == inputs, || {
                format!(
                    "{}, step {step}: want {inputs:?}, got {told:?}",
                    vector.name
                )
            })?;
            request.insert("store".to_owned(), answer["store"].clone());
        }
        Ok(())
    }

    fn wire(&self, vector: Wire) -> Outcome {
        assert_eq!(
            vector.ok,
            vector.entries.is_some(),
            "entries stands with ok"
        );
        let answer = self.ask_value("merge", vector.params.as_bytes())?;
        let passes = match vector.entries {
            None => {
                let kind = answer["error"]["kind"].as_str().unwrap_or_default();
                ["invalid_json", "invalid_request", "invalid_params"].contains(&kind)
            }
            Some(Value::Null) => answer["store"] == json!({}),
            Some(entries) => answer["store"] == entries,
        };
        check(passes, || format!("{} is answered {answer}", vector.params))
    }

    fn truncate(&self, vector: Truncate) -> Outcome {
        let request = json!({
            "policy": {"maxValueTokens": vector.max_tokens},
            "additionalContext": {"k": {"value": vector.value, "kind": "untrusted"}},
        });
        let answer = self.ask_value("merge", request.to_string().as_bytes())?;
        let error = &answer["error"];
        if error["kind"] == "invalid_params" && error["data"]["path"] == "policy.maxValueTokens" {
            return Err(NotRun(
                "the module's policy has no maxValueTokens".to_owned(),
            ));
        }
        let got = only(&answer["inputs"]).and_then(|input| only(&input["item"]["content"]));
        let want = format!("<external_k>{}</external_k>", vector.text);
        let same = got.is_some_and(|part| part["text"] == want.as_str());
        check(same, || {
            format!("{}: want {want:?}, got {answer}", vector.name)
        })?;
        let receipt = only(&answer["receipts"]);
        let same = receipt.is_some_and(|receipt| match &vector.original_tokens {
            Value::Null => receipt.get("truncated").is_none(),
            tokens => receipt["truncated"]["originalTokens"] == *tokens,
        });
        check(same, || {
            format!(
                "{}: want {}, got {answer}",
                vector.name, vector.original_tokens
            )
        })
    }

    fn classify(&self, vector: Classify) -> Outcome {
        let content = [json!({"type": "input_text", "text": vector.text})];
        let request = json!({"items": [{"type": "message", "role": "user", "content": content}]});
        let answer = self.ask_value("classify", request.to_string().as_bytes())?;
        let same = only(&answer["items"]).is_some_and(|item| item["hidden"] == vector.hidden);
        check(same, || {
            format!(
                "{:?}: want hidden {}, got {answer}",
                vector.text, vector.hidden
            )
        })
    }

    fn calls(&self, vector: Calls) -> Outcome {
        for (step, call) in vector.calls.iter().enumerate() {
            let answer = self.ask(&call.function, &call.request())?;
            let passes =
                match call.expected() {
                    Expected::Bytes(bytes) => bytes == answer,
                    Expected::Contains(members) => serde_json::from_slice(&answer)
                        .is_ok_and(|answer| contains(&answer, &members)),
                    Expected::Error(error) => serde_json::from_slice(&answer)
                        .is_ok_and(|answer| is_error(&answer, &error)),
                };
            check(passes, || {
                let shown = String::from_utf8_lossy(&answer[..answer.len().min(400)]).into_owned();
                format!("{}, call {step}: got {shown}", vector.name)
            })?;
        }
        Ok(())
    }
}

fn read<T: DeserializeOwned>(vector: Value) -> T {
    serde_json::from_value(vector).unwrap()
}

fn check(passes: bool, reason: impl FnOnce() -> String) -> Outcome {
    if passes {
        Ok(())
    } else {
        Err(Failed(reason()))
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The item of an array that has one.
fn only(array: &Value) -> Option<&Value> {
    match array.as_array()?.as_slice() {
        [item] => Some(item),
        _ => None,
    }
}

/// Whether an answer has every member; what is no object has to be equal.
fn contains(answer: &Value, members: &Value) -> bool {
    match (answer, members) {
        (Value::Object(answer), Value::Object(members)) => members
            .iter()
            .all(|(name, want)| answer.get(name).is_some_and(|got| contains(got, want))),
        _ => answer == members,
    }
}

fn is_error(answer: &Value, want: &ExpectedError) -> bool {
    let Some(error) = answer.get("error").and_then(Value::as_object) else {
        return false;
    };
    let known = ["kind", "code", "message", "data"];
    let message = text(&answer["error"]["message"]);
    answer.as_object().is_some_and(|members| members.len() == 1)
        && error.keys().all(|name| known.contains(&name.as_str()))
        && answer["error"]["kind"] == want.kind.as_str()
        && answer["error"]["code"] == want.code
        && error.get("data") == want.data.as_ref()
        && !message.is_empty()
        && want
            .message
            .as_ref()
            .is_none_or(|wanted| *wanted == message)
}
