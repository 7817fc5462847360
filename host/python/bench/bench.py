"""Measures the package beside a guest that only echoes, through the same SDK.

The echo moves as many bytes as merge does: it is the mean of an echo of the request and an echo of
the answer. It is built with the go tool.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import extism
from extism.extism import CompiledPlugin

from turncontext import Module

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]
WASM = ROOT / "build" / "turncontext.wasm"

# Name, bytes of a request, entries in it, of which one in so many has changed.
WORKLOADS = [("300 B", 300, 1, 4), ("43 KB", 43_000, 10, 10)]

WORDS = (
    "agent branch buffer build cache client commit editor error file index job layer log merge "
    "parser page queue request review runner server session table test token tree update worker"
).split()


@dataclass
class Plan:
    inputs: int  # different ones to rotate through, so that none becomes warm
    rounds: int  # of which the median is taken
    seconds: float  # how long one measurement of a round lasts
    memory_calls: int


FULL = Plan(inputs=64, rounds=31, seconds=0.05, memory_calls=100_000)
ONCE = Plan(inputs=4, rounds=1, seconds=0, memory_calls=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true", help="everything once; says little")
    plan = ONCE if parser.parse_args().once else FULL
    print(
        f"Python {sys.version.split()[0]}, Extism {extism.extism_version()}, "
        f"{os.cpu_count()} CPUs, medians of {plan.rounds} rounds\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        echo = build_echo(Path(folder))
        measure_calls(plan, echo)
        measure_start(plan, echo)
    measure_memory(plan)


def build_echo(folder: Path) -> Path:
    print("building the echo", flush=True)
    file = folder / "echo.wasm"
    build = ["go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false"]
    build += ["-ldflags=-s -w -buildid=", "-o", str(file), "./echo"]
    guest = {"GOOS": "wasip1", "GOARCH": "wasm", "GOWASM": "", "GOEXPERIMENT": "", "GOFLAGS": ""}
    environment = {**os.environ, **guest, "GOWORK": "off", "GODEBUG": ""}
    subprocess.run(build, check=True, cwd=ROOT / "bench", env=environment)
    return file


# Requests


def requests(plan: Plan, module: Module, size: int, entries: int, every: int) -> list[bytes]:
    """Return requests to merge: a store, and the same keys with some other values."""
    rng = random.Random(size)
    return [request(rng, module, size, entries, every, number) for number in range(plan.inputs)]


def request(
    rng: random.Random, module: Module, size: int, entries: int, every: int, number: int
) -> bytes:
    told: dict[str, Any] = {
        f"key_{i:02}": {"value": "", "kind": "application" if i % 5 == 3 else "untrusted"}
        for i in range(entries)
    }
    each = (size - len(written({"store": told, "additionalContext": told}))) // (2 * entries)
    for entry in told.values():
        entry["value"] = text(rng, each)
    current = {key: dict(entry) for key, entry in told.items()}
    for place, entry in enumerate(current.values(), number * entries):
        if place % every == every - 1:
            kept = rng.randrange(each * 3 // 4)
            entry["value"] = entry["value"][:kept] + text(rng, each - kept)
    store = module.merge(additional_context=told)["store"]
    return written({"store": store, "additionalContext": current})


def text(rng: random.Random, size: int) -> str:
    """Return words in lines of about 80 characters; in JSON it may be longer by the escapes."""
    line = " ".join(rng.choice(WORDS) for _ in range(13))
    lines = [line]
    while sum(map(len, lines)) < size:
        lines.append(" ".join(rng.choice(WORDS) for _ in range(13)))
    return "\n".join(lines)[:size]


def written(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


# Calls


def measure_calls(plan: Plan, echo_file: Path) -> None:
    echo = open_echo(echo_file)
    print(f"\n{'':10}{'merge':>10}{'echo':>10}{'ratio':>8}{'more':>10}{'typed':>10}")
    with Module(instances=1) as module:
        for name, size, entries, every in WORKLOADS:
            asked = requests(plan, module, size, entries, every)
            answers = [module.call("merge", request) for request in asked]
            assert all(echo(text) == text for text in asked + answers)
            values = [arguments(request) for request in asked]
            merge, there, back, typed = measure(
                plan,
                [
                    over(asked, lambda request: module.call("merge", request)),
                    over(asked, echo),
                    over(answers, echo),
                    over(values, lambda value: module.merge(**value)),
                ],
            )
            floor = (there + back) / 2
            print(
                f"{name:10}{micro(merge)}{micro(floor)}{merge / floor:8.2f}"
                f"{micro(merge - floor)}{micro(typed)}"
            )
    print("goals: at 300 B at most 10 µs more than the echo, at 43 KB at most 1.2 times the echo")
    print("typed: Module.merge, which writes and reads the JSON of request and answer\n")


def open_echo(file: Path) -> Callable[[bytes], bytes]:
    compiled = CompiledPlugin({"wasm": [{"data": file.read_bytes()}]}, wasi=True, functions=[])
    plugin = extism.Plugin(compiled)
    return lambda text: bytes(plugin.call("merge", text))


def arguments(request: bytes) -> dict[str, Any]:
    value = json.loads(request)
    return {"store": value["store"], "additional_context": value["additionalContext"]}


def over(inputs: list[Any], call: Callable[[Any], object]) -> Callable[[], object]:
    """Return a function that makes a call with each input in its turn."""
    turn = itertools.cycle(inputs)
    return lambda: call(next(turn))


def measure(plan: Plan, calls: list[Callable[[], object]]) -> list[float]:
    """Return seconds for each call, the median of rounds in alternating order.

    They are those of this thread's processor time, so that a busy machine counts for less.
    """
    counts = [warm(plan, call) for call in calls]
    samples: list[list[float]] = [[] for _ in calls]
    for number in range(plan.rounds):
        order = range(len(calls))
        for i in order if number % 2 == 0 else reversed(order):
            begin = time.thread_time()
            for _ in range(counts[i]):
                calls[i]()
            samples[i].append((time.thread_time() - begin) / counts[i])
    return [statistics.median(sample) for sample in samples]


def warm(plan: Plan, call: Callable[[], object]) -> int:
    """Call for as long as a round lasts, and return how many calls that is."""
    begin, count = time.perf_counter(), 0
    while count < plan.inputs or time.perf_counter() - begin < plan.seconds:
        call()
        count += 1
    return count - count % plan.inputs


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:7.1f} µs"


# Start-up

START = """
import sys, time
source, function = sys.argv[1:]
if function == "describe":
    import turncontext
    begin = time.perf_counter()
    turncontext.Module(source)
