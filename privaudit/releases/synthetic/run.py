"""Synthesise a table: check, pay, read, fit, draw, compare.

Question: how does a table become a table of people who do not exist?
Method: everything that can be refused is refused before the ledger is charged: the domain, its columns, the method, the
names of the columns of the table. Then the entry is written, the table is read once, coded and split; one method fits
its model; a table is drawn. The comparison with the original is made while both are in memory; what of it is paid for
has noise and is part of the statement.
Limits: the names of the columns are read before the ledger is charged. A run that fails after the charge has spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pyarrow as pa

from privaudit.base import clock
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.records import dataclass
from privaudit.model.synthesis import ChildrenSynthesis, PaidComparison, Synthesis, SynthesisComparison
from privaudit.model.wording import Columns, Fact, Share, fact
from privaudit.releases.privacy.units import coins
from privaudit.releases.synthetic import generator
from privaudit.releases.synthetic.children import Families, families
from privaudit.releases.synthetic.comparison import compare
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.generator import Generator, bounds_of
from privaudit.releases.synthetic.paid_comparison import paid_comparison
from privaudit.releases.synthetic.payment import Payment, open_budget, payment
from privaudit.releases.synthetic.predictions import MOST_LABELS, predictions
from privaudit.releases.synthetic.refusals import check_columns
from privaudit.releases.synthetic.samples import Sample, sample_of
from privaudit.releases.synthetic.task import Task
from privaudit.releases.synthetic.writing import Written

MOSTLY = 0.5
"""Share of missing values above which a column of a synthetic table is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables that are read: texts of the declared columns and the keys, private.

    Attributes
    ----------
    source : pyarrow.Table
    children : pyarrow.Table, optional
    """

    source: pa.Table
    children: pa.Table | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A synthetic table with its original: what is compared and attacked.

    Attributes
    ----------
    domain : Domain
        Of the codes: for children the columns of their parent, then their own.
    drawn : Written
    members : Sample
        The records that were synthesised.
    outsiders : Sample or None
        Records of people who were not.
    keys : tuple of str
        Written columns that were invented to connect tables.
    target : str or None
        The column that models predict, and that the attack of inference takes for the secret.
    """

    domain: Domain
    drawn: Written
    members: Sample
    outsiders: Sample | None
    keys: tuple[str, ...] = ()
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesised:
    """A synthetic table, how it was made, and what is known inside about the original.

    Attributes
    ----------
    statement : Synthesis
    generator : Generator
    sides : tuple of Side
        The table, and that of the children where there are some. Private.
    comparisons : tuple of SynthesisComparison
        Of each side; internal.
    """

    statement: Synthesis
    generator: Generator
    sides: tuple[Side, ...]
    comparisons: tuple[SynthesisComparison, ...]

    @property
    def table(self) -> pa.Table:
        """The synthetic table."""
        return self.sides[0].drawn.table

    @property
    def children(self) -> pa.Table | None:
        """The second synthetic table."""
        return self.sides[1].drawn.table if len(self.sides) > 1 else None

    def misfits(self) -> tuple[Fact, ...]:
        """Return which columns have hardly a value, as where a declared format is not that of the column.

        Counted in the synthetic tables alone, which are released: it costs nothing.
        """
        tables = [each for each in (self.table, self.children) if each is not None and each.num_rows]
        missing = ((n, t[n].null_count, t.num_rows) for t in tables for n in t.column_names)
        return tuple(
            fact("synthesis.mostly_missing", column=Columns(names=(name,)), share=Share(value=n / rows, of=rows))
            for name, n, rows in missing
            if n > MOSTLY * rows
        )


@dataclass(frozen=True, slots=True)
class _Coded:
    """The records that are synthesised and held out, as families where there are children."""

    members: Sample
    outsiders: Sample
    families: tuple[Families, Families] | None = None


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
    coded = _coded(task, tables)
    # With a ledger this would be an answer that nothing paid for: the model is fitted to noise instead.
    if paid is None and not coded.members.n:
        raise ConfigError("No record has only declared values.", hint="declare its categories, or missing = true")
    return Fitted(_fitted(task, coded, paid), coded, paid, receipt)


def run(task: Task) -> Synthesised:
    """Synthesise a table and compare it with the original.

    Raises
    ------
    PrivauditError
        As `fitted`.
    """
    found = fitted(task)
    if task.keep is not None:
        task.keep(found.generator)
    task.progress("Drawing records", None)
    sides = _sides(task, found)
    task.progress("Comparing with the original", None)
    return Synthesised(
        statement=_statement(task, found, sides),
        generator=found.generator,
        sides=sides,
        comparisons=tuple(map(_compared, sides)),
    )


def _sides(task: Task, found: Fitted) -> tuple[Side, ...]:
    """Draw the tables, and put each next to its original."""
    drawn, children = found.generator.draw(task.n_rows, task.seed)
    coded, declared = found.coded, task.domain.children
    first = Side(
        domain=task.domain,
        drawn=drawn,
        members=coded.members,
        outsiders=_outsiders(task, coded),
        keys=() if declared is None else (declared.key,),
        target=_target(task.domain, task.target),
    )
    if children is None or declared is None or coded.families is None:
        return (first,)
    inside, outside = (each.children for each in coded.families)
    domain = declared.with_parents(task.domain)
    second = Side(
        domain=domain,
        drawn=children,
        members=inside,
        outsiders=outside if outside.n else None,
        keys=(declared.key,),
        target=_target(domain, None),
    )
    return first, second


