"""Headers of codes, and headers that a hash sign begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.files.formats.first_row import is_header


def test_codes_that_letters_begin_over_numbers_are_a_header() -> None:
    body = [[str(i), str(i * 3), f"{i / 7:.3f}"] for i in range(1, 40)]
    assert is_header(["DB020", "RB080", "PY010G"], body)
    assert is_header(["fc111conf1", "fc112conf2", "fc113se"], body)


def test_a_record_of_codes_over_codes_is_data() -> None:
    body = [[f"AB{i:03d}", f"Q{i * 7:04d}"] for i in range(1, 40)]
    assert not is_header(["AB000", "Q0000"], body)
    assert not is_header(["AB000", "12"], [[f"AB{i:03d}", str(i)] for i in range(1, 40)])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#,name,size\n1,bolt,3\n2,nut,4\n3,axle,6\n", ("#", "name", "size")),
        ("##made by hand\n#chrom,start,end\nc1,10,20\nc2,30,90\nc2,95,99\n", ("#chrom", "start", "end")),
        ("# a note, of two cells\nname,size\nbolt,3\nnut,4\naxle,6\ngear,7\ncam,8\npin,9\n", ("name", "size")),
    ],
)
def test_a_hash_sign_before_a_header_and_before_a_note(tmp_path: Path, text: str, names: tuple[str, ...]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with open_dataset(str(path), Settings()) as ds:
        assert tuple(ds.columns) == names
