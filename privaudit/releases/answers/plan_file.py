"""Plans of answers: TOML that a person reads and reviews before anything is spent.

Question: which questions are asked, with which declared bounds and which epsilon?
Method: ``[column.NAME]`` declares a column once, as in a domain of a synthetic table (`domains.column_file`); each
``[[query]]`` names its kind, its columns and its epsilon. Unknown keys, missing bounds and impossible values are errors
that name the query.
Limits: a plan is read before the table is opened, so it cannot depend on the data. `example` writes a skeleton from
column names alone; its bounds are empty and must be filled in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.errors import MissingBounds, ReleaseError
from privaudit.base.records import dataclass
from privaudit.base.toml_text import toml_text
from privaudit.model.headers import shown_file
from privaudit.model.wording import Name, fact
from privaudit.releases.domains.column_file import KINDS as COLUMNS
from privaudit.releases.domains.column_file import column_of, example_of
from privaudit.releases.domains.columns import Column, Numbers
from privaudit.releases.domains.entries import NEVER, Entry, as_json
from privaudit.releases.privacy.accounting import exact
from privaudit.releases.privacy.units import MOST_ROWS

VERSION = 1
KINDS = ("classifier", "clusters", "count", "histogram", "margin", "mean", "quantile", "sum", "variance")
NUMERIC = ("clusters", "mean", "sum", "variance", "quantile")
TABLES = ("histogram", "margin")
MOST_CANDIDATES = 10**6
_MOST_COLUMNS = {"count": (0, 0), "margin": (1, 12), "classifier": (1, 100), "clusters": (1, 12)}
_EXAMPLE = (
    "# [[query]]",
    '# kind = "mean"',
    '# column = "age"   # with kind = "number", bounds = [0, 110] and step = 1 in [column.age]',
    "# epsilon = 0.5",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question.

    Attributes
    ----------
    name : str
    kind : one of `KINDS`
    columns : tuple of str
    epsilon : Fraction
    gaussian : bool
        Whether a table of counts gets discrete Gaussian instead of discrete Laplace noise.
    of_people : bool
        Whether a count counts people instead of rows.
    quantile : Fraction
    where : (column, category), optional
        The row set.
    target : str, optional
        The column that a classifier predicts.
    clusters : int
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    epsilon: Fraction
    gaussian: bool = False
    of_people: bool = False
    quantile: Fraction = Fraction(1, 2)
    where: tuple[str, str] | None = None
    target: str | None = None
    clusters: int = 0

    @property
    def added(self) -> tuple[str, ...]:
        """The columns whose numbers are added up or ranked, and need no bands."""
        return self.columns if self.kind in NUMERIC else ()

    @property
    def declared(self) -> tuple[str, ...]:
        """Every column whose domain the query needs."""
        target = () if self.target is None else (self.target,)
        where = () if self.where is None else (self.where[0],)
        return tuple(dict.fromkeys((*self.columns, *target, *where)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """All questions of a release, and the domains of their columns."""

    queries: tuple[Query, ...]
    domains: Mapping[str, Column]
    dataset: str | None = None
    delta: Fraction | None = None
    rows_per_person: int | None = None
    stated: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read, in the order of the plan."""
        return tuple(dict.fromkeys(name for query in self.queries for name in query.declared))


def read_plan(path: str | Path) -> AnswerPlan:
    """Read a plan file.

    Raises
    ------
    ReleaseError, MissingBounds
    """
    file = Path(path)
    return parse_plan(resources.read_stated(file, shown_file(file), "plan"), shown_file(file))


def parse_plan(content: Mapping[str, Any], name: str = "the plan") -> AnswerPlan:
    """Return the plan that the content of a plan file states."""
    entry = Entry(content, name)
    if entry.take("version", int, VERSION) != VERSION:
        raise ReleaseError(f"{name} must state version = {VERSION}.")
    queries = entry.take("query", list, [])
    if not queries:
        raise ReleaseError(f"{name} has no [[query]].", hint="privaudit release --example TABLE writes a skeleton")
    asked = [_query(Entry(query, f"Query {i} of {name}")) for i, query in enumerate(queries, 1)]
    domains = _domains(asked, entry.take("column", dict, {}), name)
    for query in asked:
        _check_fits(query, domains, f'query "{query.name}" of {name}')
    plan = AnswerPlan(
        queries=tuple(asked),
        domains=domains,
        dataset=entry.take("dataset", str, None),
        delta=_exact(entry.share("delta", None)),
        rows_per_person=entry.whole("rows_per_person", MOST_ROWS, None),
        stated=as_json(content),
    )
    entry.end()
    return plan


