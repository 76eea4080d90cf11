"""Release answers: read the plan, charge the ledger, open the table, answer, write, certify.

Question: how does a plan become a file of answers whose disclosure is bounded?
Method: the plan is read and its cost is stated before the table is opened. The ledger writes the cost down and hands
the table over once; all queries answer from it. Files are written from the noisy answers.
Limits: the names of the columns are read before the ledger is charged: they are part of the declaration. A table that
cannot be read has spent nothing only if that is known before the charge; afterwards the budget is spent.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from privaudit._version import __version__
from privaudit.base import clock
from privaudit.base.arrow import pa
from privaudit.base.errors import ColumnNotFound, ReleaseError, UnitNotGiven
from privaudit.base.records import dataclass
from privaudit.model.answers import Answer, Answers
from privaudit.releases.answers.consistency import consistent
from privaudit.releases.answers.plan_file import AnswerPlan
from privaudit.releases.answers.queries import answer, asked, parts_of
from privaudit.releases.answers.rows import Rows, read_rows
from privaudit.releases.privacy.account import SHARE_OF_DELTA
from privaudit.releases.privacy.accounting import rounded_up
from privaudit.releases.privacy.ledger import ROW, Account, Charge, Ledger, Part, Receipt
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset

SCHEMA = "privaudit answers 1"
SAVES = 0.9
"""The share of epsilon up to which a composition that costs delta is worth it."""
REMOVAL = "one unit is added or removed"


@dataclass(frozen=True, slots=True)
class Released:
    """The answers, the plan, and the exact numbers for an internal report, in the order of the cells."""

    answers: Answers
    plan: AnswerPlan
    exact: tuple[tuple[float, ...], ...]


def release(
    source: Any,
    plan: AnswerPlan,
    ledger: Ledger,
    settings: Settings,
    *,
    dataset: str | None = None,
    progress: Progress = silent,
) -> Released:
    """Answer the queries of a plan and charge the ledger.

    Raises
    ------
    ReleaseError
        If the plan does not fit the ledger, or names another dataset.
    BudgetExceeded
        If the ledger has too little left.
    """
    account = ledger.account()
    name = _dataset(plan, dataset)
    most, delta = _most(plan, account), _delta(plan, account)
    by_person = account.unit != ROW
    questions = [asked(plan, query, most=most, by_person=by_person, delta=delta) for query in plan.queries]
    charge = _charge(tuple(part for each in questions for part in parts_of(each)), delta, plan, account)
    person = account.unit if by_person else None
    with open_dataset(source, settings, progress=progress) as opened:
        ColumnNotFound.check((*plan.columns, *([person] if person else ())), opened.name, opened.columns)
        door = ledger.spend(
            charge, lambda: _rows(opened, plan, person, most), dataset=name, rows_per_unit=most if by_person else None
        )
        progress("Answering", None)
        rows = door.open()
    found = consistent([answer(each, rows) for each in questions], plan.domains)
    return Released(
        _stated(account, charge, door.receipt, found, most), plan, tuple(tuple(each.exact) for each in questions)
    )


def _rows(opened: Any, plan: AnswerPlan, person: str | None, most: int) -> Rows:
    wanted = tuple(dict.fromkeys((*plan.columns, *([person] if person else ()))))
    # Without a column, the rows are counted in the first one.
    table: pa.Table = opened.stored(wanted or opened.columns[:1])
    return read_rows(table, plan.columns, person=person, most=most)


def _dataset(plan: AnswerPlan, given: str | None) -> str:
    """Return the declared dataset; the ledger compares it with its own."""
    named = {name for name in (plan.dataset, given) if name is not None}
    if len(named) != 1:
        raise ReleaseError(
            "The plan and --dataset name different datasets." if named else "The plan names no dataset.",
            hint='state dataset = "NAME" in the plan, or --dataset NAME: the dataset of the ledger',
        )
    return named.pop()


def _most(plan: AnswerPlan, account: Account) -> int:
    if account.unit == ROW:
        if plan.rows_per_person is not None or any(query.of_people for query in plan.queries):
            raise ReleaseError(
                "The plan counts people, and the unit of the ledger is a row.",
                hint="remove rows_per_person, or create the ledger with --unit PERSON_COLUMN",
            )
        return 1
    if plan.rows_per_person is None:
        raise UnitNotGiven(
            "The unit of the ledger is a person, and the plan does not declare how many rows of a person are read.",
            hint="state rows_per_person = 1 in the plan, or more; further rows are not read",
        )
    return plan.rows_per_person


def _delta(plan: AnswerPlan, account: Account) -> Fraction:
    """Return the delta that the plan may spend; the default is 0 where every mechanism has pure epsilon."""
    if plan.delta is not None:
        return plan.delta
    return account.default_delta() if any(query.gaussian for query in plan.queries) else Fraction(0)


def _charge(parts: tuple[Part, ...], delta: Fraction, plan: AnswerPlan, account: Account) -> Charge:
    """Return the charge; a plan that declares no delta spends a share of it where that saves a tenth of epsilon."""
    charge = Charge(parts=parts, delta=delta)
    share = account.budget("delta") / SHARE_OF_DELTA
    if plan.delta is not None or delta or not 0 < share <= account.left("delta"):
        return charge
    cheaper = Charge(parts=parts, delta=share)
    return cheaper if cheaper.total().epsilon <= SAVES * charge.total().epsilon else charge


def _stated(account: Account, charge: Charge, receipt: Receipt, found: tuple[Answer, ...], most: int) -> Answers:
    total = charge.total()
    return Answers(
        schema=SCHEMA,
        tool={"name": "privaudit", "version": __version__},
        created_at=clock.stamp(),
        dataset=account.dataset,
        unit=account.unit,
        rows_per_person=None if account.unit == ROW else most,
        neighbours=REMOVAL,
        answers=found,
        epsilon=total.epsilon,
        delta=total.delta,
        rho=rounded_up(charge.rho),
        rule=total.rule,
        receipt=receipt.content(),
        consistency="margins add up and counts are not negative",
    )
