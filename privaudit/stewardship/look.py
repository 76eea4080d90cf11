"""A scan of a store for the data map: tables, columns, entity types, and keys that lead to other tables.

Question: what does this store hold now?
Method: every table is opened and detected as by a scan, without measuring risk. A column refers to a key where nearly
all of its values are values of the key; consecutive numbers count only under a matching name, because they contain one
another by chance. Foreign keys that a database declares are references.
Limits: a key of several columns is not followed. Column names that are personal data themselves are not shown by other
commands; the map must name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from privaudit.audit.joins import is_dense
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ScanIncomplete, foreign_errors_as
from privaudit.base.records import dataclass
from privaudit.model import ColumnProfile, DatasetUnit, Detection, vocabulary
from privaudit.model.headers import read_header
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import Dataset, open_dataset
from privaudit.source.files.readers.reading import damaged
from privaudit.source.places.location import locate
from privaudit.stewardship import stores
from privaudit.stewardship.data_map import Column, Place, Reference, Table
from privaudit.stewardship.spelling import canonical
from privaudit.stewardship.stores import ForeignKey

LEAST_SHARED = 0.9
"""Share of the distinct values of a column that must be keys."""
LEAST_KEYS = 2
MOST_KEYS = 2_000_000
_WHOLE = r"^-?[0-9]+(\.0*)?$"
"""Whole numbers, as a column of numbers with missing cells may have them."""
NO_KEYS = ("attribute", "date", "name", "place")
"""Groups of entity types whose values do not serve as keys."""


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The distinct values, as they are compared, of a column that may be a key, or refer to one."""

    place: Place
    values: pa.Array
    is_key: bool
    about_people: bool


@dataclass(frozen=True, slots=True)
class StoreLook:
    """What a store holds now."""

    tables: tuple[Table, ...]
    keys: tuple[KeyValues, ...]
    declared: tuple[tuple[Place, Place], ...]


def look_at(name: str, source: str, settings: Settings, progress: Progress = silent) -> StoreLook:
    """Return what a store holds now.

    Parameters
    ----------
    name : str
        The name of the store in the map.
    source : str
        Path or address.

    Raises
    ------
    PrivauditError
        If the store or one of its tables cannot be read.
    """
    tables, keys = [], []
    names = stores.tables_of(source, settings)
    for i, table in enumerate(names):
        progress("Looking at tables", i / len(names))
        found, values = _table(name, source, table, settings)
        tables.append(found)
        keys += values
    return StoreLook(tuple(tables), tuple(keys), tuple(_foreign_keys(name, source, names, settings)))


def _table(store: str, source: str, table: str, settings: Settings) -> tuple[Table, list[KeyValues]]:
    from privaudit.detect.detection import detect
    from privaudit.detect.roles import assign
    from privaudit.detect.unit.decision import infer_unit
    from privaudit.source.profile import profile

    try:
        opened = open_dataset(stores.table_source(source, table), settings)
    except ScanIncomplete:  # no row
        return Table(name=table), []
    with opened as dataset:
        profiles = profile(dataset)
        detections = detect(dataset, profiles, settings)
        unit = infer_unit(dataset, profiles, detections, settings)
        roles = assign(profiles, detections, settings, unit)
        columns = tuple(_column(*each) for each in zip(detections, (r.role for r in roles), strict=True))
        keys = list(_keys(store, table, dataset, [p for p in profiles if _may_be_key(p, columns)], unit))
        return Table(name=table, rows=dataset.n_rows, unit=unit.kind, columns=columns), keys


def _column(found: Detection, role: str) -> Column:
    entity = "" if found.is_ is None else found.is_.entity
    contains = tuple(dict.fromkeys(each.entity for each in found.contains))
    known = [vocabulary.entity_type(code) for code in (entity, *contains) if code]
    return Column(
        name=found.column,
        entity=entity,
        contains=contains,
        role=role,  # type: ignore[arg-type]
        special=any(record.special for record in known),
        identifies=role == "direct",
    )


