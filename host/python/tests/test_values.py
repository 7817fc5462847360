"""What goes into a request, and what of it comes back."""

from __future__ import annotations

import datetime
import enum
import json
from collections import ChainMap, UserDict, UserList, deque
from types import MappingProxyType
from typing import Any, cast

import pytest

from turncontext import Module, RequestError
from turncontext._json import encode

from .paths import FAULT

itself: list[object] = []
itself.append(itself)
itself_too: UserList[object] = UserList()
itself_too.append(itself_too)


class Kind(str, enum.Enum):
    UNTRUSTED = "untrusted"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"bytes", "JSON has no values of type bytes"),
        (bytearray(b"bytes"), "JSON has no values of type bytearray"),
        (memoryview(b"bytes"), "JSON has no values of type memoryview"),
        (print, "JSON has no values of type builtin_function_or_method"),
        (datetime.date(2026, 1, 2), "JSON has no values of type date"),
        ({1, 2}, "JSON has no values of type set"),
        (1j, "JSON has no values of type complex"),
        (float("nan"), "nan is no number in JSON"),
        (float("inf"), "inf is no number in JSON"),
        (float("-inf"), "-inf is no number in JSON"),
        ("a\ud800", "the string has a lone surrogate at character 1"),
        ({1: "a"}, "a key of type int is no string"),
        ({None: "a"}, "a key of type NoneType is no string"),
        (UserDict({1: "a"}), "a key of type int is no string"),
        pytest.param(10**5000, "the integer has too many digits", id="digits"),
    ],
)
def test_no_json(module: Module, value: Any, reason: str) -> None:
    with pytest.raises(RequestError) as caught:
        module.merge(additional_context={"a b": {"value": value, "kind": "untrusted"}})
    error = caught.value
    assert (error.kind, error.code) == ("invalid_params", -32602)
    assert error.data == {"path": 'additionalContext["a b"].value'}
    assert error.message == f'additionalContext["a b"].value: {reason}'


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([0, [float("nan")]], "store[1][0]"),
        (({"x": b""},), "store[0].x"),
        ({"": {"_a1": {"1a": 1j}}}, 'store[""]._a1["1a"]'),
        ({'"\\\n\x01é': 1j}, 'store["\\"\\\\\\n\\u0001é"]'),
        ({"\udfff": 1}, 'store["\\udfff"]'),
        (itself, "store[0]"),
        (itself_too, "store[0]"),
        (deque([MappingProxyType({"x": b""})]), "store[0].x"),
    ],
)
def test_paths(module: Module, value: Any, path: str) -> None:
    with pytest.raises(RequestError) as caught:
        module.merge(store=value)
    assert caught.value.data == {"path": path}


def nested(levels: int, innermost: object) -> object:
    for level in range(levels):
        if level % 3:
            innermost = (innermost,) if level % 2 else UserList([innermost])
        else:
            innermost = {"a": innermost} if level % 2 else UserDict(a=innermost)
    return innermost


@pytest.mark.parametrize("innermost", [0, b"", float("nan"), itself, "\ud800", {1: 2}])
@pytest.mark.parametrize("levels", [128, 5000])
def test_what_nests_too_deep_is_refused_by_the_module(
    module: Module, levels: int, innermost: object
) -> None:
    """Whatever is in there: the module finds the bracket first."""
    history: Any = [nested(levels, innermost), 1]
    with pytest.raises(RequestError) as caught:
        module.reconcile(store={}, history=history)
    error = caught.value
    deepest = encode({"store": {}, "history": [nested(126, [])]}, "refuse")
    assert (error.kind, error.code) == ("invalid_json", -32700)
    assert error.data == {"offset": deepest.index(b"[]")}


def test_a_flaw_beside_what_nests_too_deep(module: Module) -> None:
    """What JSON cannot carry is refused first."""
    history: Any = [nested(200, 0), b""]
    with pytest.raises(RequestError) as caught:
        module.reconcile(store={}, history=history)
    assert caught.value.data == {"path": "history[1]"}


def test_the_deepest_that_the_module_reads(module: Module) -> None:
    answer = module.reconcile(store={}, history=[{"x": nested(125, 0)}])
    assert answer["inputs"] == []


def test_path_in_params(module: Module) -> None:
    """As the module's own, the path of what is in the params begins there."""
    with pytest.raises(RequestError) as caught:
        module.turn_start(turn_id="t", params=cast("Any", {"threadId": b"", "input": []}))
    assert caught.value.data == {"path": "threadId"}
    with pytest.raises(RequestError) as caught:
        module.turn_start(turn_id="t", params=cast("Any", b""))
    assert caught.value.data == {"path": "params"}


def test_refused_before_the_module_is_called(fault: Module) -> None:
    with pytest.raises(RequestError):
        fault.merge(store=cast("Any", {"a": b""}))
    assert fault.call("merge", "c") == b"1"


def test_same_value_twice_is_no_cycle(module: Module) -> None:
    entry: Any = {"value": "v", "kind": "untrusted"}
    assert list(module.merge(additional_context={"a": entry, "b": entry})["store"]) == ["a", "b"]


