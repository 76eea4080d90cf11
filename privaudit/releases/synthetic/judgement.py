"""Attack a synthetic table as an intruder would, and decide whether it passes.

Question: does the table reveal more about the people that it was made of than about others?
Method: every attack of `privaudit.attacks` that compares a release with its original runs on the values as they are
written, as `privaudit attack` does, and on the declared bands, where a copy is equal whatever was drawn inside a band.
The checks of the rulebook judge both under the policy; only the limit of epsilon is compared here. A comparison of
copies that could not have noticed copies of `NOTICED` of the people proves nothing: it makes the result incomplete.
Limits: attacks see one record of each person, and of large tables `MOST_ROWS` records. Without people outside, nothing
can be judged: a table without privacy is then incomplete. Attacks that fail prove nothing; the bound of a private table
is its epsilon, and what was not noticed is a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from privaudit.attacks.members.copies import NOTICED
from privaudit.attacks.registry import attack_release
from privaudit.base.records import dataclass
from privaudit.model import Attack, Limit, PolicyInfo, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import Estimate, wilson
from privaudit.model.synthesis import Synthesis
from privaudit.model.wording import Fact, Name, Number, Share, fact
from privaudit.releases.domains.columns import Categories
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.run import Side
from privaudit.settings.config import Progress, Settings, silent

MOST_ROWS = 200_000
EXCLUDED_AT = 0.999
"""Level of the interval of the most precise comparison, which must not allow `NOTICED` copies any more."""
NO_OUTSIDERS = "attacks.no_outsiders"
BY_PROOF = (NO_OUTSIDERS, "synthesis.copies_not_excluded")
"""Limits that do not count where epsilon bounds what one person changes."""


class Attempts(NamedTuple):
    """The attacks on one form of one table.

    Attributes
    ----------
    title : Fact
        Which table, in which form.
    attacks : tuple of Attack
    limits : tuple of Limit
    """

    title: Fact
    attacks: tuple[Attack, ...]
    limits: tuple[Limit, ...]

    @property
    def is_measured(self) -> bool:
        """Whether the attacks were compared with people outside."""
        return any(attack.against == "control" for attack in self.attacks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a synthetic table passes.

    Attributes
    ----------
    passed : bool
    exit_code : int
        0 passed, 1 failed, 3 incomplete.
    reasons : tuple of Fact
    attempts : tuple of Attempts
    """

    passed: bool
    exit_code: int
    reasons: tuple[Fact, ...]
    attempts: tuple[Attempts, ...] = ()

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """All attacks."""
        return tuple(attack for each in self.attempts for attack in each.attacks)


def attack_sides(sides: Sequence[Side], *, settings: Settings, progress: Progress = silent) -> tuple[Attempts, ...]:
    """Attack every table as it is written, and as declared bands where these differ."""
    found: list[Attempts] = []
    for table, side in zip(("parents", "children"), sides, strict=False):
        if not side.members.n:
            continue
        forms = [("values", as_written(side))]
        # Inside a band values are drawn at random, so a copied record differs in its values and not in its bands.
        if not all(isinstance(column, Categories) for column in side.domain.columns):
            forms.append(("bands", as_bands(side)))
        secrets = settings.sensitive or (() if side.target is None else (side.target,))
        attempts = []
        for form, tables in forms:
            title = fact(f"synthesis.attacked_{table if len(sides) > 1 else 'table'}_{form}")
            results = attack_release(*tables, settings=replace(settings, sensitive=secrets), progress=progress)
            attempts.append(Attempts(title=title, attacks=results.attacks, limits=results.limits))
        last, n_released = attempts[-1], side.drawn.table.num_rows
        found += [*attempts[:-1], last._replace(limits=(*last.limits, *_not_excluded(attempts, n_released)))]
    return tuple(found)


def _not_excluded(attempts: Sequence[Attempts], n_released: int) -> tuple[Limit, ...]:
    """Return a limit where even the most precise comparison of copies could not have noticed a share of `NOTICED`.

    The share is that of the people and, where the table has fewer rows than there are people, that of the rows.
    """
    compared = [
        attack
        for each in attempts
        for attack in each.attacks
        if attack.kind == "copies" and attack.control_rate is not None
    ]
    if not compared or any(each.advantage.low > 0 for each in compared):  # copies that were noticed are a finding
        return ()
    # The most precise comparison decides: values and bands are attacks on the same copies.
    best = min(map(_possible, compared), key=lambda each: each.high - each.low)
    n_people = max(each.n_targets for each in compared)
    least = NOTICED * min(1.0, n_released / n_people)
    if best.high <= least:
        return ()
    shares = {"high": Share(best.high, of=best.n), "least": Share(least, of=best.n)}
    return (limit("synthesis.copies_not_excluded", incomplete=True, **shares),)


