from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import pytest

from turncontext import Module, ModuleError, RequestError

from .paths import BUILD, FAULT

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = b"\0asm\1\0\0\0"  # a module without anything
STATE = {"version": 1, "threadId": "t", "activeTurn": None, "additionalContext": {}}


def test_describe(module: Module) -> None:
    description = module.describe()
    assert description["abi"] == {"name": "turncontext", "version": 1}
    assert {"describe", "merge", "turn_set", "turn_start", "turn_steer"} <= set(
        description["functions"]
    )
    assert description["limits"]["requestBytes"] == 33554432


@pytest.mark.parametrize("form", ["path", "text", "bytes"])
def test_sources(form: str) -> None:
    path = BUILD / "turncontext.wasm"
    sources: dict[str, Any] = {"path": path, "text": str(path), "bytes": path.read_bytes()}
    with Module(sources[form]) as module:
        assert module.merge()["store"] == {}


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Module(tmp_path / "none.wasm")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"", "it is no WebAssembly file; this package speaks turncontext 1"),
        # A manifest: the SDK would fetch what it names.
        (b'{"wasm":[{"path":"x.wasm"}]}', "it is no WebAssembly file"),
        (SMALLEST, "it does not describe itself: .*not found.*; this package speaks turncontext 1"),
        (SMALLEST[:4] + b"junk", "the module cannot be opened: .*unknown binary version"),
        (b'"version":2', "it speaks turncontext 2; this package speaks turncontext 1"),
        (b'"name":"turncontexu"', "it speaks turncontexu 1; this package speaks turncontext 1"),
    ],
)
def test_no_module(source: bytes, reason: str) -> None:
    if source.startswith(b'"'):
        source = described_otherwise(source)
    with pytest.raises(ModuleError, match=reason) as caught:
        Module(source)
    assert caught.value.function is None
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"notes", "it is no WebAssembly file"),
        (SMALLEST[:4] + b"junk", ".*unknown binary version"),
        (SMALLEST, "it does not describe itself"),
        (b'"version":2', "it speaks turncontext 2"),
    ],
)
def test_no_module_in_a_file(tmp_path: Path, content: bytes, reason: str) -> None:
    """Whatever is wrong with it, the error names the file."""
    if content.startswith(b'"'):
        content = described_otherwise(content)
    file = tmp_path / "notes.wasm"
    file.write_bytes(content)
    for source in file, str(file):
        with pytest.raises(ModuleError) as caught:
            Module(source)
        assert re.match(f"{re.escape(str(file))}: {reason}", caught.value.reason)
        assert caught.value.function is None


def test_no_module_with_a_timeout() -> None:
    with pytest.raises(ModuleError, match=r"cannot be opened: .*unknown binary version"):
        Module(SMALLEST[:4] + b"junk", timeout=1)


def test_too_little_memory() -> None:
    with pytest.raises(ModuleError, match="it does not describe itself: it ran out of memory"):
        Module(memory_limit=65536)


