"""What the build makes, so that no run makes it: rules, tables, templates, machine code, byte code."""

from __future__ import annotations

import compileall
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TEMPLATES = "from privaudit.report.templates import compile_templates as make"
TABLES = "from privaudit.detect.catalogue.made_tables import make_tables as make"
CODE = "from privaudit.base.code_of_modules import compile_code as make"
MACHINE_CODE = "from privaudit.risk.kernel.compile_loops import compile_loops as make"
MADE = """
import sys
sys.dont_write_bytecode = False
try:
    {}
    print(make())
except ImportError:  # a package that the modules import is not installed
    pass
"""


class MadeOnce(BuildHookInterface):  # type: ignore[type-arg]
    """Fill the folder ``build`` of a checkout, and include what is in it in a wheel.

    Without Jinja, templates are compiled by the first run, and without Numba, loops; without Arrow, tables by each run.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files and include them; a checkout reads them where they are made."""
        made = [self._compiled_rules(), self._made(TEMPLATES), self._made(TABLES), self._made(CODE)]
        machine_code = self._made(MACHINE_CODE)
        if version == "editable":
            compileall.compile_dir(Path(self.root) / "privaudit", quiet=1)
            return
        for place in filter(None, [*made, machine_code]):
            inside = place.relative_to(Path(self.root) / "build")
            build_data["force_include"][str(place)] = f"privaudit/_data/{inside}"
        if machine_code is not None:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def _compiled_rules(self) -> Path:
        root = Path(self.root)
        sys.path.insert(0, str(root / "privaudit" / "base"))  # the module needs nothing else of the package
        import compiled_rules

        place: Path = compiled_rules.place(root, compiled_rules.NAME)
        place.parent.mkdir(exist_ok=True)
        place.write_text(compiled_rules.compile_rules(root), encoding="utf-8")
        return place

    def _made(self, what: str) -> Path | None:
        """Return the folder that a function of the package fills, in a process of its own; None if it cannot run."""
        command = [sys.executable, "-c", MADE.format(what)]
        done = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            self.app.display_warning("The first run makes what the build could not make; see the error above.")
        return Path(done.stdout.strip()) if done.returncode == 0 and done.stdout.strip() else None
