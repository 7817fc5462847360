"""The errors of the package."""

from __future__ import annotations

from typing import Any


class RequestError(Exception):
    """A request that was refused. It changed nothing: the state that you hold still stands.

    The module refuses what breaks its rules; this package refuses, before the module is called,
    what JSON cannot carry (``invalid_params``, with the path in ``data``).

    Attributes:
        kind: What was wrong, such as ``"invalid_params"`` or ``"turn_mismatch"``; the list is in
            "Errors" of the ABI.
        code: The code of JSON-RPC that goes with the kind, such as -32602.
        message: A sentence for people.
        data: More, depending on the kind, such as ``{"path": …, "offset": …}``; ``None`` where a
            kind has none.
    """

    def __init__(self, kind: str, code: int, message: str, data: Any = None) -> None:
        super().__init__(kind, code, message, data)
        self.kind = kind
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


class ModuleError(Exception):
    """The module itself failed, or is none that this package can use.

    It trapped, exited, ran out of memory or time, or answered what it should not. The instance
    was dropped with all that was in it, which is nothing that you need: the same call may be made
    again.

    Attributes:
        function: The function that failed, such as ``"merge"``; ``None`` where the module could
            not be opened.
        reason: What happened; where the module could not be opened by its path, the path first.
    """

    def __init__(self, function: str | None, reason: str) -> None:
        super().__init__(function, reason)
        self.function = function
        self.reason = reason

    def __str__(self) -> str:
        if self.function is None:
            return f"the module cannot be opened: {self.reason}"
        return f"the module failed in {self.function}: {self.reason}"


def check_type(name: str, value: object, *kinds: type) -> None:
    """Raise TypeError for an argument that is of none of these types; a bool is no number."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{name} is {wanted}, not {type(value).__name__}")
