"""What happens when the module fails (testdata/faults)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from turncontext import Module, ModuleError, RequestError

from .paths import FAULT


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("t", "it trapped or exited"),
        ("e", "no answer; it may have exited with code 0"),
        ("E", "it trapped or exited"),
        ("m", "it ran out of memory"),
        ("r", "it trapped or exited"),
        ("f", "broken"),
        ("n", "no answer; it may have exited with code 0"),
        ("", "no answer; it may have exited with code 0"),
        ('{"error":{"kind":"internal","code":-32603,"message":"x"}}', '{"error":.*internal'),
    ],
)
@pytest.mark.parametrize("function", ["merge", "turn_start"])
def test_failures(fault: Module, function: str, request_: str, reason: str) -> None:
    """A clear error; the next call has a new instance, and is right."""
    assert fault.call("merge", "c") == b"1"
    assert fault.call("merge", "c") == b"2"
    with pytest.raises(ModuleError, match=f"^the module failed in {function}: {reason}") as caught:
        fault.call(function, request_)
    assert caught.value.function == function
    assert "\n" not in str(caught.value)
    assert fault.call("merge", "c") == b"1"
    assert fault.call("merge", '{"a":1}') == b'{"a":1}'


def test_refusals_keep_the_instance(fault: Module) -> None:
    assert fault.call("merge", "o").startswith(b'{"error":{"kind":"invalid_request"')
    assert fault.call("merge", "c") == b"2"


def test_refusals_of_a_method_keep_the_instance() -> None:
    with Module(instances=1) as module:
        instance = module._pool._idle[0]
        with pytest.raises(RequestError):
            module.restore_thread({})
        assert module._pool._idle == [instance]


def test_not_json(fault: Module) -> None:
    """A raw call gives what the module answered; only methods read it."""
    assert fault.call("merge", "j") == b'{"store":'
    assert fault.call("merge", "\n") == b"\n"
    assert fault.call("merge", b"\xff") == b"\xff"


def test_timeout() -> None:
    with Module(FAULT, instances=1, timeout=0.2) as fault:
        assert fault.call("merge", "c") == b"1"
        begin = time.monotonic()
        with pytest.raises(ModuleError, match="it took longer than the timeout"):
            fault.call("merge", "l")
        assert 0.15 < time.monotonic() - begin < 5
        assert fault.call("merge", "c") == b"1"


def test_timeout_ends_no_other_call() -> None:
    """The SDK's clock is one for all instances of a compiled module."""
    with Module(FAULT, instances=2, timeout=0.6) as fault, ThreadPoolExecutor(2) as pool:

        def loop(delay: float) -> float:
            time.sleep(delay)
            begin = time.monotonic()
            with pytest.raises(ModuleError, match="timeout"):
                fault.call("merge", "l")
            return time.monotonic() - begin

        assert all(seconds > 0.55 for seconds in pool.map(loop, [0, 0.3]))


def test_close_waits_for_calls() -> None:
    fault = Module(FAULT, instances=1)
    running = fault._pool.take()  # as a call does
    with ThreadPoolExecutor(2) as threads:
        waiting = threads.submit(fault.call, "merge", "x")
        closing = threads.submit(fault.close)
        with pytest.raises(RuntimeError, match="closed"):
            waiting.result()
        assert not closing.done()
        fault._pool.give(running)
        closing.result()
    assert fault._pool._held == 0


def test_memory_limit() -> None:
    """The real module, with a request that needs more than the limit."""
    context = '{"additionalContext":{"a":{"kind":"untrusted","value":"%s"}}}'
    with Module(memory_limit=16 << 20, instances=1) as module:
        small, large = context % "x", context % ("x" * (8 << 20))
        answer = module.call("merge", small)
        with pytest.raises(ModuleError, match="it ran out of memory"):
            module.call("merge", large)
        assert module.call("merge", small) == answer


def test_the_largest_request_fits_the_default_limit(module: Module) -> None:
    text = '{"additionalContext":{"a":{"kind":"untrusted","value":"'
    size = module.describe()["limits"]["requestBytes"] - len(text) - len('"}}}')
    answer = module.call("merge", text + "x" * size + '"}}}')
    assert answer.startswith(b'{"store":{"a":{"value":"xxx')


def test_without_a_cache_folder() -> None:
    """The SDK keeps compiled code in the user's cache folder; here there can be none."""
    program = (
        "import os, turncontext\n"
        "with turncontext.Module() as module: print(module.merge())\n"
        "assert 'EXTISM_CACHE_CONFIG' not in os.environ\n"
    )
    environment = {**os.environ, "HOME": os.devnull, "XDG_CACHE_HOME": f"{os.devnull}/cache"}
    output = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
    assert output == "{'store': {}, 'inputs': [], 'receipts': []}\n"


def test_the_cache_setting_of_the_user_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTISM_CACHE_CONFIG", "/nowhere/cache.toml")
    with pytest.raises(ModuleError, match="the module cannot be opened"):
        Module(FAULT)
    assert os.environ["EXTISM_CACHE_CONFIG"] == "/nowhere/cache.toml"
