"""Plans of answers: TOML that a person reads and reviews before anything is spent.

Question: which questions are asked, with which declared bounds and which epsilon?
Method: ``[column.NAME]`` declares the domain of a column once; each ``[[query]]`` names its kind, its columns and its
epsilon. Unknown keys, missing bounds and impossible values are errors that name the query.
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
from privaudit.base.typed import is_number
from privaudit.model.headers import shown_file
from privaudit.model.wording import Name, fact
from privaudit.releases.answers.domain import Domain, parse_domain
from privaudit.releases.privacy.accounting import exact

VERSION = 1
KINDS = ("classifier", "clusters", "count", "histogram", "margin", "mean", "quantile", "sum", "variance")
_KEYS = ("version", "dataset", "delta", "rows_per_person", "column", "query")
_QUERY_KEYS = ("name", "kind", "column", "columns", "epsilon", "noise", "of", "quantile", "where", "target", "clusters")
NUMERIC = ("clusters", "mean", "sum", "variance", "quantile")
TABLES = ("histogram", "margin")
_MOST_COLUMNS = {"count": (0, 0), "margin": (1, 12), "classifier": (1, 100), "clusters": (1, 12)}
_EXAMPLE = (
    "# [[query]]",
    '# kind = "mean"',
    '# column = "age"   # with bounds = [0, 110] in [column.age]',
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
    def declared(self) -> tuple[str, ...]:
        """Every column whose domain the query needs."""
        target = () if self.target is None else (self.target,)
        where = () if self.where is None else (self.where[0],)
        return tuple(dict.fromkeys((*self.columns, *target, *where)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """All questions of a release, and the domains of their columns."""

    queries: tuple[Query, ...]
    domains: Mapping[str, Domain]
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
    resources.check_keys(content, _KEYS, name, ReleaseError)
    if content.get("version", VERSION) != VERSION:
        raise ReleaseError(f"{name} must state version = {VERSION}.")
    columns, queries = content.get("column", {}), content.get("query", [])
    is_table = isinstance(columns, dict) and all(isinstance(each, dict) for each in columns.values())
    is_list = isinstance(queries, list | tuple) and all(isinstance(each, dict) for each in queries)
    if not is_table or not is_list:
        raise ReleaseError(f"{name} must write columns as [column.NAME] and queries as [[query]].")
    if not queries:
        raise ReleaseError(f"{name} has no [[query]].", hint="privaudit release --example TABLE writes a skeleton")
    asked = [_query(query, f"Query {i} of {name}") for i, query in enumerate(queries, 1)]
    needed = dict.fromkeys(column for query in asked for column in query.declared)
    domains = {column: _domain(column, columns, name) for column in needed}
    for query, where in zip(asked, (f"Query {i} of {name}" for i in range(1, len(asked) + 1)), strict=True):
        _check_fits(query, domains, where)
    return AnswerPlan(
        queries=tuple(asked),
        domains=domains,
        dataset=_text(content.get("dataset"), "dataset", name),
        delta=_share(content["delta"], f"delta of {name}") if "delta" in content else None,
        rows_per_person=_most_rows(content.get("rows_per_person"), name),
        stated=dict(content),
    )


def _query(stated: Mapping[str, Any], where: str) -> Query:
    resources.check_keys(stated, _QUERY_KEYS, where, ReleaseError)
    kind = stated.get("kind")
    if kind not in KINDS:
        raise ReleaseError(f"{where} must state its kind.", hint=f"one of: {', '.join(KINDS)}")
    columns = _columns(stated, kind, where)
    of = stated.get("of", "rows")
    noise = stated.get("noise", "laplace")
    if of not in ("rows", "people") or noise not in ("laplace", "gaussian"):
        raise ReleaseError(
            f"{where} has an unknown value.", hint='of = "rows" or "people"; noise = "laplace" or "gaussian"'
        )
    return Query(
        name=_text(stated.get("name"), "name", where) or _name(kind, columns, of, stated),
        kind=kind,
        columns=columns,
        epsilon=_epsilon(stated.get("epsilon"), where),
        gaussian=noise == "gaussian" and kind in TABLES,
        of_people=of == "people",
        quantile=_share(stated.get("quantile", 0.5), f"quantile of {where}"),
        where=_where(stated.get("where"), where),
        target=_target(stated, kind, columns, where),
        clusters=_clusters(stated.get("clusters"), kind, where),
    )


def _columns(stated: Mapping[str, Any], kind: str, where: str) -> tuple[str, ...]:
    named = stated.get("columns", [stated["column"]] if "column" in stated else [])
    if not isinstance(named, list | tuple) or not all(isinstance(each, str) for each in named):
        raise ReleaseError(f"{where} must name its columns as texts.")
    wanted = _MOST_COLUMNS.get(kind, (1, 1))
    if not wanted[0] <= len(named) <= wanted[1] or len(set(named)) != len(named):
        raise ReleaseError(f"{where}: a {kind} names {wanted[0]} to {wanted[1]} different columns.")
    return tuple(named)


def _target(stated: Mapping[str, Any], kind: str, columns: Sequence[str], where: str) -> str | None:
    target = stated.get("target")
    if (target is None) == (kind == "classifier") or target in columns:
        raise ReleaseError(f"{where}: a classifier, and nothing else, names the target that it predicts.")
    return _text(target, "target", where)


def _clusters(stated: Any, kind: str, where: str) -> int:
    known = isinstance(stated, int) and not isinstance(stated, bool) and 1 <= stated <= 100
    if known != (kind == "clusters") or (stated is not None and not known):
        raise ReleaseError(f"{where}: clusters, and nothing else, state how many: 1 to 100.", hint="clusters = 5")
    return stated or 0


def _name(kind: str, columns: Sequence[str], of: str, stated: Mapping[str, Any]) -> str:
    what = " x ".join(columns) or of
    if kind == "classifier":
        return f"{kind} of {stated.get('target')}"
    if kind == "quantile":
        return f"quantile {stated.get('quantile', 0.5)} of {what}"
    return f"{kind} of {what}"


def _epsilon(stated: Any, where: str) -> Fraction:
    if not is_number(stated) or not 0 < stated <= 1000:
        raise ReleaseError(f"{where} must state its epsilon, above 0.", hint="for example epsilon = 0.1")
    return exact(stated)


def _share(stated: Any, what: str) -> Fraction:
    if not is_number(stated) or not 0 < stated < 1:
        raise ReleaseError(f"The {what} must be between 0 and 1.")
    return exact(stated)


def _where(stated: Any, where: str) -> tuple[str, str] | None:
    if stated is None:
        return None
    if not isinstance(stated, dict) or len(stated) != 1:
        raise ReleaseError(f"where in {where} must name one column and one category.", hint='where = { sex = "F" }')
    ((column, value),) = stated.items()
    return str(column), str(value).lower() if isinstance(value, bool) else str(value)


def _most_rows(stated: Any, name: str) -> int | None:
    if stated is not None and (isinstance(stated, bool) or not isinstance(stated, int) or not 1 <= stated <= 10**6):
        raise ReleaseError(f"rows_per_person of {name} must be a whole number, 1 or more.")
    return stated


def _text(stated: Any, key: str, where: str) -> str | None:
    if stated is not None and (not isinstance(stated, str) or not stated.strip()):
        raise ReleaseError(f"{key} of {where} must be a text that is not empty.", hint=f'{key} = "..."')
    return stated


def _domain(column: str, columns: Mapping[str, Any], name: str) -> Domain:
    if column not in columns:
        raise MissingBounds(
            f'{name} does not declare the column "{column}".',
            hint=f"add [column.{json.dumps(column)}] with bounds or categories; they are never read from the data",
        )
    return parse_domain(column, columns[column], f'[column."{column}"] of {name}')


def _check_fits(query: Query, domains: Mapping[str, Domain], where: str) -> None:
    for column in query.columns:
        domain = domains[column]
        # Read for their errors: a query without bounds or categories is refused before anything is spent.
        _ = domain.steps if query.kind in NUMERIC else domain.labels
    if query.target is not None:
        _ = domains[query.target].labels
    if query.where is not None:
        column, value = query.where
        if domains[column].is_number or value not in domains[column].labels:
            raise ReleaseError(
                f'where in {where} must name a declared category of "{column}".',
                hint="row sets are fixed by declared categories, never by the data",
            )
    if query.kind == "quantile":
        low, high = domains[query.columns[0]].steps
        if high - low > 10**6:
            raise ReleaseError(f"{where} has more than 1,000,000 candidates.", hint="declare a larger step")


def example(columns: Sequence[str], name: str) -> str:
    """Return the skeleton of a plan from column names alone.

    Parameters
    ----------
    columns : sequence of str
    name : str
        The file, as messages show it.
    """
    lines = [
        *(f"# {line}" for line in str(fact("answers.example_head", table=Name(text=name))).split(" | ")),
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
        lines += ["", f"[column.{toml_text(column)}]", "bounds = []", "categories = []"]
    return "\n".join(lines) + "\n"
