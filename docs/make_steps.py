"""Write the stub file of `privaudit.steps`, which type checkers read: python docs/make_steps.py."""

from __future__ import annotations

from pathlib import Path

from privaudit.releases.remedy.step_functions import stub

STUB = Path(__file__).parents[1] / "privaudit" / "releases" / "remedy" / "steps.pyi"

if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
