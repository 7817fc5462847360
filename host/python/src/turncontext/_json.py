"""Requests into JSON, and answers out of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn

from ._errors import ModuleError, RequestError

IllFormed = Literal["refuse", "replace"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


class _FlawError(Exception):
    """A value that JSON cannot carry, with the steps to it, the innermost first."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.steps: list[str | int] = []


def _plain(value: object) -> dict[Any, object] | list[object]:
    """Copy a mapping or a sequence into a dict or a list, which are all that json knows.

    Raises:
        _FlawError: It is something else.
    """
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return list(value)
    raise _FlawError(f"JSON has no values of type {type(value).__name__}")


# Made once: json.dumps and json.loads would make theirs in each call.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, separators=(",", ":"), default=_plain
)
_DECODER = json.JSONDecoder(parse_constant=_no_constant)

# What nests deeper is refused by the module (README.md of the ABI, "Limits").
_MAX_DEPTH = 128


def encode(request: dict[str, object], ill_formed: IllFormed) -> bytes:
    """Write a request as JSON in UTF-8.

    Args:
        request: The request's members.
        ill_formed: What to do with a lone surrogate.

    Raises:
        RequestError: JSON cannot carry a value in the request.
    """
    try:
        fits = _check(request, set(), ill_formed == "replace")
    except _FlawError as flaw:
        path = _path(flaw.steps[::-1])
        message = f"{path}: {flaw.reason}"
        raise RequestError("invalid_params", -32602, message, {"path": path}) from None
    # Python's own encoder would end in a RecursionError somewhere.
    written = request if fits else _cut(request, _MAX_DEPTH)
    return encode_text(_ENCODER.encode(written), ill_formed)


def encode_text(text: str, ill_formed: IllFormed) -> bytes:
    """Write a text of JSON in UTF-8.

    Raises:
        RequestError: It has a lone surrogate; ``data`` tells the offset in bytes.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        if ill_formed == "replace":
            return _SURROGATE.sub(_REPLACEMENT, text).encode()
        data = {"offset": len(text[: error.start].encode())}
        message = "the request has a lone surrogate"
        raise RequestError("invalid_json", -32700, message, data) from None


def decode(function: str, answer: bytes) -> dict[str, Any]:
    """Read an answer, which is an object.

    Raises:
        ModuleError: The answer is something else.
        RequestError: The answer is an error object.
    """
    try:
        value = _DECODER.decode(answer.decode())
    except (ValueError, RecursionError) as error:
        raise ModuleError(function, f"malformed answer: {error}") from None
    if not isinstance(value, dict):
        raise ModuleError(function, "malformed answer: no object")
    if "error" in value:
        raise _read_error(function, value["error"])
    return value


def _read_error(function: str, error: Any) -> Exception:
    match error:
        case {"kind": str(kind), "code": int(code), "message": str(message)}:
            return RequestError(kind, code, message, error.get("data"))
    return ModuleError(function, "malformed answer: an error without kind, code and message")


def _check(value: object, ancestors: set[int], ill_formed_ok: bool) -> bool:
    """Raise a _FlawError where the encoder would fail, or write something else than the value.

    Tells whether the value nests no deeper than _MAX_DEPTH; what is deeper is not looked at.
    """
    if isinstance(value, str):
        _check_text(value, ill_formed_ok)
    elif isinstance(value, (dict, list, tuple)):
        return _check_container(value, value, ancestors, ill_formed_ok)
    elif isinstance(value, int):
        _check_int(value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _FlawError(f"{value} is no number in JSON")
    elif value is not None:
        return _check_container(value, _plain(value), ancestors, ill_formed_ok)
    return True


def _check_container(
    value: object,
    plain: dict[Any, object] | list[object] | tuple[object, ...],
    ancestors: set[int],
    ill_formed_ok: bool,
) -> bool:
    if id(value) in ancestors:
        raise _FlawError("the value contains itself")
    if len(ancestors) == _MAX_DEPTH:
        return False
    ancestors.add(id(value))
    if isinstance(plain, dict):
        fits = _check_members(plain, ancestors, ill_formed_ok)
    else:
        fits = _check_items(plain, ancestors, ill_formed_ok)
    ancestors.remove(id(value))
    return fits


def _check_members(value: dict[Any, object], ancestors: set[int], ill_formed_ok: bool) -> bool:
    fits = True
    for name, member in value.items():
        if not isinstance(name, str):
            raise _FlawError(f"a key of type {type(name).__name__} is no string")
        try:
            _check_text(name, ill_formed_ok)
            fits &= _check(member, ancestors, ill_formed_ok)
        except _FlawError as flaw:
            flaw.steps.append(name)
            raise
    return fits


def _check_items(
    value: list[object] | tuple[object, ...], ancestors: set[int], ill_formed_ok: bool
) -> bool:
    fits = True
    for index, item in enumerate(value):
        try:
            fits &= _check(item, ancestors, ill_formed_ok)
        except _FlawError as flaw:
            flaw.steps.append(index)
            raise
    return fits


def _check_text(text: str, ill_formed_ok: bool) -> None:
    if ill_formed_ok or text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _FlawError(f"the string has a lone surrogate at character {error.start}") from None


def _check_int(value: int) -> None:
    try:
        int.__repr__(value)
    except ValueError:  # the interpreter's limit for conversions, 4300 digits by default
        raise _FlawError("the integer has too many digits") from None


def _cut(value: object, levels: int) -> object:
    """Copy so many levels of a value; below them a container has nothing in it.

    The module refuses its bracket, so what is behind that does not matter.
    """
    if value is None or isinstance(value, (str, int, float)):
        return value
    plain = _plain(value)
    if isinstance(plain, dict):
        return {name: _cut(member, levels - 1) for name, member in plain.items()} if levels else {}
    return [_cut(item, levels - 1) for item in plain] if levels else []


def _path(steps: list[str | int]) -> str:
    """Write a path as the ABI does ("Paths and offsets"): what is in the params begins there."""
    if steps[0] == "params" and len(steps) > 1:
        steps = steps[1:]
    return "".join(map(_step, steps)).removeprefix(".")


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _NAME.fullmatch(step):
        return f".{step}"
    quoted = json.dumps(step, ensure_ascii=False)
    return "[" + _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted) + "]"
