from __future__ import annotations

import re

from .paths import PACKAGE


def example(name: str) -> str:
    """Return the block of the README that is marked with a name."""
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"<!-- example:{name} -->\n```\w*\n(.*?)```\n", text, re.DOTALL)
    return str(block)
