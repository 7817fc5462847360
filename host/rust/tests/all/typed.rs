//! The typed calls say what the raw ones say: every vector of calls that is
//! within the types goes both ways.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use turncontext::{
    ActiveTurn, Context, Error, Merge, Module, Params, Policy, PromptHook, RawValue, Reconcile,
    State, Store, TurnStart, TurnStartParams, TurnSteer, TurnSteerParams,
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
            let additional_context = member::<Context>(&request, "additionalContext").unwrap();
            vec![value(module.merge(
                store.as_ref(),
                &Merge {
                    additional_context,
                    policy,
                },
            ))]
        }
        "turn_start" => {
            let state: Option<State> = carried(&request, "state");
            let prompt_hook = member::<PromptHook>(&request, "promptHook").unwrap();
            let turn_id = member::<String>(&request, "turnId")
                .unwrap()
                .unwrap_or_default();
            ways::<TurnStartParams>(&request["params"])
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
            ways::<TurnSteerParams>(&request["params"])
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
fn ways<P: DeserializeOwned>(params: &RawValue) -> impl Iterator<Item = Params<P>> {
    let fields = serde_json::from_str(params.get()).unwrap();
    [Params::Json(params.to_owned()), Params::Fields(fields)].into_iter()
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