def _possible(attack: Attack) -> Estimate:
    """Return the share of copied people with the interval of `EXCLUDED_AT`."""
    assert attack.control_rate is not None
    success, control = (
        wilson(round(rate.value * rate.n), rate.n, level=EXCLUDED_AT) for rate in (attack.success, attack.control_rate)
    )
    return advantage(success, control)


def as_written(side: Side) -> tuple[pa.Table, pa.Table, pa.Table | None]:
    """Return the synthetic table, members and outsiders with the values of their tables."""
    shared = [
        name
        for name in side.drawn.table.column_names
        if name in side.members.source.column_names and name not in side.keys
    ]
    members, outsiders = _people(side)
    return (
        side.drawn.table.select(shared).slice(0, MOST_ROWS),
        members.texts().select(shared),
        None if outsiders is None else outsiders.texts().select(shared),
    )


def as_bands(side: Side) -> tuple[pa.Table, pa.Table, pa.Table | None]:
    """Return the synthetic table, members and outsiders as the categories and bands of the domain."""
    members, outsiders = _people(side)
    return (
        as_categories(side.domain, side.drawn.codes.take(slice(0, MOST_ROWS))),
        as_categories(side.domain, members.codes),
        None if outsiders is None else as_categories(side.domain, outsiders.codes),
    )


def _people(side: Side) -> tuple[Any, Any]:
    """Return one record of each person, members and outsiders."""
    # A person with many records would count as many successes, and the intervals assume independent ones.
    members, outsiders = side.members.at_most(1), side.outsiders
    return members.some(MOST_ROWS), None if outsiders is None else outsiders.at_most(1).some(MOST_ROWS)


def as_categories(domain: Domain, table: CodedTable) -> pa.Table:
    """Return the codes of each column as categories without a number in them."""
    columns = {}
    for column, codes in zip(domain.columns, table.codes, strict=True):
        labels = pa.array([f"c{_letters(i)}" for i in range(column.size)])
        columns[column.name] = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), labels).cast(pa.string())
    return pa.table(columns)


def _letters(number: int) -> str:
    """Return a number in letters, so that no reader takes a category for a number or a date."""
    text = ""
    while True:
        number, rest = divmod(number, 20)
        text = "bcdfghjklmnpqrstvwxz"[rest] + text
        if not number:
            return text


def decide(statement: Synthesis, policy: PolicyInfo, attempts: tuple[Attempts, ...]) -> Verdict:
    """Return the decision about a synthetic table: the checks of the rulebook, and the limit of epsilon."""
    from privaudit.rulebook import judge_attacks

    is_private = statement.privacy is not None
    measured = any(each.is_measured for each in attempts)
    # Without an attack that could be measured, one reason states what is missing, not the limit of each attack as well.
    stated = BY_PROOF if is_private else () if measured else (NO_OUTSIDERS,)
    attacks = [attack for each in attempts for attack in each.attacks]
    limits = [item for each in attempts for item in each.limits if item.code not in stated]
    gate = judge_attacks(attacks, policy, limits=limits).gate  # of all at once, so that the worst reason comes first
    reasons = [*_epsilon(statement, policy), *gate.reasons]
    codes = {gate.exit_code} | ({1} if _epsilon(statement, policy) else set())
    if not measured:
        reasons.append(fact("synthesis.passed_by_proof" if is_private else "synthesis.no_outsiders"))
    if not measured and not is_private:
        # Incomplete, not passed: no epsilon bounds what the attacks could not measure.
        codes.add(3)
    exit_code = max(codes, default=0)
    if not reasons:
        reasons.append(fact("synthesis.passed"))
    return Verdict(
        passed=exit_code == 0,
        exit_code=exit_code,
        reasons=tuple(each for i, each in enumerate(reasons) if each not in reasons[:i]),
        attempts=attempts,
    )


def _epsilon(statement: Synthesis, policy: PolicyInfo) -> list[Fact]:
    if policy.epsilon is None:
        return []
    if statement.privacy is None:
        return [fact("synthesis.failed_no_epsilon", limit=Number(policy.epsilon), policy=Name(policy.name))]
    spent = statement.privacy["epsilon"]
    if spent <= policy.epsilon:
        return []
    return [fact("synthesis.failed_epsilon", epsilon=Number(spent), limit=Number(policy.epsilon))]
