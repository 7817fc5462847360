use std::sync::Mutex;
use std::thread;

use turncontext::{
    ActiveTurn, Change, Context, Entry, Error, ErrorKind, Module, Policy, PromptHook, RawValue,
    Reconcile, Source, State, TurnKind, TurnStart, TurnStartParams, TurnSteer, TurnSteerParams,
    UserInput,
};

fn context(value: &str) -> Option<Context> {
    Some(Context::from([("ci", Entry::untrusted(value))]))
}

fn start(turn: &str, value: &str) -> TurnStart {
    let params = TurnStartParams {
        input: vec![UserInput::text("Why?")],
        additional_context: context(value),
        ..Default::default()
    };
    TurnStart::new(turn, params)
}

fn steer(turn: &str, value: &str) -> TurnSteer {
    TurnSteer::new(TurnSteerParams {
        expected_turn_id: turn.to_owned(),
        input: vec![UserInput::text("And now?")],
        additional_context: context(value),
        ..Default::default()
    })
}

fn kind(result: Result<impl std::fmt::Debug, Error>) -> ErrorKind {
    result.unwrap_err().refusal().unwrap().kind.clone()
}

fn regular(id: &str) -> ActiveTurn {
    ActiveTurn {
        id: id.to_owned(),
        kind: TurnKind::Regular,
    }
}

#[test]
fn a_session() {
    let module = Module::open().unwrap();
    let mut thread = module.new_thread("naïve \"id\"\n");
    assert_eq!(thread.id(), "naïve \"id\"\n");
    assert_eq!(thread.active_turn(), None);

    let started = thread.start(start("1", "red")).unwrap();
    assert!(!started.turn.steered);
    assert_eq!(started.state.as_str(), thread.snapshot().as_str());
    assert_eq!(
        started
            .inputs
            .iter()
            .map(|input| input.source.clone())
            .collect::<Vec<_>>(),
        [Source::AdditionalContext, Source::User]
    );
    assert_eq!(thread.active_turn(), Some(&regular("1")));

    let steered = thread.steer(steer("1", "red")).unwrap();
    assert!(steered.turn.steered);
    assert_eq!(steered.inputs.len(), 1);
    assert_eq!(steered.receipts[0].change, Change::Unchanged);

    assert_eq!(
        kind(thread.steer(steer("2", "green"))),
        ErrorKind::TurnMismatch
    );
    thread.end("another").unwrap();
    assert_eq!(thread.active_turn(), Some(&regular("1")));
    thread.end("1").unwrap();
    assert_eq!(thread.active_turn(), None);
    assert_eq!(
        kind(thread.steer(steer("1", "green"))),
        ErrorKind::NoActiveTurn
    );

    let review = ActiveTurn {
        id: "2".to_owned(),
        kind: TurnKind::Review,
    };
    thread.set(&review).unwrap();
    let error = thread.start(start("3", "green")).unwrap_err();
    let refusal = error.refusal().unwrap();
    assert_eq!(refusal.kind, ErrorKind::TurnNotSteerable);
    let data = refusal.data.as_ref().unwrap();
    assert_eq!(
        data["codexErrorInfo"]["activeTurnNotSteerable"]["turnKind"],
        "review"
    );
    thread.end("2").unwrap();
    assert_eq!(
        thread.start(start("3", "green")).unwrap().receipts[0].change,
        Change::Changed
    );
}

#[test]
fn prepared() {
    let module = Module::open().unwrap();
    let mut thread = module.new_thread("t");
    let before = thread.snapshot().to_string();

    thread.prepare_start(start("1", "red")).unwrap().discard();
    drop(thread.prepare_start(start("1", "red")).unwrap());
    assert_eq!(thread.snapshot().as_str(), before);
    assert_eq!(thread.active_turn(), None);

    let prepared = thread.prepare_start(start("1", "red")).unwrap();
    assert_eq!((prepared.turn.id.as_str(), prepared.inputs.len()), ("1", 2));
    assert_eq!(prepared.receipts[0].change, Change::Added);
    let saved = prepared.state().to_string();
    let response = prepared.commit();
    assert_eq!(response.state.as_str(), saved);
    assert_eq!(thread.snapshot().as_str(), saved);

    let prepared = thread.prepare_steer(steer("1", "green")).unwrap();
    assert_eq!(prepared.receipts[0].change, Change::Changed);
    prepared.discard();
    assert_eq!(thread.snapshot().as_str(), saved);
}

