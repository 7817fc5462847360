"""A small agent loop: lines from standard input go to a model, with a file as context.

    python agent.py http://127.0.0.1:8080 notes.txt

The model is told what is in the file when that is new or has changed, and nothing otherwise.
"""

from __future__ import annotations

import json
import sys
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import turncontext


class Agent:
    """A thread and its history, in memory."""

    def __init__(self, module: turncontext.Module, url: str) -> None:
        self.url = url
        self.thread = module.new_thread(str(uuid.uuid4()))
        self.history: list[Any] = []

    def turn(self, text: str, context: dict[str, turncontext.types.Entry]) -> str:
        """Run one turn, and return what the model says."""
        turn_id = str(uuid.uuid4())
        with self.thread.prepare_start(
            turn_id,
            {"input": [{"type": "text", "text": text}], "additionalContext": context},
        ) as prepared:
            # An agent that keeps its threads saves the history, then prepared.state,
            # and thread.snapshot() once the turn has ended.
            self.history += [told["item"] for told in prepared.inputs]
            prepared.commit()
        try:
            self.history += (output := ask_model(self.url, self.history))
        finally:
            self.thread.end(turn_id)
        return output_text(output)


def ask_model(url: str, history: list[Any]) -> list[Any]:
    """Ask a model behind the Responses API. Another model has its call here."""
    body = json.dumps({"model": "any", "input": history}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/v1/responses", body, headers)
    with urllib.request.urlopen(request) as response:
        output: list[Any] = json.load(response)["output"]
    return output


def output_text(output: list[Any]) -> str:
    return "".join(
        part["text"]
        for item in output
        if item["type"] == "message"
        for part in item["content"]
        if part["type"] == "output_text"
    )


def main(url: str, file: str) -> None:
    with turncontext.Module() as module:
        agent = Agent(module, url)
        for line in sys.stdin:
            content = Path(file).read_text()
            answer = agent.turn(
                line.rstrip("\n"), {"open_file": {"value": content, "kind": "untrusted"}}
            )
            print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
