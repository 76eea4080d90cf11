"""Linkage: an attacker looks up people in the release by what an auxiliary table contains about them.

Question: how many people of the auxiliary table match exactly one released record, and how many of these matches are
correct?
Method: every auxiliary row is a target and is looked up by its values in the compared columns. Equal values are equal
integer codes over both tables; a class then holds f released records and a auxiliary rows, and everything follows from
f and a. A unique match is a claim, not a re-identification: without truth the expected number of correct matches is
``sum over targets of 1 / max(f, a)``, with truth it is counted.
Limits: exact equality after values are brought to one form (`privaudit.attacks.comparable_values`). A missing cell
matches nothing, not even another missing cell. Targets are rows: a person with several rows is several targets.

References
----------
.. [1] L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002.
.. [2] Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216): linkability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.attacks.advantage import advantage
from privaudit.attacks.column_pairs import ColumnPair, find_pairs, is_row_counter, named_pairs
from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.link_accuracy import LinkRates, Truth, expected_rates
from privaudit.attacks.record_matches import Codes, Matches, match_records, read_pairs
from privaudit.config import Settings
from privaudit.model import Attack, Limit, LinkageDetail, limit
from privaudit.wording import Count, Fact, fact

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


def simulate_linkage(inputs: AttackInputs) -> AttackResults:
    """Link every row of the auxiliary table to the release by exact values, and measure what is gained.

    The targets are the auxiliary rows: the attacker knows these people and looks up each in the release. With
    ``settings.truth`` a target is in the release if some record has its ID; then `n_targets` counts those people,
    success is ``n_correct / n_targets``, and everybody else is the control, whose unique matches are false.

    Parameters
    ----------
    inputs : AttackInputs
        ``settings.on`` names the columns to compare, ``settings.truth`` the columns with the ID of a person, each as
        release column to auxiliary column. A truth column is never compared.

    Returns
    -------
    AttackResults
        No attack and an incomplete limit where there is nothing to compare or no target.

    Raises
    ------
    ColumnNotFound
        If `on` or `truth` names a column that a table lacks.
    """
    release, auxiliary, settings = inputs.release, inputs.auxiliary, inputs.settings
    assert auxiliary is not None, "the registry runs this attack only with an auxiliary table"
    for ours, theirs in {**settings.on, **settings.truth}.items():
        release.internal(ours)
        auxiliary.internal(theirs)
    if release.n_rows == 0 or auxiliary.n_rows == 0:
        return AttackResults((), (limit("attacks.no_rows", incomplete=True),))
    inputs.progress("pairing the columns of the two tables", None)
    limits: tuple[Limit, ...] = ()
    if settings.on:
        pairs = named_pairs(release, auxiliary, settings.on)
    else:
        pairs, limits = find_pairs(release, auxiliary, inputs.columns, skip=settings.truth)
    if not pairs:
        return AttackResults((), (*limits, limit("attacks.no_common_column", incomplete=True)))
    inputs.progress("linking the two tables", None)
    counters = [column.name for column in inputs.columns if is_row_counter(column)]
    attack, more = _link(release, auxiliary, pairs, settings, counters)
    scope = limit("attacks.linkage_scope", rows=Count(n=auxiliary.n_rows, unit="row"))
    return AttackResults((attack,), (scope, *limits, *more))


def _link(
    release: Dataset,
    auxiliary: Dataset,
    pairs: Sequence[ColumnPair],
    settings: Settings,
    counters: Sequence[str],
) -> tuple[Attack, tuple[Limit, ...]]:
    ours, theirs = read_pairs(release, auxiliary, {pair.release: pair.auxiliary for pair in pairs})
    matches = match_records(ours, theirs)
    rates, limits = _rates(release, auxiliary, matches, settings)
    detail = LinkageDetail(
        mapping={pair.release: pair.auxiliary for pair in pairs},
        reasons={pair.release: pair.reason for pair in pairs},
        n_auxiliary=auxiliary.n_rows,
        n_unmatched=int((matches.in_release == 0).sum()),
        n_ambiguous=int((matches.in_release > 1).sum()),
        n_unique=int((matches.in_release == 1).sum()),
        n_mutual=int(((matches.in_release == 1) & (matches.in_auxiliary == 1)).sum()),
        expected_correct=matches.expected_correct,
        n_correct=rates.n_correct,
        n_control=None if rates.control is None else rates.control.n,
        precision=rates.precision,
        over_control=None if rates.control is None else advantage(rates.claimed, rates.control),
        n_release=release.n_rows,
        n_release_linked=matches.n_linked,
        n_verbatim=_n_verbatim(release, pairs, {*settings.truth, *counters}, ours, theirs),
    )
    attack = Attack(
        kind="linkage",
        knowledge=tuple(pair.release for pair in pairs),
        n_targets=rates.n_targets,
        success=rates.success,
        baseline=rates.baseline,
        control=None if rates.control is None else rates.control.value,
        advantage=advantage(rates.success, rates.baseline),
        assumptions=_assumptions(rates),
        detail=detail,
    )
    return attack, limits


def _assumptions(rates: LinkRates) -> tuple[Fact, ...]:
    targets = "attacks.targets_by_truth" if rates.n_correct is not None else "attacks.targets_all_present"
    return (fact("attacks.exact_values"), fact(targets), fact("attacks.guess_is_random_record"))


def _rates(
    release: Dataset, auxiliary: Dataset, matches: Matches, settings: Settings
) -> tuple[LinkRates, tuple[Limit, ...]]:
    if not settings.truth:
        rates = expected_rates(matches, release.n_rows)
        return rates, rates.limits
    truth = Truth.read(release, auxiliary, settings.truth)
    if truth.inside.any():
        rates = truth.rates(matches)
        return rates, rates.limits
    return expected_rates(matches, release.n_rows), (limit("attacks.truth_matches_no_record", incomplete=True),)


def _n_verbatim(
    release: Dataset,
    pairs: Sequence[ColumnPair],
    excluded: set[str],
    ours: Sequence[Codes],
    theirs: Sequence[Codes],
) -> int | None:
    """Count the released rows that an auxiliary row repeats; None unless all columns but `excluded` are compared."""
    if set(release.columns) - {pair.release for pair in pairs} - excluded:
        return None
    # A copy repeats missing cells as well, so here, unlike in a link, missing equals missing.
    return match_records([code + 1 for code in ours], [code + 1 for code in theirs]).n_linked
