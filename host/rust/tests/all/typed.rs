//! The typed calls say what the raw ones say: every vector of calls that is
//! within the types goes both ways.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turncontext::{
    ActiveTurn, Context, Entry, Error, Merge, Module, Params, Policy, PromptHook, RawValue,
    Reconcile, State, Store, TurnStart, TurnStartParams, TurnSteer, TurnSteerParams, UserInput,
};

use crate::vectors::{self, Calls};

#[test]
fn as_the_raw_calls() {
    let module = Module::open().unwrap();
    let functions = module.describe().unwrap().functions;
    let mut compared = BTreeMap::<String, usize>::new();
    for file in vectors::load() {
        if file.kind != "calls" {
            continue;
        }
        for vector in file.vectors {
            let vector: Calls = serde_json::from_value(vector).unwrap();
            for call in vector
                .calls
                .iter()
                .filter(|call| functions.contains(&call.function))
            {
                let answer = module.call(&call.function, call.request()).unwrap();
                let answer: Value = serde_json::from_slice(&answer).unwrap();
                for typed in typed(&module, &call.function, &call.request(), &answer) {
                    assert_eq!(typed, comparable(answer.clone()), "{}", vector.name);
                    *compared.entry(call.function.clone()).or_default() += 1;
                }
            }
        }
    }
    for function in ["describe", "merge", "turn_set", "turn_start", "turn_steer"] {
        assert!(
            compared.get(function).is_some_and(|count| *count >= 3),
            "{function}: {compared:?}"
        );
    }
}

/// Makes a call with types, in each way there is, and returns the answers as
/// JSON. What the types cannot say, or the module finds malformed, has no way.
fn typed(module: &Module, function: &str, request: &[u8], answer: &Value) -> Vec<Value> {
    let malformed = [
        "invalid_json",
        "invalid_request",
        "invalid_params",
        "request_too_large",
        "unsupported",
    ];
    let kind = answer["error"]["kind"].as_str().unwrap_or_default();
    if malformed.contains(&kind) {
        return Vec::new();
    }
    if function == "describe" {
        return vec![value(module.describe())];
    }
    let request: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(request).unwrap();
    let Ok(policy) = member::<Policy>(&request, "policy") else {
        return Vec::new();
    };
    match function {
        "merge" => {
            let store: Option<Store> = carried(&request, "store");
            let contexts = match request.get("additionalContext") {
                Some(json) if json.get() != "null" => ways(json, context).map(Some).to_vec(),
                _ => vec![None],
            };
            contexts
                .into_iter()
                .map(|additional_context| Merge {
                    additional_context,
                    policy: policy.clone(),
                })
                .map(|merge| value(module.merge(store.as_ref(), &merge)))
                .collect()
        }
        "turn_start" => {
            let state: Option<State> = carried(&request, "state");
            let prompt_hook = member::<PromptHook>(&request, "promptHook").unwrap();
            let turn_id = member::<String>(&request, "turnId")
                .unwrap()
                .unwrap_or_default();
            ways(&request["params"], start_params)
                .into_iter()
                .map(|params| TurnStart {
                    turn_id: turn_id.clone(),
                    params,
                    prompt_hook: prompt_hook.clone(),
                    policy: policy.clone(),
                })
                .map(|start| value(module.turn_start(state.as_ref(), &start)))
                .collect()
        }
        "turn_steer" => {
            let state: State = carried(&request, "state").unwrap();
            let prompt_hook = member::<PromptHook>(&request, "promptHook").unwrap();
            ways(&request["params"], steer_params)
                .into_iter()
                .map(|params| TurnSteer {
                    params,
                    prompt_hook: prompt_hook.clone(),
                    policy: policy.clone(),
                })
                .map(|steer| value(module.turn_steer(&state, &steer)))
                .collect()
        }
        "turn_set" => {
            let state: State = carried(&request, "state").unwrap();
            let turn = member::<ActiveTurn>(&request, "activeTurn").unwrap();
            let if_turn_id = member::<String>(&request, "ifTurnId").unwrap();
            vec![value(module.turn_set(
                &state,
                turn.as_ref(),
                if_turn_id.as_deref(),
            ))]
        }
        "reconcile" => {
            let history = member::<Vec<Box<RawValue>>>(&request, "history")
                .unwrap()
                .unwrap_or_default();
            let reconcile = Reconcile { history, policy };
            if let Some(state) = member::<State>(&request, "state").unwrap() {
                return vec![value(module.reconcile(&state, &reconcile))];
            }
            let store: Store = carried(&request, "store").unwrap();
            vec![value(module.reconcile_store(&store, &reconcile))]
        }
        "classify" => {
            let items = member::<Vec<Box<RawValue>>>(&request, "items")
                .unwrap()
                .unwrap_or_default();
            let store: Option<Store> = carried(&request, "store");
            vec![value(module.classify(
                &items,
                store.as_ref(),
                policy.as_ref(),
            ))]
        }
        "guidance" => vec![value(module.guidance(policy.as_ref()))],
        _ => panic!("{function} has no typed call"),
    }
}

