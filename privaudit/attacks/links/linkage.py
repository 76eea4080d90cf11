"""Linkage: an attacker connects people of an auxiliary table with their records in the release.

Question: how many people can be linked to their record, and how many of these links are correct?
Method: in both directions. The attacker looks up each auxiliary row in the release, or, in a register attack, each
released record in the auxiliary table, by the values of the compared columns. The matching rows are a claim if all
belong to one person. A claim is not a re-identification: with truth the correct claims are counted,
without truth their number is bounded (`attacks.links.accuracy`).
Limits: exact equality after values are brought to one form (`attacks.values.comparable_values`). A missing cell
matches nothing, not even another missing cell.

References
----------
.. [1] L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002.
.. [2] Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216): linkability.
.. [3] F. K. Dankar, K. El Emam, A method for evaluating marketer re-identification risk, PAIS 2010.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.links.accuracy import (
    TO_AUXILIARY,
    LinkRates,
    LookUp,
    bound_by_population,
    bound_rates,
    count_rates,
    expect_rates,
    fits_population,
    look_up_both,
)
from privaudit.attacks.links.column_pairs import ColumnPair, compared_pairs, is_row_counter
from privaudit.attacks.links.reach import disclosed, k_map, linked_people, links_by_columns
from privaudit.attacks.links.record_matches import (
    Classes,
    People,
    count_people,
    has_several_rows,
    match_records,
    read_pairs,
    read_people,
)
from privaudit.base.arrays import Codes
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model import Attack, Estimate, Limit, LinkageDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.wording import Count, Fact, Share, fact
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset


def simulate_linkage(inputs: AttackInputs) -> AttackResults:
    """Link the auxiliary table and the release by exact values in both directions, and measure what is gained.

    With ``settings.truth`` the targets are the people who are in both tables, success is ``n_correct / n_targets``, and
    everybody else is the control, about whom each claim is false. Without it, success is an upper bound.

    Parameters
    ----------
    inputs : AttackInputs
        ``settings.on`` names the columns to compare, ``settings.truth`` the columns with the ID of a person, each as
        release column to auxiliary column; a truth column is never compared. ``settings.subject`` names the column of
        the release that identifies the data subject of several rows, ``settings.population`` the population that the
        release was drawn from.

    Returns
    -------
    AttackResults
        Two attacks, the auxiliary table looked up in the release first. No attack and an incomplete limit where there
        is nothing to compare.

    Raises
    ------
    ColumnNotFound
        If `on`, `truth` or `subject` names a column that a table lacks.
    ConfigError
        If the population is smaller than the release.
    """
    release, auxiliary, settings = inputs.release, inputs.auxiliary, inputs.settings
    assert auxiliary is not None, "the registry runs this attack only with an auxiliary table"
    for name, other in {**settings.on, **settings.truth}.items():
        release.internal(name)
        auxiliary.internal(other)
    if settings.subject is not None:
        release.internal(settings.subject)
    if release.n_rows == 0 or auxiliary.n_rows == 0:
        return AttackResults((), (limit("attacks.no_rows", incomplete=True),))
    inputs.progress("pairing the columns of the two tables", None)
    pairs, limits = compared_pairs(release, auxiliary, inputs.columns, settings)
    if not pairs:
        return AttackResults((), (*limits, limit("attacks.no_common_column", incomplete=True)))
    if settings.linkage not in ("all", "exact"):
        return AttackResults((), limits)  # `links.linkage_of_similar` links them
    inputs.progress("linking the two tables", None)
    counters = {column.name for column in inputs.columns if is_row_counter(column)}
    ours, theirs = read_pairs(release, auxiliary, {pair.release: pair.auxiliary for pair in pairs})
    linked = _Linked(
        pairs=pairs,
        ours=ours,
        theirs=theirs,
        classes=match_records(ours, theirs),
        people=read_people(release, auxiliary, settings.subject, settings.truth),
        n_verbatim=_n_verbatim(release, pairs, {*settings.truth, *counters}, ours, theirs),
    )
    attacks, more = _link(inputs, linked)
    if attacks:
        attacks = (_with_reach(attacks[0], inputs, linked), *attacks[1:])
    scope = limit("attacks.linkage_scope", rows=Count(auxiliary.n_rows, unit="row"))
    return AttackResults(attacks, (scope, *limits, *more))


@dataclass(frozen=True, slots=True)
class _Linked:
    """Both tables, linked: what the attacks of both directions share."""

    pairs: Sequence[ColumnPair]
    ours: Sequence[Codes]
    theirs: Sequence[Codes]
    classes: Classes
    people: People
    n_verbatim: int | None


def _with_reach(attack: Attack, inputs: AttackInputs, linked: _Linked) -> Attack:
    """Return the attack with the columns that carry it, what it discloses, and the k-map."""
    assert isinstance(attack.detail, LinkageDetail)
    person, is_correct = linked_people(linked.classes, linked.people)
    names = [pair.release for pair in linked.pairs]
    detail = replace(
        attack.detail,
        by_columns=links_by_columns(names, linked.ours, linked.theirs, linked.people),
        disclosed={} if attack.detail.n_correct is None else disclosed(inputs, linked.people, person[is_correct]),
        k_map=k_map(linked.classes, linked.people),
    )
    return replace(attack, detail=detail)


def _link(inputs: AttackInputs, linked: _Linked) -> tuple[tuple[Attack, ...], tuple[Limit, ...]]:
    found = look_up_both(linked.classes, linked.people, linked.ours, linked.theirs)
    if inputs.settings.truth:
        counted = [(one, rates) for one in found if (rates := count_rates(one)) is not None]
        if len(counted) == len(found):
            attacks = tuple(_attack(linked, one, rates, _by_truth(one)) for one, rates in counted)
            return attacks, tuple(bound for one, rates in counted for bound in _limits_of_truth(one, rates))
        limits: tuple[Limit, ...] = (limit("attacks.truth_matches_no_record", incomplete=True),)
    else:
        limits = (limit("attacks.truth_not_given" if inputs.counts_people else "attacks.people_not_known"),)
    if not inputs.counts_people:
        # Several released records may belong to one person: no success is excluded.
        assumed = (fact("attacks.rows_may_share_a_person"),)
        return tuple(_attack(linked, one, expect_rates(one), assumed) for one in found), limits
    n_people = _population(inputs.settings, count_people(linked.people.release))
    if n_people is not None and not fits_population(found[0], n_people):
        limits, n_people = (*limits, limit("attacks.population_does_not_fit")), None
    return tuple(_bounded(linked, one, n_people) for one in found), limits


def _bounded(linked: _Linked, found: LookUp, n_people: int | None) -> Attack:
    """Return the attack with an upper bound, by the population where it is given and fits."""
    if n_people is None:
        return _attack(linked, found, bound_rates(found), (fact("attacks.targets_all_present"),))
    share = Share(min(1.0, count_people(found.searched.people) / n_people))
    assumed = fact(_code(found, "population_sample"), share=share)
    return _attack(linked, found, bound_by_population(found, n_people), (assumed,))


def _code(found: LookUp, code: str) -> str:
    """Return the code of a fact about one direction."""
    return f"attacks.{'register_' if found.direction == TO_AUXILIARY else ''}{code}"


def _population(settings: Settings, n_subjects: int) -> int | None:
    """Return the number of people in the population; None where none is given.

    Raises
    ------
    ConfigError
        If it is smaller than the release.
    """
    from privaudit.risk.population.population_risk import stated_size
    from privaudit.source import open_dataset

    if settings.population is None:
        return None
    size = stated_size(settings.population)
    if size is None:
        with open_dataset(settings.population, settings, whole=True) as people:
            size = people.n_rows
    if size < n_subjects:
        raise ConfigError(
            f"A population of {size:,} people is smaller than the table of {n_subjects:,} people.",
            hint="give the number of people the table was drawn from",
        )
    return size


def _by_truth(found: LookUp) -> tuple[Fact, ...]:
    """Return the assumptions about targets that are known by the truth."""
    stated = [fact(_code(found, "targets_by_truth"))]
    if has_several_rows(found.targets.people):
        stated.append(fact("attacks.claims_of_a_person_agree"))
    return tuple(stated)


def _attack(linked: _Linked, found: LookUp, rates: LinkRates, assumed: tuple[Fact, ...]) -> Attack:
    claims, pairs = found.claims, linked.pairs
    detail = LinkageDetail(
        direction=found.direction,
        mapping={pair.release: pair.auxiliary for pair in pairs},
        reasons={pair.release: pair.reason for pair in pairs},
        n_auxiliary=len(linked.people.auxiliary),
        n_unmatched=int((claims.size == 0).sum()),
        n_ambiguous=int((claims.size > 1).sum()),
        n_unique=int(claims.is_claim.sum()),
        n_mutual=found.n_mutual,
        expected_correct=found.expected_correct,
        n_correct=rates.n_correct,
        n_control=None if rates.control is None else rates.control.n,
        n_control_excluded=None if rates.claimed is None else rates.n_excluded,
        control_rate=rates.control,
        precision=rates.precision,
        over_control=_over_control(rates),
        n_release=len(linked.people.release),
        n_release_linked=linked.classes.n_linked,
        n_verbatim=linked.n_verbatim,
    )
    return Attack(
        kind="linkage",
        knowledge=tuple(pair.release for pair in pairs),
        n_targets=rates.n_targets,
        success=rates.success,
        baseline=found.guess,
        control=None if rates.control is None else rates.control.value,
        advantage=advantage(rates.success, found.guess),
        assumptions=(fact("attacks.exact_values"), *assumed, fact(_code(found, "guess_is_random_person"))),
        detail=detail,
    )


def _over_control(rates: LinkRates) -> Estimate | None:
    if rates.claimed is None or rates.control is None:
        return None
    return advantage(rates.claimed, rates.control)


def _limits_of_truth(found: LookUp, rates: LinkRates) -> Iterator[Limit]:
    """Yield that a direction has no control, and how many people are neither targets nor control."""
    if rates.control is None:
        yield limit(_code(found, "no_control"))
    if rates.n_excluded:
        yield limit(_code(found, "membership_unknown"), people=Count(rates.n_excluded, unit="person"))


def _n_verbatim(
    release: Dataset, pairs: Sequence[ColumnPair], excluded: set[str], ours: Sequence[Codes], theirs: Sequence[Codes]
) -> int | None:
    """Count the released rows that an auxiliary row repeats; None unless all columns but `excluded` are compared."""
    if set(release.columns) - {pair.release for pair in pairs} - excluded:
        return None
    # A copy repeats missing cells as well, so here, unlike in a link, missing equals missing.
    return match_records([code + 1 for code in ours], [code + 1 for code in theirs]).n_linked
