from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

import pytest

from turncontext import Module, ModuleError

from .paths import FAULT

THREADS = 8
CALLS = 300


def request(number: int) -> str:
    """A request that only this number makes."""
    value = f"{number} " * (number % 500)
    context = {f"k{number}": {"value": value, "kind": "untrusted"}}
    return json.dumps({"additionalContext": context})


@pytest.mark.parametrize("instances", [1, 2, THREADS])
def test_same_answers_as_one(instances: int) -> None:
    with Module(instances=1) as one:
        expected = [one.call("merge", request(number)) for number in range(THREADS * CALLS)]

    with Module(instances=instances) as module:

        def ask(first: int) -> list[bytes]:
            return [module.call("merge", request(first + number)) for number in range(CALLS)]

        with ThreadPoolExecutor(THREADS) as pool:
            answers = list(pool.map(ask, range(0, THREADS * CALLS, CALLS)))
        assert len(module._pool._idle) <= instances
    assert [answer for part in answers for answer in part] == expected


def test_instances_bound_the_calls() -> None:
    with Module(FAULT, instances=1) as fault, ThreadPoolExecutor(THREADS) as pool:
        counts = list(pool.map(fault.call, repeat("merge", 400), repeat("c")))
    assert sorted(map(int, counts)) == list(range(1, 401))


def test_failures_among_others() -> None:
    """A call fails alone: what others ask at the same time is answered."""

    def ask(number: int) -> bytes:
        if number % 3:
            return fault.call("merge", f"{number}")
        with pytest.raises(ModuleError):
            fault.call("merge", "terfn"[number % 5])
        return b"failed"

    with Module(FAULT, instances=3) as fault, ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(ask, range(600)))
    assert answers == [b"%d" % n if n % 3 else b"failed" for n in range(600)]
