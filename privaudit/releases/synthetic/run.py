"""Synthesise a table: check, pay, read, fit, draw, compare.

Question: how does a table become a table of people who do not exist?
Method: everything that can be refused is refused before the ledger is charged: the domain, its columns, the method, the
names of the columns of the table. Then the entry is written, the table is read once, coded and split; one method fits
its model; a table is drawn. The comparison with the original is made while both are in memory; what of it is paid for
has noise and is part of the statement.
Limits: the names of the columns are read before the ledger is charged. A run that fails after the charge has spent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from privaudit.base import clock
from privaudit.base.arrow import pa
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.records import dataclass
from privaudit.model.synthesis import ChildrenSynthesis, PaidComparison, Synthesis, SynthesisComparison
from privaudit.model.wording import Columns, Fact, Share, fact
from privaudit.releases.privacy.units import coins
from privaudit.releases.synthetic import generator
from privaudit.releases.synthetic.budget import OpenBudget
from privaudit.releases.synthetic.children import Families, families
from privaudit.releases.synthetic.comparison import compare
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.generator import Generator
from privaudit.releases.synthetic.methods.registry import Bounds
from privaudit.releases.synthetic.paid_comparison import paid_comparison
from privaudit.releases.synthetic.payment import Payment, payment
from privaudit.releases.synthetic.predictions import MOST_LABELS, predictions
from privaudit.releases.synthetic.refusals import check_columns
from privaudit.releases.synthetic.samples import Sample, sample_of
from privaudit.releases.synthetic.task import Task
from privaudit.releases.synthetic.writing import Written
from privaudit.source import open_dataset

MOSTLY = 0.5
"""Share of missing values above which a column of a synthetic table is reported."""


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
            fact("synthesis.mostly_missing", column=Columns((name,)), share=Share(n / rows, of=rows))
            for name, n, rows in missing
            if n > MOSTLY * rows
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted generator, the private records behind it and those that were held out, and who paid."""

    generator: Generator
    inside: Families
    outside: Families
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
        found = families(task.domain, read())
    people = found.parents.people
    # Each record, or person, has a coin of its own; a family is held out as a whole: its children would give it away.
    out = coins(int(people.max(initial=-1)) + 1, task.hold_out)[people]
    inside, outside = found.take(~out), found.take(out)
    # With a ledger this would be an answer that nothing paid for: the model is fitted to noise instead.
    if paid is None and not inside.parents.n:
        raise ConfigError("No record has only declared values.", hint="declare its categories, or missing = true")
    return Fitted(_fitted(task, inside, paid), inside, outside, paid, receipt)


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
    declared = task.domain.children
    domains = [task.domain, *([] if declared is None else [declared.with_parents(task.domain)])]
    targets = [_target(domain, stated) for domain, stated in zip(domains, (task.target, None), strict=False)]
    drawn = found.generator.draw(task.n_rows, task.seed)
    outside = [each if each.n else None for each in found.outside.samples]
    if task.control is not None:
        outside[0] = _control(task)
    keys = () if declared is None else (declared.key,)
    return tuple(
        Side(domain=domain, drawn=made, members=inside, outsiders=others, keys=keys, target=target)
        for domain, made, inside, others, target in zip(
            domains, drawn, found.inside.samples, outside, targets, strict=True
        )
    )


def _compared(side: Side) -> SynthesisComparison:
    held_out = None if side.outsiders is None else side.outsiders.codes
    before, after = side.members.codes, side.drawn.codes
    found = compare(side.domain, before, after, held_out)
    if side.target is None:
        return found
    return replace(found, models=predictions(side.domain, before, after, held_out, side.target))


def _statement(task: Task, found: Fitted, sides: Sequence[Side]) -> Synthesis:
    made, declared = found.generator, task.domain.children
    return Synthesis(
        method=task.method,
        privacy=None if found.paid is None else found.paid.privacy,
        receipt=found.receipt,
        margins=made.margins,
        n_cut=made.n_cut,
        max_cells=task.max_cells,
        children=None if declared is None else ChildrenSynthesis(**_stated(declared.domain, sides[1].drawn)),
        paid=_paid(found, sides),
        created_at=clock.stamp(),
        **_stated(task.domain, sides[0].drawn),
    )


