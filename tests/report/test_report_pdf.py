"""A PDF file needs WeasyPrint and Pango: what is missing is named, with what installs it, before any work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.command import run_here

MISSING = {
    "pango": ("raise OSError('cannot load library libpango-1.0-0: /home/somebody')", "Pango"),
    "extra": ("raise ModuleNotFoundError('weasyprint', name='weasyprint')", "privaudit[pdf]"),
}


@pytest.mark.parametrize("missing", MISSING)
def test_without_what_a_pdf_needs_the_exit_code_is_2_and_the_hint_names_it(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised, hint = MISSING[missing]
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "weasyprint.py").write_text(raised, encoding="utf-8")
    monkeypatch.syspath_prepend(packages)
    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "people.csv").write_text("age,city\n31,Nairobi\n45,Kisumu\n", encoding="utf-8")
    done = run_here(["scan", "people.csv", "-o", "risk.pdf"], tmp_path, {})
    assert done.returncode == 2, done.stderr
    assert hint in done.stderr and "somebody" not in done.stderr
    assert not (tmp_path / "risk.pdf").exists()
