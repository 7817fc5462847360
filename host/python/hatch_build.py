"""Puts the module and its licences into the package when a wheel or an sdist is built."""

import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ModuleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Copies them from the repository."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Copy them, before anything is packed."""
        root = Path(self.root)
        if (root / "PKG-INFO").exists():  # an sdist, which has them already
            return
        built, package = root.parent.parent / "build", root / "src" / "turncontext"
        for name in ("turncontext.wasm", "THIRD_PARTY_LICENSES"):
            shutil.copyfile(built / name, package / name)