def described_otherwise(member: bytes) -> bytes:
    """Return a module whose answer of describe has another name or version."""
    abi = b'"name":"turncontext","version":1'
    name = member.partition(b":")[0]
    changed = b",".join(member if m.startswith(name) else m for m in abi.split(b","))
    wasm = FAULT.read_bytes()
    assert wasm.count(abi) == 1
    return wasm.replace(abi, changed)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"memory_limit": 65535}, "memory_limit is 65535, not 65536 to 4294901760"),
        ({"memory_limit": 1 << 32}, "memory_limit is 4294967296"),
        ({"instances": 0}, "instances is 0, which is below 1"),
        ({"timeout": 0}, "timeout is 0, not a number of seconds above 0"),
        ({"timeout": float("nan")}, "timeout is nan"),
        ({"timeout": float("inf")}, "timeout is inf"),
    ],
)
def test_options_out_of_range(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Module(FAULT, **options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"memory_limit": "1"}, "memory_limit is int, not str"),
        ({"memory_limit": 1e9}, "memory_limit is int, not float"),
        ({"memory_limit": None}, "memory_limit is int, not NoneType"),
        ({"instances": "1"}, "instances is int, not str"),
        ({"instances": 1.5}, "instances is int, not float"),
        ({"timeout": "x"}, "timeout is int or float, not str"),
        ({"memory_limit": True}, "memory_limit is int, not bool"),
        ({"instances": True}, "instances is int, not bool"),
        ({"timeout": True}, "timeout is int or float, not bool"),
        ({"memorylimit": 1 << 20}, "unexpected keyword argument 'memorylimit'"),
    ],
)
def test_options_of_another_type(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        Module(FAULT, **options)


def test_the_largest_memory_limit() -> None:
    with Module(FAULT, memory_limit=(1 << 32) - 65536) as module:
        assert module.call("merge", "c") == b"1"


def test_raw_call(module: Module) -> None:
    request = '{"additionalContext":{"ci":{"value":"ok","kind":"untrusted"}}}'
    store = json.loads(module.call("merge", request))["store"]
    assert store == {"ci": {"value": "ok", "kind": "untrusted"}}
    assert json.loads(module.call("describe"))["abi"]["version"] == 1


def test_raw_refusal_is_an_answer(module: Module) -> None:
    error = json.loads(module.call("merge", "["))["error"]
    assert (error["kind"], error["code"]) == ("invalid_json", -32700)


@pytest.mark.parametrize("function", ["none", "direct_merge", "describe\0", "_initialize", ""])
def test_no_such_function(module: Module, function: str) -> None:
    reason = f"there is no function {re.escape(repr(function))}; there are .*merge"
    with pytest.raises(ValueError, match=reason):
        module.call(function)


def test_refusal(module: Module) -> None:
    context: Any = {"a": {"value": "v", "kind": "foo"}}
    with pytest.raises(RequestError) as caught:
        module.merge(additional_context=context)
    error = caught.value
    assert (error.kind, error.code) == ("invalid_params", -32602)
    assert error.data["path"] == "additionalContext.a.kind"
    assert str(error) == f"invalid_params: {error.message}"


def test_refusal_without_data(module: Module) -> None:
    state = module.new_thread("x").snapshot()
    params: Any = {"threadId": "x", "expectedTurnId": "t", "input": []}
    with pytest.raises(RequestError, match="no active turn to steer") as caught:
        module.turn_steer(state=state, params=params)
    assert (caught.value.kind, caught.value.data) == ("no_active_turn", None)


def test_merge(module: Module) -> None:
    first = module.merge(additional_context={"tab": {"value": "Inbox", "kind": "untrusted"}})
    assert first["receipts"] == [
        {"key": "tab", "kind": "untrusted", "change": "added", "tokens": 9, "warnings": []}
    ]
    again = module.merge(store=first["store"], additional_context=first["store"])
    assert again["inputs"] == []
    assert module.merge(store=first["store"])["store"] == {}


def test_turns(module: Module) -> None:
    params: Any = {"threadId": "x", "input": [{"type": "text", "text": "hi"}]}
    more: Any = {**params, "expectedTurnId": "t"}
    hook: Any = {"blocked": True, "contexts": ["a", "b"]}
    started = module.turn_start(turn_id="t", params=params, prompt_hook=hook)
    assert started["turn"] == {"id": "t", "steered": False}
    assert [told["source"] for told in started["inputs"]] == ["promptHook", "promptHook"]
    steered = module.turn_steer(state=started["state"], params=more, policy={})
    assert steered["turn"] == {"id": "t", "steered": True}
    other = module.turn_set(state=steered["state"], active_turn=None, if_turn_id="other")
    assert other["state"] == steered["state"]
    ended = module.turn_set(state=steered["state"], active_turn=None, if_turn_id="t")
    assert ended["state"]["activeTurn"] is None


@pytest.mark.parametrize("id_", [None, 1, {}])
def test_a_condition_that_is_none(module: Module, id_: Any) -> None:
    """Without one, whatever turn is active would end."""
    state = {**STATE, "activeTurn": {"id": "t", "kind": "regular"}}
    with pytest.raises(RequestError) as caught:
        module.turn_set(state=state, active_turn=None, if_turn_id=id_)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalid_params", "ifTurnId")


def test_closed() -> None:
    with Module(FAULT) as module:
        pass
    with pytest.raises(RuntimeError, match="the module is closed"):
        module.describe()
    module.close()


def test_malformed_answers(fault: Module) -> None:
    """Its merge answers with the request."""
    for _ in range(2):
        with pytest.raises(ModuleError, match="malformed answer: no inputs"):
            fault.merge(store={})
        assert fault.call("merge", "c") == b"1"


@pytest.mark.parametrize(
    ("method", "arguments", "request_"),
    [
        ("classify", {"items": [], "store": {}}, {"items": [], "store": {}}),
        ("guidance", {"policy": {}}, None),
        ("reconcile", {"history": [{"x": 1}], "state": {}}, None),
        ("turn_set", {"state": {"a": 1}, "active_turn": None}, {"state": {"a": 1}}),
    ],
)
def test_requests(
    fault: Module, method: str, arguments: dict[str, Any], request_: dict[str, Any] | None
) -> None:
    """What a method sends, shown by a module that answers with it."""
    if request_ is None:
        with pytest.raises(ModuleError, match=f"in {method}: malformed answer"):
            getattr(fault, method)(**arguments)
        return
    answer = getattr(fault, method)(**arguments)
    assert {name: answer[name] for name in request_} == request_


def test_guidance(module: Module) -> None:
    guidance = module.guidance()
    assert guidance["text"]
    assert guidance == module.guidance(policy={})


@pytest.mark.parametrize(
    ("method", "arguments", "request_"),
    [
        ("describe", {}, {}),
        ("merge", {}, {}),
        ("turn_set", {"state": STATE, "active_turn": None}, {"state": STATE, "activeTurn": None}),
        ("reconcile", {"state": STATE, "history": []}, {"state": STATE, "history": []}),
        ("classify", {"items": [{}]}, {"items": [{}]}),
        ("guidance", {}, {}),
    ],
)
def test_a_method_gives_the_whole_answer(
    module: Module, method: str, arguments: dict[str, Any], request_: dict[str, Any]
) -> None:
    """Also one that has a single member today."""
    answer = getattr(module, method)(**arguments)
    assert answer == json.loads(module.call(method, json.dumps(request_)))


def test_a_module_without_a_function() -> None:
    """An older one, say."""
    wasm = FAULT.read_bytes()
    assert wasm.count(b'"guidance"') == 1
    with (
        Module(wasm.replace(b'"guidance"', b'"guidancf"')) as module,
        pytest.raises(ValueError, match="there is no function 'guidance'; there are"),
    ):
        module.guidance()


def test_classify(module: Module) -> None:
    items = [
        message("user", "<external_a>v</external_a>"),
        message("developer", "<b>v</b>"),
        message("user", "hi"),
    ]
    store: Any = {"b": {"value": "v", "kind": "application"}}
    assert module.classify(items=items, store=store)["items"] == [
        {"hidden": True, "key": "a", "kind": "untrusted"},
        {"hidden": True, "key": "b", "kind": "application"},
        {"hidden": False},
    ]


def test_reconcile(module: Module) -> None:
    told = module.merge(additional_context={"a": {"value": "v", "kind": "untrusted"}})
    item = told["inputs"][0]["item"]
    kept = module.reconcile(store=told["store"], history=[cast("Any", item)])
    assert (kept["store"], kept["inputs"]) == (told["store"], [])
    lost = module.reconcile(store=told["store"], history=[])
    assert [got["item"] for got in lost["inputs"]] == [item]
    assert lost["receipts"][0]["change"] == "restored"


def message(role: str, text: str) -> dict[str, object]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": role, "content": content}
