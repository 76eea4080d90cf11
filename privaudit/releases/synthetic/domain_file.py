"""Domain files: TOML that declares what a synthetic table may contain.

Question: how is a domain written down and read?
Method: one table ``[column.NAME]`` for each column. Its kind is category, number, date, code, derived or invented;
bounds, bands and categories must be stated. Unknown keys and values out of bounds are errors that name the column.
Limits: comments are not read. A mapping file is public: it must not be made from the data.
"""

from __future__ import annotations

import csv
import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError, MissingBounds, TooManyCells
from privaudit.base.typed import is_number
from privaudit.model.headers import shown_file
from privaudit.releases.synthetic.columns import FILLS, ISO, Categories, Column, Dates, Numbers, Prefixes, check_edges
from privaudit.releases.synthetic.domain import Children, Constraint, Derived, Domain, Invented
from privaudit.releases.synthetic.entries import Entry
from privaudit.releases.synthetic.invention import KINDS

VERSION = 1
MOST_VALUES = 10_000
"""Most categories or bands of a column."""
MOST_DECIMALS = 9
RELATIONS = (">=", "<=", ">", "<", "==", "!=")
UNITS = ("day", "week", "month", "quarter", "year")
REBUILDS = ("uniform", "middle")
_MAKE = "make one: privaudit synthesize SOURCE --example > FILE"
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def read_domain(path: str | Path) -> Domain:
    """Read a domain file.

    Raises
    ------
    ConfigError
        If it cannot be read or states something that is unknown.
    MissingBounds
        If bounds, bands or categories are missing.
    """
    file = Path(path)
    stated = resources.read_stated(file, shown_file(file), "domain", hint=_MAKE)
    return parse_domain(stated, shown_file(file), folder=file.parent)


def domain_of(given: str | Path | Mapping[str, Any]) -> Domain:
    """Return a domain: of a file, or of the content of one."""
    return parse_domain(given, "the domain") if isinstance(given, Mapping) else read_domain(given)


def parse_domain(content: Mapping[str, Any], name: str, *, folder: Path | None = None) -> Domain:
    """Return the domain that the content of a domain file states.

    Parameters
    ----------
    folder : path, optional
        Where mapping files are; without it they cannot be named.
    """
    entry = Entry(content, name)
    if entry.raw("version") != VERSION:
        raise ConfigError(f"{name} must state version = {VERSION}.")
    domain = _domain(entry, name, folder)
    children = entry.raw("children")
    entry.end()
    if children is not None:
        domain = replace(domain, children=_children(children, domain, name, folder))
    return replace(domain, stated=_as_json(content, domain))


def _domain(entry: Entry, name: str, folder: Path | None) -> Domain:
    stated = entry.raw("column")
    if not isinstance(stated, Mapping) or not stated:
        raise MissingBounds(f"{name} declares no column.", hint="write a table [column.NAME] for each column")
    columns: list[Column] = []
    derived: list[Derived] = []
    invented: list[Invented] = []
    allowed: list[str] = []
    for column, given in stated.items():
        each = Entry(given, f'column "{column}" of {name}')
        if not each.take("identifies", bool, True):
            allowed.append(column)
        kind = each.choice("kind", (*_KINDS, "derived", "invented"), "")
        if kind == "derived":
            derived.append(_derived(column, each, folder))
        elif kind == "invented":
            invented.append(_invented(column, each))
        else:
            columns.append(_KINDS[kind](column, each))
        each.end()
    if not columns:
        raise MissingBounds(f"{name} declares no column of the table.", hint="declare its categories or bands")
    domain = Domain(
        columns=tuple(columns),
        derived=tuple(derived),
        invented=tuple(invented),
        constraints=tuple(_constraints(entry.raw("constraints"), stated, name)),
        order=tuple(stated),
        allowed=frozenset(allowed),
        person=entry.raw("person"),
        rows_per_person=entry.take("rows_per_person", int, 1),
        rows=entry.raw("rows"),
    )
    _check(domain, name)
    return domain


def _check(domain: Domain, name: str) -> None:
    """Check what columns state about each other."""
    labels = {column.name: column.labels() for column in domain.columns}
    for each in domain.derived:
        if each.source not in labels:
            raise ConfigError(f'Column "{each.name}" of {name} is derived from a column that is not declared.')
        # A value without a text would be a missing cell of which nobody knows why.
        lacking = [label for label in labels[each.source] if label not in each.values]
        if lacking:
            raise MissingBounds(
                f'The mapping of column "{each.name}" of {name} lacks {len(lacking)} of {len(labels[each.source])} '
                f'values of "{each.source}".'
            )
    for other in domain.invented:
        if other.sex is not None and other.sex not in labels:
            raise ConfigError(f'Column "{other.name}" of {name} names a sex column that is not declared.')
        if other.source is not None and other.source not in {each.name for each in domain.invented}:
            raise ConfigError(f'Column "{other.name}" of {name} is made from a column that is not invented.')
    if domain.rows is not None and (not is_number(domain.rows) or domain.rows < 1):
        raise ConfigError(f"rows in {name} must be the approximate number of records.")
    if domain.rows_per_person < 1:
        raise ConfigError(f"rows_per_person in {name} must be at least 1.")
    if domain.person is not None and not isinstance(domain.person, str):
        raise ConfigError(f"person in {name} must be the name of a column.")


