from __future__ import annotations

import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, cast

import pytest

from turncontext import Module, ModuleError, RequestError

from .paths import FAULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from turncontext import Prepared, Thread


def params(text: str = "hi", **context: str) -> Any:
    return {
        "input": [{"type": "text", "text": text}],
        "additionalContext": {k: {"value": v, "kind": "untrusted"} for k, v in context.items()},
    }


def steering(turn_id: str, **context: str) -> Any:
    return {**params(**context), "expectedTurnId": turn_id}


def texts(inputs: Any) -> list[str]:
    return [part["text"] for told in inputs for part in told["item"]["content"]]


@pytest.fixture
def thread(module: Module) -> Thread:
    return module.new_thread("x")


def test_turns(thread: Thread) -> None:
    assert (thread.id, thread.active_turn) == ("x", None)
    started = thread.start("t1", params(ci="red"))
    assert texts(started["inputs"]) == ["<external_ci>red</external_ci>", "hi"]
    assert started["turn"] == {"id": "t1", "steered": False}
    assert thread.active_turn == {"id": "t1", "kind": "regular"}

    assert texts(thread.steer(steering("t1", ci="red"))["inputs"]) == ["hi"]
    again = thread.start("t2", params(ci="green"))
    assert again["turn"] == {"id": "t1", "steered": True}
    assert texts(again["inputs"]) == ["<external_ci>green</external_ci>", "hi"]

    thread.end("other")
    assert thread.active_turn == {"id": "t1", "kind": "regular"}
    thread.end("t1")
    assert thread.active_turn is None

    thread.set({"id": "r", "kind": "review"})
    with pytest.raises(RequestError, match="cannot steer a review turn") as caught:
        thread.steer(steering("r"))
    assert caught.value.data["codexErrorInfo"]["activeTurnNotSteerable"] == {"turnKind": "review"}
    assert thread.active_turn == {"id": "r", "kind": "review"}


@pytest.mark.parametrize("id_", [None, 1, b"t", {}])
def test_an_id_that_is_no_string(module: Module, thread: Thread, id_: Any) -> None:
    """Without one, whatever turn is active would end."""
    thread.start("t", params())
    with pytest.raises(TypeError, match=f"turn_id is str, not {type(id_).__name__}"):
        thread.end(id_)
    with pytest.raises(TypeError, match=f"thread_id is str, not {type(id_).__name__}"):
        module.new_thread(id_)
    thread.end("")
    assert thread.active_turn == {"id": "t", "kind": "regular"}


@pytest.mark.parametrize("turn", [None, "t", []])
def test_a_turn_that_is_none(thread: Thread, turn: Any) -> None:
    thread.start("t", params())
    with pytest.raises(TypeError, match=f"turn is Mapping, not {type(turn).__name__}"):
        thread.set(turn)
    assert thread.active_turn == {"id": "t", "kind": "regular"}


@pytest.mark.parametrize("given", [None, "threadId", "x", [], 1])
def test_params_that_are_none(thread: Thread, given: Any) -> None:
    """A client may send anything; the module says what is wrong with it."""
    with pytest.raises(RequestError) as started:
        thread.start("t", given)
    with pytest.raises(RequestError) as steered:
        thread.steer(given)
    for error in started.value, steered.value:
        assert (error.kind, error.data["path"]) == ("invalid_params", "params")


def test_thread_id(thread: Thread) -> None:
    """The thread's own is put into params without one, and others are refused."""
    given = params()
    thread.start("t", given)
    assert "threadId" not in given
    with pytest.raises(RequestError) as caught:
        thread.start("t", cast("Any", {**given, "threadId": "y"}))
    assert caught.value.data["path"] == "threadId"


def test_commit(thread: Thread) -> None:
    with thread.prepare_start("t", params(ci="red")) as prepared:
        assert texts(prepared.inputs) == ["<external_ci>red</external_ci>", "hi"]
        assert prepared.turn == {"id": "t", "steered": False}
        assert [receipt["change"] for receipt in prepared.receipts] == ["added"]
        assert (thread.active_turn, thread.snapshot()["additionalContext"]) == (None, {})
        prepared.commit()
        assert thread.snapshot() == prepared.state
    assert thread.active_turn == {"id": "t", "kind": "regular"}


def test_discard(thread: Thread) -> None:
    before = thread.snapshot()
    with thread.prepare_start("t", params(ci="red")):
        pass
    prepared = thread.prepare_start("t", params(ci="red"))
    prepared.discard()
    prepared.discard()
    assert thread.snapshot() == before
    with pytest.raises(RuntimeError, match="committed or discarded already"):
        prepared.commit()
    assert thread.snapshot() == before


