"""Workbooks of every format: the cap on cells, and text outside of the cells."""

from __future__ import annotations

import pytest

import privaudit
from privaudit.base.errors import ScanIncomplete
from privaudit.source.files.formats.workbooks import extent_of_workbook
from tests.helpers.workbooks import ods_row, write_ods, write_xls, write_xlsb

pytest.importorskip("python_calamine")
HEADER = ("size", "colour", "load")
ROWS = [(str(10 + i % 7), "rgb"[i % 3], str(i % 5)) for i in range(90)]
CELLS = {(r, c): text for r, row in enumerate((HEADER, *ROWS)) for c, text in enumerate(row)}
SECRET = "mail jane.doe@example.org, ssn 123-45-6781"


def write(path, *, corner: bool = False) -> None:
    """Write the same table in the format of the suffix; with `corner`, another cell far away."""
    far = {(60_000, 250): "x"} if corner else {}
    if path.suffix == ".ods":
        rows = "".join(map(ods_row, (HEADER, *ROWS)))
        gap = '<table:table-row table:number-rows-repeated="60000"><table:table-cell/></table:table-row>'
        last = '<table:table-row><table:table-cell table:number-columns-repeated="250"/>'
        last += '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>'
        write_ods(path, rows + gap + (last if corner else ""))
    else:
        {".xls": write_xls, ".xlsb": write_xlsb}[path.suffix](path, CELLS | far)


@pytest.mark.parametrize("suffix", [".xls", ".xlsb", ".ods"])
def test_the_cap_on_cells_is_named_for_every_format_of_workbooks(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    write(path)
    report = privaudit.scan(path, ner=False, cap={"cells": 91 * 3})
    assert (report.dataset.n_rows, report.dataset.n_columns) == (90, 3)
    assert suffix == ".xls" or extent_of_workbook(path) == 91 * 3
    with pytest.raises(ScanIncomplete) as caught:
        privaudit.scan(path, ner=False, cap={"cells": 91 * 3 - 1})
    assert "cells in a worksheet" in str(caught.value) and "--cap cells=273" in caught.value.line()
    write(path, corner=True)
    with pytest.raises(ScanIncomplete) as caught:
        privaudit.scan(path, ner=False, cap={"cells": 1_000_000})
    assert "--cap cells=15" in caught.value.line()


def test_annotations_headers_and_footers_of_open_documents_are_read(tmp_path):
    note = f"<office:annotation><dc:creator>x</dc:creator><text:p>{SECRET}</text:p></office:annotation>"
    path = tmp_path / "t.ods"
    for rows, styles in (
        (ods_row(HEADER, note) + "".join(map(ods_row, ROWS)), ""),
        ("".join(map(ods_row, (HEADER, *ROWS))), f"<style:header><text:p>{SECRET}</text:p></style:header>"),
    ):
        write_ods(path, rows, styles)
        report = privaudit.scan(path, ner=False)
        assert any(f.code == "PII014" and f.measure == "pii.outside[SSN]" for f in report.findings)
        assert report.columns[0].name == "size"


def test_what_binary_workbooks_hold_besides_cells_is_named_as_not_examined(tmp_path):
    def is_named(path) -> bool:
        report = privaudit.scan(path, ner=False)
        named = any(limit.code == "source.workbook_parts_not_examined" for limit in report.limits)
        assert not named or report.gate().exit_code == 3
        return named

    write(tmp_path / "t.xls")
    write(tmp_path / "t.xlsb")
    assert is_named(tmp_path / "t.xls") and not is_named(tmp_path / "t.xlsb")
    write_xlsb(tmp_path / "t.xlsb", CELLS, [(479, b"\0" * 30), (480, b"")])
    assert is_named(tmp_path / "t.xlsb")
