from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent.parent
ROOT = PACKAGE.parent.parent
BUILD = ROOT / "build"
VECTORS = ROOT / "testdata" / "vectors"
FAULT = ROOT / "testdata" / "faults" / "fault.wasm"
