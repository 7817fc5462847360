"""Puts the module into the package when a wheel or an sdist is built."""

import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ModuleHook(BuildHookInterface):  # type: ignore[type-arg]
    """Copies the built module from the repository."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Copy the module, before anything is packed."""
        root = Path(self.root)
        if (root / "PKG-INFO").exists():  # an sdist, which has it already
            return
        built = root.parent.parent / "build" / "turncontext.wasm"
        shutil.copyfile(built, root / "src" / "turncontext" / built.name)