def _category(name: str, entry: Entry) -> Column:
    values = entry.texts("values")
    _bound(len(values), entry)
    ordered = entry.take("ordered", bool, False)
    return Categories(name=name, missing=entry.take("missing", bool, True), values=values, ordered=ordered)


def _number(name: str, entry: Entry) -> Column:
    low, high = _bounds(entry, dates=False)
    decimals = entry.take("decimals", int, 0)
    if not 0 <= decimals <= MOST_DECIMALS:
        raise ConfigError(f"decimals of {entry.where} must be between 0 and {MOST_DECIMALS}.")
    bands = entry.raw("bands")
    unit = 10.0**-decimals
    if isinstance(bands, list) and all(is_number(each) for each in bands):
        starts = sorted({float(low), *(float(each) for each in bands if low < each < high)})
    elif is_number(bands) and bands > 0:
        # Before the list of edges is made: a width of 1e-9 would fill the memory.
        _bound((high - low) / bands, entry)
        # The last band is closed; where every value is a band, the upper bound is one, too.
        span = high - low + (unit if bands <= unit else 0)
        starts = [low + i * bands for i in range(max(1, math.ceil(span / bands - 1e-9)))]
    else:
        raise MissingBounds(
            f'{entry.where} must state "bands": a width, or a list of edges.', hint="for example bands = 5"
        )
    edges = [*starts, high + unit]
    if not check_edges([round(edge / unit) for edge in edges]):
        raise ConfigError(f"The bounds of {entry.where} are empty or finer than its decimals.")
    _bound(len(edges) - 1, entry)
    return Numbers(
        name=name,
        missing=entry.take("missing", bool, True),
        edges=tuple(map(float, edges)),
        decimals=decimals,
        rebuild=entry.choice("rebuild", REBUILDS, "uniform"),  # type: ignore[arg-type]
    )


def _date(name: str, entry: Entry) -> Column:
    low, high = _bounds(entry, dates=True)
    bands = entry.raw("bands")
    end = high + datetime.timedelta(days=1)
    if isinstance(bands, list):
        inner = {_day(each, entry) for each in bands}
        edges = sorted({low, *(each for each in inner if low < each < end), end})
    elif bands in UNITS:
        _bound((end - low).days / {"day": 1, "week": 7}.get(bands, 28 * _MONTHS.get(bands, 1)), entry)
        edges = _calendar_edges(low, end, bands)
    else:
        raise MissingBounds(f'{entry.where} must state "bands": {", ".join(UNITS)}, or a list of dates.')
    _bound(len(edges) - 1, entry)
    form = entry.take("format", str, ISO)
    return Dates(
        name=name,
        missing=entry.take("missing", bool, True),
        edges=tuple(edges),
        form=form,
        rebuild=entry.choice("rebuild", REBUILDS, "uniform"),  # type: ignore[arg-type]
    )


