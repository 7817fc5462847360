from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from .readme import example

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["merge", "thread", "errors"])
def test_examples(tmp_path: Path, name: str) -> None:
    """Each runs as written, and prints what stands below it."""
    program = tmp_path / "example.py"
    program.write_text(example(name), encoding="utf-8")
    output = subprocess.check_output([sys.executable, program], cwd=tmp_path, text=True)
    assert output == example(f"{name}-output")
