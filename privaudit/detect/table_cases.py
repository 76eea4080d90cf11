"""Run the cases of tables: small tables as data, and what each of their columns is.

Question: does every column get the expected entity type, and ordinary data none?
Method: a case states how the cells of each column are written. They are drawn from a generator whose seed is the title
of the case, and detection judges the table as in a scan without a language model. A column passes if it is of an entity
type that the case states, and contains what the case states and nothing else.
Limits: cells are drawn independently, so that no case has columns that agree row by row.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from privaudit.base import resources
from privaudit.base.arrow import pa
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.typed import Refused, Strict, validated
from privaudit.detect.detection import detect
from privaudit.model import Detection
from privaudit.model.vocabulary.declared import known_types
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile

FOLDER = "tables"
ORDINARY = "none"
"""Stands for no personal data: no entity type, or one with the role none."""
HINT = "see docs/detectors.md"
Maker = Callable[[Random, int], str]
"""Makes the text of a field from a generator and the number of the row."""
_FIELD = re.compile(r"\{([^{}]*)\}")
_ALPHABETS = {
    "digit": "0123456789",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "letter": "abcdefghijklmnopqrstuvwxyz",
    "LETTER": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "token": "0123456789abcdefghijklmnopqrstuvwxyz",
    "TOKEN": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
}


@dataclass(frozen=True, kw_only=True)
class ColumnCase(Strict):
    """How the cells of a column are written, which entity types it may be of, and which it contains."""

    cells: str
    entity: tuple[str, ...] = (ORDINARY,)
    contains: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableCase(Strict):
    """A table; with `unnamed` it is judged a second time, without the names of its columns."""

    title: str
    columns: Mapping[str, ColumnCase]
    rows: int = 240
    unnamed: bool = False


@dataclass(frozen=True, kw_only=True)
class TableFile(Strict):
    """A file of table cases."""

    table: tuple[TableCase, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """The verdict on one column of a case; `why` states how it differs from the case, and is empty if it does not."""

    table: str
    column: str
    why: str

    @property
    def passed(self) -> bool:
        """Whether the column is what the case states."""
        return not self.why

    @property
    def name(self) -> str:
        """Table and column, for messages."""
        return f"{self.table}: {self.column}"


def load_tables(folder: Path | None = None) -> tuple[TableCase, ...]:
    """Return the shipped cases, and those in ``tables/`` of the user's `folder`.

    Raises
    ------
    RuleError
        For a file that is not TOML, an unknown key, or a value of another type.
    """
    homes = [resources.path("rules"), *([] if folder is None else [resources.user_folder(folder)])]
    return tuple(case for home in homes for file in sorted((home / FOLDER).glob("*.toml")) for case in _read(file))


def _read(file: Path) -> tuple[TableCase, ...]:
    try:
        found: TableFile = validated(resources.read_toml(file), TableFile, foreign=str)
    except Refused as error:
        key = ".".join(str(part) for part in error.place if isinstance(part, str))
        raise RuleError(
            f'"{key}" in {file.name} is an unknown key, is missing, or has the wrong type.', hint=HINT
        ) from None
    return found.table


def run_tables(folder: Path | None = None) -> tuple[ColumnResult, ...]:
    """Run the shipped table cases and those in `folder`, with the detectors of `folder`.

    Raises
    ------
    RuleError
        For cases or packs that fail validation.
    """
    return tuple(result for case in load_tables(folder) for result in run_table(case, folder))


def run_table(case: TableCase, folder: Path | None = None) -> Iterator[ColumnResult]:
    """Judge the table of a case, and yield what each of its columns was recognised as."""
    draw = Random(case.title)
    cells = [cells_of(column.cells, case.rows, draw) for column in case.columns.values()]
    yield from _results(case, dict(zip(case.columns, cells, strict=True)), folder)
    if case.unnamed:
        numbered = {f"c{i:02}": column for i, column in enumerate(case.columns.values())}
        again = replace(case, title=f"{case.title}, without names", columns=numbered)
        yield from _results(again, dict(zip(numbered, cells, strict=True)), folder)


def _results(case: TableCase, cells: Mapping[str, list[str]], folder: Path | None) -> Iterator[ColumnResult]:
    settings = Settings(ner=False, rules=None if folder is None else str(folder))
    with from_arrow(pa.table(dict(cells))) as dataset:
        found = detect(dataset, profile(dataset), settings)
    roles = {code: record.role for code, record in known_types(folder).items()}
    for detection in found:
        yield ColumnResult(case.title, detection.column, _why(detection, case.columns[detection.column], roles))


def _why(detection: Detection, case: ColumnCase, roles: Mapping[str, str]) -> str:
    """Return in which way a column is not what the case states."""
    entity = detection.is_.entity if detection.is_ else ORDINARY
    contained = sorted({one.entity for one in detection.contains})
    if entity not in case.entity and not (ORDINARY in case.entity and roles.get(entity) == "none"):
        return f"recognised as {entity}; expected {' or '.join(case.entity)}"
    if contained != sorted(case.contains):
        return f"contains {', '.join(contained) or ORDINARY}; expected {', '.join(case.contains) or ORDINARY}"
    return ""


def cells_of(written: str, n: int, draw: Random) -> list[str]:
    """Return n cells that are written in this way.

    Parameters
    ----------
    written : str
        A text with fields: ``{a|b}`` is one of some texts, ``{1..9}`` a number with as many digits and decimals as the
        first, ``{1990-01-01..2004-12-31 %d.%m.%Y}`` a day, ``{44+-14 in 18..88}`` a number of a bell curve within
        bounds, ``{8*digit}`` so many characters, and ``{row+100}`` the number of the row, counted from 100.
    n : int
    draw : Random

    Raises
    ------
    RuleError
        For a field that is none of these.
    """
    parts = _FIELD.split(written)
    makers = [_maker(part) if i % 2 else _constant(part) for i, part in enumerate(parts)]
    return ["".join(make(draw, row) for make in makers) for row in range(n)]


def _constant(text: str) -> Maker:
    return lambda _draw, _row: text


def _maker(field: str) -> Maker:
    for form, make in _FORMS:
        if found := re.fullmatch(form, field):
            return make(*found.groups())
    raise RuleError(
        f'Unknown field "{field[:40]}" in the cells of a table case.',
        hint="use one of: {a|b}, {1..9}, {44+-14 in 18..88}, {8*digit}, {row+1}, {date..date}",
    )


def _choice(texts: str) -> Maker:
    listed = texts.split("|")
    return lambda draw, _row: draw.choice(listed)


def _days(first: str, last: str, form: str | None) -> Maker:
    start, end = datetime.datetime.fromisoformat(first), datetime.datetime.fromisoformat(last)
    minutes, written = int((end - start).total_seconds()) // 60, form or "%Y-%m-%d"
    return lambda draw, _row: (start + datetime.timedelta(minutes=draw.randint(0, minutes))).strftime(written)


def _between(first: str, last: str) -> Maker:
    decimals = len(first.partition(".")[2])
    if decimals:
        low, high = float(first), float(last)
        return lambda draw, _row: f"{draw.uniform(low, high):.{decimals}f}"
    return lambda draw, _row: f"{draw.randint(int(first), int(last)):0{len(first)}}"


def _near(middle: str, spread: str, low: str, high: str) -> Maker:
    decimals = len(middle.partition(".")[2])

    def make(draw: Random, _row: int) -> str:
        number = min(float(high), max(float(low), draw.gauss(float(middle), float(spread))))
        return f"{number:.{decimals}f}"

    return make


def _characters(n: str, alphabet: str) -> Maker:
    return lambda draw, _row: "".join(draw.choices(_ALPHABETS[alphabet], k=int(n)))


def _row(first: str) -> Maker:
    return lambda _draw, row: str(int(first) + row)


_NUMBER = r"(-?[0-9]+(?:\.[0-9]+)?)"
_FORMS: tuple[tuple[str, Callable[..., Maker]], ...] = (
    (r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)(?: (.+))?", _days),
    (rf"{_NUMBER}\.\.{_NUMBER}", _between),
    (rf"{_NUMBER}\+-{_NUMBER} in {_NUMBER}\.\.{_NUMBER}", _near),
    (rf"([0-9]+)\*({'|'.join(_ALPHABETS)})", _characters),
    (r"row\+([0-9]+)", _row),
    (r"(.*\|.*)", _choice),
)