def _query(entry: Entry) -> Query:
    kind = entry.choice("kind", KINDS)
    columns = _columns(entry, kind)
    quantile, of = entry.share("quantile", 0.5), entry.choice("of", ("rows", "people"), "rows")
    target, clusters = entry.take("target", str, None), entry.whole("clusters", 100, 0)
    if (target is None) == (kind == "classifier") or target in columns:
        raise ReleaseError(f"{entry.where}: a classifier, and nothing else, names the target that it predicts.")
    if (clusters == 0) == (kind == "clusters"):
        raise ReleaseError(f"{entry.where}: clusters, and nothing else, state how many: 1 to 100.", hint="clusters = 5")
    query = Query(
        name=entry.take("name", str, None) or _name(kind, target or " x ".join(columns) or of, quantile),
        kind=kind,
        columns=columns,
        epsilon=_epsilon(entry),
        gaussian=entry.choice("noise", ("laplace", "gaussian"), "laplace") == "gaussian" and kind in TABLES,
        of_people=of == "people",
        quantile=exact(quantile),
        where=_where(entry),
        target=target,
        clusters=clusters,
    )
    entry.end()
    return query


def _columns(entry: Entry, kind: str) -> tuple[str, ...]:
    single = entry.take("column", str, None)
    named = entry.take("columns", list, [] if single is None else [single])
    least, most = _MOST_COLUMNS.get(kind, (1, 1))
    if not all(isinstance(each, str) for each in named) or not least <= len(set(named)) == len(named) <= most:
        raise ReleaseError(f"{entry.where}: a {kind} names {least} to {most} different columns, as texts.")
    return tuple(named)


def _name(kind: str, what: str, quantile: float) -> str:
    return f"quantile {quantile} of {what}" if kind == "quantile" else f"{kind} of {what}"


def _epsilon(entry: Entry) -> Fraction:
    epsilon = entry.need("epsilon", float)
    if not 0 < epsilon <= 1000:
        raise ReleaseError(f"{entry.where} must state its epsilon, above 0.", hint="for example epsilon = 0.1")
    return exact(epsilon)


def _where(entry: Entry) -> tuple[str, str] | None:
    stated = entry.take("where", dict, None)
    if stated is None:
        return None
    if len(stated) != 1:
        raise ReleaseError(
            f"where in {entry.where} must name one column and one category.", hint='where = { sex = "F" }'
        )
    ((column, value),) = stated.items()
    return str(column), str(value).lower() if isinstance(value, bool) else str(value)


def _exact(stated: float | None) -> Fraction | None:
    return None if stated is None else exact(stated)


def _domains(asked: Sequence[Query], columns: Mapping[str, Any], name: str) -> dict[str, Column]:
    """Return the columns that queries need; those that are only added up need no bands."""
    counted = {column for query in asked for column in query.declared if column not in query.added}
    found = {}
    for column in dict.fromkeys(column for query in asked for column in query.declared):
        if column not in columns:
            raise MissingBounds(
                f'{name} does not declare the column "{column}".',
                hint=f"add [column.{json.dumps(column)}] with its kind, and bounds or values; {NEVER}",
            )
        entry = Entry(columns[column], f'column "{column}" of {name}')
        found[column] = column_of(column, entry, entry.choice("kind", tuple(COLUMNS)), needs_bands=column in counted)
        entry.end()
    return found


def _check_fits(query: Query, domains: Mapping[str, Column], where: str) -> None:
    numbers = [each for each in (domains[column] for column in query.added) if isinstance(each, Numbers)]
    if len(numbers) < len(query.added):
        raise MissingBounds(f"{where} needs columns of numbers.", hint=f'state kind = "number" and bounds; {NEVER}')
    if query.where is not None and query.where[1] not in domains[query.where[0]].cell_labels:
        raise ReleaseError(
            f'"where" of {where} must name a declared category of "{query.where[0]}".',
            hint="row sets are fixed by declared categories, never by the data",
        )
    if query.kind == "quantile" and numbers[0].bounds[1] - numbers[0].bounds[0] > MOST_CANDIDATES:
        raise ReleaseError(f"{where} has more than {MOST_CANDIDATES:,} candidates.", hint="declare a larger step")


def example(columns: Sequence[str], name: str) -> str:
    """Return the skeleton of a plan from column names alone.

    Parameters
    ----------
    columns : sequence of str
    name : str
        The file, as messages show it.
    """
    lines = [
        *(f"# {line}" for line in str(fact("answers.example_head", table=Name(name))).split(" | ")),
        "",
        f"version = {VERSION}",
        f'dataset = ""   # {fact("answers.example_dataset")}',
        f"# rows_per_person = 3   # {fact('answers.example_rows')}",
        "",
        *(f"# {line}" for line in str(fact("answers.example_queries")).split(" | ")),
        *_EXAMPLE,
        "",
        "[[query]]",
        'kind = "count"',
        "epsilon = 0.1",
    ]
    for column in columns:
        lines += ["", f"[column.{toml_text(column)}]", *example_of(column)]
    return "\n".join(lines) + "\n"