def test_an_error_in_the_block_discards(thread: Thread) -> None:
    before = thread.snapshot()
    with pytest.raises(OSError, match="disk"), thread.prepare_start("t", params()):
        raise OSError("disk")
    assert thread.snapshot() == before
    thread.start("t", params())


def test_prepare_steer(thread: Thread) -> None:
    thread.start("t", params())
    with thread.prepare_steer(steering("t", ci="red")) as prepared:
        prepared.commit()
    assert list(thread.snapshot()["additionalContext"]) == ["ci"]
    with pytest.raises(RuntimeError):
        prepared.commit()


def test_others_wait_for_what_is_prepared(thread: Thread) -> None:
    thread.start("t", params())
    prepared = thread.prepare_steer(steering("t", ci="red"))
    with ThreadPoolExecutor(4) as others:
        waiting: list[Future[Any]] = [
            others.submit(thread.steer, steering("t", ci="red")),
            others.submit(thread.start, "u", params(ci="red")),
            others.submit(thread.set, {"id": "t", "kind": "regular"}),
            others.submit(thread.restore, prepared.state),
        ]
        assert thread.snapshot()["additionalContext"] == {}  # does not wait
        assert not any(future.done() for future in waiting)
        prepared.commit()
        results = [future.result(10) for future in waiting]
    assert texts(results[0]["inputs"]) == ["hi"]
    assert thread.snapshot() == prepared.state


def test_the_preparer_itself_does_not_wait(thread: Thread) -> None:
    """It would for ever."""
    prepared = thread.prepare_start("t", params())
    with pytest.raises(RuntimeError, match="something is prepared"):
        thread.start("u", params())
    with pytest.raises(RuntimeError, match="something is prepared"):
        thread.end("t")
    prepared.commit()
    thread.end("t")
    assert thread.active_turn is None


def test_commit_in_another_thread(thread: Thread) -> None:
    prepared = thread.prepare_start("t", params())
    committer = threading.Thread(target=prepared.commit)
    committer.start()
    committer.join()
    thread.end("t")
    assert thread.active_turn is None


def test_the_preparer_is_not_taken_for_one_that_ended(thread: Thread) -> None:
    """The system gives its ident to the next."""
    prepared: list[Prepared[Any]] = []
    preparer = threading.Thread(target=lambda: prepared.append(thread.prepare_start("t", params())))
    preparer.start()
    preparer.join()
    with ThreadPoolExecutor(1) as another:
        waiting = another.submit(thread.end, "t")
        assert wait([waiting], 0.1).not_done
        prepared[0].commit()
        waiting.result(10)
    assert thread.active_turn is None


def test_copies(thread: Thread) -> None:
    """What the caller changes does not reach the thread."""
    response = thread.start("t", params(ci="red"))
    response["state"]["additionalContext"].clear()
    thread.snapshot()["additionalContext"]["ci"]["value"] = "x"
    cast("Any", thread.active_turn)["id"] = "u"
    with thread.prepare_steer(steering("t", ci="red")) as prepared:
        prepared.state["additionalContext"].clear()
        prepared.commit()
    state = thread.snapshot()
    assert state["additionalContext"] == {"ci": {"value": "red", "kind": "untrusted"}}
    assert thread.active_turn == {"id": "t", "kind": "regular"}


def test_snapshot_and_restore(module: Module, thread: Thread) -> None:
    empty = thread.snapshot()
    thread.start("t", params(ci="red"))
    saved = json.dumps(thread.snapshot())

    other = module.restore_thread(json.loads(saved))
    assert (other.id, other.active_turn) == ("x", {"id": "t", "kind": "regular"})
    assert texts(other.steer(steering("t", ci="red"))["inputs"]) == ["hi"]

    thread.restore(empty)
    assert thread.active_turn is None
    assert len(thread.start("t", params(ci="red"))["inputs"]) == 2


def test_restored_states_are_read_by_the_module(module: Module, thread: Thread) -> None:
    restored = module.restore_thread({"version": 1, "threadId": "x", "unknown": [1.0]})
    assert restored.snapshot() == thread.snapshot()
    newer = {**thread.snapshot(), "version": 2}
    for restore in (module.restore_thread, thread.restore):
        with pytest.raises(RequestError) as caught:
            restore(newer)
        assert caught.value.kind == "unsupported"
        with pytest.raises(RequestError) as caught:
            restore(cast("Any", None))
        assert caught.value.data["path"] == "state"


def test_restore_of_another_thread(module: Module, thread: Thread) -> None:
    with pytest.raises(ValueError, match="the state is that of thread 'y'"):
        thread.restore(module.new_thread("y").snapshot())
    assert thread.id == "x"