def _compared(side: Side) -> SynthesisComparison:
    held_out = None if side.outsiders is None else side.outsiders.codes
    before, after = side.members.codes, side.drawn.codes
    found = compare(side.domain, before, after, held_out)
    if side.target is None:
        return found
    return replace(found, models=predictions(side.domain, before, after, held_out, side.target))


def _statement(task: Task, found: Fitted, sides: Sequence[Side]) -> Synthesis:
    made, domain, drawn = found.generator, task.domain, sides[0].drawn
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
        rejected=_rejected(domain, drawn),
        children=_children_statement(task, sides),
        paid=_paid(found, sides),
        created_at=clock.stamp(),
    )


def _rejected(domain: Domain, drawn: Written) -> dict[str, int]:
    return dict(zip((each.text for each in domain.constraints), drawn.rejected, strict=True))


def _children_statement(task: Task, sides: Sequence[Side]) -> ChildrenSynthesis | None:
    if len(sides) == 1 or task.domain.children is None:
        return None
    domain, drawn = task.domain.children.domain, sides[1].drawn
    return ChildrenSynthesis(
        n_rows=drawn.table.num_rows,
        columns=tuple(drawn.table.column_names),
        invented=tuple(each.name for each in domain.invented),
        derived=tuple(each.name for each in domain.derived),
        n_drawn=drawn.n_drawn,
        rejected=_rejected(domain, drawn),
    )


def _paid(found: Fitted, sides: Sequence[Side]) -> tuple[PaidComparison, ...]:
    """Return the comparison with noise of each side; nothing where none was paid for."""
    if found.paid is None or found.paid.comparison is None:
        return ()
    budgets = found.paid.comparison_budgets()
    return tuple(
        paid_comparison(side.domain, side.members.codes, side.drawn.codes, budget)
        for side, budget in zip(sides, budgets, strict=True)
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
        of_children = None
        if children is not None and domain.children is not None:
            of_children = _rows(children, domain.children.domain, key)
        return Tables(source=_rows(source, domain, (*key, *person)), children=of_children)

    if task.ledger is None or task.epsilon is None:
        return read, None, None
    paid = payment(task.found_method, domain, task.ledger.account(), task.epsilon, task.delta, task.paid_comparison)
    door = task.ledger.spend(
        paid.charge, read, dataset=task.dataset, rows_per_unit=paid.rows_per_unit if paid.unit != "row" else None
    )
    return door.open, paid, door.receipt.content()


def _opened(source: Any, names: Sequence[str], task: Task, opened: ExitStack) -> Any:
    from privaudit.source import open_dataset

    dataset = opened.enter_context(open_dataset(source, task.settings, progress=task.progress))
    ColumnNotFound.check(names, dataset.name, dataset.columns)
    return dataset


def _rows(dataset: Any, domain: Domain, keys: Sequence[str] = ()) -> pa.Table:
    """Return the modelled columns, the keys, and the other written columns that the table has: attacks compare them."""
    written = [name for name in domain.all_names if name in dataset.columns]
    return dataset.rows(tuple(dict.fromkeys((*domain.names, *written, *keys))))


def _coded(task: Task, tables: Tables) -> _Coded:
    """Return the coded records, at most the declared number of each person, split into synthesised and held out."""
    if tables.children is None:
        found = sample_of(task.domain, tables.source)
        # Each record, or each person, is held out by a coin of its own.
        out = coins(int(found.people.max(initial=-1)) + 1, task.hold_out)[found.people]
        return _Coded(found.take(~out), found.take(out))
    both = families(task.domain, tables.source, tables.children)
    out = coins(both.parents.n, task.hold_out)
    # A family is synthesised or held out as a whole: its children would give it away.
    inside, outside = both.take(~out), both.take(out)
    return _Coded(inside.parents, outside.parents, (inside, outside))


def _fitted(task: Task, coded: _Coded, paid: Payment | None) -> Generator:
    def progress(share: float) -> None:
        task.progress("Fitting", share)

    bounds = bounds_of(task.domain, task.max_cells, progress)
    tables: list[CodedTable] = [coded.members.codes]
    if coded.families is not None and task.domain.children is not None:
        # Neither table has the columns of the domain alone, whose order the bounds state.
        inside, bounds = coded.families[0], replace(bounds, ordered=())
        tables = [inside.counted(), inside.children.codes]
    budgets = [open_budget() for _ in tables] if paid is None else paid.budgets()
    privacy = None if paid is None else paid.privacy
    return generator.fit(task.found_method, task.domain, tables, budgets, bounds, privacy=privacy)


def _target(domain: Domain, stated: str | None) -> str | None:
    """Return the column that models predict."""
    if stated is not None:
        return stated
    # By custom, the last column of a table is the one to predict.
    fitting = [column.name for column in domain.columns if 2 <= column.n_values <= MOST_LABELS]
    return fitting[-1] if fitting and len(domain.columns) > 1 else None


def _outsiders(task: Task, coded: _Coded) -> Sample | None:
    """Return the records of people outside: the held-out ones, or those of the control table."""
    if task.control is None:
        return coded.outsiders if coded.outsiders.n else None
    with ExitStack() as opened:
        dataset = _opened(task.control, task.domain.names, task, opened)
        person = task.domain.person if task.domain.person in dataset.columns else None
        domain = replace(task.domain, person=person)
        return sample_of(domain, _rows(dataset, domain, () if person is None else (person,)))
