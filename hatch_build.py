"""Put the compiled rules into the wheel, so that no installed command parses the TOML files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledRules(BuildHookInterface):  # type: ignore[type-arg]
    """Write ``build/rules.json`` before a wheel is built; an editable install writes it at its first run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules and include the file."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "privaudit"))  # the module needs nothing else of the package
        import compiled_rules

        place = root / "build" / compiled_rules.NAME
        place.parent.mkdir(exist_ok=True)
        place.write_text(compiled_rules.compile_rules(root), encoding="utf-8")
        build_data["force_include"][str(place)] = f"privaudit/_data/{compiled_rules.NAME}"
