"""Domain files: TOML that declares what a synthetic table may contain.

Question: how is a domain written down and read?
Method: one table ``[column.NAME]`` for each column, as in a plan of answers (`domains.column_file`). A column may also
be derived or invented. Unknown keys and values out of bounds are errors that name the column.
Limits: comments are not read. A mapping file is public: it must not be made from the data.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import MissingBounds, ReleaseError
from privaudit.base.typed import is_number
from privaudit.model.headers import shown_file
from privaudit.releases.domains.column_file import KINDS, MOST_VALUES, bounds_of_dates, column_of
from privaudit.releases.domains.columns import Column
from privaudit.releases.domains.entries import NEVER, Entry, as_json
from privaudit.releases.privacy.units import MOST_ROWS
from privaudit.releases.synthetic.domain import Children, Constraint, Derived, Domain, Invented
from privaudit.releases.synthetic.invention import KINDS as INVENTED

VERSION = 1
MOST_RECORDS = 10**12
RELATIONS = (">=", "<=", ">", "<", "==", "!=")
_MAKE = "make one: privaudit synthesize SOURCE --example > FILE"


def read_domain(path: str | Path) -> Domain:
    """Read a domain file.

    Raises
    ------
    ReleaseError
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
        raise ReleaseError(f"{name} must state version = {VERSION}.")
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
        kind = each.choice("kind", (*KINDS, "derived", "invented"))
        if kind == "derived":
            derived.append(_derived(column, each, folder))
        elif kind == "invented":
            invented.append(_invented(column, each))
        else:
            columns.append(column_of(column, each, kind))
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
        person=entry.take("person", str, None),
        rows_per_person=entry.whole("rows_per_person", MOST_ROWS, 1),
        rows=entry.whole("rows", MOST_RECORDS, None),
    )
    _check(domain, name)
    return domain


def _check(domain: Domain, name: str) -> None:
    """Check what columns state about each other."""
    labels = {column.name: column.labels() for column in domain.columns}
    for each in domain.derived:
        if each.source not in labels:
            raise ReleaseError(f'Column "{each.name}" of {name} is derived from a column that is not declared.')
        # A value without a text would be a missing cell of which nobody knows why.
        lacking = [label for label in labels[each.source] if label not in each.values]
        if lacking:
            raise MissingBounds(
                f'The mapping of column "{each.name}" of {name} lacks {len(lacking)} of {len(labels[each.source])} '
                f'values of "{each.source}".'
            )
    for other in domain.invented:
        if other.sex is not None and other.sex not in labels:
            raise ReleaseError(f'Column "{other.name}" of {name} names a sex column that is not declared.')
        if other.source is not None and other.source not in {each.name for each in domain.invented}:
            raise ReleaseError(f'Column "{other.name}" of {name} is made from a column that is not invented.')


def _derived(name: str, entry: Entry, folder: Path | None) -> Derived:
    source, file = entry.need("from", str), entry.take("file", str, "")
    if file:
        if folder is None:
            raise ReleaseError(f"{entry.where} names a file, and the domain is not a file.")
        return Derived(name=name, source=source, values=_mapping(folder / file, entry))
    values = entry.need("values", dict)
    return Derived(name=name, source=source, values={str(key): str(value) for key, value in values.items()})


def _mapping(file: Path, entry: Entry) -> dict[str, str]:
    """Read a mapping: a CSV file whose first two columns are the value and what it becomes."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ReleaseError(f"The mapping file of {entry.where} cannot be read.", hint="check the path") from None
    if any(len(row) < 2 for row in rows):
        raise ReleaseError(f"The mapping file of {entry.where} must have two columns.")
    return {row[0]: row[1] for row in rows}


def _invented(name: str, entry: Entry) -> Invented:
    shares = entry.raw("shares")
    if shares is not None and not (
        isinstance(shares, Mapping) and shares and all(is_number(each) and each >= 0 for each in shares.values())
    ):
        raise ReleaseError(f'"shares" of {entry.where} must be a table of texts and shares.')
    what = entry.choice("what", INVENTED)
    days = [day.isoformat() for day in bounds_of_dates(entry)] if what == "date" else []
    return Invented(
        name=name,
        what=what,
        locale=entry.take("locale", str, "en_US"),
        sex=entry.take("sex", str, None),
        female=entry.take("female", str, "Female"),
        male=entry.take("male", str, "Male"),
        source=entry.take("from", str, None),
        bounds=(days[0], days[1]) if days else None,
        shares=shares,
    )


def _constraints(given: Any, columns: Mapping[str, Any], name: str) -> list[Constraint]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise ReleaseError(f"constraints in {name} must be a list of texts.", hint='["discharge >= admission"]')
    found = []
    for text in given:
        # With blanks around it: names of columns may contain ">" or "-".
        relation = next((each for each in RELATIONS if f" {each} " in text), None)
        left, _, right = text.partition(f" {relation} ")
        if relation is None or left.strip() not in columns or right.strip() not in columns:
            raise ReleaseError(
                f"A constraint in {name} does not compare two declared columns.",
                hint=f"write A REL B with one of {' '.join(RELATIONS)}",
            )
        found.append(Constraint(left=left.strip(), relation=relation, right=right.strip()))
    return found


def _children(given: Any, parent: Domain, name: str, folder: Path | None) -> Children:
    entry = Entry(given, f"[children] of {name}")
    key, most = entry.need("key", str), entry.whole("most_rows", MOST_VALUES, None)
    if most is None:
        raise MissingBounds(f'{entry.where} must state "most_rows".', hint=NEVER)
    share = entry.share("share", 0.5)
    domain = _domain(entry, f"[children] of {name}", folder)
    entry.end()
    if key in parent.names or key in domain.names:
        raise ReleaseError(f"The key of {entry.where} is not a column that is made.", hint="do not declare it")
    return Children(key=key, most=most, domain=domain, share=share)


def _as_json(content: Mapping[str, Any], domain: Domain) -> dict[str, Any]:
    """Return the content of a domain file as values of JSON, with mappings of files in their place."""
    # A saved generator must draw without the files that its domain named.
    plain: dict[str, Any] = as_json(content)
    tables = [(plain, domain), *([] if domain.children is None else [(plain["children"], domain.children.domain)])]
    for table, of in tables:
        for each in of.derived:
            table["column"][each.name] = {"kind": "derived", "from": each.source, "values": dict(each.values)}
    return plain
