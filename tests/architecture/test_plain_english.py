"""Every sentence and name of the project is plain technical English."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers import plain_english
from tests.helpers.paths import ROOT

AREAS = ("privaudit", "rules", "docs", "reports", "tests", "benchmarks", "fixtures", ".ci")
PAGES = sorted(path.name for path in ROOT.glob("*.md"))


@pytest.mark.quick_cases(len(AREAS) + len(PAGES) + 2)  # every sentence, in `make test` too
@pytest.mark.parametrize("area", [*AREAS, *PAGES, "Makefile", "pyproject.toml"])
def test_no_form_that_the_language_standard_replaces(area: str) -> None:
    hits = plain_english.hits(plain_english.files([area]))
    assert not hits, f"{len(hits)} hits\n" + "\n".join(map(str, hits))


@pytest.mark.parametrize(
    "sentence",
    [
        "This is no severity.",
        "It is nobody's number.",
        "The value stands alone.",
        "The value stands beside 8,000 people.",
        "It tells people apart.",
        "Each is told.",
        "The register, and whose it is.",
        "Mend the line.",
        "Two columns beside it.",
        "Where three are asked.",
        "The name speaks\n    for an address.",
    ],
)
def test_replaced_forms_are_recognised(tmp_path: Path, sentence: str) -> None:
    for name, content in (
        ("a.py", f'"""{sentence}"""\n'),
        ("a.md", f"# Title\n\n{sentence}\n"),
        ("a.html", f"<p>{sentence}</p>\n"),
    ):
        assert list(_hits(tmp_path, name, content)), name


@pytest.mark.parametrize(
    "sentence",
    [
        "There is no header.",
        "k is no longer counted.",
        "SSN stands for social security number.",
        "Call `told` first.",
        "The standard understands standing water.",
        "A stand-alone file.",
    ],
)
def test_plain_sentences_are_accepted(tmp_path: Path, sentence: str) -> None:
    assert not list(_hits(tmp_path, "a.md", sentence))


def test_names_are_nouns_and_verbs_of_the_domain(tmp_path: Path) -> None:
    assert list(_hits(tmp_path, "a.py", "def said():\n    pass\n"))
    assert list(_hits(tmp_path, "a.py", "told = 1\n"))
    assert not list(_hits(tmp_path, "a.py", "found = 1\n"))


def _hits(folder: Path, name: str, content: str) -> list[plain_english.Hit]:
    (folder / name).write_text(content)
    return list(plain_english._hits(folder / name, name))
