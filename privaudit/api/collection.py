"""Several tables in one run: each is scanned like a table of its own, and then joined with those it shares keys with.

Question: what do these tables disclose, one by one and together?
Method: every table of the sources is scanned; one that cannot be read becomes an outcome with its error, and the
others are still scanned. Tables that share a key are joined and scanned again.
Limits: tables are joined two at a time, and the joined tables are not joined further.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from privaudit.api import scans as api
from privaudit.api.table_results import Collection, NamedTable, TableResult
from privaudit.audit import joins
from privaudit.audit.result import ScanReport
from privaudit.base.errors import ConfigError, PrivauditError, ScanIncomplete, UnreadableSource, guarded
from privaudit.model import Report
from privaudit.model.headers import shown_name
from privaudit.report.entries import TableLink
from privaudit.settings.config import Progress, Settings, silent, with_parts
from privaudit.settings.options import ScanOptions, explicit
from privaudit.settings.run_settings import RunSettings
from privaudit.source import Dataset, open_dataset, shown_source
from privaudit.source.files.several import Candidate, candidates, tables_in
from privaudit.source.places.location import no_table, table_key, text_about_people
from privaudit.source.places.people_in_text import names_people
from privaudit.source.places.table_folders import is_table_name

if TYPE_CHECKING:
    from privaudit.audit.cache.evidence import Cache

Source = str | NamedTable

SettingsOf = Callable[[str], Mapping[str, Any]]


@explicit(ScanOptions)
def scan_many(
    sources: Mapping[str, Any] | Iterable[Any] | str | Path,
    *,
    policy: str = "public",
    seed: int = 0,
    framework: Iterable[str] | str | None = None,
    tables: Mapping[str, ScanOptions] | None = None,
    progress: Progress = silent,
    advice: bool = True,
    cache: str | Path | Cache | None = None,
    **settings: Unpack[ScanOptions],
) -> Collection:
    """Measure, judge and advise on several tables, and on those that share a key together.

    Parameters
    ----------
    sources : several paths or tables
        Files, folders, patterns, workbooks and databases stand for all their tables; a table in memory is any that
        `scan` takes. A mapping names its tables.
    policy, seed, framework, progress, advice, cache
        As in `scan`.
    tables : mapping of pattern to settings, optional
        Settings of the tables whose path or name matches, as ``[tables."pattern"]`` in a settings file.
    **settings
        As in `scan`, for all tables.

    Returns
    -------
    Collection
        A result for each table with its report, or with the error where it could not be scanned.
    """
    named = _named(sources)
    common = api.plain_settings(with_parts(settings, named), policy=policy, seed=seed, framework=framework)
    special = {pattern: api.plain_settings(values) for pattern, values in (tables or {}).items()}
    stated = RunSettings(file=None, origin="arguments", from_file=common, from_options={}, tables=special)
    return scan_tables(named, settings_of=stated.of, progress=progress, advice=advice, cache=cache)


def _named(sources: Mapping[str, Any] | Iterable[Any] | str | Path) -> list[Any]:
    """Return the sources in a list; a table in memory becomes a `NamedTable`."""
    if isinstance(sources, (str, os.PathLike)):
        return [os.fspath(sources)]
    if isinstance(sources, Mapping):
        named = [(shown_name(str(name), "table"), source) for name, source in sources.items()]
    else:
        named = [(f"table {i}", source) for i, source in enumerate(sources, 1)]
    is_stated = isinstance(sources, Mapping)
    return [
        os.fspath(source) if isinstance(source, (str, os.PathLike)) else NamedTable(name, source, is_stated)
        for name, source in named
    ]


def scan_tables(
    sources: Iterable[str | NamedTable],
    *,
    settings_of: SettingsOf,
    progress: Progress = silent,
    config: Path | None = None,
    advice: bool = True,
    pictures: bool = True,
    written: Path | None = None,
    cache: str | Path | Cache | None = None,
    start_part: Callable[[str], object] = lambda _part: None,
) -> Collection:
    """Scan every table that `sources` stand for.

    Parameters
    ----------
    sources : iterable of str or NamedTable
        Files, folders, patterns, workbooks and databases, or tables in memory.
    settings_of : callable
        Returns the settings of a table, given its source.
    progress : callable, optional
    config : Path, optional
        The settings file that the settings come from.
    advice : bool, default True
        Whether remedies are searched.
    pictures : bool, default True
        Whether the pictures of each report are measured.
    written : Path, optional
        The baseline that is written from the results.
    cache : path or Cache, optional
        As in `scan`; joined tables are measured each time.
    start_part : callable, optional
        Called where there are several tables, before each of them and before they are joined.

    Raises
    ------
    ConfigError
        If two tables would have one key in a baseline.
    """
    scan = partial(api.scan, progress=progress, config=config, advice=advice, pictures=pictures, cache=cache)
    given = tuple(sources)
    common = settings_of("")
    parts, ignore = common.get("parts", ()), common.get("ignore", ())
    ignored: list[str] = []
    empty: list[str] = []
    paths = (source for source in given if isinstance(source, str))
    found = candidates(paths, parts, ignore, ignored, empty)
    planned = [table for candidate in found for table in _tables(candidate, settings_of)]
    planned += [_failed(source, no_table(source)) for source in empty]
    planned += [source for source in given if isinstance(source, NamedTable)]
    # Before the scans, which may take hours: two tables of one key are an error.
    missing = not_scanned(_keys(planned, settings_of, written), written)
    scanned: list[TableResult] = []
    for number, table in enumerate(planned, 1):
        if len(planned) > 1:
            start_part(f"Table {number:,} of {len(planned):,}")
        scanned += _results(table, settings_of, scan)
    results = _with_folders(scanned, given)
    shown = tuple(shown_source(name)[0] for name in ignored)
    if len(results) > 1:
        start_part("Tables that share a key")
    joined, links = _joined(results, settings_of, scan)
    return Collection((*results, *joined), missing, shown, links)


Planned = Candidate | NamedTable | TableResult
"""A table to scan, or the result where it cannot be."""


def _tables(candidate: Candidate, settings_of: SettingsOf) -> list[Planned]:
    """Return the tables of a workbook or database, or the file itself."""
    if not candidate.is_read:
        return [_failed(candidate.source, _not_read(candidate.source))]
    if candidate.parts:
        return [candidate]
    try:
        with guarded("source"):
            names = tables_in(candidate.source, Settings(**settings_of(candidate.source)))
    except PrivauditError as error:
        return [_failed(candidate.source, error)]
    return [Candidate(name) for name in names]


def _not_read(source: str) -> ScanIncomplete:
    name, ignore = shown_source(source)[0], 'in "ignore" of the settings file'
    if os.path.isdir(source) and os.path.islink(source):
        what = f"{name} is a link to a folder elsewhere, which is not followed."
        hint = f"name that folder as well, or name the link {ignore}"
    elif os.path.isdir(source):
        what, hint = f"The folder {name} cannot be listed.", f"check that you may read it, or name it {ignore}"
    elif is_table_name(Path(source)):
        what = f"{name} is hidden, or in a hidden folder, and is not read."
        hint = f"rename it, name the file itself, or name it {ignore}"
    elif names_people(Path(source)):
        return text_about_people(Path(source))
    else:
        what, hint = f"{name} may hold data, and its format is not read.", f"convert it to a table, or name it {ignore}"
    return ScanIncomplete(what, hint=hint)


def _results(table: Planned, settings_of: SettingsOf, scan: Callable[..., ScanReport]) -> list[TableResult]:
    """Return the result of a table, or those of its parts where they turn out not to be one."""
    if isinstance(table, TableResult):
        return [table]
    if isinstance(table, NamedTable):
        return [_scanned(table, settings_of, scan)]
    whole = _scanned(table.source, settings_of, scan)
    # Files of one folder that do not have the same columns are tables of their own.
    if not table.parts or not isinstance(whole.error, UnreadableSource):
        return [whole]
    return [_scanned(part, settings_of, scan) for part in table.parts]


def _with_folders(results: Sequence[TableResult], given: Iterable[str | NamedTable]) -> list[TableResult]:
    """Return the results; files of one name have the folders in front of it that distinguish them, or a number."""
    counts = Counter(one.name.casefold() for one in results)
    homes = [os.getcwd(), *(os.path.abspath(one) for one in given if isinstance(one, str) and os.path.isdir(one))]
    return _numbered(
        [replace(one, name=_in_folders(one, homes)) if counts[one.name.casefold()] > 1 else one for one in results]
    )


def _numbered(results: Sequence[TableResult]) -> list[TableResult]:
    """Return the results; the second and further ones of one name have a number that no other name has."""
    taken = {one.name.casefold() for one in results}
    seen: set[str] = set()
    found = []
    for one in results:
        name = one.name
        if name.casefold() in seen:
            name = next(new for i in itertools.count(2) if (new := f"{one.name} ({i})").casefold() not in taken)
            taken.add(name.casefold())
        seen.add(name.casefold())
        found.append(replace(one, name=name))
    return found


def _in_folders(one: TableResult, homes: Iterable[str]) -> str:
    """Return the name of a file with its folders below one of `homes`; other tables keep their name.

    The folders above are not shown, because they name the machine and its user.
    """
    given = one.source.partition("#")[0] if isinstance(one.source, str) else ""
    folder = Path(os.path.abspath(given)).parent
    for home in homes if os.path.exists(given) else ():
        if folder.is_relative_to(home):
            parts = folder.relative_to(home).parts
            return "/".join([*(shown_name(part, "folder") for part in parts), one.name])
    return one.name


def _keys(planned: Iterable[Planned], settings_of: SettingsOf, written: Path | None) -> dict[Path, set[str]]:
    """Return the keys of the tables in each baseline that is read or written.

    Raises
    ------
    ConfigError
        If two tables have one key.
    """
    found: dict[Path, set[str]] = {}
    for table in planned:
        source = table.source if isinstance(table, Candidate | TableResult) else table
        chosen = _settings(source, settings_of) if source is not None else {}
        file = written or (Path(chosen["baseline"]) if chosen.get("baseline") else None)
        if file is None or source is None:
            continue
        try:
            key = table_key(_table(source), file.parent, chosen.get("name"))
        except ConfigError:
            continue  # the scan of this table states what is wrong
        keys = found.setdefault(file, set())
        if key in keys:
            raise ConfigError(f'Two tables have the key "{key}" in a baseline.', hint="rename one, or scan them apart")
        keys.add(key)
    return found


def not_scanned(scanned: Mapping[Path, set[str]], written: Path | None = None) -> tuple[str, ...]:
    """Return the tables of the baselines that are read and that are not among the scanned ones."""
    from privaudit.rulebook import read_baseline

    missing: list[str] = []
    for file, keys in scanned.items():
        if file != written:
            missing += sorted(set(read_baseline(file).tables) - keys)
    return tuple(dict.fromkeys(missing))


def _scanned(source: Source, settings_of: SettingsOf, scan: Callable[..., ScanReport]) -> TableResult:
    try:
        found = scan(_table(source), **_settings(source, settings_of))
    except PrivauditError as error:
        return _failed(source, error)
    if isinstance(source, NamedTable):
        found = ScanReport(_renamed(found.wire, source.name))
    return TableResult(source=source, name=_name(source), report=found)


def _failed(source: Source, error: PrivauditError) -> TableResult:
    return TableResult(source=source, name=_name(source), error=error)


def _name(source: Source) -> str:
    return source.name if isinstance(source, NamedTable) else shown_source(source)[0]


def _table(source: Source) -> Any:
    return source.table if isinstance(source, NamedTable) else source


def _settings(source: Source, settings_of: SettingsOf) -> dict[str, Any]:
    if not isinstance(source, NamedTable):
        return dict(settings_of(source))
    named = {"name": source.name} if source.is_stated else {}
    return {**named, **settings_of(source.name)}


def _renamed(wire: Report, name: str) -> Report:
    return replace(wire, dataset=replace(wire.dataset, name=name))


def _opened(one: TableResult, settings_of: SettingsOf) -> Dataset:
    assert one.source is not None, "joined tables are not joined further"
    return open_dataset(_table(one.source), Settings(**_settings(one.source, settings_of)))


def _joined(
    results: Sequence[TableResult], settings_of: SettingsOf, scan: Callable[..., ScanReport]
) -> tuple[list[TableResult], list[TableLink]]:
    """Return the joined tables whose risk is worse than that of the table alone, and all tables that share keys."""
    scanned = [one for one in results if one.report is not None]
    if len(scanned) < 2:
        return [], []
    possible = joins.possible_keys([one.report.wire for one in scanned if one.report is not None])
    columns: list[joins.KeyColumn] = []
    for i, (one, its_columns) in enumerate(zip(scanned, possible, strict=True)):
        if its_columns:
            with _opened(one, settings_of) as dataset:
                columns += joins.key_columns(i, dataset, its_columns)
    found, links = [], []
    for number, join in enumerate(joins.find_joins(columns)):
        rows, keys = scanned[join.rows.table], scanned[join.keys.table]
        # Joins with the most shared keys come first; each costs a scan of its own, and the others are listed.
        both = _scan_join(join, rows, keys, settings_of, scan) if number < joins.MOST_JOINS else None
        assert rows.report is not None
        # A join that failed counts as worse: what was not assessed must not pass unseen.
        is_worse = both is not None and (both.report is None or joins.is_worse(both.report.wire, rows.report.wire))
        if both is not None and is_worse:
            found.append(both)
        links.append(_link(join, rows, keys, is_worse=is_worse))
    return found, links


def _link(join: joins.Join, rows: TableResult, keys: TableResult, *, is_worse: bool) -> TableLink:
    return TableLink(rows=rows.name, column=join.rows.column, keys=keys.name, key=join.keys.column, is_worse=is_worse)


_SHARED = tuple("policy framework rules seed fail_on max_size budget bound memory threads missing".split())
"""Settings that apply to joined tables too; the others name columns or describe one file."""


def _scan_join(
    join: joins.Join, rows: TableResult, keys: TableResult, settings_of: SettingsOf, scan: Callable[..., ScanReport]
) -> TableResult:
    """Scan `rows` with the columns of `keys`; where keys repeat, risk is counted in the people they identify."""
    assert rows.source is not None
    stated = _settings(rows.source, settings_of)
    settings = {name: value for name, value in stated.items() if name in _SHARED}
    name = f"{rows.name} + {keys.name}"
    try:
        with guarded("join"):
            with _opened(rows, settings_of) as left, _opened(keys, settings_of) as right:
                table = joins.joined(join, left, right, _stem(keys))
            # A key of products that repeats identifies no person, so records are counted.
            subject = join.rows.column if _counts_people(keys) and not join.rows.is_key else None
            role = _roles(rows, keys, table.column_names)
            # The texts were read in the tables themselves, and the roles are those of the tables.
            found = scan(table, **settings, ner=False, role=role, subject=subject)
    except PrivauditError as error:
        return TableResult(source=None, name=name, error=error, joined=join, alone=rows.report)
    wire = _renamed(found.wire, name)
    return TableResult(source=None, name=name, report=ScanReport(wire), joined=join, alone=rows.report)


def _roles(rows: TableResult, keys: TableResult, columns: Sequence[str]) -> dict[str, str]:
    """Return the roles that the columns have in their own tables."""
    found: dict[str, str] = {}
    prefix = f"{_stem(keys)}."
    for one in (keys, rows):
        assert one.report is not None
        for column in one.report.wire.columns:
            name = column.name if column.name in columns and one is rows else prefix + column.name
            found[name if name in columns else column.name] = column.role
    return {column: found[column] for column in columns if column in found}


def _stem(one: TableResult) -> str:
    """Return the name of a table without suffix, or the name of the table in its file."""
    file, _, part = one.name.partition("#")
    return part or Path(file).stem


def _counts_people(one: TableResult) -> bool:
    assert one.report is not None
    unit = one.report.wire.dataset.unit
    return unit is None or unit.is_about_people