/// Params as they were sent, and by their fields.
fn ways<P>(json: &RawValue, fields: impl Fn(&Value) -> P) -> [Params<P>; 2] {
    let value = serde_json::from_str(json.get()).unwrap();
    [
        Params::Json(json.to_owned()),
        Params::Fields(fields(&value)),
    ]
}

fn start_params(params: &Value) -> TurnStartParams {
    TurnStartParams {
        thread_id: text(params, "threadId"),
        input: inputs(params),
        additional_context: sent_context(params),
    }
}

fn steer_params(params: &Value) -> TurnSteerParams {
    TurnSteerParams {
        thread_id: text(params, "threadId"),
        expected_turn_id: text(params, "expectedTurnId"),
        input: inputs(params),
        additional_context: sent_context(params),
    }
}

fn inputs(params: &Value) -> Vec<UserInput> {
    let inputs = params["input"].as_array().unwrap();
    inputs.iter().map(user_input).collect()
}

fn user_input(input: &Value) -> UserInput {
    let text = |name| text(input, name);
    match text("type").as_str() {
        "text" => UserInput::text(text("text")),
        "image" => UserInput::Image {
            url: text("url"),
            detail: read(input, "detail"),
        },
        "localImage" => UserInput::LocalImage {
            path: text("path"),
            detail: read(input, "detail"),
        },
        "skill" => UserInput::Skill {
            name: text("name"),
            path: text("path"),
        },
        "mention" => UserInput::Mention {
            name: text("name"),
            path: text("path"),
        },
        other => panic!("no input is of type {other}"),
    }
}

fn sent_context(params: &Value) -> Option<Context> {
    let sent = &params["additionalContext"];
    (!sent.is_null()).then(|| context(sent))
}

fn context(sent: &Value) -> Context {
    let entries = sent.as_object().unwrap().iter();
    entries.map(|(key, sent)| (key, entry(sent))).collect()
}

fn entry(sent: &Value) -> Option<Entry> {
    (!sent.is_null()).then(|| Entry {
        value: text(sent, "value"),
        kind: read(sent, "kind"),
    })
}

fn text(value: &Value, name: &str) -> String {
    read(value, name)
}

fn read<T: DeserializeOwned>(value: &Value, name: &str) -> T {
    serde_json::from_value(value[name].clone()).unwrap()
}

/// A member that null stands for the absence of.
fn member<T: DeserializeOwned>(
    request: &BTreeMap<String, Box<RawValue>>,
    name: &str,
) -> Result<Option<T>, serde_json::Error> {
    request
        .get(name)
        .map_or(Ok(None), |text| serde_json::from_str(text.get()))
}

/// A member that is carried as it stands, null too.
fn carried<T: From<Box<RawValue>>>(
    request: &BTreeMap<String, Box<RawValue>>,
    name: &str,
) -> Option<T> {
    request.get(name).map(|text| T::from(text.clone()))
}

/// What a typed call gave, in the words of the raw one.
fn value(result: Result<impl Serialize, Error>) -> Value {
    match result {
        Ok(response) => serde_json::to_value(response).unwrap(),
        Err(Error::Refused(refusal)) => {
            let mut error = serde_json::json!({
                "kind": refusal.kind, "code": refusal.code, "message": refusal.message,
            });
            if let Some(data) = refusal.data {
                error["data"] = data;
            }
            comparable(serde_json::json!({ "error": error }))
        }
        Err(error) => panic!("{error}"),
    }
}

/// An answer without what depends on how the request was written.
fn comparable(mut answer: Value) -> Value {
    if let Some(data) = answer
        .pointer_mut("/error/data")
        .and_then(Value::as_object_mut)
    {
        data.remove("offset");
    }
    answer
}