def _stated(domain: Domain, drawn: Written) -> dict[str, Any]:
    """Return what is stated of each written table."""
    return {
        "n_rows": drawn.table.num_rows,
        "columns": tuple(drawn.table.column_names),
        "invented": tuple(each.name for each in domain.invented),
        "derived": tuple(each.name for each in domain.derived),
        "n_drawn": drawn.n_drawn,
        "rejected": dict(zip((each.text for each in domain.constraints), drawn.rejected, strict=True)),
    }


def _paid(found: Fitted, sides: Sequence[Side]) -> tuple[PaidComparison, ...]:
    """Return the comparison with noise of each side; nothing where none was paid for."""
    if found.paid is None or found.paid.comparison is None:
        return ()
    budgets = found.paid.comparison_budgets()
    return tuple(
        paid_comparison(side.domain, side.members.codes, side.drawn.codes, budget)
        for side, budget in zip(sides, budgets, strict=True)
    )


def _entered(
    task: Task, opened: ExitStack
) -> tuple[Callable[[], list[pa.Table]], Payment | None, dict[str, Any] | None]:
    """Open the tables, check their columns, and pay; return what reads them, the payment and its receipt."""
    domain, declared = task.domain, task.domain.children
    key = () if declared is None else (declared.key,)
    person = () if domain.person is None else (domain.person,)
    wanted = [(task.source, domain, (*key, *person))]
    if declared is not None:
        wanted.append((task.children, declared.domain, key))
    datasets = [_opened(source, (*of.names, *keys), task, opened) for source, of, keys in wanted]

    def read() -> list[pa.Table]:
        return [_rows(dataset, of, keys) for dataset, (_, of, keys) in zip(datasets, wanted, strict=True)]

    if task.ledger is None or task.epsilon is None:
        return read, None, None
    paid = payment(task.found_method, domain, task.ledger.account(), task.epsilon, task.delta, task.paid_comparison)
    door = task.ledger.spend(
        paid.charge, read, dataset=task.dataset, rows_per_unit=paid.rows_per_unit if paid.unit != "row" else None
    )
    return door.open, paid, door.receipt.content()


def _opened(source: Any, names: Sequence[str], task: Task, opened: ExitStack) -> Any:
    dataset = opened.enter_context(open_dataset(source, task.settings, progress=task.progress))
    ColumnNotFound.check(names, dataset.name, dataset.columns)
    return dataset


def _rows(dataset: Any, domain: Domain, keys: Sequence[str] = ()) -> pa.Table:
    """Return the modelled columns, the keys, and the other written columns that the table has: attacks compare them."""
    written = [name for name in domain.all_names if name in dataset.columns]
    return dataset.rows(tuple(dict.fromkeys((*domain.names, *written, *keys))))


def _fitted(task: Task, inside: Families, paid: Payment | None) -> Generator:
    def progress(share: float) -> None:
        task.progress("Fitting", share)

    tables = inside.fitted_tables()
    # Of two tables, neither has the columns of the domain alone, whose order would be stated.
    ordered = tuple(column.is_ordered for column in task.domain.columns) if len(tables) == 1 else ()
    bounds = Bounds(max_cells=task.max_cells, ordered=ordered, progress=progress)
    budgets = [OpenBudget() for _ in tables] if paid is None else paid.budgets()
    privacy = None if paid is None else paid.privacy
    return generator.fit(task.found_method, task.domain, tables, budgets, bounds, privacy=privacy)


def _target(domain: Domain, stated: str | None) -> str | None:
    """Return the column that models predict."""
    if stated is not None:
        return stated
    # By custom, the last column of a table is the one to predict.
    fitting = [column.name for column in domain.columns if 2 <= column.n_values <= MOST_LABELS]
    return fitting[-1] if fitting and len(domain.columns) > 1 else None


def _control(task: Task) -> Sample:
    """Return the records of the control table: people outside."""
    with ExitStack() as opened:
        dataset = _opened(task.control, task.domain.names, task, opened)
        person = task.domain.person if task.domain.person in dataset.columns else None
        domain = replace(task.domain, person=person)
        return sample_of(domain, _rows(dataset, domain, () if person is None else (person,)))
