"""Files are written whole or not at all, never through a symbolic link, never over an input."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from types import ModuleType

import pytest

from privaudit import report
from privaudit.base.errors import ConfigError, UnsupportedFormat
from privaudit.report import files


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("suffix", ["html", "json", "md", "HTML"])
def test_the_suffix_chooses_the_format(sample: ModuleType, suffix: str, tmp_path: Path) -> None:
    made = sample.example()
    report.write(made, tmp_path / f"r.{suffix}")
    text = (tmp_path / f"r.{suffix}").read_text(encoding="utf-8")
    assert text == report.render(made, suffix.lower())
    assert [file.name for file in tmp_path.iterdir()] == [f"r.{suffix}"]


@pytest.mark.parametrize("name", ["r.docx", "r", "r.csv", "r.html.gz"])
def test_other_suffixes_are_refused_with_those_that_work(sample: ModuleType, name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match=r"\.html, \.json, \.md"):
        report.write(sample.example(), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_unknown_formats_and_editions_are_refused(sample: ModuleType) -> None:
    made = sample.bare_report()
    with pytest.raises(UnsupportedFormat, match='Unknown report format "xml"'):
        report.render(made, "xml")
    with pytest.raises(UnsupportedFormat, match="has no public edition"):
        report.render(made, "json", edition="public")
    with pytest.raises(ConfigError, match='Unknown edition "secret"'):
        report.render(made, "html", edition="secret")  # type: ignore[arg-type]


def test_a_symbolic_link_is_not_written_through(sample: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "precious.html").write_text("keep")
    (tmp_path / "r.html").symlink_to(tmp_path / "precious.html")
    (tmp_path / "dangling.html").symlink_to(tmp_path / "nowhere.html")
    for name in ("r.html", "dangling.html"):
        with pytest.raises(ConfigError, match="symbolic link"):
            report.write(sample.bare_report(), tmp_path / name)
    assert (tmp_path / "precious.html").read_text() == "keep"
    assert not (tmp_path / "nowhere.html").exists()


def test_an_input_is_not_overwritten(sample: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "r.json"
    source.write_text("keep")
    os.link(source, tmp_path / "hard.json")
    for target in (source, tmp_path / "hard.json"):
        with pytest.raises(ConfigError, match="is an input"):
            report.write(sample.bare_report(), target, inputs=[source, tmp_path / "gone.csv"])
    assert source.read_text() == "keep"


def test_folders_are_refused(sample: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "r.html").mkdir()
    with pytest.raises(ConfigError, match="not a file"):
        report.write(sample.bare_report(), tmp_path / "r.html")
    with pytest.raises(ConfigError, match="does not exist"):
        report.write(sample.bare_report(), tmp_path / "none" / "r.html")


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    sample: ModuleType, step: str, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("SECRET-CELL")

    (tmp_path / "r.html").write_text("privaudit, old")
    with monkeypatch.context() as patch:
        patch.setattr(files.os, step, fail)
        with pytest.raises(ConfigError if error is OSError else KeyboardInterrupt) as caught:
            report.write(sample.bare_report(), tmp_path / "r.html")
    assert error is KeyboardInterrupt or "SECRET" not in str(caught.value)
    assert (tmp_path / "r.html").read_text() == "privaudit, old"
    assert [file.name for file in tmp_path.iterdir()] == ["r.html"]


def test_permissions_follow_the_mask_and_the_file_that_was_there(sample: ModuleType, tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        report.write(sample.bare_report(), tmp_path / "new.html")
        (tmp_path / "old.html").touch(mode=0o600)
        report.write(sample.bare_report(), tmp_path / "old.html")
    finally:
        assert os.umask(mask) == 0o027
    assert (tmp_path / "new.html").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old.html").stat().st_mode & 0o777 == 0o600


def test_the_scanned_file_is_not_overwritten(sample: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "table.json"
    source.write_text("keep")
    data = dataclasses.replace(sample.bare_report().dataset, name=f"{source}#sheet")
    with pytest.raises(ConfigError, match="is an input"):
        report.write(sample.example(dataset=data), source)
    odd = dataclasses.replace(data, name="a\x00b")
    report.write(sample.example(dataset=odd), tmp_path / "r.json")
    report.write(sample.example(dataset=odd), tmp_path / "r.json")
    assert source.read_text() == "keep"


def test_only_a_csv_file_with_the_columns_or_an_empty_one_is_a_csv_file_of_them(tmp_path):
    path = tmp_path / "t.csv"
    for text, is_one in (("", True), ("a,b\r\n1,2\r\n", True), ("\na,b\n", False), ("a,b,c\n", False), ("a\n", False)):
        path.write_text(text)
        assert files.is_csv_of(path, ("a", "b")) == is_one, text
