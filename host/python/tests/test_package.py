"""What is published: the module in it, and that it works without the repository."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from .paths import BUILD, PACKAGE, ROOT
from .readme import example

if TYPE_CHECKING:
    from pathlib import Path

WHEELS = PACKAGE / ".venv" / "wheels"  # what `make install` downloaded


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, PACKAGE, cwd=folder)
    return folder


def run(*command: str | Path, cwd: Path) -> str:
    return subprocess.run(command, check=True, cwd=cwd, stdout=subprocess.PIPE, text=True).stdout


def expected_sha256() -> str:
    return (BUILD / "turncontext.wasm.sha256").read_text().split()[0]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_module() -> None:
    """The module in the package is the one in build/; `make install` copies it."""
    wasm = resources.files("turncontext").joinpath("turncontext.wasm").read_bytes()
    assert sha256(wasm) == expected_sha256()


def test_license() -> None:
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_wheel(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        assert sha256(wheel.read("turncontext/turncontext.wasm")) == expected_sha256()
        metadata = wheel.read("turncontext-0.1.0.dist-info/METADATA").decode()
    assert "turncontext/py.typed" in names
    assert "turncontext/THIRD_PARTY_LICENSES" in names
    assert "turncontext-0.1.0.dist-info/licenses/LICENSE" in names
    assert all(name.startswith("turncontext") for name in names)
    requirements = [line for line in metadata.splitlines() if line.startswith("Requires-")]
    assert sorted(requirements) == ["Requires-Dist: extism==1.1.1", "Requires-Python: >=3.10"]
    assert "License-Expression: Apache-2.0" in metadata


def test_sdist(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        module = sdist.extractfile("turncontext-0.1.0/src/turncontext/turncontext.wasm")
        assert module
        assert sha256(module.read()) == expected_sha256()
        assert "turncontext-0.1.0/src/turncontext/THIRD_PARTY_LICENSES" in sdist.getnames()
        tops = {name.split("/")[1] for name in sdist.getnames()}
    assert tops == {
        ".gitignore",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "hatch_build.py",
        "pyproject.toml",
        "src",
    }


@pytest.mark.parametrize("pattern", ["*.whl", "*.tar.gz"])
def test_in_an_empty_folder(dist: Path, tmp_path: Path, pattern: str) -> None:
    """Installed by pip with what it depends on, and nothing else, it runs the README's example."""
    (artifact,) = dist.glob(pattern)
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    offline: list[str | Path] = ["--no-index", "--find-links", WHEELS]
    run(python, "-m", "pip", "install", "-q", *offline, artifact, cwd=tmp_path)

    program = tmp_path / "example.py"
    program.write_text(example("merge"), encoding="utf-8")
    assert run(python, "-I", program, cwd=tmp_path) == example("merge-output")

    # A type checker sees the types of the installed package.
    mypy: list[str | Path] = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        python,
    ]
    run(*mypy, program, cwd=tmp_path)
