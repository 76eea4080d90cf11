"""Skeletons of domain files: from column names, code books and hierarchies, never from cells.

Question: what does a person have to fill in?
Method: one table for each column with empty bounds, which are an error until they are filled in. Column names suggest
the kind. The first column of a hierarchy file lists the values of a column. A code book is a CSV file with one row
for each column or each value; it needs a column of names and one of values, labels or bounds.
Limits: a hierarchy that was made from the data discloses its values: use published ones.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from privaudit.base.errors import ConfigError
from privaudit.base.toml_text import toml_text
from privaudit.model import vocabulary
from privaudit.model.headers import read_header, shown_file
from privaudit.model.wording import Name, fact
from privaudit.releases.domains.column_file import example_of
from privaudit.releases.synthetic.invention import KINDS

OF_GROUP = {"name": "name", "key": "id", "place": "address"}
"""What is invented for identifiers of a group, where Faker has nothing of the entity type itself."""
NAMES = ("column", "variable", "field", "name", "attribute")
VALUES = ("values", "categories", "value", "code", "allowed")
LOW, HIGH = ("min", "minimum", "lower", "low"), ("max", "maximum", "upper", "high")
MOST_VALUES = 2_000


def skeleton(
    columns: Sequence[str], table: str, *, hierarchies: Mapping[str, str] | None = None, codebook: str | None = None
) -> str:
    """Return the skeleton of a domain file.

    Parameters
    ----------
    columns : sequence of str
    table : str
        Its name, for the comment at the top.
    hierarchies : mapping of column to path, optional
    codebook : path, optional

    Raises
    ------
    ConfigError
        If a file cannot be read, or a hierarchy is for another table.
    """
    known = {} if codebook is None else read_codebook(Path(codebook))
    for column, path in (hierarchies or {}).items():
        if column not in columns:
            raise ConfigError(f'The hierarchy of "{column}" is not for a column of this table.')
        known[column] = ['kind = "category"', f"values = {_list(_first_column(Path(path)))}"]
    lines = [
        *_comments("synthesis.example_head", table=Name(table)),
        "version = 1",
        f"# rows = 10000   # {fact('synthesis.example_rows')}",
        "",
        *_comments("synthesis.example_kinds"),
        *_comments("synthesis.example_drop"),
    ]
    for column in columns:
        lines += ["", f"[column.{toml_text(column)}]", *known.get(column, _suggested(column))]
    return "\n".join(lines) + "\n"


def _comments(code: str, **values: Name) -> Iterator[str]:
    yield from (f"# {line}" for line in str(fact(code, **values)).split(" | "))


def _suggested(column: str) -> Sequence[str]:
    """Return what the name of a column suggests: what identifies people is invented."""
    hints = read_header(column).hints
    record = vocabulary.entity_type(hints[0].entity) if hints else None
    if record is None or (record.role != "direct" and record.group != "key"):
        return example_of(column)
    what = record.code.lower()
    return ['kind = "invented"', f'what = "{what if what in KINDS else OF_GROUP.get(record.group, "id")}"']


def _first_column(path: Path) -> list[str]:
    """Return the values of a hierarchy file: its first column, whatever separates the columns."""
    text = _text(path)
    first = text.splitlines()[0] if text else ""
    delimiter = max(";,\t", key=first.count)
    rows = csv.reader(text.splitlines(), delimiter=delimiter)
    return list(dict.fromkeys(row[0].strip() for row in rows if row and row[0].strip()))


def read_codebook(path: Path) -> dict[str, list[str]]:
    """Return the lines of a domain file for each column of a code book.

    Raises
    ------
    ConfigError
        If it has no column of names.
    """
    text = _text(path)
    lines = text.splitlines()
    delimiter = max(";,\t", key=lines[0].count) if lines else ","
    rows = list(csv.DictReader(lines, delimiter=delimiter))
    of = {(key or "").strip().lower(): key for key in (rows[0] if rows else {})}
    known = (NAMES, VALUES, LOW, HIGH)
    name, values, low, high = (next((of[each] for each in names if each in of), None) for names in known)
    if name is None:
        raise ConfigError(
            f"{shown_file(path)} is not a code book.", hint=f"it needs a column called {', '.join(NAMES)}"
        )
    listed: dict[str, list[str]] = {}
    bounded: dict[str, list[str]] = {}
    for row in rows:
        column = (row[name] or "").strip()
        ends = [(row[each] or "").strip() if each else "" for each in (low, high)]
        if all(ends):
            bounded[column] = ends
        elif values and (row[values] or "").strip():
            listed.setdefault(column, []).extend(_split(row[values]))
    made = {column: ['kind = "category"', f"values = {_list(found)}"] for column, found in listed.items()}
    return made | {column: _number(*ends) for column, ends in bounded.items()}


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[|;]", text) if part.strip()]


def _number(low: str, high: str) -> list[str]:
    try:
        ends = [float(low), float(high)]
    except ValueError:
        return ['kind = "date"', f"bounds = {toml_text([low, high])}", 'bands = "month"']
    whole = all(end == int(end) for end in ends)
    width = max(1.0, (ends[1] - ends[0]) / 20)
    digits = 0 if whole else max(len(end.partition(".")[2]) for end in (low, high))
    shown = toml_text([int(end) if whole else end for end in ends])
    return ['kind = "number"', f"bounds = {shown}", f"step = {10.0**-digits:g}", f"bands = {round(width)}"]


def _list(values: Sequence[str]) -> str:
    return toml_text(list(dict.fromkeys(values))[:MOST_VALUES])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{shown_file(path)} cannot be read.", hint="check the path and the encoding") from None
