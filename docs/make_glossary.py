"""Write docs/glossary.md from the terms that `privaudit explain` knows: python docs/make_glossary.py."""

from __future__ import annotations

from pathlib import Path

from privaudit.api.handbook.quantities import terms

PAGE = Path(__file__).with_name("glossary.md")


def text() -> str:
    """Return the whole page."""
    lines = ["# Glossary", "", "`privaudit explain TERM` prints the same texts.", "", "| term | meaning |", "|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {entry['meaning']} |" for name, entry in terms().items())]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
