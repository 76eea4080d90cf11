"""Attack a synthetic table as an intruder would, and decide whether it passes.

Question: does the table reveal more about the people that it was made of than about others?
Method: every attack of `privaudit.attacks` that compares a release with its original runs on the declared bands of
all modelled columns, because values inside a band are random. The lower end of the advantage over people outside is
compared with the limits of the policy; near copies count from a level of 99.9 %, because every synthesis is tested.
Limits: without people outside, nothing can be judged: a table without privacy is then incomplete. Attacks that fail
prove nothing; the bound of a private table is its epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from privaudit.model import Attack, Limit, PolicyInfo
from privaudit.model.synthesis import Synthesis
from privaudit.model.wording import Fact, Name, Number, Share, fact
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.settings.config import Progress, Settings, silent

if TYPE_CHECKING:
    import pyarrow as pa

STRICT = 1.95 / 1.36
"""Ratio of the critical values of Kolmogorov and Smirnov at 99.9 % and 95 %."""
OWN_LIMITS = ("copies", "near_copies")
MOST_RELEASED = 200_000
LEAST_OUTSIDERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a synthetic table passes.

    Attributes
    ----------
    passed : bool
    exit_code : int
        0 passed, 1 failed, 3 incomplete.
    reasons : tuple of Fact
    attacks : tuple of Attack
    limits : tuple of Limit
    """

    passed: bool
    exit_code: int
    reasons: tuple[Fact, ...]
    attacks: tuple[Attack, ...] = ()
    limits: tuple[Limit, ...] = ()


def attack_table(
    domain: Domain,
    released: CodedTable,
    members: CodedTable,
    outsiders: CodedTable | None,
    *,
    settings: Settings,
    progress: Progress = silent,
) -> tuple[tuple[Attack, ...], tuple[Limit, ...]]:
    """Run the attacks on coded tables.

    Parameters
    ----------
    released, members : CodedTable
        The synthetic records, and the records that they were made of.
    outsiders : CodedTable or None
        Records of people who are not in the original.
    """
    from privaudit.attacks.registry import attack_release

    if not members.n_rows:
        return (), ()
    few = outsiders is None or outsiders.n_rows < LEAST_OUTSIDERS
    found = attack_release(
        as_categories(domain, _first(released)),
        as_categories(domain, _first(members)),
        None if outsiders is None or few else as_categories(domain, _first(outsiders)),
        settings=settings,
        progress=progress,
    )
    return found.attacks, found.limits


def _first(table: CodedTable) -> CodedTable:
    """Return the first records: both tables are in a random order or independent of it."""
    import numpy as np

    return table if table.n_rows <= MOST_RELEASED else table.take(np.arange(MOST_RELEASED))


def as_categories(domain: Domain, table: CodedTable) -> pa.Table:
    """Return the codes of each column as categories without a number in them."""
    import pyarrow as pa

    columns = {}
    for column, codes in zip(domain.columns, table.codes, strict=True):
        labels = pa.array([f"c{_letters(i)}" for i in range(column.size)])
        columns[column.name] = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), labels).cast(
            pa.string()
        )
    return pa.table(columns)


def _letters(number: int) -> str:
    """Return a number in letters, so that no reader takes a category for a number or a date."""
    text = ""
    while True:
        number, rest = divmod(number, 20)
        text = "bcdfghjklmnpqrstvwxz"[rest] + text
        if not number:
            return text


def decide(
    statement: Synthesis, policy: PolicyInfo, attacks: tuple[Attack, ...], limits: tuple[Limit, ...]
) -> Verdict:
    """Return the decision about a synthetic table."""
    reasons = [reason for attack in attacks if (reason := _exceeded(attack, policy)) is not None]
    reasons += _epsilon(statement, policy)
    measured = any(attack.against == "control" for attack in attacks)
    if reasons:
        return Verdict(passed=False, exit_code=1, reasons=tuple(reasons), attacks=attacks, limits=limits)
    if measured:
        return Verdict(
            passed=True, exit_code=0, reasons=(fact("synthesis.passed"),), attacks=attacks, limits=limits
        )
    if statement.privacy is not None:
        reason = fact("synthesis.passed_by_proof")
        return Verdict(passed=True, exit_code=0, reasons=(reason,), attacks=attacks, limits=limits)
    reason = fact("synthesis.no_outsiders")
    return Verdict(passed=False, exit_code=3, reasons=(reason,), attacks=attacks, limits=limits)


def _exceeded(attack: Attack, policy: PolicyInfo) -> Fact | None:
    """Return why an attack fails the table; None where it does not."""
    limit = policy.copies if attack.kind in OWN_LIMITS else policy.attack_advantage
    if attack.against != "control" or limit is None:
        return None
    found = attack.advantage
    low = found.value - STRICT * (found.value - found.low) if attack.kind == "near_copies" else found.low
    if low <= limit:
        return None
    return fact(
        f"synthesis.failed_{attack.kind}",
        success=Share(value=attack.success.value, of=attack.n_targets),
        control=Share(value=attack.control or 0.0, of=attack.n_targets),
        low=Share(value=low, of=attack.n_targets),
        limit=Share(value=limit, of=attack.n_targets),
    )


def _epsilon(statement: Synthesis, policy: PolicyInfo) -> list[Fact]:
    if policy.epsilon is None:
        return []
    if statement.privacy is None:
        return [
            fact(
                "synthesis.failed_no_epsilon",
                limit=Number(value=policy.epsilon),
                policy=Name(text=policy.name),
            )
        ]
    spent = statement.privacy["epsilon"]
    if spent <= policy.epsilon:
        return []
    return [fact("synthesis.failed_epsilon", epsilon=Number(value=spent), limit=Number(value=policy.epsilon))]
