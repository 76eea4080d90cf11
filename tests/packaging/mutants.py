"""How many faults in the code that decides no test notices: `make mutants` runs mutmut, and this reads its results.

Question: does at most one in ten of the faults put into a module pass its tests?
Method: mutmut writes a file next to each mutated module with the exit code of the tests for each fault; 0 means that
all tests passed. A fault that no test reaches counts like one that no test notices.
Limits: faults that change nothing, such as another text in an error message, count as well.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

MOST = 0.10
_PASSED, _NO_TEST = 0, 33


@dataclass(frozen=True, slots=True)
class Survivors:
    """The faults of a module that no test notices."""

    module: str
    n_faults: int
    names: tuple[str, ...]

    @property
    def share(self) -> float:
        """The survivors among the faults that were tried."""
        return len(self.names) / self.n_faults if self.n_faults else 0.0


def read_survivors(folder: Path) -> list[Survivors]:
    """Return the survivors of each mutated module below `folder`; faults that were not tried do not count."""
    found = []
    for file in sorted(folder.rglob("*.py.meta")):
        codes = json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
        tried = {name: code for name, code in codes.items() if code is not None}
        names = tuple(name for name, code in tried.items() if code in (_PASSED, _NO_TEST))
        module = file.relative_to(folder).as_posix().removesuffix(".meta")
        found.append(Survivors(module, len(tried), names))
    return found


def main(folder: Path) -> int:
    """Print the survivors of each module; return 1 where a module has too many, or none was mutated."""
    modules = read_survivors(folder)
    for one in modules:
        print(f"{len(one.names):4} of {one.n_faults:4}  {one.share:6.1%}  {one.module}")
        for name in one.names if one.share > MOST else ():
            print(f"      mutmut show {name}")
    return int(not modules or any(not one.n_faults or one.share > MOST for one in modules))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
