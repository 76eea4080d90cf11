"""The state of a ledger in sentences: spent, left, and how many more queries.

Question: what may still be asked?
Method: the sums of the account, and whole numbers of further queries for round values of epsilon.
Limits: an older copy of the file is intact; the last sentence states so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.model.wording.numbers import decimal
from privaudit.releases.privacy.account import Account
from privaudit.report.escape import name

_ROUND = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))


def created(path: Path, account: Account) -> Fact:
    """Return that a ledger was created, with its budget."""
    return fact(
        "answers.ledger_created",
        file=Name(shown_file(path)),
        dataset=Name(name(account.dataset)),
        epsilon=_number(account.budget("epsilon")),
        delta=_number(account.budget("delta")),
        unit=Name(name(account.unit)),
    )


def statement(path: Path, account: Account) -> Iterator[Fact]:
    """Yield the state of a ledger."""
    yield created(path, account)
    states = [entry["state"] for entry in account.entries]
    yield fact("answers.ledger_entries", paid=Number(states.count("spent")), refused=Number(states.count("refused")))
    yield _spent(account)
    left = account.adds
    yield fact(f"answers.ledger_left{'_rho' if left == 'rho' else ''}", **{left: _number(account.left(left))})
    for epsilon in _ROUND:
        if n := account.more(epsilon):
            yield fact("answers.ledger_more", n=Number(n), epsilon=_number(epsilon))
    yield fact("answers.ledger_copy")


def _spent(account: Account) -> Fact:
    if account.adds == "rho":
        return fact(
            "answers.ledger_spent_rho",
            rho=_number(account.spent("rho")),
            budget=_number(account.budget("rho")),
            epsilon=_number(account.budget("epsilon")),
            delta=_number(account.budget("delta")),
        )
    epsilon, budget = _number(account.spent("epsilon")), _number(account.budget("epsilon"))
    if not account.budget("delta"):
        return fact("answers.ledger_spent_pure", epsilon=epsilon, budget=budget)
    return fact(
        "answers.ledger_spent",
        epsilon=epsilon,
        budget=budget,
        delta=_number(account.spent("delta")),
        excess=_number(account.budget("delta")),
    )


def _number(value: Fraction) -> Name:
    small = 0 < value < Fraction(1, 1000)
    return Name(f"{float(value):.3g}" if small else decimal(float(value)))


def entries(account: Account) -> Iterator[Fact]:
    """Yield one line for each entry: number, time, state, cost, and the queries."""
    for entry in account.entries:
        queries = ", ".join(dict.fromkeys(str(query["query"]) for query in entry["queries"]))
        texts = {"time": entry["time"], "state": entry["state"], "queries": name(queries, 2_000)}
        numbers = {key: f"{entry[key]:.4g}" for key in ("epsilon", "delta", "rho")} | {"entry": str(entry["entry"])}
        yield fact("answers.ledger_entry", **{key: Name(text) for key, text in (texts | numbers).items()})
