from __future__ import annotations

import inspect
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from turncontext import RequestError

from . import conform
from .paths import VECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turncontext import Module

FILES = sorted(VECTORS.glob("*.json"))


def test_vectors(module: Module) -> None:
    """Every vector, as bytes."""
    result = conform.run(FILES, module.describe()["functions"], module.call)
    print(f"\n{result}")
    if report := os.environ.get("TURNCONTEXT_CONFORM"):
        with Path(report).open("a") as file:
            file.write(line(result) + "\n")
    assert result.failed == []
    assert result.passed > 0


def line(result: conform.Result) -> str:
    counts = {
        "host": "python",
        "passed": result.passed,
        "failed": len(result.failed),
        "notRun": result.count_not_run(),
    }
    return json.dumps(counts, separators=(",", ":"))


def test_typed(module: Module, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every call of the vectors that a method writes to the byte, through that method."""
    sent: list[bytes] = []
    run = module._run

    def record(function: str, request: bytes, read: Any) -> Any:
        sent.append(request)
        return run(function, request, read)

    monkeypatch.setattr(module, "_run", record)
    made = 0
    for where, method, arguments, call in typed_calls(module):
        sent.clear()
        try:
            answer = method(**arguments)
        except RequestError as error:
            answer = {"error": members_of(error)}
        if sent != [conform.request_of(call)]:
            continue  # the same request in another text, whose offsets differ
        if call["function"] == "guidance" and isinstance(answer, str):
            answer = {"text": answer}
        made += 1
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        conform.check_answer(call, text.encode(), where)
    print(f"\n{made} calls through methods")
    assert made > 1000


def typed_calls(module: Module) -> Iterator[tuple[str, Any, dict[str, Any], dict[str, Any]]]:
    functions = set(module.describe()["functions"]) - {"describe"}
    for path in FILES:
        kind, vectors = conform.load(path)
        for call in (call for vector in vectors for call in vector.get("calls", [])):
            assert kind == "calls"
            if call["function"] not in functions:
                continue
            method = getattr(module, call["function"])
            arguments = arguments_of(call)
            if arguments is not None and takes(method, arguments):
                yield f"{path.name}: {call!r:.300}", method, arguments, call


def arguments_of(call: dict[str, Any]) -> dict[str, Any] | None:
    """Return a request as arguments; None where it is no object."""
    try:
        request = conform.read(conform.request_of(call))
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict):
        return None
    return {re.sub("[A-Z]", lambda c: f"_{c[0].lower()}", n): v for n, v in request.items()}


def takes(method: Any, arguments: dict[str, Any]) -> bool:
    """Tell whether a request has the members that a method writes."""
    try:
        inspect.signature(method).bind(**arguments)
    except TypeError:
        return False
    return True


def members_of(error: RequestError) -> dict[str, Any]:
    members = {"kind": error.kind, "code": error.code, "message": error.message}
    return members if error.data is None else {**members, "data": error.data}


@pytest.mark.parametrize(
    ("vector", "want"),
    [
        ({"function": "merge", "request": "{}", "response": "{}"}, "failed"),
        ({"function": "none", "request": "{}", "response": "{}"}, "not run"),
        ({"function": "merge", "request": "", "error": {"kind": "invalid_json", "code": 1}}, "f"),
        ({"function": "merge", "request": "{}", "responseContains": {"inputs": [1]}}, "failed"),
        ({"function": "merge", "request": "{}", "responseContains": {"store": {}}}, "passed"),
    ],
)
def test_runner(module: Module, tmp_path: Path, vector: object, want: str) -> None:
    """The runner finds what is wrong."""
    file = tmp_path / "calls.json"
    vectors = [{"name": "n", "calls": [vector]}]
    envelope = {"format": conform.FORMAT, "kind": "calls", "about": "", "vectors": vectors}
    file.write_text(json.dumps(envelope))
    result = conform.run([file], module.describe()["functions"], module.call)
    counts = (result.passed, len(result.failed), result.count_not_run())
    assert counts == {"p": (1, 0, 0), "f": (0, 1, 0), "n": (0, 0, 1)}[want[0]]
