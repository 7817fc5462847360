"""Runs the example against a server that plays a model."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from .paths import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Model(HTTPServer):
    """Keeps what it is asked, and answers with how often it was."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ModelHandler)
        self.asked: list[Any] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class ModelHandler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body))
        reply = json.dumps({"output": [answer(len(self.server.asked))]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def answer(number: int) -> Any:
    content = [{"type": "output_text", "text": f"answer {number}"}]
    return {"type": "message", "role": "assistant", "content": content}


def user(text: str) -> Any:
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def file(content: str) -> Any:
    return user(f"<external_open_file>{content}</external_open_file>")


def test_agent(model: Model, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    command: list[Path | str] = [
        sys.executable,
        PACKAGE / "examples" / "agent.py",
        model.url,
        notes,
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as agent:
        assert agent.stdin
        assert agent.stdout
        for number, (content, text) in enumerate(
            [("buy milk", "hi"), ("buy milk", "and?"), ("buy nothing", "now?"), ("", "so?")], 1
        ):
            notes.write_text(content)
            agent.stdin.write(f"{text}\n")
            agent.stdin.flush()
            assert agent.stdout.readline() == f"answer {number}\n"
        agent.stdin.close()
        assert agent.wait(10) == 0

    history = [file("buy milk"), user("hi")]
    told = [
        history,
        history := [*history, answer(1), user("and?")],  # nothing changed
        history := [*history, answer(2), file("buy nothing"), user("now?")],
        history := [*history, answer(3), file(""), user("so?")],
    ]
    assert model.asked == [("/v1/responses", {"model": "any", "input": each}) for each in told]
