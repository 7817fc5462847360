"""Instances of a module, through Extism's SDK."""

from __future__ import annotations

import base64
import json
import os
import threading
from typing import TYPE_CHECKING, Any

import extism
from extism.extism import CompiledPlugin

from ._errors import ModuleError

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE_SIZE = 65536

_CACHE_VARIABLE = "EXTISM_CACHE_CONFIG"
_compiling = threading.Lock()

# Where a module reports its own failure, in the order in which the ABI writes members.
_INTERNAL = b'{"error":{"kind":"internal",'


class Factory:
    """Makes instances of one module."""

    def __init__(self, wasm: bytes, memory_limit: int, timeout: float | None) -> None:
        """Compile the module, unless each instance needs it compiled anew.

        Args:
            wasm: The module's file.
            memory_limit: How far the memory of an instance may grow, in bytes.
            timeout: How long a call may take, in seconds.

        Raises:
            ModuleError: The file cannot be compiled.
        """
        manifest: dict[str, object] = {
            "wasm": [{"data": base64.b64encode(wasm).decode()}],
            "memory": {"max_pages": memory_limit // PAGE_SIZE},
        }
        if timeout is not None:
            manifest["timeout_ms"] = max(1, round(timeout * 1000))
        text = json.dumps(manifest).encode()
        self._compiled: Callable[[], Any]
        if timeout is None:
            compiled = _compile(text)
            self._compiled = lambda: compiled
        else:
            # The SDK ends a call by a clock that all instances of a compiled
            # module share, so each has one of its own.
            self._compiled = lambda: _compile(text)

    def make(self) -> Instance:
        """Make an instance.

        Raises:
            ModuleError: It cannot be made.
        """
        return Instance(self._compiled())


def _compile(manifest: bytes) -> Any:
    """Compile a module, with the SDK's cache of compiled code where that can be used."""
    with _compiling:
        try:
            return _compiled(manifest)
        except extism.Error as error:
            if _CACHE_VARIABLE in os.environ:  # the user's own setting
                raise ModuleError(None, _first_line(error)) from None
        # The cache's folder may not be there to be written. There is no other
        # way to do without it than this variable.
        os.environ[_CACHE_VARIABLE] = ""
        try:
            return _compiled(manifest)
        except extism.Error as error:
            raise ModuleError(None, _first_line(error)) from None
        finally:
            del os.environ[_CACHE_VARIABLE]


def _compiled(manifest: bytes) -> Any:
    # No functions: by default the SDK gives a module all that the program
    # registered for others.
    return CompiledPlugin(manifest, wasi=True, functions=[])


class Instance:
    """One instance, for one call at a time. After a ModuleError it is to be closed."""

    def __init__(self, compiled: Any) -> None:
        try:
            self._plugin = extism.Plugin(compiled)
        except extism.Error as error:
            raise ModuleError(None, _first_line(error)) from None

    def call(self, function: str, request: bytes) -> bytes:
        """Make a call and return the answer, which may be an error object.

        Raises:
            ModuleError: The module failed.
        """
        try:
            answer: bytes = self._plugin.call(function, request)
        except (extism.Error, UnicodeDecodeError) as error:  # an error's text may be any bytes
            raise ModuleError(function, _reason(error)) from None
        if not answer:
            raise ModuleError(function, "no answer; it may have exited with code 0")
        if answer.startswith(_INTERNAL):
            raise ModuleError(function, answer.decode(errors="replace"))
        return answer

    def close(self) -> None:
        """Free the instance's memory."""
        self._plugin.__exit__(None, None, None)


def _reason(error: Exception) -> str:
    """Say what happened, from what the SDK says of it."""
    text = _first_line(error)
    if text == "timeout":
        return "it took longer than the timeout"
    if text in ("oom", "failed to allocate extism memory"):
        return "it ran out of memory"
    if text.startswith("error while executing"):
        return "it trapped or exited"
    return text


def _first_line(error: Exception) -> str:
    """What is worth telling of an error of the SDK: the rest is a list of addresses."""
    return str(error).partition("\n")[0]


class Pool:
    """Lends instances, at most so many at a time.

    Who takes one gives it back, or drops it. Instances are made when they are needed.
    """

    def __init__(self, make: Callable[[], Instance], size: int) -> None:
        self._make = make
        self._size = size
        self._changed = threading.Condition()
        self._held = 0
        self._idle: list[Instance] = []
        self._closed = False

    def take(self) -> Instance:
        """Wait for an instance.

        Raises:
            RuntimeError: The pool is closed.
            ModuleError: An instance cannot be made.
        """
        with self._changed:
            while self._held == self._size and not self._closed:
                self._changed.wait()
            if self._closed:
                raise RuntimeError("the module is closed")
            self._held += 1
            if self._idle:
                return self._idle.pop()
        try:
            return self._make()
        except BaseException:
            self._leave(None)
            raise

    def give(self, instance: Instance) -> None:
        """Give back an instance that is well."""
        self._leave(instance)

    def drop(self, instance: Instance) -> None:
        """Give back one that failed: it is closed, and the next call makes another."""
        try:
            instance.close()
        finally:
            self._leave(None)

    def close(self) -> None:
        """Refuse further calls, wait for those in progress, and close the instances."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            while self._held:
                self._changed.wait()
            idle, self._idle = self._idle, []
        for instance in idle:
            instance.close()

    def _leave(self, instance: Instance | None) -> None:
        with self._changed:
            self._held -= 1
            if instance is not None:
                self._idle.append(instance)
            # One more can go on; but a closer waits for all.
            self._changed.notify_all() if self._closed else self._changed.notify()