#[test]
fn restored() {
    let module = Module::open().unwrap();
    let mut thread = module.new_thread("t");
    thread.start(start("1", "red")).unwrap();
    let old = thread.snapshot().clone();
    thread.end("1").unwrap();
    thread.start(start("2", "green")).unwrap();

    // A rollback, of a state that a database wrote again.
    let text = old.to_string();
    let loose: State = serde_json::from_str(&text.replace(':', " : ")).unwrap();
    thread.restore(&loose).unwrap();
    assert_eq!(thread.snapshot().as_str(), old.as_str());
    assert_eq!(thread.active_turn(), Some(&regular("1")));

    let mut fork = module.restore_thread(&old).unwrap();
    assert_eq!((fork.id(), fork.active_turn()), ("t", Some(&regular("1"))));
    assert_eq!(
        fork.steer(steer("1", "red")).unwrap().receipts[0].change,
        Change::Unchanged
    );

    let other = module.new_thread("u").snapshot().clone();
    assert!(matches!(thread.restore(&other), Err(Error::OtherThread { id }) if id == "u"));
    let newer: State = r#"{"version":2,"threadId":"t"}"#.parse().unwrap();
    assert_eq!(kind(thread.restore(&newer)), ErrorKind::Unsupported);
    for malformed in [
        "null",
        "{}",
        r#"{"version":1,"threadId":"t","activeTurn":{"id":"1"}}"#,
    ] {
        assert_eq!(
            kind(module.restore_thread(&malformed.parse().unwrap())),
            ErrorKind::InvalidParams
        );
    }
    assert_eq!(thread.snapshot().as_str(), old.as_str());
}

#[test]
fn policies() {
    let module = Module::open().unwrap();
    let closed = Policy {
        experimental_api: Some(false),
        ..Policy::default()
    };
    let mut thread = module.new_thread("t").with_policy(closed);
    assert_eq!(
        kind(thread.start(start("1", "red"))),
        ErrorKind::ExperimentalApiRequired
    );
    let mut request = start("1", "red");
    request.policy = Some(Policy::default()); // a call's own takes the place of the thread's
    thread.start(request).unwrap();
    assert_eq!(
        kind(thread.steer(steer("1", "red"))),
        ErrorKind::ExperimentalApiRequired
    );
}

#[test]
fn hooks_and_the_clients_own_params() {
    let module = Module::open().unwrap();
    let mut thread = module.new_thread("t");
    let params =
        r#"{"model":null,"input":[{"type":"text","text":"hi","text_elements":[]}],"threadId":"t"}"#;
    let mut request = TurnStart::new("1", RawValue::from_string(params.to_owned()).unwrap());
    request.prompt_hook = Some(PromptHook {
        blocked: true,
        contexts: vec!["be brief".into()],
    });
    let response = thread.start(request).unwrap();
    assert_eq!(response.inputs.len(), 1);
    assert_eq!(response.inputs[0].source, Source::PromptHook);

    let params = RawValue::from_string(r#"{"input":[],"threadId":"u"}"#.to_owned()).unwrap();
    let error = thread.start(TurnStart::new("2", params)).unwrap_err();
    assert_eq!(
        error.refusal().unwrap().data.as_ref().unwrap()["path"],
        "threadId"
    );
}

/// Threads of execution share a thread through a lock, and none of its changes
/// is lost.
#[test]
fn shared_through_a_lock() {
    let module = Module::open().unwrap();
    let shared = Mutex::new(module.new_thread("t"));
    thread::scope(|scope| {
        for number in 0..8 {
            let shared = &shared;
            scope.spawn(move || {
                for turn in 0..20 {
                    let id = format!("{number}-{turn}");
                    let mut thread = shared.lock().unwrap();
                    let prepared = thread.prepare_start(start(&id, &id)).unwrap();
                    assert!(!prepared.turn.steered);
                    prepared.commit();
                    thread.end(&id).unwrap();
                }
            });
        }
    });
    let thread = shared.into_inner().unwrap();
    assert_eq!(thread.active_turn(), None);
}

/// The thread's history changed: what it was told and no longer sees, it is
/// told again.
#[test]
fn reconciled() {
    let module = Module::open().unwrap();
    let mut thread = module.new_thread("t");
    let started = thread.start(start("1", "red")).unwrap();
    let told = serde_json::value::to_raw_value(&started.inputs[0].item).unwrap();

    let kept = thread
        .reconcile(Reconcile {
            history: vec![told],
            policy: None,
        })
        .unwrap();
    assert_eq!(
        (kept.inputs.len(), &kept.receipts[0].change),
        (0, &Change::Unchanged)
    );
    let lost = thread.reconcile(Reconcile::default()).unwrap();
    assert_eq!(lost.inputs, started.inputs[..1]);
    assert_eq!(lost.receipts[0].change, Change::Restored);
    assert_eq!(lost.state.as_str(), thread.snapshot().as_str());

    let before = thread.snapshot().to_string();
    let tight = Policy {
        max_total_tokens: Some(0),
        ..Policy::default()
    };
    let lose = Reconcile {
        history: Vec::new(),
        policy: Some(tight),
    };
    thread.prepare_reconcile(lose.clone()).unwrap().discard();
    assert_eq!(thread.snapshot().as_str(), before);
    let prepared = thread.prepare_reconcile(lose).unwrap();
    let next = prepared.state().to_string();
    let dropped = prepared.commit();
    assert_eq!(dropped.receipts[0].change, Change::Dropped);
    assert_eq!(thread.snapshot().as_str(), next);
    assert_ne!(next, before);
    assert_eq!(
        thread.start(start("2", "red")).unwrap().receipts[0].change,
        Change::Added
    );
}
