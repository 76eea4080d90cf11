"""Write the last section of docs/detectors.md: how often codes of other systems pass the check of each number.

`python docs/make_check_digits.py`; a test compares the section with a new measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from privaudit.detect.catalogue import check_systems, detectors

PAGE = Path(__file__).parent / "detectors.md"
TITLE = "## Codes that pass a check by chance"
HEAD = f"""{TITLE}

`python docs/make_check_digits.py` writes this section. For each detector of digits with a validator and no expression, and each
length from 4 to 18 of which it accepts any code, 100 codes are made with a fixed seed: random digits, counters with leading zeros,
and digits with the common check digits (`privaudit/detect/catalogue/check_systems.py`). The table has the highest share that
passes, over the lengths. A detector counts only with a word in the column name or a country in another column where at least 80 %
of the codes of a system pass ([How detection decides](detection.md)).

| validator | entity type | lengths | random digits | counters | check digits of others | most often |
| --- | --- | --- | --- | --- | --- | --- |
"""
LENGTHS = range(4, 19)
_OWN = ("random digits", "counters")


def section() -> str:
    """Return the section with one row for each validator, in the order of their names."""
    checked = {str(d.validator): d.entity for d in detectors.load() if d.validator and not d.regex}
    rows = (_row(validator, entity) for validator, entity in sorted(checked.items()))
    return HEAD + "".join(row for row in rows if row)


def _row(validator: str, entity: str) -> str:
    """Return the row of a validator; nothing where it accepts no digits of these lengths."""
    measured = {length: check_systems.rates(validator, length) for length in LENGTHS}
    accepted = [length for length, rates in measured.items() if max(rates.values())]
    if not accepted:
        return ""
    highest = {name: max(measured[length][name] for length in accepted) for name in measured[accepted[0]]}
    others: Mapping[str, float] = {name: rate for name, rate in highest.items() if name not in _OWN}
    most = max(others, key=lambda name: others[name])
    cells = [
        validator, entity, _ranges(accepted), *(f"{highest[name]:.0%}" for name in _OWN), f"{others[most]:.0%}",
        most if others[most] > highest["random digits"] else "-",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |\n"


def _ranges(numbers: list[int]) -> str:
    """Return ascending numbers as ranges: "7, 9-11"."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))


def main() -> None:
    """Replace the section in the page, or append it."""
    page = PAGE.read_text(encoding="utf-8").partition(TITLE)[0].rstrip("\n")
    PAGE.write_text(f"{page}\n\n{section()}", encoding="utf-8")


if __name__ == "__main__":
    main()
