from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from turncontext import Module

from .paths import FAULT

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def module() -> Iterator[Module]:
    """The module in the package."""
    with Module() as opened:
        yield opened


@pytest.fixture
def fault() -> Iterator[Module]:
    """A module that fails as the first byte of a request says, with one instance."""
    with Module(FAULT, instances=1, memory_limit=64 << 20) as opened:
        yield opened
