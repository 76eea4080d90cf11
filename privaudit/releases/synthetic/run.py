"""Synthesise a table: check, pay, read, fit, draw, compare.

Question: how does a table become a table of people who do not exist?
Method: everything that can be refused is refused before the ledger is charged: the domain, its columns, the method, the
names of the columns of the table. Then the entry is written, the table is read once, coded and split; one method fits
its model; a table is drawn. The comparison with the original is made while both are in memory.
Limits: the names of the columns are read before the ledger is charged. A run that fails after the charge has spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.base import clock
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.model.synthesis import Synthesis, SynthesisComparison
from privaudit.releases.synthetic import generator
from privaudit.releases.synthetic.children import families
from privaudit.releases.synthetic.comparison import compare
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.releases.synthetic.generator import Generator, bounds_of
from privaudit.releases.synthetic.payment import Payment, open_budget, payment
from privaudit.releases.synthetic.predictions import MOST_LABELS, predictions
from privaudit.releases.synthetic.refusals import check_columns
from privaudit.releases.synthetic.task import Task
from privaudit.releases.synthetic.writing import Written

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables that are read: texts of the modelled columns and the keys, private.

    Attributes
    ----------
    source : pyarrow.Table
    children : pyarrow.Table, optional
    """

    source: pa.Table
    children: pa.Table | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesised:
    """A synthetic table, how it was made, and what is known inside about the original.

    Attributes
    ----------
    statement : Synthesis
    generator : Generator
    table : pyarrow.Table
    children : pyarrow.Table, optional
    comparison : SynthesisComparison
        Internal.
    released, members, outsiders : CodedTable
        The synthetic records, those that were synthesised, and those of people outside: for attacks, private.
        ``outsiders`` is None where there are none.
    target : str or None
        The column that models predict, and that the attack of inference takes for the secret.
    """

    statement: Synthesis
    generator: Generator
    table: pa.Table
    children: pa.Table | None
    comparison: SynthesisComparison
    released: CodedTable
    members: CodedTable
    outsiders: CodedTable | None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class _Coded:
    """The coded records that are synthesised and held out."""

    members: CodedTable
    outsiders: CodedTable
    families: tuple[CodedTable, CodedTable] | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted generator, the private records behind it, and who paid."""

    generator: Generator
    coded: _Coded
    paid: Payment | None
    receipt: dict[str, Any] | None


def fitted(task: Task) -> Fitted:
    """Check, pay, read and fit.

    Raises
    ------
    PrivauditError
        Before the ledger is charged, wherever possible.
    """
    check_columns(task.domain, task.domain.allowed)
    if task.domain.children is not None:
        check_columns(task.domain.children.domain, task.domain.children.domain.allowed)
    with ExitStack() as opened:
        read, paid, receipt = _entered(task, opened)
        task.progress("Reading", None)
        tables = read()
    coded = _coded(task, tables, np.random.default_rng())
    if paid is None and not coded.members.n_rows:
        raise ConfigError(
            "No record has only declared values.", hint="declare its categories, or missing = true"
        )
    return Fitted(_fitted(task, coded, paid), coded, paid, receipt)


def run(task: Task) -> Synthesised:
    """Synthesise a table and compare it with the original.

    Raises
    ------
    PrivauditError
        As `fitted`.
    """
    found = fitted(task)
    made, coded = found.generator, found.coded
    task.progress("Drawing records", None)
    drawn, children = made.draw(task.n_rows, task.seed)
    task.progress("Comparing with the original", None)
    comparison = compare(task.domain, coded.members, drawn.codes, coded.outsiders)
    target = _target(task)
    if target is not None:
        models = predictions(task.domain, coded.members, drawn.codes, coded.outsiders, target)
        comparison = replace(comparison, models=models)
    return Synthesised(
        statement=_statement(task, found, drawn),
        generator=made,
        table=drawn.table,
        children=children,
        comparison=comparison,
        released=drawn.codes,
        members=coded.members,
        outsiders=_outsiders(task, coded),
        target=target,
    )


def _statement(task: Task, found: Fitted, drawn: Written) -> Synthesis:
    made, domain = found.generator, task.domain
    return Synthesis(
        method=task.method,
        privacy=None if found.paid is None else found.paid.privacy,
        receipt=found.receipt,
        n_rows=drawn.table.num_rows,
        columns=tuple(drawn.table.column_names),
        invented=tuple(each.name for each in domain.invented),
        derived=tuple(each.name for each in domain.derived),
        margins=made.margins,
        n_cut=made.n_cut,
        max_cells=task.max_cells,
        n_drawn=drawn.n_drawn,
        rejected=dict(zip((each.text for each in domain.constraints), drawn.rejected, strict=True)),
        created_at=clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _entered(task: Task, opened: ExitStack) -> tuple[Any, Payment | None, dict[str, Any] | None]:
    """Open the tables, check their columns, and pay; return what reads them, the payment and its receipt."""
    domain = task.domain
    key = [domain.children.key] if domain.children is not None else []
    person = [domain.person] if domain.person is not None else []
    source = _opened(task.source, (*domain.names, *key, *person), task, opened)
    children = None
    if domain.children is not None:
        children = _opened(task.children, (*domain.children.domain.names, *key), task, opened)

    def read() -> Tables:
        wanted = tuple(dict.fromkeys((*domain.names, *key, *person)))
        of_children = None
        if children is not None and domain.children is not None:
            of_children = children.rows((*domain.children.domain.names, *key))
        return Tables(source=source.rows(wanted), children=of_children)

    if task.ledger is None or task.epsilon is None:
        return read, None, None
    paid = payment(task.found_method, domain, task.ledger.account(), task.epsilon, task.delta)
    door = task.ledger.spend(
        paid.charge,
        read,
        dataset=task.dataset,
        rows_per_unit=paid.rows_per_unit if paid.unit != "row" else None,
    )
    return door.open, paid, door.receipt.content()


def _opened(source: Any, names: Sequence[str], task: Task, opened: ExitStack) -> Any:
    from privaudit.source import open_dataset

    dataset = opened.enter_context(open_dataset(source, task.settings, progress=task.progress))
    for name in names:
        if name not in dataset.columns:
            raise ColumnNotFound.among(name, dataset.name, dataset.columns)
    return dataset


def _coded(task: Task, tables: Tables, random: np.random.Generator) -> _Coded:
    """Return the coded records, at most the declared number of each person, split into synthesised and held out."""
    domain = task.domain
    source = tables.source
    both = None
    if tables.children is not None and domain.children is not None:
        found, rows = families(domain, source, tables.children, random)
        coded = CodedTable(found.parents.codes[:-1], domain.sizes)
        both = (found.parents, found.children)
    else:
        coded, rows = domain.encode(source)
        if domain.person is not None:
            kept = np.flatnonzero(domain.at_most(_people(source[domain.person])[rows], random))
            coded, rows = coded.take(kept), rows[kept]
    if both is not None or not task.hold_out:
        nothing = np.zeros(0, dtype=np.int64)
        return _Coded(coded, coded.take(nothing), both)
    # Each record, or each person, is held out by a coin of its own.
    units = np.arange(source.num_rows) if domain.person is None else _people(source[domain.person])
    out = (random.random(int(units.max(initial=0)) + 1) < task.hold_out)[units[rows]]
    return _Coded(coded.take(~out), coded.take(out))


def _people(column: pa.ChunkedArray) -> Counts:
    """Return the person of each record; a record without a person ID is a person of its own."""
    codes = column.combine_chunks().dictionary_encode().indices
    found = codes.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    own = int(found.max(initial=-1)) + 1 + np.arange(len(found))
    return np.where(found < 0, own, found)


def _fitted(task: Task, coded: _Coded, paid: Payment | None) -> Generator:
    def progress(share: float) -> None:
        task.progress("Fitting", share)

    bounds = bounds_of(task.domain, task.max_cells, progress)
    privacy = None if paid is None else paid.privacy
    if coded.families is None or task.domain.children is None:
        budget = open_budget() if paid is None else paid.budget()
        return generator.fit(task.found_method, task.domain, coded.members, budget, bounds, privacy=privacy)
    share, most = task.domain.children.share, task.domain.children.most
    budgets = (
        (open_budget(), open_budget())
        if paid is None
        else (paid.budget(1 - share, rows_per_unit=1), paid.budget(share, rows_per_unit=most))
    )
    plain = replace(bounds, ordered=())
    return generator.fit_both(task.found_method, task.domain, coded.families, budgets, plain, privacy=privacy)


def _target(task: Task) -> str | None:
    """Return the column that models predict."""
    if task.target is not None:
        return task.target
    fitting = [column.name for column in task.domain.columns if 2 <= column.n_values <= MOST_LABELS]
    return fitting[-1] if fitting and len(task.domain.columns) > 1 else None


def _outsiders(task: Task, coded: _Coded) -> CodedTable | None:
    """Return the records of people outside: the held-out ones, or those of the control table."""
    if task.control is None:
        return coded.outsiders if coded.outsiders.n_rows else None
    with ExitStack() as opened:
        table = _opened(task.control, task.domain.names, task, opened).rows(task.domain.names)
    return task.domain.encode(table)[0]
