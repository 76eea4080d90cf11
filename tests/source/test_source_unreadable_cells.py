"""Objects without a text are unreadable cells, and standard input is read once, however often the table is needed."""

from __future__ import annotations

import io
import sys

import pandas as pd
import pytest

import privaudit


class Silent:
    def __init__(self, error: Exception | str) -> None:
        self.error = error

    def __str__(self) -> str:
        if isinstance(self.error, str):
            return 7  # type: ignore[return-value]
        raise self.error


@pytest.mark.parametrize("error", [ValueError("qzxv"), RuntimeError("qzxv"), UnicodeError("qzxv"), KeyError, "seven"])
def test_an_object_without_a_text_is_an_unreadable_cell(error):
    frame = pd.DataFrame({"load": [1, 2, 3] * 20, "note": ["a", 7, Silent(error)] * 20})
    report = privaudit.scan(frame, ner=False, policy="internal")
    (found,) = (one for one in report.limits if one.code == "source.unreadable_cells")
    assert found.incomplete and found.what == "20 cells" and report.gate().exit_code in (1, 3)
    assert "qzxv" not in str(report.limits)
    clean = privaudit.scan(frame.assign(note=["a", 7, "b"] * 20), ner=False, policy="internal")
    assert not [one for one in clean.limits if one.code == "source.unreadable_cells"]


@pytest.mark.parametrize(
    "command", [("remedy", "-", "-o", "safer.csv"), ("plan", "-", "-o", "p.toml", "--drop", "ward")]
)
def test_standard_input_is_read_once(run, monkeypatch, tmp_path, command):
    rows = "age,sex,ward\n" + "".join(f"{20 + i % 30},{'FM'[i % 2]},{i % 5}\n" for i in range(120))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    done = run(*command, "--no-ner", "--quasi", "age,sex")
    assert done.returncode in (0, 1, 3), done.stderr
    assert (tmp_path / command[3]).stat().st_size
