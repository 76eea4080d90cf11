"""What is made once, when the package is built, so that no run makes it: compiled rules, machine code, byte code."""

from __future__ import annotations

import compileall
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MACHINE_CODE = """
try:
    from privaudit.risk.compile_loops import compile_loops
except ImportError:  # Numba, or what the modules of the loops import, is not installed
    pass
else:
    print(compile_loops())
"""


class MadeOnce(BuildHookInterface):  # type: ignore[type-arg]
    """Make ``build/rules.json`` and, where Numba is installed, ``build/machine_code``; a wheel contains both."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files and include them; a checkout reads them where they are made."""
        rules, machine_code = self._compile_rules(), self._compile_loops()
        if version == "editable":
            compileall.compile_dir(Path(self.root) / "privaudit", quiet=1)
            return
        files = build_data["force_include"]
        files[str(rules)] = f"privaudit/_data/{rules.name}"
        if machine_code is not None:
            files[str(machine_code)] = f"privaudit/_data/{machine_code.parent.name}/{machine_code.name}"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def _compile_rules(self) -> Path:
        root = Path(self.root)
        sys.path.insert(0, str(root / "privaudit"))  # the module needs nothing else of the package
        import compiled_rules

        place: Path = compiled_rules.place(root, compiled_rules.NAME)
        place.parent.mkdir(exist_ok=True)
        place.write_text(compiled_rules.compile_rules(root), encoding="utf-8")
        return place

    def _compile_loops(self) -> Path | None:
        command = [sys.executable, "-c", MACHINE_CODE]
        done = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, text=True, check=True)
        return Path(done.stdout.strip()) if done.stdout.strip() else None
