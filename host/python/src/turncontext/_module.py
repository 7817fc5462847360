"""The module: opening it, and its functions."""

from __future__ import annotations

import json
import os
import uuid
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from ._errors import ModuleError, RequestError, check_type
from ._instances import PAGE_SIZE, Factory, Pool
from ._json import IllFormed, decode, encode, encode_text
from ._thread import Thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from . import types as t

_T = TypeVar("_T")

_ABI = ("turncontext", 1)
_WANTED = "this package speaks turncontext 1"
_MAX_MEMORY = (1 << 32) - PAGE_SIZE
_DESCRIBE = "describe"
_ABSENT: Any = object()  # where None is a value that the module refuses


class Module:
    """The module, opened, with its instances.

    It may be used from several threads: each call has an instance to itself, and waits where all
    of them are in use. Close it after use, or use it in a ``with`` statement.

    Every method that calls the module raises RequestError for a request that is refused,
    ModuleError for a module that failed, ValueError for a function that the module lacks, and
    RuntimeError after ``close``. The error changes nothing, so the call may be made again.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | bytes | None = None,
        *,
        memory_limit: int = 1 << 30,
        instances: int | None = None,
        timeout: float | None = None,
        ill_formed: IllFormed = "refuse",
    ) -> None:
        """Compile the module, make the first instance and check what it is.

        Args:
            source: The module's file, by its path or its content; the one in this package by
                default.
            memory_limit: How far in bytes the memory of an instance may grow, what the SDK keeps
                of a call included; whole pages of 64 KiB, less than 4 GiB. What an instance begins
                with is not counted. A call that needs more fails with a ModuleError.
            instances: How many instances there are at most, and so how many calls run at a time;
                by default as many as the machine has processors. They are made when needed.
            timeout: How many seconds a call may take in the module, rounded to milliseconds. One
                that takes longer fails with a ModuleError. By default a call is not interrupted;
                with a timeout, each instance has compiled code of its own.
            ill_formed: What to do with a string in a request that has a lone surrogate:
                ``"refuse"`` it, or ``"replace"`` the surrogate by U+FFFD.

        Raises:
            OSError: The file cannot be read.
            ModuleError: It is no turncontext module, or one of another version of the ABI.
            TypeError: An option is of another type.
            ValueError: An option is out of range.
        """
        check_type("memory_limit", memory_limit, int)
        if not PAGE_SIZE <= memory_limit <= _MAX_MEMORY:
            raise ValueError(f"memory_limit is {memory_limit}, not {PAGE_SIZE} to {_MAX_MEMORY}")
        if instances is None:
            instances = os.cpu_count() or 1
        check_type("instances", instances, int)
        if instances < 1:
            raise ValueError(f"instances is {instances}, which is below 1")
        if ill_formed not in get_args(IllFormed):
            raise ValueError(f"ill_formed is {ill_formed!r}, not one of {get_args(IllFormed)}")
        if timeout is not None:
            check_type("timeout", timeout, int, float)
            if not 0 < timeout < 1e9:
                raise ValueError(f"timeout is {timeout}, not a number of seconds above 0")
        self._ill_formed = ill_formed
        self._functions: Sequence[str] = (_DESCRIBE,)
        with _naming(source):
            self._pool = Pool(Factory(_read(source), memory_limit, timeout).make, instances)
            try:
                self._functions = self._check()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Wait for the calls in progress and free the instances; further calls are refused."""
        self._pool.close()

    def call(self, function: str, request: str | bytes = b"") -> bytes:
        """Send a request in JSON to a function and return the answer, in JSON.

        Args:
            function: The function's name in the ABI, such as ``"turn_start"``.
            request: The request; it goes to the module as it is.

        Returns:
            The answer in UTF-8. A refused request is an answer too, the error object.

        Raises:
            ModuleError: The module failed.
            RequestError: The text has a lone surrogate.
            TypeError: The request is something else.
            ValueError: The module has no such function.
        """
        if isinstance(request, str):
            request = encode_text(request, self._ill_formed)
        if not isinstance(request, bytes):
            raise TypeError(f"a request is str or bytes, not {type(request).__name__}")
        return self._run(function, request, lambda answer: answer)

    def describe(self) -> t.Description:
        """Ask the module what it is: its version, functions and limits."""
        return cast("t.Description", self._ask(_DESCRIBE, {}, abi=dict, functions=list))

    def merge(
        self,
        *,
        store: Mapping[str, object] | None = None,
        additional_context: Mapping[str, t.Entry | None] | None = None,
        policy: t.Policy | None = None,
    ) -> t.MergeResponse:
        """Compare the context that a client sent with what the thread was told before.

        For a runtime that handles turns itself; see Thread otherwise.

        Args:
            store: What the thread was last told: ``store`` of the answer before.
            additional_context: The complete current set.
            policy: The policy, where it is not the default.

        Returns:
            ``store`` to be saved, once ``inputs`` stand in the history ahead of the user's
            message, and ``receipts`` that tell what happened to each key.
        """
        request = _given(store=store, additionalContext=additional_context, policy=policy)
        answer = self._ask("merge", request, store=dict, inputs=list, receipts=list)
        return cast("t.MergeResponse", answer)

    def turn_start(
        self,
        *,
        turn_id: str,
        params: t.TurnStartParams,
        state: Mapping[str, object] | None = None,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> t.TurnResponse:
        """Start a turn, or steer the active one.

        Args:
            turn_id: The id that a new turn gets.
            params: The client's TurnStartParams.
            state: The thread's state; ``None`` for a thread that has none yet.
            prompt_hook: What a hook decided about the user's prompt.
            policy: The policy, where it is not the default.

        Returns:
            ``state`` to be saved, once ``inputs`` stand in the history; ``turn`` is the one that
            they belong to.
        """
        request = {
            **_given(state=state),
            "turnId": turn_id,
            "params": params,
            **_given(promptHook=prompt_hook, policy=policy),
        }
        return self._turn("turn_start", request)

    def turn_steer(
        self,
        *,
        state: Mapping[str, object],
        params: t.TurnSteerParams,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> t.TurnResponse:
        """Add to the active turn. Arguments and answer are those of ``turn_start``."""
        request = {
            "state": state,
            "params": params,
            **_given(promptHook=prompt_hook, policy=policy),
        }
        return self._turn("turn_steer", request)

    def turn_set(
        self,
        *,
        state: Mapping[str, object],
        active_turn: t.ActiveTurn | None,
        if_turn_id: str = _ABSENT,
    ) -> t.TurnSetResponse:
        """Say that a turn began which no client started, or that the turn ended.

        Args:
            state: The thread's state.
            active_turn: The turn that began; ``None`` where none is active any more.
            if_turn_id: Where given, the state changes only if this turn is the active one. None is
                refused: it would end whatever turn is active.
        """
        request: dict[str, object] = {"state": state, "activeTurn": active_turn}
        if if_turn_id is not _ABSENT:
            request["ifTurnId"] = if_turn_id
        return cast("t.TurnSetResponse", self._ask("turn_set", request, state=dict))

    def reconcile(
        self,
        *,
        history: Sequence[Mapping[str, object]],
        state: Mapping[str, object] | None = None,
        store: Mapping[str, object] | None = None,
        policy: t.Policy | None = None,
    ) -> t.ReconcileResponse:
        """Find out which context is left in a history, and render again what is not.

        After a compaction, a rollback, a resume or a fork.

        Args:
            history: The model-visible items that are really left, in order.
            state: The thread's state. Either this or ``store`` is given.
            store: What the thread was last told.
            policy: The policy, where it is not the default.

        Returns:
            ``state`` or ``store``, whichever was given; ``inputs`` to be put into the history.
        """
        request = _given(state=state, store=store, history=history, policy=policy)
        kept = {"store": dict} if state is None else {"state": dict}
        answer = self._ask("reconcile", request, **kept, inputs=list, receipts=list)
        return cast("t.ReconcileResponse", answer)

    def classify(
        self,
        *,
        items: Sequence[Mapping[str, object]],
        store: Mapping[str, object] | None = None,
        policy: t.Policy | None = None,
    ) -> t.ClassifyResponse:
        """Tell hidden context from what a person wrote.

        Args:
            items: Items of a history.
            store: What the thread was last told; without it, developer messages are not known.
            policy: The policy, where it is not the default.

        Returns:
            ``items``, in the same order.
        """
        request = {"items": items, **_given(store=store, policy=policy)}
        return cast("t.ClassifyResponse", self._ask("classify", request, items=list))

    def guidance(self, *, policy: t.Policy | None = None) -> t.GuidanceResponse:
        """Write a paragraph for a system prompt that tells what the hidden messages are.

        Args:
            policy: The policy, where it is not the default.

        Returns:
            ``text``, the paragraph.
        """
        answer = self._ask("guidance", _given(policy=policy), text=str)
        return cast("t.GuidanceResponse", answer)

    def read_state(self, state: Mapping[str, object]) -> t.State:
        """Have the module read a state, and return it as the module writes it.

        Raises:
            RequestError: It is no state, or (``unsupported``) a newer module's.
        """
        nobodys = uuid.uuid4().hex  # so that no turn ends
        return self.turn_set(state=state, active_turn=None, if_turn_id=nobodys)["state"]

    def new_thread(self, thread_id: str, *, policy: t.Policy | None = None) -> Thread:
        """Return a thread that has had no turn.

        Args:
            thread_id: The thread's id.
            policy: What its turns go by, unless a call has a policy of its own. It is copied.

        Raises:
            RequestError: JSON cannot carry the id or the policy.
            TypeError: The id is no string.
        """
        check_type("thread_id", thread_id, str)
        state = {"version": 1, "threadId": thread_id, "activeTurn": None, "additionalContext": {}}
        return Thread(self, self._carry("state", state), self._carry("policy", policy))

    def restore_thread(
        self, state: Mapping[str, object], *, policy: t.Policy | None = None
    ) -> Thread:
        """Return a thread that goes on from a state, which the module reads first.

        Args:
            state: What ``Thread.snapshot`` returned, or the ``state`` of an answer.
            policy: As in ``new_thread``.

        Raises:
            RequestError: It is no state, or (``unsupported``) a newer module's; or JSON cannot
                carry the policy.
        """
        return Thread(self, self.read_state(state), self._carry("policy", policy))

    def _check(self) -> Sequence[str]:
        """Return the module's functions, if this package can speak with it."""
        try:
            description = self.describe()
        except ModuleError as error:
            if error.function is None:
                raise
            reason = f"it does not describe itself: {error.reason}; {_WANTED}"
            raise ModuleError(None, reason) from error
        abi = description["abi"]
        if (abi.get("name"), abi.get("version")) != _ABI:
            raise ModuleError(None, f"it speaks {abi.get('name')} {abi.get('version')}; {_WANTED}")
        return description["functions"]

    def _carry(self, name: str, value: object) -> Any:
        """Copy a value as the module will read it where a request has it as this member."""
        return json.loads(encode({name: value}, self._ill_formed))[name]

    def _turn(self, function: str, request: dict[str, object]) -> t.TurnResponse:
        answer = self._ask(function, request, state=dict, turn=dict, inputs=list, receipts=list)
        return cast("t.TurnResponse", answer)

    def _ask(self, function: str, request: dict[str, object], **members: type) -> dict[str, Any]:
        """Make a call; the answer has these members, of these types."""

        def read(answer: bytes) -> dict[str, Any]:
            value = decode(function, answer)
            for name, kind in members.items():
                if not isinstance(value.get(name), kind):
                    raise ModuleError(function, f"malformed answer: no {name}")
            return value

        return self._run(function, encode(request, self._ill_formed), read)

    def _run(self, function: str, request: bytes, read: Callable[[bytes], _T]) -> _T:
        """Make a call on an instance, which is dropped where the module failed."""
        if function not in self._functions:
            there = ", ".join(self._functions)
            raise ValueError(f"there is no function {function!r}; there are {there}")
        instance = self._pool.take()
        try:
            result = read(instance.call(function, request))
        except RequestError:  # the answer of a module that is well
            self._pool.give(instance)
            raise
        except BaseException:
            self._pool.drop(instance)
            raise
        self._pool.give(instance)
        return result


def _given(**members: object) -> dict[str, object]:
    """The members that are there: null is the same as absent for each of these."""
    return {name: value for name, value in members.items() if value is not None}


@contextmanager
def _naming(source: str | os.PathLike[str] | bytes | None) -> Iterator[None]:
    """Put the path of the module's file, where there is one, into a ModuleError."""
    try:
        yield
    except ModuleError as error:
        if source is None or isinstance(source, bytes):
            raise
        raise ModuleError(None, f"{os.fspath(source)}: {error.reason}") from error.__cause__


def _read(source: str | os.PathLike[str] | bytes | None) -> bytes:
    """Read the module's file."""
    if source is None:
        wasm = resources.files(__package__).joinpath("turncontext.wasm").read_bytes()
    elif isinstance(source, bytes):
        wasm = source
    else:
        wasm = Path(source).read_bytes()
    # The SDK would take anything else for a manifest, and fetch what that names.
    if not wasm.startswith(b"\0asm"):
        raise ModuleError(None, f"it is no WebAssembly file; {_WANTED}")
    return wasm