def _keys(
    store: str, table: str, dataset: Dataset, profiles: Sequence[ColumnProfile], unit: DatasetUnit
) -> Iterator[KeyValues]:
    for column in profiles:
        is_key = column.n_distinct == column.n_rows - column.n_missing
        values = dataset.frequencies(column.name).values
        if column.data_type == "decimal" and not pc.all(pc.match_substring_regex(values, _WHOLE)).as_py():
            continue
        spelled = pa.array(sorted(set(map(canonical, values.to_pylist()))), pa.string())
        yield KeyValues(Place(store, table, column.name), spelled, is_key, unit.kind in ("person", "unknown"))


def _may_be_key(profile: ColumnProfile, columns: Sequence[Column]) -> bool:
    """Whether a column may be a key or refer to one: names, places and dates are equal in tables without relation."""
    entity = next(column.entity for column in columns if column.name == profile.name)
    group = vocabulary.entity_type(entity).group if entity else ""
    is_small = LEAST_KEYS <= profile.n_distinct <= MOST_KEYS
    return is_small and profile.data_type in ("text", "integer", "decimal") and group not in NO_KEYS


def references(looks: Sequence[StoreLook]) -> tuple[Reference, ...]:
    """Return the references between the tables of all stores, declared or inferred, sorted.

    Between two tables with a declared foreign key, none is inferred. Of two keys with equal values, the one in a table
    of people is the target.
    """
    columns = [key for look in looks for key in look.keys]
    found = {pair for look in looks for pair in look.declared}
    related = {frozenset((rows[:2], keys[:2])) for rows, keys in found}
    for keys, rows in product(columns, columns):
        pair = frozenset((rows.place[:2], keys.place[:2]))
        if keys.is_key and len(pair) == 2 and pair not in related and _refers(rows, keys):
            found.add((rows.place, keys.place))
    return tuple(Reference(column=str(rows), to=str(keys)) for rows, keys in sorted(found))


def _refers(rows: KeyValues, keys: KeyValues) -> bool:
    if rows.is_key and (len(rows.values) > len(keys.values) or (rows.about_people and not keys.about_people)):
        return False
    n_shared = int(pc.sum(pc.is_in(rows.values, value_set=keys.values)).as_py() or 0)
    if n_shared < max(LEAST_KEYS, LEAST_SHARED * len(rows.values)):
        return False
    return has_name_of(rows.place, keys.place) or not is_dense(keys.values)


def has_name_of(rows: Place, keys: Place) -> bool:
    """Whether a column has the name of a key, or that of its table and of the key: customer_id, customers.id."""
    name, key = read_header(rows.column).words, read_header(keys.column).words
    table = read_header(keys.table or keys.store).words
    singular = tuple(word.removesuffix("s") for word in table)
    own = read_header(rows.table or rows.store).words
    if name == key:
        # "id" of two tables is not one key.
        return len(key) > 1 or bool(set(own) & set(table))
    return name in {(*table, *key), (*singular, *key)}


def _foreign_keys(store: str, source: str, tables: Sequence[str], settings: Settings) -> Iterator[tuple[Place, Place]]:
    """Yield the foreign keys of one column that a database declares between its tables."""
    readers = {"sqlite": _of_sqlite, "duckdb": _of_duckdb, "postgresql": stores.foreign_keys_of_postgresql}
    reader = readers.get(stores.format_of(source))
    for table, column, to, key in () if reader is None else reader(source, settings):
        if table in tables and to in tables:
            yield Place(store, table, column), Place(store, to, key)


def _of_duckdb(source: str, settings: Settings) -> Iterator[ForeignKey]:
    from privaudit.source.files.formats.reader_formats import foreign_keys_of_duckdb

    where = locate(source)
    with foreign_errors_as(lambda: damaged(where)):
        yield from foreign_keys_of_duckdb(where)


def _of_sqlite(source: str, settings: Settings) -> Iterator[ForeignKey]:
    where = locate(source)
    with foreign_errors_as(lambda: damaged(where)), stores.read_only(where.path) as file:
        names = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        for name in names:
            keys = file.execute("SELECT * FROM pragma_foreign_key_list(?)", (name,)).fetchall()
            several = {key[0] for key in keys if key[1] > 0}
            for number, _, table, column, to, *_ in keys:
                if number in several:
                    continue
                if to is None:  # REFERENCES people, without a column: the primary key
                    primary = file.execute("SELECT name FROM pragma_table_info(?) WHERE pk > 0", (table,)).fetchall()
                    to = primary[0][0] if len(primary) == 1 else None
                if to is not None:
                    yield name, column, table, to
