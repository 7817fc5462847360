use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use std::{env, io};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use turncontext::{
    Change, Content, Context, ControlCharacters, Entry, Error, ErrorKind, KeyPolicy, Kind, Merge,
    Module, OpenError, Policy, Prepared, Preset, RawValue, Reconcile, Refusal, Removals, Role,
    State, Store, Thread, Tokenizer, Truncation, TurnStart, TurnStartParams, TurnSteerParams,
    Updates, UserInput, Warning, Wrapper,
};

use crate::repository;

#[test]
fn is_the_built_module() {
    let inside = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/turncontext.wasm")).unwrap();
    let sum: String = Sha256::digest(inside)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let want = fs::read_to_string(repository("build/turncontext.wasm.sha256")).unwrap();
    assert_eq!(want.split_whitespace().next(), Some(sum.as_str()));
}

#[test]
fn may_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Module>();
    shared::<Thread>();
    shared::<Prepared<'_>>();
    shared::<Error>();
    shared::<OpenError>();
}

#[test]
fn describe() {
    let description = Module::open().unwrap().describe().unwrap();
    assert_eq!(
        (description.abi.name.as_str(), description.abi.version),
        ("turncontext", 1)
    );
    assert_eq!(description.limits.request_bytes, 33_554_432);
    assert!(description.functions.iter().any(|name| name == "merge"));
}

fn merge(value: impl Into<String>) -> Merge {
    Context::from([("clé 🗝", Entry::untrusted(value))]).into()
}

#[test]
fn merges() {
    let module = Module::open().unwrap();
    let first = module.merge(None, &merge("né à \u{10ffff}\u{0}")).unwrap();
    let [input] = first.inputs.as_slice() else {
        panic!("{first:?}")
    };
    assert_eq!(input.key.as_deref(), Some("clé 🗝"));
    assert_eq!(input.kind, Some(Kind::Untrusted));
    assert_eq!(input.item.role, Role::User);
    let text = "<external_clé 🗝>né à \u{10ffff}\u{0}</external_clé 🗝>".to_owned();
    assert_eq!(input.item.content, [Content::InputText { text }]);
    assert_eq!(first.receipts[0].change, Change::Added);
    assert_eq!(first.receipts[0].warnings, [Warning::ControlCharacters]);

    // A database may write the store again.
    let saved: serde_json::Value = serde_json::from_str(first.store.as_str()).unwrap();
    let store: Store = serde_json::from_value(saved).unwrap();
    let second = module
        .merge(Some(&store), &merge("né à \u{10ffff}\u{0}"))
        .unwrap();
    assert_eq!(second.inputs, []);
    assert_eq!(second.receipts[0].change, Change::Unchanged);

    let third = module
        .merge(Some(&second.store), &Merge::default())
        .unwrap();
    assert_eq!(third.store.as_str(), "{}");
    assert_eq!(third.receipts[0].change, Change::Removed);
}

fn refusal(result: Result<impl std::fmt::Debug, Error>) -> Refusal {
    result.unwrap_err().refusal().unwrap().clone()
}

