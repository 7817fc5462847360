"""The module in host/python, as a child of the benchmark (the protocol is in child.go)."""

import sys
from time import perf_counter_ns

from turncontext import Module


def main(module_file: str, echo_file: str) -> None:
    modules = {"merge": Module(module_file), "echo": Module(echo_file)}
    requests: list[bytes] = []
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while line := read.readline():
        match line.decode().split():
            case ["load", count]:
                requests = [read.read(int(read.readline())) for _ in range(int(count))]
                write.write(b"\n")
            case ["answer", call, index]:
                answer = modules[call].call("merge", requests[int(index)])
                write.write(b"%d\n%s" % (len(answer), answer))
            case ["run", call, first, count]:
                turns = [requests[(int(first) + i) % len(requests)] for i in range(int(count))]
                write.write(b"%d\n" % run(modules[call], turns))
            case _:
                raise ValueError(f"unknown command {line!r}")
        write.flush()


def run(module: Module, requests: list[bytes]) -> int:
    """Send the requests and return how many nanoseconds that took."""
    start = perf_counter_ns()
    for request in requests:
        module.call("merge", request)
    return perf_counter_ns() - start


main(*sys.argv[1:])