else:
    import extism
    wasm = open(source, "rb").read()
    from extism.extism import CompiledPlugin
    begin = time.perf_counter()
    plugin = extism.Plugin(CompiledPlugin({"wasm": [{"data": wasm}]}, wasi=True, functions=[]))
    plugin.call(function, b"x")
print(time.perf_counter() - begin)
"""


def measure_start(plan: Plan, echo: Path) -> None:
    """Measure opening in processes of their own, up to the first answer."""
    rounds = min(plan.rounds, 5)
    files = {"module": (WASM, "describe"), "echo": (echo, "merge")}
    print(f"{'start-up':22}{'module':>12}{'echo':>12}")
    cold: dict[str, list[float]] = {name: [] for name in files}
    second: dict[str, list[float]] = {name: [] for name in files}
    for _ in range(rounds):
        for name, (file, function) in files.items():
            with tempfile.TemporaryDirectory() as cache:
                cold[name].append(start(file, function, cache))
                second[name].append(start(file, function, cache))
    print_milliseconds("empty cache", cold)
    print_milliseconds("second process", second)
    print_milliseconds("further instance", further(rounds, echo))
    print()


def start(file: Path, function: str, cache: str) -> float:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    command = [sys.executable, "-c", START, str(file), function]
    return float(subprocess.check_output(command, env=environment, text=True))


def further(rounds: int, echo: Path) -> dict[str, list[float]]:
    """Measure making one more instance, up to its first answer."""
    samples: dict[str, list[float]] = {"module": [], "echo": []}
    for name, file in ("module", WASM), ("echo", echo):
        manifest = {"wasm": [{"data": file.read_bytes()}]}
        compiled = CompiledPlugin(manifest, wasi=True, functions=[])
        for _ in range(rounds):
            begin = time.perf_counter()
            extism.Plugin(compiled).call("merge", b"{}")
            samples[name].append(time.perf_counter() - begin)
    return samples


def print_milliseconds(what: str, samples: dict[str, list[float]]) -> None:
    columns = [f"{statistics.median(sample) * 1e3:9.1f} ms" for sample in samples.values()]
    print(f"{what:22}{''.join(columns)}", flush=True)


# Memory


def measure_memory(plan: Plan) -> None:
    """Print the memory of this process as calls of 43 KB go on."""
    with Module(instances=1) as module:
        asked = requests(plan, module, 43_000, 10, 10)
        call = over(asked, lambda request: module.call("merge", request))
        print(f"memory of the process after calls of 43 KB\n{0:>9} {resident():7.1f} MB")
        for number in range(1, plan.memory_calls + 1):
            call()
            if number % (plan.memory_calls // 10) == 0:
                print(f"{number:>9} {resident():7.1f} MB", flush=True)


def resident() -> float:
    """Return the resident memory in MB; Linux tells it."""
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main()
