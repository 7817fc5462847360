"""Runs conformance vectors; testdata/README.md specifies them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    # Answers a request of a function. An error object is an answer like any other.
    Call = Callable[[str, bytes], bytes]

FORMAT = "turncontext-vectors/1"
BLAMING = {"invalid_json", "invalid_request", "invalid_params"}


class MismatchError(Exception):
    """A vector that failed."""


class LackingError(Exception):
    """A vector that cannot run, because the module lacks something."""


@dataclass
class Result:
    passed: int = 0
    failed: list[str] = field(default_factory=list)
    not_run: dict[str, int] = field(default_factory=dict)  # by file and reason

    def __str__(self) -> str:
        lines = [f"failed: {failure}" for failure in self.failed]
        lines += [f"not run: {count} vectors: {reason}" for reason, count in self.not_run.items()]
        lines.append(
            f"{self.passed} passed, {len(self.failed)} failed, {self.count_not_run()} not run"
        )
        return "\n".join(lines)

    def count_not_run(self) -> int:
        return sum(self.not_run.values())


def run(paths: Iterable[Path], functions: list[str], call: Call) -> Result:
    """Run every vector of the files."""
    result = Result()
    for path in paths:
        kind, vectors = load(path)
        for index, vector in enumerate(vectors):
            try:
                RUNNERS[kind](vector, _Module(functions, call))
            except LackingError as lacking:
                reason = f"{path.name}: {lacking}"
                result.not_run[reason] = result.not_run.get(reason, 0) + 1
            except Exception as error:  # whatever it is, the vector did not pass
                name = vector.get("name", "")
                result.failed.append(f"{path.name}: {index} {name}: {error!r}"[:2000])
            else:
                result.passed += 1
    return result


def load(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Read a file of vectors: their kind, and what they are."""
    file = members(read(path.read_bytes()), {"format", "kind", "about", "vectors"})
    if file["format"] != FORMAT or file["kind"] not in RUNNERS or not file["vectors"]:
        raise ValueError(f"{path.name}: unknown format or kind, or no vectors")
    return file["kind"], file["vectors"]


def members(
    value: object, required: set[str], optional: AbstractSet[str] = frozenset()
) -> dict[str, Any]:
    """Check that an object has the members that it should have, and no others."""
    if not isinstance(value, dict):
        raise ValueError(f"no object: {value!r:.200}")
    names = set(value)
    if not required <= names or not names <= required | optional:
        raise ValueError(f"members are {sorted(names)}, not {sorted(required)}")
    return value