def test_types_of_json_and_their_subclasses(module: Module) -> None:
    """A tuple is an array; a str that is an enum is its text."""
    context: Any = {"a": {"value": "v", "kind": Kind.UNTRUSTED}}
    assert module.merge(additional_context=context)["store"]["a"]["kind"] == "untrusted"
    params: Any = {"threadId": "x", "input": ({"type": "text", "text": "t"},)}
    assert len(module.turn_start(turn_id="t", params=params)["inputs"]) == 1


@pytest.mark.parametrize("mapping", [MappingProxyType, UserDict, ChainMap])
@pytest.mark.parametrize("sequence", [tuple, deque, UserList])
def test_mappings_and_sequences(module: Module, mapping: Any, sequence: Any) -> None:
    """What the types take is an object or an array, wherever it stands."""

    def other(value: Any) -> Any:
        """The same value in other containers."""
        if isinstance(value, dict):
            return mapping({name: other(member) for name, member in value.items()})
        if isinstance(value, list):
            return sequence(map(other, value))
        return value

    thread = module.new_thread("x", policy=other({"keys": {"a": {"priority": 1}}}))
    state = thread.snapshot()
    store = {"a": {"value": "v", "kind": "untrusted"}}
    message = {"role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    params = {
        "threadId": "x",
        "input": [{"type": "text", "text": "hi", "text_elements": []}],
        "additionalContext": store,
    }
    turn = {"id": "t", "kind": "review"}
    hook = {"blocked": True, "contexts": ["no"]}
    requests: list[tuple[Any, dict[str, Any]]] = [
        (module.merge, {"store": store, "additional_context": store}),
        (module.turn_start, {"turn_id": "t", "params": params, "prompt_hook": hook}),
        (module.turn_set, {"state": state, "active_turn": turn}),
        (module.reconcile, {"store": store, "history": [message]}),
        (module.classify, {"items": [message], "store": store}),
    ]
    for method, request in requests:
        others = {name: other(value) for name, value in request.items()}
        assert method(**others) == method(**request)

    assert thread.start("t", other(params))["inputs"]
    thread.end("t")
    del params["threadId"]
    assert thread.start("t", other(params))["inputs"]
    thread.set(other(turn))
    assert thread.active_turn == turn
    thread.restore(other(state))
    assert thread.snapshot() == state


def test_text_keeps_its_meaning(module: Module) -> None:
    text = 'é 語 🙂 \0 \x1f \x7f \u2028 \ufeff \U0010ffff " \\ / \n'
    answer = module.merge(additional_context={text: {"value": text, "kind": "untrusted"}})
    assert answer["store"] == {text: {"value": text, "kind": "untrusted"}}
    (told,) = answer["inputs"]
    assert told["key"] == text
    assert told["item"]["content"] == [
        {"type": "input_text", "text": f"<external_{text}>{text}</external_{text}>"}
    ]


@pytest.mark.parametrize(
    "value",
    [2**53 + 1, -(2**70), 10**40, 0.1, 1e300, 5e-324, 1.0, -0.0, True, None, {}, [], "", "é"],
)
def test_values_that_are_carried(value: object) -> None:
    """Whatever an item of the history has goes out as it is."""
    sent = encode({"history": [{"x": value}]}, "refuse")
    back = json.loads(sent)["history"][0]["x"]
    assert (repr(back), type(back)) == (repr(value), type(value))


def test_null_and_absent(module: Module) -> None:
    """None as an argument is absent; None in a value is null."""
    for policy in ({}, {"experimentalApi": None}, None):
        merged = module.merge(additional_context=None, policy=cast("Any", policy))
        assert merged == {"store": {}, "inputs": [], "receipts": []}
    closed = {"experimentalApi": False}
    assert module.merge(additional_context=None, policy=cast("Any", closed))["store"] == {}
    with pytest.raises(RequestError, match="experimental_api_required"):
        module.merge(additional_context={}, policy=cast("Any", closed))
    state = module.new_thread("x").snapshot()
    with pytest.raises(RequestError, match="activeTurn"):
        module.turn_set(state=state, active_turn=cast("Any", {"id": None, "kind": "regular"}))


def test_replaced_surrogates() -> None:
    with Module(ill_formed="replace") as module:
        value = "a\ud800b\udc00\ud83d\ude42é"  # in Python, halves of a pair are two lone ones
        answer = module.merge(additional_context={"k\udfff": {"value": value, "kind": "untrusted"}})
        store = {"k\ufffd": {"value": "a\ufffdb\ufffd\ufffd\ufffdé", "kind": "untrusted"}}
        assert answer["store"] == store
        assert json.loads(module.call("merge", '{"\ud800":1}'))["store"] == {}


def test_raw_text(module: Module) -> None:
    request = '{"additionalContext":{"é":{"value":"語","kind":"untrusted"}}}'
    assert module.call("merge", request) == module.call("merge", request.encode())
    with pytest.raises(RequestError) as caught:
        module.call("merge", '{"é\ud800":1}')
    error = caught.value
    assert (error.kind, error.code, error.data) == ("invalid_json", -32700, {"offset": 4})
    with pytest.raises(TypeError, match="bytearray"):
        module.call("merge", cast("Any", bytearray(b"{}")))


def test_ill_formed_option() -> None:
    with pytest.raises(ValueError, match="ill_formed is 'drop'"):
        Module(FAULT, ill_formed=cast("Any", "drop"))
