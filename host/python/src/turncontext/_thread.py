"""The state of one thread."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from . import types as t
from ._errors import check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from ._module import Module

_R = TypeVar("_R", t.TurnResponse, t.ReconcileResponse)
_P = TypeVar("_P", bound="Prepared[Any]")


class Thread:
    """Keeps the state of one thread; made by ``Module.new_thread`` and ``Module.restore_thread``.

    It may be used from several threads. What changes the state does so alone: ``start``,
    ``steer``, ``reconcile``, ``set``, ``end`` and ``restore`` wait for one another, and for what
    is prepared. An error changes nothing; errors are those of the module.

    Record the messages in the history first, then save the state: a crash between the two repeats
    a message instead of losing one. ``prepare_start`` and the like leave room for that; ``start``
    and the like are for a history that cannot fail.

    There is nothing to close.
    """

    def __init__(self, module: Module, state: t.State, policy: t.Policy | None) -> None:
        self._module = module
        self._state = state  # never changed, but replaced
        self._policy = policy
        self._lock = threading.Lock()  # the right to replace it
        # Who holds the lock from prepare to commit. Not by its ident, which another
        # gets when it ends.
        self._preparer: threading.Thread | None = None

    @property
    def id(self) -> str:
        """The thread's id."""
        return self._state["threadId"]

    @property
    def active_turn(self) -> t.ActiveTurn | None:
        """The turn that the thread is in. One that is prepared is not yet the thread's."""
        return copy.copy(self._state["activeTurn"])

    def snapshot(self) -> t.State:
        """Return a copy of the state, to be saved as JSON. What is prepared is not in it."""
        return copy.deepcopy(self._state)

    def start(
        self,
        turn_id: str,
        params: t.TurnStartParams,
        *,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> t.TurnResponse:
        """Start a turn, or steer the active one, and adopt the new state at once.

        Args:
            turn_id: The id that a new turn gets.
            params: The client's params; without ``threadId``, the thread's own is put in.
            prompt_hook: What a hook decided about the user's prompt.
            policy: The policy of this call, instead of the thread's; ``{}`` is the default one.
        """
        with self.prepare_start(
            turn_id, params, prompt_hook=prompt_hook, policy=policy
        ) as prepared:
            prepared.commit()
        return prepared.response

    def steer(
        self,
        params: t.TurnSteerParams,
        *,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> t.TurnResponse:
        """Add to the active turn and adopt the new state at once. Arguments as for ``start``."""
        with self.prepare_steer(params, prompt_hook=prompt_hook, policy=policy) as prepared:
            prepared.commit()
        return prepared.response

    def prepare_start(
        self,
        turn_id: str,
        params: t.TurnStartParams,
        *,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> PreparedTurn:
        """Do what ``start`` does, but for adopting the new state, which is left to Prepared."""
        return self._prepare(
            lambda state: PreparedTurn(
                self,
                self._module.turn_start(
                    state=state,
                    turn_id=turn_id,
                    params=cast("t.TurnStartParams", self._completed(params)),
                    prompt_hook=prompt_hook,
                    policy=self._chosen(policy),
                ),
            )
        )

    def prepare_steer(
        self,
        params: t.TurnSteerParams,
        *,
        prompt_hook: t.PromptHook | None = None,
        policy: t.Policy | None = None,
    ) -> PreparedTurn:
        """Do what ``steer`` does, but for adopting the new state, which is left to Prepared."""
        return self._prepare(
            lambda state: PreparedTurn(
                self,
                self._module.turn_steer(
                    state=state,
                    params=cast("t.TurnSteerParams", self._completed(params)),
                    prompt_hook=prompt_hook,
                    policy=self._chosen(policy),
                ),
            )
        )

    def reconcile(
        self, history: Sequence[Mapping[str, object]], *, policy: t.Policy | None = None
    ) -> t.ReconcileResponse:
        """Compare what the thread was told with a history, and adopt the new state at once.

        After a compaction, a rollback, a resume or a fork.

        Args:
            history: The model-visible items that are really left, in order.
            policy: The policy of this call, instead of the thread's.

        Returns:
            ``inputs`` to be put into the history, so that the model is told again.
        """
        with self.prepare_reconcile(history, policy=policy) as prepared:
            prepared.commit()
        return prepared.response

    def prepare_reconcile(
        self, history: Sequence[Mapping[str, object]], *, policy: t.Policy | None = None
    ) -> Prepared[t.ReconcileResponse]:
        """Do what ``reconcile`` does, but for adopting the new state, which is left to Prepared."""
        return self._prepare(
            lambda state: Prepared(
                self,
                self._module.reconcile(state=state, history=history, policy=self._chosen(policy)),
            )
        )

    def set(self, turn: t.ActiveTurn) -> None:
        """Say that a turn began which no client started: a review or a compact turn.

        It takes the place of an active one.

        Raises:
            TypeError: It is no turn; None would end whatever turn is active.
        """
        check_type("turn", turn, Mapping)
        with self._changing():
            self._state = self._module.turn_set(state=self._state, active_turn=turn)["state"]

    def end(self, turn_id: str) -> None:
        """Say that a turn ended. If another is active in the meantime, nothing changes.

        Raises:
            TypeError: The id is no string; without one, whatever turn is active would end.
        """
        check_type("turn_id", turn_id, str)
        with self._changing():
            response = self._module.turn_set(
                state=self._state, active_turn=None, if_turn_id=turn_id
            )
            self._state = response["state"]

    def restore(self, state: Mapping[str, object]) -> None:
        """Go on from another state of the same thread, as a rollback does from an older one.

        Raises:
            RequestError: It is no state, or (``unsupported``) a newer module's.
            ValueError: It is another thread's.
        """
        with self._changing():
            restored = self._module.read_state(state)
            if restored["threadId"] != self.id:
                raise ValueError(f"the state is that of thread {restored['threadId']!r}")
            self._state = restored

    def _prepare(self, make: Callable[[t.State], _P]) -> _P:
        """Make a call with the state, and keep the right to replace it unless it fails."""
        self._enter()
        try:
            prepared = make(self._state)
        except BaseException:
            self._leave()
            raise
        self._preparer = threading.current_thread()
        return prepared

    @contextmanager
    def _changing(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        """Wait for the right to replace the state."""
        if self._preparer is threading.current_thread():
            # Waiting would be for ever: nobody else is there to commit.
            raise RuntimeError("something is prepared: commit or discard it first")
        self._lock.acquire()

    def _leave(self) -> None:
        self._preparer = None
        self._lock.release()

    def _settle(self, state: t.State | None) -> None:
        """End what was prepared, with a new state or without."""
        if state is not None:
            self._state = state
        self._leave()

    def _completed(self, params: Mapping[str, object]) -> Mapping[str, object]:
        """Put the thread's id into params that have none; the module refuses what is none."""
        if not isinstance(params, Mapping) or "threadId" in params:
            return params
        return {"threadId": self.id, **params}

    def _chosen(self, policy: t.Policy | None) -> t.Policy | None:
        return self._policy if policy is None else policy


class Prepared(Generic[_R]):
    """What is prepared, with the thread's state still as it was.

    Record the inputs, save the state, then commit; leaving the block without it discards::

        with thread.prepare_start(turn_id, params) as prepared:
            history.extend(told["item"] for told in prepared.inputs)
            save(prepared.state)
            prepared.commit()

    Until then whatever would change the thread waits; in the thread of execution that prepared,
    where waiting would be for ever, it raises RuntimeError. So it may in a pool of threads, which
    runs other calls where it prepared: hold a lock of your own there until the commit. What is
    neither committed nor discarded blocks the thread for good.

    All of it is the caller's: changes do not reach the thread.

    Attributes:
        response: What the module answered.
        state: The new state, to be saved once the inputs stand in the history.
        inputs: The messages for the model, in order.
        receipts: What happened to each key.
    """

    def __init__(self, thread: Thread, response: _R) -> None:
        self.response: _R = response
        self.state = response["state"]
        self.inputs = response["inputs"]
        self.receipts = response["receipts"]
        self._thread = thread
        self._next = copy.deepcopy(self.state)
        self._unsettled = threading.Lock()  # is taken once

    def commit(self) -> None:
        """Adopt the new state, and let the next in line go on.

        Raises:
            RuntimeError: It was committed or discarded before; then nothing is done.
        """
        if not self._settle(self._next):
            raise RuntimeError("what was prepared is committed or discarded already")

    def discard(self) -> None:
        """Drop the new state, as if nothing had been asked. After a commit it does nothing."""
        self._settle(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.discard()

    def _settle(self, state: t.State | None) -> bool:
        if not self._unsettled.acquire(blocking=False):
            return False
        self._thread._settle(state)  # noqa: SLF001 (the other half of this class)
        return True


class PreparedTurn(Prepared[t.TurnResponse]):
    """A turn that is started or steered.

    Attributes:
        turn: The turn that the inputs belong to.
    """

    def __init__(self, thread: Thread, response: t.TurnResponse) -> None:
        super().__init__(thread, response)
        self.turn = response["turn"]