#[test]
fn refuses() {
    let module = Module::open().unwrap();
    let null = Merge::from(Context::from([("a.b", None::<Entry>)]));
    let refused = refusal(module.merge(None, &null));
    assert_eq!(refused.kind, ErrorKind::InvalidParams);
    assert_eq!(refused.code, -32602);
    assert_eq!(refused.data.unwrap()["path"], r#"additionalContext["a.b"]"#);

    let mut gated = merge("v");
    gated.policy = Some(Policy {
        experimental_api: Some(false),
        ..Policy::default()
    });
    let refused = refusal(module.merge(None, &gated));
    assert_eq!(refused.kind, ErrorKind::ExperimentalApiRequired);
    assert_eq!(refused.data, None);

    let newer: State = r#"{"version":2,"threadId":"t"}"#.parse().unwrap();
    let start = TurnStart::new(
        "1",
        TurnStartParams {
            thread_id: "t".into(),
            ..Default::default()
        },
    );
    assert_eq!(
        refusal(module.turn_start(Some(&newer), &start)).kind,
        ErrorKind::Unsupported
    );
}

/// A client's JSON is read by the module alone: serde takes an entry that is an
/// array, and a name that stands twice.
#[test]
fn what_a_client_sends_is_not_read_by_serde() {
    trait Read<Marker> {
        fn is_not() {}
    }
    impl<T> Read<()> for T {}
    impl<T: serde::de::DeserializeOwned> Read<u8> for T {}

    // Which of the two is meant could not be told of a type that is read.
    <Entry as Read<_>>::is_not();
    <Context as Read<_>>::is_not();
    <UserInput as Read<_>>::is_not();
    <TurnStartParams as Read<_>>::is_not();
    <TurnSteerParams as Read<_>>::is_not();
}

#[test]
fn a_clients_own_context() {
    let module = Module::open().unwrap();
    let merge = |json: &str| {
        let json = RawValue::from_string(json.to_owned()).unwrap();
        let merge = Merge {
            additional_context: Some(json.into()),
            ..Default::default()
        };
        module.merge(None, &merge)
    };
    let entry = r#"{"value":"v","kind":"untrusted"}"#;
    assert_eq!(
        merge(&format!(r#"{{"a":{entry}}}"#)).unwrap().inputs.len(),
        1
    );
    assert_eq!(merge("null").unwrap().inputs.len(), 0);
    for (json, path) in [
        (format!(r#"{{"a":{entry},"a":{entry}}}"#), ".a"),
        (r#"{"a":["v","untrusted"]}"#.to_owned(), ".a"),
        (format!(r#"[{entry}]"#), ""),
    ] {
        let refused = refusal(merge(&json));
        assert_eq!(refused.kind, ErrorKind::InvalidParams);
        assert_eq!(
            refused.data.unwrap()["path"],
            format!("additionalContext{path}")
        );
    }
}

fn a_policy_of_every_field() -> Policy {
    let key = KeyPolicy {
        max_value_tokens: Some(9),
        truncation: Some(Truncation::Tail),
        priority: Some(-1),
    };
    Policy {
        preset: Some(Preset::Safe),
        max_value_tokens: Some(8),
        max_total_tokens: Some(1000),
        keys: BTreeMap::from([("k".to_owned(), key)]),
        truncation: Some(Truncation::Head),
        strict_budget: Some(false),
        tokenizer: Some(Tokenizer::Approx),
        wrapper: Some(Wrapper::Reference),
        control_characters: Some(ControlCharacters::Keep),
        updates: Some(Updates::Patch),
        removals: Some(Removals::Announce),
        steer_context_only: Some(true),
        experimental_api: Some(true),
    }
}

/// Null is the default of whatever a policy has, as it is for the module.
#[test]
fn nulls_in_a_policy() {
    fn with_nulls(policy: &Value) -> Vec<Value> {
        let members = policy.as_object().unwrap().keys();
        members.map(|name| json!({ name: null })).collect()
    }
    let module = Module::open().unwrap();
    let every = serde_json::to_value(a_policy_of_every_field()).unwrap();
    let mut policies = with_nulls(&every);
    policies.push(json!({"keys": {"k": null}}));
    policies.extend(
        with_nulls(&every["keys"]["k"])
            .into_iter()
            .map(|key| json!({"keys": {"k": key}})),
    );
    assert_eq!(policies.len(), 13 + 1 + 3);
    for json in policies {
        let policy: Policy = serde_json::from_value(json.clone()).unwrap();
        let keys = policy.keys.clone();
        assert!(
            keys.values().all(|key| *key == KeyPolicy::default()),
            "{json}"
        );
        assert_eq!(
            Policy {
                keys,
                ..Policy::default()
            },
            policy,
            "{json}"
        );
        let request = json!({ "policy": json }).to_string();
        let answer = module.call("merge", request).unwrap();
        assert!(!answer.starts_with(br#"{"error""#), "{json}");
    }
}

/// Each field of a policy reaches the module, which refuses one that it does
/// not know.
#[test]
fn every_field_of_a_policy() {
    let module = Module::open().unwrap();
    let policy = a_policy_of_every_field();
    let text = serde_json::to_string(&policy).unwrap();
    assert_eq!(text.matches(':').count(), 13 + 1 + 3, "{text}");
    let context = Context::from([
        ("k", Some(Entry::untrusted("v".repeat(99)))),
        ("gone", None),
    ]);
    let merge = Merge {
        additional_context: Some(context.into()),
        policy: Some(policy),
    };
    let answer = module.merge(None, &merge).unwrap();
    let Content::InputText { text } = &answer.inputs[0].item.content[0] else {
        panic!()
    };
    let want = format!(
        "<external_k>…16 tokens truncated…{}</external_k>",
        "v".repeat(36)
    );
    assert_eq!(*text, want);
    assert_eq!(
        answer.receipts[0]
            .truncated
            .as_ref()
            .unwrap()
            .removed_tokens,
        16
    );

    let exact = Policy {
        tokenizer: Some(Tokenizer::O200kBase),
        ..Policy::default()
    };
    let merge = Merge {
        additional_context: None,
        policy: Some(exact),
    };
    if !module
        .describe()
        .unwrap()
        .tokenizers
        .iter()
        .any(|name| name == "o200k_base")
    {
        assert_eq!(
            refusal(module.merge(None, &merge)).kind,
            ErrorKind::Unsupported
        );
    }
}

#[test]
fn classifies() {
    let module = Module::open().unwrap();
    let told = module.merge(None, &merge("v")).unwrap();
    let items: Vec<_> = [
        serde_json::to_string(&told.inputs[0].item).unwrap(),
        r#"{"type":"message","role":"user","content":"<external_api> is what?"}"#.to_owned(),
        r#"{"type":"reasoning","big":12345678901234567890123}"#.to_owned(),
    ]
    .map(|item| RawValue::from_string(item).unwrap())
    .into();
    let answer = module.classify(&items, Some(&told.store), None).unwrap();
    let classified = answer.items;
    assert_eq!(classified[0].key.as_deref(), Some("clé 🗝"));
    assert_eq!(classified[0].kind, Some(Kind::Untrusted));
    assert_eq!(
        classified
            .iter()
            .map(|item| item.hidden)
            .collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[test]
fn guides() {
    let module = Module::open().unwrap();
    let attribute = Policy {
        wrapper: Some(Wrapper::Attribute),
        ..Policy::default()
    };
    let [plain, attribute] =
        [None, Some(&attribute)].map(|policy| module.guidance(policy).unwrap().text);
    assert!(attribute.contains("external_context") && plain != attribute);
}

#[test]
fn reconciles_a_store() {
    let module = Module::open().unwrap();
    let told = module.merge(None, &merge("v")).unwrap();
    let again = module
        .reconcile_store(&told.store, &Reconcile::default())
        .unwrap();
    assert_eq!(again.inputs, told.inputs);
    assert_eq!(again.store.as_str(), told.store.as_str());
}

/// A value that is put into a request as it is cannot bring members of its own.
#[test]
fn carried_text_is_one_value() {
    for text in [
        "",
        "{",
        "{},\"additionalContext\":{}",
        "{} {}",
        "\u{feff}{}",
        "nul",
        "01",
    ] {
        assert!(text.parse::<Store>().is_err(), "{text:?}");
        assert!(text.parse::<State>().is_err(), "{text:?}");
    }
    assert_eq!(
        " {\"a\" : 1.0} ".parse::<Store>().unwrap().as_str(),
        "{\"a\" : 1.0}"
    );
}

#[test]
fn ill_formed_text_is_refused() {
    let module = Module::open().unwrap();
    let mut request = br#"{"additionalContext":{"k":{"value":"v","kind":"untrusted"}}}"#.to_vec();
    request[36] = 0xff;
    let answer = module.call("merge", request).unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&answer).unwrap()["error"]["kind"],
        "invalid_json"
    );
}

#[test]
fn names_that_are_new_are_kept() {
    let change: Change = serde_json::from_str("\"moved\"").unwrap();
    assert_eq!(change, Change::Other("moved".to_owned()));
    assert_eq!(serde_json::to_string(&change).unwrap(), "\"moved\"");
}

#[test]
fn options_out_of_range() {
    for (options, words) in [
        (Module::options().memory_limit(65_535), "memory limit"),
        (Module::options().memory_limit(1 << 32), "memory limit"),
        (Module::options().memory_limit(u64::MAX), "memory limit"),
        (Module::options().instances(0), "instances"),
        (Module::options().timeout(Duration::ZERO), "time-out"),
    ] {
        let error = options.open().unwrap_err();
        assert!(matches!(error, OpenError::Options(_)));
        assert!(error.to_string().contains(words), "{error}");
    }
    let error = Module::options().memory_limit(1 << 20).open().unwrap_err();
    assert!(error.to_string().contains("memory limit"), "{error}");
}

/// What a module says of its ABI, hand-written: `describe` answers `text`.
fn describing(text: &str) -> Vec<u8> {
    let data: String = text.bytes().map(|byte| format!("\\{byte:02x}")).collect();
    let stores: String = (0..text.len())
        .map(|i| {
            format!(
                "(call $store (i64.add (local.get $p) (i64.const {i})) (i32.load8_u (i32.const {i})))"
            )
        })
        .collect();
    let length = text.len();
    wat::parse_str(format!(
        r#"(module
          (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
          (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
          (import "extism:host/env" "output_set" (func $output (param i64 i64)))
          (memory 1) (data (i32.const 0) "{data}")
          (func (export "describe") (result i32) (local $p i64)
            (local.set $p (call $alloc (i64.const {length})))
            {stores}
            (call $output (local.get $p) (i64.const {length}))
            (i32.const 0)))"#
    ))
    .unwrap()
}

#[test]
fn other_modules_are_refused() {
    let missing = Module::options().open_file("no/such.wasm").unwrap_err();
    assert!(
        matches!(&missing, OpenError::File { source, .. } if source.kind() == io::ErrorKind::NotFound)
    );
    assert!(missing.to_string().contains("no/such.wasm"));

    let empty = wat::parse_str("(module)").unwrap();
    let foreign = wat::parse_str(r#"(module (import "env" "f" (func)))"#).unwrap();
    for (module, words) in [
        (Vec::new(), "not a WebAssembly file"),
        (b"(module)".to_vec(), "not a WebAssembly file"),
        (b"\0asm\x01\0\0\0\xff".to_vec(), "turncontext version 1"),
        (empty, "no function describe"),
        (foreign, "env"),
        (describing("{}"), "abi"),
        (describing("text"), "describe"),
    ] {
        let error = Module::options().open_bytes(module).unwrap_err();
        assert!(matches!(error, OpenError::NotAModule { .. }), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
    }

    for (name, version) in [("turncontext", 2), ("other", 1)] {
        let module = describing(&format!(
            r#"{{"abi":{{"name":"{name}","version":{version}}}}}"#
        ));
        let error = Module::options().open_bytes(module).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the module keeps ABI {name:?} version {version}, \
                 this package speaks \"turncontext\" version 1"
            )
        );
    }
}

/// Whatever is wrong with it, the error names the file.
#[test]
fn the_file_that_is_refused_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let trap = r#"(module (func (export "describe") (result i32) unreachable))"#;
    for module in [
        b"notes".to_vec(),
        b"\0asm\x01\0\0\0\xff".to_vec(),
        wat::parse_str("(module)").unwrap(),
        wat::parse_str(trap).unwrap(),
        describing("text"),
        describing(r#"{"abi":{"name":"turncontext","version":2}}"#),
    ] {
        fs::write(file.path(), module).unwrap();
        let error = Module::options().open_file(file.path()).unwrap_err();
        let begin = format!("{}: ", file.path().display());
        assert!(error.to_string().starts_with(&begin), "{error}");
    }
}

/// A session of merges that no other has.
fn session(module: &Module, number: usize) -> Vec<String> {
    let mut store = None;
    let mut answers = Vec::new();
    for step in 0..60 {
        let value = format!(
            "session {number}, step {}: {}",
            step / 2,
            "é ".repeat(number * step)
        );
        let answer = module.merge(store.as_ref(), &merge(value)).unwrap();
        answers.push(serde_json::to_string(&answer).unwrap());
        store = Some(answer.store);
    }
    answers
}

#[test]
fn eight_threads_get_the_answers_of_one() {
    let alone = Module::options().instances(1).open().unwrap();
    let want: Vec<_> = (0..8).map(|number| session(&alone, number)).collect();
    for instances in [1, 3, 8] {
        let module = Module::options().instances(instances).open().unwrap();
        let got: Vec<_> = thread::scope(|scope| {
            let module = &module;
            let running: Vec<_> = (0..8)
                .map(|number| scope.spawn(move || session(module, number)))
                .collect();
            running
                .into_iter()
                .map(|session| session.join().unwrap())
                .collect()
        });
        assert!(got == want, "with {instances} instances");
    }
}

#[test]
fn no_more_instances_than_asked_for() {
    let module = Module::options()
        .instances(1)
        .open_file(repository("testdata/faults/fault.wasm"))
        .unwrap();
    let mut counts: Vec<u32> = thread::scope(|scope| {
        let running: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let count = || String::from_utf8(module.call("merge", "c").unwrap()).unwrap();
                    (0..10)
                        .map(|_| count().parse().unwrap())
                        .collect::<Vec<u32>>()
                })
            })
            .collect();
        running
            .into_iter()
            .flat_map(|counts| counts.join().unwrap())
            .collect()
    });
    counts.sort_unstable();
    assert_eq!(counts, (1..=80).collect::<Vec<_>>());
}

#[test]
fn close() {
    let module = Module::options().instances(2).open().unwrap();
    let mut thread = module.new_thread("t");
    let clone = module.clone();
    let calls = thread::scope(|scope| {
        let calling = scope.spawn(|| {
            let mut calls = 0;
            while module.merge(None, &merge("v")).is_ok() {
                calls += 1;
            }
            calls
        });
        thread::sleep(Duration::from_millis(50));
        clone.close();
        calling.join().unwrap()
    });
    assert!(calls > 0);
    assert!(matches!(module.describe(), Err(Error::Closed)));
    assert!(matches!(thread.end("1"), Err(Error::Closed)));
    clone.close();
}

/// Opens the module and uses it; for a process of its own.
#[test]
#[ignore = "run by without_a_cache"]
fn opens() {
    let module = Module::open().unwrap();
    module.merge(None, &merge("v")).unwrap();
    let module = Module::options()
        .timeout(Duration::from_secs(60))
        .instances(2)
        .open()
        .unwrap();
    module.merge(None, &merge("v")).unwrap();
}

#[test]
fn without_a_cache() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("folder"); // which nobody can make
    for variable in ["XDG_CACHE_HOME", "EXTISM_CACHE_CONFIG"] {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "module::opens", "--ignored"])
            .env(variable, &inside)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{variable}: {output:?}"
        );
    }
}

#[test]
fn a_thread_keeps_its_module() {
    let module = Arc::new(Module::open().unwrap());
    let mut thread = module.new_thread("t");
    drop(module);
    let params = TurnStartParams {
        input: vec![UserInput::text("hi")],
        ..Default::default()
    };
    assert_eq!(
        thread
            .start(TurnStart::new("1", params))
            .unwrap()
            .inputs
            .len(),
        1
    );
}
