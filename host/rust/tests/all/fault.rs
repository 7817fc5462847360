//! A module that fails in every way it can: each gives its error, the instance
//! is replaced, and the next call is right.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use turncontext::{Context, Entry, Error, Failure, Merge, Module, Options};

use crate::repository;

/// The module that fails (`testdata/faults/README.md`), with one instance.
fn faulty() -> Options {
    Module::options().instances(1)
}

fn open(options: Options) -> Module {
    options
        .open_file(repository("testdata/faults/fault.wasm"))
        .unwrap()
}

fn failure(error: Error) -> Failure {
    match error {
        Error::Module(error) => error.failure,
        error => panic!("{error:?}"),
    }
}

/// How many calls the instance has had.
fn count(module: &Module) -> String {
    String::from_utf8(module.call("merge", "c").unwrap()).unwrap()
}

/// Makes a call that fails, between calls that show that the instance was
/// replaced.
fn fails(module: &Module, request: &str) -> Failure {
    let mut before: u32 = count(module).parse().unwrap();
    before += 1;
    assert_eq!(
        count(module),
        before.to_string(),
        "a call that goes well keeps the instance"
    );
    let failure = failure(module.call("merge", request).unwrap_err());
    assert_eq!(count(module), "1", "a call that fails drops the instance");
    failure
}

#[track_caller]
fn stopped(failure: Failure, reason: &str) {
    match failure {
        Failure::Stopped(text) => assert!(text.contains(reason), "{text:?}"),
        failure => panic!("{failure:?}"),
    }
}

#[test]
fn trap() {
    stopped(fails(&open(faulty()), "t"), "unreachable");
}

#[test]
fn stack() {
    stopped(fails(&open(faulty()), "r"), "stack");
}

#[test]
fn exit() {
    let module = open(faulty());
    assert_eq!(fails(&module, "e"), Failure::NoAnswer);
    stopped(fails(&module, "E"), "3");
}

#[test]
fn reported() {
    stopped(fails(&open(faulty()), "f"), "broken");
}

#[test]
fn no_answer() {
    assert_eq!(fails(&open(faulty()), "n"), Failure::NoAnswer);
}

#[test]
fn memory() {
    let module = open(faulty().memory_limit(64 << 20));
    assert_eq!(fails(&module, "m"), Failure::Memory);
    let error = module.call("merge", "m").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the module failed in merge: the memory limit is reached"
    );
}

#[test]
fn memory_of_a_request() {
    let module = Module::options()
        .instances(1)
        .memory_limit(8 << 20)
        .open()
        .unwrap();
    let large = format!("{{}}{}", " ".repeat(12 << 20));
    assert_eq!(
        failure(module.call("merge", large).unwrap_err()),
        Failure::Memory
    );
    assert_eq!(
        module.call("merge", "{}").unwrap(),
        br#"{"store":{},"inputs":[],"receipts":[]}"#
    );
}

#[test]
fn malformed_answer() {
    let module = open(faulty());
    assert_eq!(
        module.call("merge", "j").unwrap(),
        br#"{"store":"#,
        "a raw answer is not looked into"
    );
    assert_eq!(count(&module), "2");
    // The module answers the request.
    let merge = Merge::from(Context::from([("k", Entry::untrusted("v"))]));
    let malformed = failure(module.merge(None, &merge).unwrap_err());
    assert!(
        matches!(&malformed, Failure::Malformed(reason) if reason.contains("store")),
        "{malformed:?}"
    );
    assert_eq!(count(&module), "1");
}

#[test]
fn refusal_keeps_the_instance() {
    let module = open(faulty());
    let refused = br#"{"error":{"kind":"invalid_request","code":-32600,"message":"refused"}}"#;
    assert_eq!(module.call("merge", "o").unwrap(), refused);
    assert_eq!(count(&module), "2");
}

#[test]
fn no_such_function() {
    let module = open(faulty());
    for function in ["", "nothing", "direct_merge", "memory", "_initialize"] {
        let error = module.call(function, "{}").unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the module has no function {function:?}")
        );
        assert!(matches!(error, Error::NoFunction { name } if name == function));
    }
    assert_eq!(count(&module), "1");
}

#[test]
fn an_older_module_lacks_a_function() {
    let mut older = fs::read(repository("testdata/faults/fault.wasm")).unwrap();
    let name = br#""guidance""#;
    let at = older.windows(name.len()).position(|text| text == name);
    older[at.unwrap() + 1] = b'G';
    let module = faulty().open_bytes(older).unwrap();
    let error = module.guidance(None).unwrap_err();
    assert!(matches!(error, Error::NoFunction { name } if name == "guidance"));
    assert_eq!(count(&module), "1");
}

#[test]
fn large_calls_leave_no_memory_behind() {
    let module = open(faulty());
    let large = vec![b'x'; 5 << 20];
    assert_eq!(module.call("merge", &large).unwrap(), large);
    assert_eq!(count(&module), "1");
}

const TIMEOUT: Duration = Duration::from_millis(200);

#[test]
fn timeout() {
    let module = open(faulty().timeout(TIMEOUT));
    let started = Instant::now();
    assert_eq!(fails(&module, "l"), Failure::Timeout);
    assert!(started.elapsed() >= TIMEOUT);
}

/// The SDK counts whole milliseconds: a call that it ended by those is not taken
/// for one that a late signal ended, and made again.
#[test]
fn timeout_with_a_fraction() {
    let limit = Duration::from_micros(50_999);
    let module = open(faulty().timeout(limit));
    let quickest = (0..3)
        .map(|_| {
            let started = Instant::now();
            let error = module.call("merge", "l").unwrap_err();
            assert_eq!(failure(error), Failure::Timeout);
            started.elapsed()
        })
        .min();
    assert!(quickest < Some(limit * 19 / 10), "{quickest:?}");
}

/// The call beside the one that times out is not even made again: its instance
/// counts on.
#[test]
fn timeout_ends_no_other_call() {
    let module = open(faulty().instances(2).timeout(TIMEOUT));
    let payload = vec![b'x'; 1 << 20];
    thread::scope(|scope| {
        let looping = scope.spawn(|| failure(module.call("merge", "l").unwrap_err()));
        thread::sleep(TIMEOUT / 10); // the loop has its instance
        let mut calls = 0;
        while !looping.is_finished() {
            assert_eq!(module.call("merge", &payload).unwrap(), payload);
            calls += 2;
            assert_eq!(count(&module), calls.to_string());
        }
        assert_eq!(looping.join().unwrap(), Failure::Timeout);
        assert!(calls > 4);
    });
}

/// Calls that take about as long as they may: the SDK's signal may come when
/// the call is over, and must not end the next one.
#[test]
fn a_late_timeout_ends_no_other_call() {
    let limit = Duration::from_millis(2);
    let module = open(faulty().timeout(limit));
    let sizes = [1, 100_000, 200_000, 400_000, 800_000, 1_600_000];
    for size in sizes.into_iter().cycle().take(600) {
        let payload = vec![b'x'; size];
        let started = Instant::now();
        match module.call("merge", &payload) {
            Ok(answer) => assert_eq!(answer, payload),
            Err(error) => {
                assert_eq!(failure(error), Failure::Timeout);
                assert!(started.elapsed() >= limit);
            }
        }
    }
}