def test_policy(module: Module) -> None:
    """A call's policy stands in for the thread's."""
    thread = module.new_thread("x", policy={"experimentalApi": False})
    with pytest.raises(RequestError) as caught:
        thread.start("t", params(ci="red"))
    assert caught.value.kind == "experimental_api_required"
    assert len(thread.start("t", params(ci="red"), policy={})["inputs"]) == 2
    with pytest.raises(RequestError, match="experimental_api_required"):
        thread.steer(steering("t", ci="red"))
    thread.steer(steering("t", ci="red"), policy={"experimentalApi": True})

    restored = module.restore_thread(thread.snapshot(), policy={"experimentalApi": False})
    with pytest.raises(RequestError, match="experimental_api_required"):
        restored.steer(steering("t", ci="red"))


def test_a_policy_is_copied(module: Module, thread: Thread) -> None:
    """What becomes of the one that was given does not reach the thread."""
    policy: Any = {"keys": {"ci": {"maxValueTokens": 1000}}}
    threads = [
        module.new_thread("x", policy=policy),
        module.restore_thread(thread.snapshot(), policy=policy),
    ]
    policy["keys"]["ci"]["maxValueTokens"] = 0
    policy["experimentalApi"] = False
    for changed in threads:
        told = changed.start("t", params(ci="red"))["inputs"]
        assert texts(told) == ["<external_ci>red</external_ci>", "hi"]


def test_what_json_cannot_carry(module: Module, thread: Thread) -> None:
    """A thread is not made with it."""
    makes: list[tuple[Callable[[], Thread], str]] = [
        (lambda: module.new_thread("\ud800"), "state.threadId"),
        (lambda: module.new_thread("x", policy=cast("Any", {"keys": b""})), "policy.keys"),
        (lambda: module.restore_thread(thread.snapshot(), policy=cast("Any", b"")), "policy"),
    ]
    for make, path in makes:
        with pytest.raises(RequestError) as caught:
            make()
        assert (caught.value.kind, caught.value.data) == ("invalid_params", {"path": path})


def test_a_replaced_surrogate_in_an_id() -> None:
    """The thread has the id that the module knows, from the beginning."""
    with Module(ill_formed="replace") as module:
        thread = module.new_thread("x\ud800")
        assert thread.id == "x\ufffd"
        thread.restore(thread.snapshot())
        thread.start("t", {"input": [], "threadId": "x\ud800"})
        assert thread.id == "x\ufffd"


def test_prompt_hook(thread: Thread) -> None:
    started = thread.start("t", params(), prompt_hook={"blocked": True, "contexts": ["no"]})
    assert texts(started["inputs"]) == ["no"]
    steered = thread.steer(steering("t"), prompt_hook={"blocked": False, "contexts": []})
    assert texts(steered["inputs"]) == ["hi"]


def test_reconcile(thread: Thread) -> None:
    told = thread.start("t", params(ci="red"))["inputs"]
    before = thread.snapshot()
    kept = thread.reconcile([cast("Any", got["item"]) for got in told])
    assert (kept["inputs"], kept["receipts"][0]["change"]) == ([], "unchanged")
    assert texts(thread.reconcile([])["inputs"]) == ["<external_ci>red</external_ci>"]
    assert thread.snapshot() == before


def test_prepare_reconcile(thread: Thread) -> None:
    thread.start("t", params(ci="red"))
    with thread.prepare_reconcile([]) as prepared:
        assert prepared.receipts[0]["change"] == "restored"
        assert prepared.state == thread.snapshot()
        with pytest.raises(RuntimeError, match="is prepared"):
            thread.reconcile([])
        prepared.commit()
    assert len(thread.reconcile([])["inputs"]) == 1


def test_a_failed_module_changes_nothing() -> None:
    """Its functions answer with the request, which is no answer."""
    with Module(FAULT, instances=1) as fault:
        thread = fault.new_thread("x")
        before = thread.snapshot()
        with pytest.raises(ModuleError, match="malformed answer"):
            thread.start("t", params())
        with pytest.raises(ModuleError, match="malformed answer"):
            thread.reconcile([])
        assert thread.snapshot() == before
        thread.end("t")  # its answer has a state, the request's
        assert thread.snapshot() == before


def test_from_many_threads(module: Module, thread: Thread) -> None:
    """Each of many values is told once, whoever comes first."""
    thread.start("t", params())
    values = [str(number) for number in range(8)]

    def steer(value: str) -> list[str]:
        told: list[str] = []
        for _ in range(20):
            told += texts(thread.steer(steering("t", v=value))["inputs"])
        return told

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(steer, values))
    assert all(texts.count("hi") == 20 for texts in told)
    last = thread.snapshot()["additionalContext"]["v"]["value"]
    assert last in values
    assert module.restore_thread(thread.snapshot()).snapshot() == thread.snapshot()
