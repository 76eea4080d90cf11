"""Every list has a source, a licence and a date; what a package provides comes from that package."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from datetime import date

import pytest

from privaudit.model.headers import fold
from tests.helpers.paths import ROOT

FOLDER = ROOT / "rules" / "reference"
PROVENANCE = tomllib.loads((FOLDER / "PROVENANCE.toml").read_text(encoding="utf-8"))
FILES = sorted(path.name for path in FOLDER.iterdir() if path.name != "PROVENANCE.toml")


def test_no_entry_without_a_file() -> None:
    assert sorted(PROVENANCE) == FILES


@pytest.mark.parametrize("name", FILES)
def test_every_list_has_source_licence_and_date(name: str) -> None:
    entry = PROVENANCE[name]
    assert sorted(entry) == ["as_of", "derived", "license", "personal", "source"]
    assert all(len(entry[key]) > 4 for key in ("source", "license", "derived"))
    assert isinstance(entry["as_of"], date) and entry["as_of"] >= date(2000, 1, 1)
    assert isinstance(entry["personal"], bool)


def test_no_list_comes_from_names_dataset() -> None:
    """The data of that package come from a leak."""
    for entry in PROVENANCE.values():
        assert not re.search(r"names[-_]dataset", entry["source"] + entry["derived"])
    assert "names-dataset" not in (ROOT / "requirements.lock").read_text()


def test_lists_of_names_of_people_have_no_pairs() -> None:
    for name, entry in PROVENANCE.items():
        if entry["personal"]:
            assert name.endswith("names.txt")


@pytest.mark.slow
def test_towns_come_from_the_geocoder_of_phonenumbers() -> None:
    import phonenumbers.geodata

    known = set()
    for info in pkgutil.iter_modules(phonenumbers.geodata.__path__):
        module = importlib.import_module(f"phonenumbers.geodata.{info.name}")
        for names in getattr(module, "data", {}).values():
            for name in names.values():
                known |= {fold(name), *(fold(part.strip()) for part in re.split(r"[,/()]| - ", name))}
    lines = (FOLDER / "cities.txt").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    assert len(listed) > 30_000
    assert sum(name not in known for name in listed) <= 0.005 * len(listed)


def test_currencies_of_the_detector_are_currencies() -> None:
    detectors = tomllib.loads((ROOT / "rules" / "detectors" / "technical.toml").read_text(encoding="utf-8"))
    (currency,) = (d for d in detectors["detector"] if d["entity"] == "CURRENCY")
    numbers = pytest.importorskip("babel.numbers", reason="Babel, which lists the currencies, is not installed")
    assert set(currency["regex"][0].split("|")) <= numbers.list_currencies()


def test_names_of_countries_languages_and_days_are_those_of_babel() -> None:
    babel = pytest.importorskip("babel.core", reason="Babel, which writes cldr.toml, is not installed")
    from tests.reference.make_cldr import render

    text = (FOLDER / "cldr.toml").read_text(encoding="utf-8")
    if tomllib.loads(text)["cldr"] != str(babel.get_cldr_version()):
        pytest.skip("cldr.toml was written from another version of CLDR")
    assert text == render()


def test_pairs_of_letters_are_those_of_babel() -> None:
    babel = pytest.importorskip("babel.core", reason="Babel, which writes letters.txt, is not installed")
    from tests.reference.make_letters import render

    text = (FOLDER / "letters.txt").read_text(encoding="utf-8")
    if f"CLDR {babel.get_cldr_version()} " not in text:
        pytest.skip("letters.txt was written from another version of CLDR")
    assert text == render()