def read(text: bytes | str) -> Any:
    """Read JSON strictly: a name that stands twice is an error."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            raise ValueError("a name stands twice")
        return value

    return json.loads(text.decode() if isinstance(text, bytes) else text, object_pairs_hook=once)


class _Module:
    def __init__(self, functions: list[str], call: Call) -> None:
        self.functions = functions
        self.call = call

    def ask(self, function: str, request: bytes) -> bytes:
        if function not in self.functions:
            raise LackingError(f"the module has no function {function}")
        return self.call(function, request)

    def ask_for(self, function: str, request: object) -> dict[str, Any]:
        text = request if isinstance(request, str) else json.dumps(request)
        return cast("dict[str, Any]", read(self.ask(function, text.encode())))


def run_merge(vector: dict[str, Any], module: _Module) -> None:
    members(vector, {"name", "steps"})
    store = None
    for index, step in enumerate(vector["steps"]):
        members(step, {"inputs"}, {"additionalContext"})
        request = {name: value for name, value in step.items() if name == "additionalContext"}
        if store is not None:
            request["store"] = store
        answer = module.ask_for("merge", request)
        told = [
            {"role": item["role"], "text": part["text"]}
            for item in (got["item"] for got in answer["inputs"])
            for part in item["content"]
        ]
        same(step["inputs"], told, f"step {index}")
        store = answer["store"]


def run_wire(vector: dict[str, Any], module: _Module) -> None:
    members(vector, {"params", "ok"}, {"entries"})
    answer = module.ask_for("merge", vector["params"])
    if vector["ok"]:
        same(vector["entries"] or {}, answer.get("store"), "store")
        return
    kind = answer.get("error", {}).get("kind")
    if kind not in BLAMING:
        raise MismatchError(f"want an error, got {answer}")


def run_truncate(vector: dict[str, Any], module: _Module) -> None:
    members(vector, {"name", "value", "maxTokens", "text", "originalTokens"})
    answer = module.ask_for(
        "merge",
        {
            "policy": {"maxValueTokens": vector["maxTokens"]},
            "additionalContext": {"k": {"value": vector["value"], "kind": "untrusted"}},
        },
    )
    error = answer.get("error", {})
    if error.get("kind") == "invalid_params" and error["data"]["path"] == "policy.maxValueTokens":
        raise LackingError("the module's policy has no maxValueTokens")
    (told,), (receipt,) = answer["inputs"], answer["receipts"]
    (part,) = told["item"]["content"]
    same(f"<external_k>{vector['text']}</external_k>", part["text"], "text")
    original = receipt.get("truncated", {}).get("originalTokens")
    same(vector["originalTokens"], original, "originalTokens")


def run_classify(vector: dict[str, Any], module: _Module) -> None:
    members(vector, {"text", "hidden"})
    part = {"type": "input_text", "text": vector["text"]}
    item = {"type": "message", "role": "user", "content": [part]}
    (told,) = module.ask_for("classify", {"items": [item]})["items"]
    same(vector["hidden"], told["hidden"], "hidden")


def run_calls(vector: dict[str, Any], module: _Module) -> None:
    members(vector, {"name", "calls"})
    for index, call in enumerate(vector["calls"]):
        check_answer(call, module.ask(call["function"], request_of(call)), f"call {index}")


def request_of(call: dict[str, Any]) -> bytes:
    """Return the bytes of a call's only request."""
    members(call, {"function"}, REQUESTS | EXPECTATIONS)
    (name,) = REQUESTS & set(call)
    if name == "requestBase64":
        return base64.b64decode(call[name], validate=True)
    return text_of(call[name])


def text_of(text: str | list[tuple[str, int]]) -> bytes:
    if isinstance(text, str):
        return text.encode()
    return b"".join(part.encode() * times for part, times in text)


def check_answer(call: dict[str, Any], answer: bytes, where: str) -> None:
    (name,) = EXPECTATIONS & set(call)
    want = call[name]
    if name == "error":
        check_error(members(want, {"kind", "code"}, {"message", "data"}), answer, where)
    elif name == "responseContains":
        if not want or not contains(read(answer), want):
            raise MismatchError(f"{where}: want an answer with {want}, got {answer!r:.500}")
    else:
        same(text_of(want), answer, where)


def check_error(want: dict[str, Any], answer: bytes, where: str) -> None:
    value = read(answer)
    error = value.get("error", {})
    got = {"message": error.get("message"), **want} if "message" not in want else want
    if set(value) != {"error"} or not error.get("message") or not equal(got, error):
        raise MismatchError(f"{where}: want error {want}, got {answer!r:.500}")


def contains(value: object, want: object) -> bool:
    """Tell whether an object has all members of another one, in depth."""
    if not isinstance(want, dict):
        return equal(value, want)
    return isinstance(value, dict) and all(
        name in value and contains(value[name], member) for name, member in want.items()
    )


def equal(one: object, other: object) -> bool:
    """Compare JSON values; in Python, True is 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def same(want: object, got: object, where: str) -> None:
    if isinstance(want, bytes):
        if want != got:
            raise MismatchError(f"{where}: want {want!r:.500}, got {got!r:.500}")
    elif not equal(want, got):
        raise MismatchError(f"{where}: want {want!r:.500}, got {got!r:.500}")


REQUESTS = {"request", "requestParts", "requestBase64"}
EXPECTATIONS = {"response", "responseParts", "responseContains", "error"}
RUNNERS = {
    "merge": run_merge,
    "wire": run_wire,
    "truncate": run_truncate,
    "classify": run_classify,
    "calls": run_calls,
}
