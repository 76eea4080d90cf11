"""Linkage of similar values: an attacker whose list has spelling errors, ages that are off by one, swapped digits.

Question: how many people are linked when values only need to be similar?
Method: in two ways. Tolerant: names, numbers and digits may differ a little (`attacks.values.similarity`), all other
columns must be equal; an exact match is preferred, and a person with several matches of the same distance is not
claimed. Probabilistic: Fellegi and Sunter (`attacks.links.fellegi_sunter`), one record for each person, the most
likely pairs first. With the true matches claims are counted, with people outside the release as control; without them
the sum of the posteriors is the expected number of correct claims.
Limits: tolerance makes people ambiguous, so unless it is asked for, the tolerant attack is reported only where it links
more people than exact values. Large tables are not compared.

References
----------
.. [1] I. Fellegi, A. Sunter, A theory for record linkage, JASA 64, 1969.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.links.column_pairs import ColumnPair, compared_pairs
from privaudit.attacks.links.fellegi_sunter import Field, Scored, candidates, equal_pairs, score
from privaudit.attacks.links.reach import disclosed
from privaudit.attacks.links.record_matches import People, count_people, read_people
from privaudit.attacks.values.comparable_values import canonical
from privaudit.attacks.values.similarity import Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import Attack, Estimate, Limit, LinkageDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import wilson, wilson_bounds
from privaudit.model.wording import Fact, Threshold, fact
from privaudit.settings.config import Linkage

MOST_ROWS = 200_000
MOST_PAIRS = 20_000_000
MANY_VALUES = 100
"""Texts of fewer distinct values are categories: two that are spelled alike differ in meaning."""
LEAST_POSTERIOR = 0.5


@dataclass(frozen=True, slots=True)
class _Claims:
    """Rows of the auxiliary table claimed to be rows of the release, and how many rows matched none or several."""

    auxiliary: Ints
    release: Ints
    n_unmatched: int
    n_ambiguous: int
    expected: float


def simulate_linkage_of_similar(inputs: AttackInputs) -> AttackResults:
    """Link the auxiliary table to the release by similar values."""
    release, auxiliary, settings = inputs.release, inputs.auxiliary, inputs.settings
    assert auxiliary is not None, "the registry runs this attack only with an auxiliary table"
    if not release.n_rows or not auxiliary.n_rows or settings.linkage == "exact":
        return AttackResults()
    if max(release.n_rows, auxiliary.n_rows) > MOST_ROWS:
        is_asked = settings.linkage != "all"
        most = Threshold(value=MOST_ROWS)
        return AttackResults((), (limit("attacks.too_large_to_compare", incomplete=is_asked, most=most),))
    pairs, _ = compared_pairs(release, auxiliary, inputs.columns, settings)
    if not pairs:
        return AttackResults()
    fields = [
        _field(auxiliary.rows([pair.auxiliary])[pair.auxiliary], release.rows([pair.release])[pair.release])
        for pair in pairs
    ]
    people = read_people(release, auxiliary, settings.subject, settings.truth)
    inputs.progress("linking similar values", None)
    made: dict[Linkage, Attack | None] = {}
    if settings.truth and settings.linkage in ("all", "tolerant"):
        exact, tolerant = tolerant_claims(fields, len(people.auxiliary))
        # Where tolerance links nobody more, the exact attack is reported by `links.linkage` already.
        if settings.linkage == "tolerant" or _n_correct(tolerant, people) > _n_correct(exact, people):
            made["tolerant"] = _attack("tolerant", tolerant, people, pairs, inputs)
    if len(pairs) > 1 and settings.linkage in ("all", "probabilistic"):
        scored = score(fields, seed=settings.seed)
        made["probabilistic"] = _attack("probabilistic", probable_claims(scored, people), people, pairs, inputs)
    attacks = tuple(found for found in made.values() if found is not None)
    return AttackResults(attacks, _not_linked(settings.linkage, made))


def _not_linked(linkage: Linkage, made: Mapping[Linkage, Attack | None]) -> tuple[Limit, ...]:
    """Return why the linkage that was asked for is missing; what all linkages lack is reported by `links.linkage`."""
    if linkage == "all" or made.get(linkage) is not None:
        return ()
    if linkage in made:
        return (limit("attacks.truth_matches_no_record", incomplete=True),)
    return (limit(f"attacks.{linkage}_not_linked", incomplete=True),)


def _field(auxiliary: pa.ChunkedArray, release: pa.ChunkedArray) -> Field:
    """Return one compared column, the auxiliary table first, its values in one form."""
    sides = []
    for column in (auxiliary, release):
        encoded = column.cast(pa.string()).combine_chunks().dictionary_encode()
        sides.append(encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded)
    ours, theirs, _ = canonical(sides[1].dictionary, sides[0].dictionary)
    texts, rows = [], []
    for values, side in ((theirs, sides[0]), (ours, sides[1])):
        distinct = values.cast(pa.string()).dictionary_encode()
        lookup = np.append(distinct.indices.fill_null(-1).to_numpy(zero_copy_only=False), -1).astype(np.int64)
        at = side.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
        texts.append([str(text) for text in distinct.dictionary.to_pylist()])
        rows.append(lookup[at])
    return Field((texts[0], texts[1]), (rows[0], rows[1]))


def is_tolerant(field: Field) -> bool:
    """Return whether values of a column may differ a little: numbers, digits, and texts of many values."""
    return field.kind != "text" or max(map(len, field.texts)) > MANY_VALUES


def tolerant_claims(fields: Sequence[Field], n: int) -> tuple[_Claims, _Claims]:
    """Return the claims by exact values, and by those within tolerance where no exact match exists.

    Parameters
    ----------
    fields : sequence of Field
        The side of the targets first.
    n : int
        Targets.
    """
    left, right = _within_tolerance(fields)
    distance = np.zeros(len(left), dtype=np.int64)
    for field in fields:
        distance += field.levels(left, right) < field.n_levels
    exact = distance == 0
    has_exact = np.bincount(left[exact], minlength=n) > 0
    # An exact match is believed before a similar one, so tolerance never turns a right claim into an ambiguous one.
    ranked = exact | ~has_exact[left]
    return _unique(left[exact], right[exact], n), _unique(left[ranked], right[ranked], n)


def _unique(left: Ints, right: Ints, n: int) -> _Claims:
    # Of several equally near matches the attacker would have to draw one: no claim, but an expected share.
    counts = np.bincount(left, minlength=n)
    alone = counts[left] == 1
    expected = float((1 / counts[counts > 0]).sum())
    return _Claims(left[alone], right[alone], int((counts == 0).sum()), int((counts > 1).sum()), expected)


def _within_tolerance(fields: Sequence[Field]) -> tuple[Ints, Ints]:
    """Return the pairs whose columns are all equal or within tolerance."""
    fixed = [field.joint() for field in fields if not is_tolerant(field)]
    if fixed:
        left, right = (_packed([pair[side] for pair in fixed], fixed) for side in (0, 1))
        left, right = np.divmod(equal_pairs(left, right, len(right), MOST_PAIRS), len(right))
    else:
        left, right = candidates(fields)
    for field in fields:
        if is_tolerant(field):
            near = field.levels(left, right) >= field.n_levels - 1
            left, right = left[near], right[near]
    return left, right


def _packed(columns: Sequence[Ints], fixed: Sequence[tuple[Ints, Ints]]) -> Ints:
    """Return one number for the values of several columns; -1 where one is missing."""
    from privaudit.risk.codes.row_keys import dense_labels

    n_left = len(fixed[0][0])
    both = [np.concatenate(pair) + 1 for pair in fixed]
    labels, _ = dense_labels([c.astype(np.int32) for c in both], [int(c.max(initial=0)) + 1 for c in both])
    known = np.logical_and.reduce([c > 0 for c in both])
    found = np.where(known, labels, -1)
    return found[:n_left] if columns[0] is fixed[0][0] else found[n_left:]


def probable_claims(scored: Scored, people: People) -> _Claims:
    """Return the most likely pairs of at least even odds, each row in one pair."""
    kept = scored.one_to_one(LEAST_POSTERIOR)
    left, right = scored.left[kept], scored.right[kept]
    n = len(people.auxiliary)
    return _Claims(left, right, n - len(kept), 0, float(scored.posterior[kept].sum()))


def _by_person(claims: _Claims, people: People) -> tuple[Ints, Ints]:
    """Return the known people about whom all claims agree, and whom they are claimed to be."""
    target, claimed = people.auxiliary[claims.auxiliary], people.release[claims.release]
    known = target >= 0
    pairs = np.unique(np.column_stack([target[known], claimed[known]]), axis=0)
    person, first, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    agreed = counts == 1
    return person[agreed], pairs[first[agreed], 1]


def _n_correct(claims: _Claims, people: People) -> int:
    person, claimed = _by_person(claims, people)
    return int((person == claimed).sum())


def _attack(
    method: str, claims: _Claims, people: People, pairs: Sequence[ColumnPair], inputs: AttackInputs
) -> Attack | None:
    """Return the attack with counted claims where the truth is known, else with the expected number."""
    if people.identified is not None:
        return _counted(method, claims, people, pairs, inputs)
    n = min(count_people(people.auxiliary), count_people(people.release))
    low, high = wilson_bounds(min(claims.expected, n), n)
    value = min(1.0, claims.expected / n)
    success = Estimate(value=value, low=low, high=high, n=n, method="expected-wilson")
    assumed = (fact("attacks.expected_by_posterior"), fact("attacks.guess_is_random_person"))
    return _record(method, claims, people, pairs, success, None, assumed)


def _counted(
    method: str, claims: _Claims, people: People, pairs: Sequence[ColumnPair], inputs: AttackInputs
) -> Attack | None:
    targets = np.unique(people.auxiliary[people.auxiliary >= 0])
    inside = targets[np.isin(targets, people.release)]
    outside = np.setdiff1d(targets, inside)
    if not len(inside):
        return None
    person, claimed = _by_person(claims, people)
    reached = person[person == claimed]
    success = wilson(len(reached), len(inside))
    control = wilson(int(np.isin(person, outside).sum()), len(outside)) if len(outside) else None
    stated = (f"{method}_values", "targets_by_truth", "guess_is_random_person")
    assumed = tuple(fact(f"attacks.{code}") for code in stated)
    made = _record(method, claims, people, pairs, success, control, assumed)
    assert isinstance(made.detail, LinkageDetail)
    detail = replace(
        made.detail,
        n_correct=len(reached),
        precision=wilson(len(reached), len(person)) if len(person) else None,
        disclosed=disclosed(inputs, people, reached),
    )
    return replace(made, detail=detail)


def _record(
    method: str,
    claims: _Claims,
    people: People,
    pairs: Sequence[ColumnPair],
    success: Estimate,
    control: Estimate | None,
    assumed: tuple[Fact, ...],
) -> Attack:
    guess = 1 / count_people(people.release)
    taken = np.bincount(claims.release, minlength=len(people.release))
    return Attack(
        kind="linkage",
        knowledge=tuple(pair.release for pair in pairs),
        attacker=fact(f"attacks.linkage_{method}_attacker"),
        n_targets=success.n,
        success=success,
        baseline=guess,
        control=None if control is None else control.value,
        control_rate=control,
        advantage=advantage(success, guess),
        assumptions=assumed,
        detail=LinkageDetail(
            method=method,
            mapping={pair.release: pair.auxiliary for pair in pairs},
            reasons={pair.release: pair.reason for pair in pairs},
            n_auxiliary=len(people.auxiliary),
            n_unmatched=claims.n_unmatched,
            n_ambiguous=claims.n_ambiguous,
            n_unique=len(claims.auxiliary),
            n_mutual=int((taken[claims.release] == 1).sum()),
            expected_correct=claims.expected,
            n_control=None if control is None else control.n,
            control_rate=control,
            n_release=len(people.release),
            n_release_linked=int((taken > 0).sum()),
        ),
    )
