"""What does an adversary get who looks people up in the release by what another table says of them?

Question: how many people of an auxiliary table can be linked to exactly one released record, and how many
rightly?
Method: the attacker holds the auxiliary rows, each a target, and looks each one up by its values on the
mapped columns. Equal values meet as integer codes over both tables; a class then holds f release records and
a auxiliary rows, and everything follows from f and a. "Exactly one match" is a claim, not a
re-identification: without truth the number expected to be right is ``sum over targets of 1 / max(f, a)``,
with truth it is counted.
Limits: exact equality after rewriting values to one form (`privaudit.attacks.values`). A missing cell links
with nothing, not even with another missing cell. Targets are rows: a person with several rows is several
targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from privaudit.attacks.columns import Link, counts_rows, find_links, named_links
from privaudit.attacks.match import Codes, Matches, match, read_pairs
from privaudit.attacks.success import advantage
from privaudit.attacks.truth import Rates, Truth, without_truth
from privaudit.config import Progress, Settings, silent
from privaudit.model import Attack, ColumnReport, Limit, untyped_limit

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The attacks that were simulated and what bounds their numbers."""

    attacks: tuple[Attack, ...]
    limits: tuple[Limit, ...]


def simulate(
    release: Dataset,
    auxiliary: Dataset,
    columns: tuple[ColumnReport, ...],
    settings: Settings,
    *,
    progress: Progress = silent,
) -> AttackResult:
    """Link every person of `auxiliary` to `release` by exact values, and say what that is worth.

    The targets are the auxiliary rows: the attacker knows these people and looks each up in the release. With
    ``settings.truth`` a target is in the release if some record has its id; then `n_targets` counts those,
    success is ``n_correct / n_targets``, and everybody else is the control, whose unique matches are false.

    Parameters
    ----------
    release, auxiliary : Dataset
    columns : tuple of ColumnReport
        The release's columns, for pairing; may be empty.
    settings : Settings
        `on` names the columns to compare, `truth` those that hold a person's true id, each as release column
        to auxiliary column. A truth column is never linked on.

    Returns
    -------
    AttackResult
        No attack and an incomplete limit where there is nothing to link on or nobody to look up.

    Raises
    ------
    ColumnNotFound
        If `on` or `truth` names a column that a table lacks.
    """
    for ours, theirs in {**settings.on, **settings.truth}.items():
        release.internal(ours)
        auxiliary.internal(theirs)
    if release.n_rows == 0 or auxiliary.n_rows == 0:
        return AttackResult((), (_nothing("one of the two tables has no rows", "give a table with rows"),))
    progress("pairing the columns of the two tables", None)
    limits: tuple[Limit, ...] = ()
    if settings.on:
        links = named_links(release, auxiliary, settings.on)
    else:
        links, limits = find_links(release, auxiliary, columns, skip=settings.truth)
    if not links:
        why = "no column of the auxiliary table corresponds to one of the release"
        return AttackResult((), (*limits, _nothing(why, "name them with --on RELEASE=AUXILIARY")))
    progress("linking the two tables", None)
    counters = [column.name for column in columns if counts_rows(column)]
    attack, more = _attack(release, auxiliary, links, settings, counters)
    return AttackResult((attack,), (_scope(auxiliary), *limits, *more))


def _attack(
    release: Dataset,
    auxiliary: Dataset,
    links: Sequence[Link],
    settings: Settings,
    counters: Sequence[str],
) -> tuple[Attack, tuple[Limit, ...]]:
    ours, theirs = read_pairs(release, auxiliary, {link.release: link.auxiliary for link in links})
    found = match(ours, theirs)
    rates, limits = _rates(release, auxiliary, found, settings)
    attack = Attack(
        kind="linkage",
        method="exact",
        knowledge=tuple(link.release for link in links),
        reasons={link.release: f"{link.because}; compared as {link.comparison}" for link in links},
        n_targets=rates.n_targets,
        n_auxiliary=auxiliary.n_rows,
        n_unmatched=int((found.in_release == 0).sum()),
        n_ambiguous=int((found.in_release > 1).sum()),
        n_unique=int((found.in_release == 1).sum()),
        n_mutual=int(((found.in_release == 1) & (found.in_auxiliary == 1)).sum()),
        expected_correct=found.expected_correct,
        n_correct=rates.n_correct,
        success=rates.success,
        baseline=rates.baseline,
        control=None if rates.control is None else rates.control.value,
        n_control=None if rates.control is None else rates.control.n,
        precision=rates.precision,
        advantage=advantage(rates.success, rates.baseline),
        over_control=None if rates.control is None else advantage(rates.claimed, rates.control),
        mapping={link.release: link.auxiliary for link in links},
        n_release=release.n_rows,
        n_release_linked=found.n_linked,
        n_verbatim=_copies(release, links, {*settings.truth, *counters}, ours, theirs),
    )
    return attack, limits


def _rates(
    release: Dataset, auxiliary: Dataset, found: Matches, settings: Settings
) -> tuple[Rates, tuple[Limit, ...]]:
    if not settings.truth:
        rates = without_truth(found, release.n_rows)
        return rates, rates.limits
    truth = Truth.read(release, auxiliary, settings.truth)
    if truth.inside.any():
        rates = truth.rates(found)
        return rates, rates.limits
    rates = without_truth(found, release.n_rows)
    why = "no auxiliary row has the id of a released record; check the columns named with --truth"
    return rates, (untyped_limit(what="correct links were not counted", why=why, incomplete=True),)


def _copies(
    release: Dataset,
    links: Sequence[Link],
    apart: set[str],
    ours: Sequence[Codes],
    theirs: Sequence[Codes],
) -> int | None:
    """Count the released rows that an auxiliary row repeats; None unless all columns but those `apart` are mapped."""
    if set(release.columns) - {link.release for link in links} - apart:
        return None
    # A copy repeats missing cells as well, so here, unlike in a link, missing equals missing.
    filled = match([code + 1 for code in ours], [code + 1 for code in theirs])
    return filled.n_linked


def _scope(auxiliary: Dataset) -> Limit:
    why = (
        f"each of the {auxiliary.n_rows:,} rows of {auxiliary.name} is looked up in the release by exact values of the "
        "compared columns; an attacker who tolerates errors, or knows more, may reach others"
    )
    return untyped_limit(what="linkage with the auxiliary table", why=why)


def _nothing(why: str, hint: str) -> Limit:
    return untyped_limit(
        what="linkage with the auxiliary table was not assessed", why=f"{why}; {hint}", incomplete=True
    )