def _calendar_edges(low: datetime.date, end: datetime.date, unit: str) -> list[datetime.date]:
    """Return the first days of the calendar units between two days, and the two days."""
    if unit in ("day", "week"):
        step = 1 if unit == "day" else 7
        days = range(0, (end - low).days, step)
        return [low + datetime.timedelta(days=each) for each in days] + [end]
    months = _MONTHS[unit]
    first = low.year * 12 + (low.month - 1) // months * months + months
    last = end.year * 12 + end.month
    starts = (datetime.date(each // 12, each % 12 + 1, 1) for each in range(first, last, months))
    return [low, *(each for each in starts if low < each < end), end]


def _code(name: str, entry: Entry) -> Column:
    values = tuple(each.upper() for each in entry.texts("prefixes"))
    _bound(len(values), entry)
    # Sorted, a prefix precedes everything that begins with it.
    if any(b.startswith(a) for a, b in pairwise(sorted(values))):
        raise ConfigError(f"A prefix of {entry.where} begins with another one.")
    return Prefixes(
        name=name,
        missing=entry.take("missing", bool, True),
        values=values,
        length=entry.take("length", int, 0),
        fill=entry.choice("fill", tuple(FILLS), "digits"),
    )


_KINDS: dict[str, Callable[[str, Entry], Column]] = {
    "category": _category,
    "number": _number,
    "date": _date,
    "code": _code,
}


def _derived(name: str, entry: Entry, folder: Path | None) -> Derived:
    source, file = entry.need("from", str), entry.take("file", str, "")
    if file:
        if folder is None:
            raise ConfigError(f"{entry.where} names a file, and the domain is not a file.")
        return Derived(name=name, source=source, values=_mapping(folder / file, entry))
    values = entry.need("values", dict)
    return Derived(name=name, source=source, values={str(key): str(value) for key, value in values.items()})


def _mapping(file: Path, entry: Entry) -> dict[str, str]:
    """Read a mapping: a CSV file whose first two columns are the value and what it becomes."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ConfigError(f"The mapping file of {entry.where} cannot be read.", hint="check the path") from None
    if any(len(row) < 2 for row in rows):
        raise ConfigError(f"The mapping file of {entry.where} must have two columns.")
    return {row[0]: row[1] for row in rows}


def _invented(name: str, entry: Entry) -> Invented:
    shares = entry.raw("shares")
    if shares is not None and not (
        isinstance(shares, Mapping) and shares and all(is_number(each) and each >= 0 for each in shares.values())
    ):
        raise ConfigError(f'"shares" of {entry.where} must be a table of texts and shares.')
    what = entry.choice("what", tuple(KINDS), "")
    bounds = tuple(each.isoformat() for each in _bounds(entry, dates=True)) if what == "date" else None
    return Invented(
        name=name,
        what=what,
        locale=entry.take("locale", str, "en_US"),
        sex=entry.raw("sex"),
        female=entry.take("female", str, "Female"),
        male=entry.take("male", str, "Male"),
        source=entry.raw("from"),
        bounds=None if bounds is None else (bounds[0], bounds[1]),
        shares=shares,
    )


def _constraints(given: Any, columns: Mapping[str, Any], name: str) -> list[Constraint]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise ConfigError(f"constraints in {name} must be a list of texts.", hint='["discharge >= admission"]')
    found = []
    for text in given:
        # With blanks around it: names of columns may contain ">" or "-".
        relation = next((each for each in RELATIONS if f" {each} " in text), None)
        left, _, right = text.partition(f" {relation} ")
        if relation is None or left.strip() not in columns or right.strip() not in columns:
            raise ConfigError(
                f"A constraint in {name} does not compare two declared columns.",
                hint=f"write A REL B with one of {' '.join(RELATIONS)}",
            )
        found.append(Constraint(left=left.strip(), relation=relation, right=right.strip()))
    return found


def _children(given: Any, parent: Domain, name: str, folder: Path | None) -> Children:
    entry = Entry(given, f"[children] of {name}")
    key, most = entry.need("key", str), entry.need("most_rows", int)
    share = entry.take("share", float, 0.5)
    if not 1 <= most <= MOST_VALUES or not 0 < share < 1:
        raise ConfigError(f"most_rows of {entry.where} must be at least 1, and share between 0 and 1.")
    domain = _domain(entry, f"[children] of {name}", folder)
    entry.end()
    if key in parent.names or key in domain.names:
        raise ConfigError(f"The key of {entry.where} is not a column that is made.", hint="do not declare it")
    return Children(key=key, most=most, domain=domain, share=share)


def _bounds(entry: Entry, *, dates: bool) -> tuple[Any, Any]:
    found = entry.raw("bounds")
    if not isinstance(found, list) or len(found) != 2:
        raise MissingBounds(
            f'{entry.where} must state "bounds": the lowest and the highest value.',
            hint="they are never read from the data",
        )
    are_bounds = all(isinstance(each, str | datetime.date) if dates else is_number(each) for each in found)
    # As days before they are compared: one may be a text, and the other a date of TOML.
    low, high = (_day(each, entry) for each in found) if dates and are_bounds else found
    if not are_bounds or not low < high:
        what, example = ("dates", '["2020-01-01", "2024-12-31"]') if dates else ("numbers", "[0, 110]")
        raise ConfigError(
            f"The bounds of {entry.where} must be two {what}, the lower one first.",
            hint=f"for example bounds = {example}",
        )
    return low, high


def _day(value: Any, entry: Entry) -> datetime.date:
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    try:
        return datetime.date.fromisoformat(str(value))
    except ValueError:
        raise ConfigError(f"The dates of {entry.where} must be written as 2026-11-26.") from None


def _bound(n_values: float, entry: Entry) -> None:
    if n_values > MOST_VALUES:
        raise TooManyCells(
            f"{entry.where} has more than {MOST_VALUES:,} values.", hint="declare wider bands or fewer categories"
        )


def _as_json(content: Mapping[str, Any], domain: Domain) -> dict[str, Any]:
    """Return the content of a domain file as values of JSON, with mappings of files in their place."""
    # A saved generator must draw without the files that its domain named.
    plain: dict[str, Any] = _json_value(content)
    tables = [(plain, domain), *([] if domain.children is None else [(plain["children"], domain.children.domain)])]
    for table, of in tables:
        for each in of.derived:
            table["column"][each.name] = {"kind": "derived", "from": each.source, "values": dict(each.values)}
    return plain


def _json_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _json_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(each) for each in value]
    return value.isoformat() if isinstance(value, datetime.date) else value
