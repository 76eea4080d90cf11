"""Linkage of similar values: an attacker whose list has spelling errors, ages that are off by one, swapped digits.

Question: how many people are linked when values only need to be similar?
Method: in two ways. Tolerant: names, numbers and digits may differ a little (`attacks.values.similarity`), all other
columns must be equal; an exact match is preferred, and a person with several matches of the same distance is not
claimed. Probabilistic: Fellegi and Sunter (`attacks.links.fellegi_sunter`), one record for each person, the most
likely pairs first. With the true matches claims are counted, with people outside the release as control; without them
the sum of the posteriors is the expected number of correct claims.
Limits: tolerance makes people ambiguous, so unless it is asked for, the tolerant attack is reported only where it links
more people than exact values. Large tables are not compared, and rows that equal too many others in all columns
without tolerance are omitted and counted.

References
----------
.. [1] I. Fellegi, A. Sunter, A theory for record linkage, JASA 64, 1969.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.links.accuracy import LinkRates
from privaudit.attacks.links.column_pairs import ColumnPair, compared_pairs
from privaudit.attacks.links.fellegi_sunter import Agreement, Field, Scored, candidates, score
from privaudit.attacks.links.reach import disclosed
from privaudit.attacks.links.record_matches import People, count_people, has_class, match_records, read_people
from privaudit.attacks.values.comparable_values import canonical
from privaudit.base.arrays import Codes, Ints
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass
from privaudit.model import Attack, Estimate, Limit, LinkageDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import wilson, wilson_bounds
from privaudit.model.wording import Count, Threshold, fact
from privaudit.risk.codes.coded import encode_column
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


@dataclass(frozen=True, slots=True)
class _Compared:
    """What both linkages are counted by: the columns that are compared, and the person behind each row."""

    inputs: AttackInputs
    pairs: tuple[ColumnPair, ...]
    people: People

    def by_person(self, claims: _Claims) -> tuple[Ints, Ints]:
        """Return the known people about whom all claims agree, and whom they are claimed to be."""
        target, claimed = self.people.auxiliary[claims.auxiliary], self.people.release[claims.release]
        known = target >= 0
        pairs = np.unique(np.column_stack([target[known], claimed[known]]), axis=0)
        person, first, counts = np.unique(pairs[:, 0], return_index=True, return_counts=True)
        agreed = counts == 1
        return person[agreed], pairs[first[agreed], 1]

    def reached(self, claims: _Claims) -> Ints:
        """Return the people who are claimed correctly."""
        person, claimed = self.by_person(claims)
        return person[person == claimed]


def simulate_linkage_of_similar(inputs: AttackInputs) -> AttackResults:
    """Link the auxiliary table to the release by similar values."""
    release, auxiliary, settings = inputs.release, inputs.auxiliary, inputs.settings
    assert auxiliary is not None, "the registry runs this attack only with an auxiliary table"
    if not release.n_rows or not auxiliary.n_rows or settings.linkage == "exact":
        return AttackResults()
    if max(release.n_rows, auxiliary.n_rows) > MOST_ROWS:
        is_asked = settings.linkage != "all"
        most = Threshold(MOST_ROWS)
        return AttackResults((), (limit("attacks.too_large_to_compare", incomplete=is_asked, most=most),))
    pairs, _ = compared_pairs(release, auxiliary, inputs.columns, settings)
    if not pairs:
        return AttackResults()
    compared = _Compared(inputs, pairs, read_people(release, auxiliary, settings.subject, settings.truth))
    fields = [
        _field(auxiliary.rows([pair.auxiliary])[pair.auxiliary], release.rows([pair.release])[pair.release])
        for pair in pairs
    ]
    inputs.progress("linking similar values", None)
    made: dict[Linkage, Attack | None] = {}
    limits: list[Limit] = []
    is_whole = True
    if settings.truth and settings.linkage in ("all", "tolerant"):
        exact, tolerant, n_omitted, is_whole = tolerant_claims(fields, auxiliary.n_rows)
        if n_omitted:
            omitted, is_asked = Count(n_omitted, of=auxiliary.n_rows, unit="row"), settings.linkage == "tolerant"
            limits.append(limit("attacks.too_many_alike", incomplete=is_asked, omitted=omitted))
        # Where tolerance links nobody more, the exact attack is reported by `links.linkage` already.
        if settings.linkage == "tolerant" or len(compared.reached(tolerant)) > len(compared.reached(exact)):
            made["tolerant"] = _attack("tolerant", tolerant, compared)
    if len(pairs) > 1 and settings.linkage in ("all", "probabilistic"):
        scored = score(fields, seed=settings.seed)
        made["probabilistic"] = _attack("probabilistic", probable_claims(scored, compared.people), compared)
        is_whole &= scored.is_whole
    if not is_whole:
        limits.append(limit("attacks.rarest_pairs"))
    attacks = tuple(found for found in made.values() if found is not None)
    return AttackResults(attacks, (*limits, *_not_linked(settings.linkage, made)))


def _not_linked(linkage: Linkage, made: Mapping[Linkage, Attack | None]) -> tuple[Limit, ...]:
    """Return why the linkage that was asked for is missing; what all linkages lack is reported by `links.linkage`."""
    if linkage == "all" or made.get(linkage) is not None:
        return ()
    if linkage in made:
        return (limit("attacks.truth_matches_no_record", incomplete=True),)
    return (limit(f"attacks.{linkage}_not_linked", incomplete=True),)


def _field(auxiliary: pa.ChunkedArray, release: pa.ChunkedArray) -> Field:
    """Return one compared column, the auxiliary table first, its values in one form."""
    (codes, values), (released, of_release) = (encode_column(each, is_ordered=False) for each in (auxiliary, release))
    ours, theirs, _ = canonical(of_release, values)
    sides = _numbered(theirs, codes), _numbered(ours, released)
    return Field((sides[0][0], sides[1][0]), (sides[0][1], sides[1][1]))


def _numbered(values: pa.Array, codes: Codes) -> tuple[list[str], Ints]:
    """Return the distinct texts of canonical values, and for each cell the number of its text; -1 is missing."""
    distinct = values.cast(pa.string()).dictionary_encode()
    number = np.append(distinct.indices.fill_null(-1).to_numpy(zero_copy_only=False), -1).astype(np.int64)
    return distinct.dictionary.to_pylist(), number[codes]


def is_tolerant(field: Field) -> bool:
    """Return whether values of a column may differ a little: numbers, digits, and texts of many values."""
    return field.kind != "text" or max(map(len, field.texts)) > MANY_VALUES


def tolerant_claims(fields: Sequence[Field], n: int) -> tuple[_Claims, _Claims, int, bool]:
    """Return exact claims, those within tolerance where no exact match exists, and what is omitted.

    How many targets equal too many rows; and whether all pairs that agree in two columns were compared, where every
    column may differ a little.

    Parameters
    ----------
    fields : sequence of Field
        The side of the targets first.
    n : int
        Targets.
    """
    left, right, n_omitted, is_whole = _within_tolerance(fields)
    distance = np.zeros(len(left), dtype=np.int64)
    for field in fields:
        distance += field.levels(left, right) < field.n_levels
    exact = distance == 0
    has_exact = np.bincount(left[exact], minlength=n) > 0
    # An exact match is believed before a similar one, so tolerance never turns a right claim into an ambiguous one.
    ranked = exact | ~has_exact[left]
    return _unique(left[exact], right[exact], n), _unique(left[ranked], right[ranked], n), n_omitted, is_whole


def _unique(left: Ints, right: Ints, n: int) -> _Claims:
    # Of several equally near matches the attacker would have to draw one: no claim, but an expected share.
    counts = np.bincount(left, minlength=n)
    alone = counts[left] == 1
    expected = round(float((1 / counts[counts > 0]).sum()), 6)
    return _Claims(left[alone], right[alone], int((counts == 0).sum()), int((counts > 1).sum()), expected)


def _within_tolerance(fields: Sequence[Field]) -> tuple[Ints, Ints, int, bool]:
    """Return the pairs whose columns are all equal or within tolerance, and what is omitted (`tolerant_claims`)."""
    fixed = [field.joint() for field in fields if not is_tolerant(field)]
    if fixed:
        rows, others = ([pair[side].astype(np.int32) for pair in fixed] for side in (0, 1))
        classes, n = match_records(rows, others), len(others[0])
        left, right = np.divmod(Agreement.of(classes, MOST_PAIRS).keys(n), n)
        n_omitted = int(has_class(classes.release, classes.auxiliary, classes.n).sum()) - len(distinct(left))
        is_whole = True
    else:
        left, right, is_whole = candidates(fields)
        n_omitted = 0
    for field in fields:
        if is_tolerant(field):
            near = field.levels(left, right) >= field.n_levels - 1
            left, right = left[near], right[near]
    return left, right, n_omitted, is_whole


def probable_claims(scored: Scored, people: People) -> _Claims:
    """Return the most likely pairs of at least even odds, each row in one pair."""
    kept = scored.one_to_one(LEAST_POSTERIOR)
    left, right = scored.left[kept], scored.right[kept]
    n = len(people.auxiliary)
    # The last digits of sums depend on the order of the rows.
    expected = round(float(scored.posterior[kept].sum()), 6)
    return _Claims(left, right, n - len(kept), 0, expected)


def _attack(method: str, claims: _Claims, compared: _Compared) -> Attack | None:
    """Return the attack with counted claims where the truth is known, else with the expected number."""
    people, pairs = compared.people, compared.pairs
    is_counted = people.identified is not None
    rates = _count(claims, compared) if is_counted else _expect(claims, people)
    if rates is None:
        return None
    guess, control = 1 / count_people(people.release), rates.control
    taken = np.bincount(claims.release, minlength=len(people.release))
    stated = (f"{method}_values", "targets_by_truth") if is_counted else ("expected_by_posterior",)
    return Attack(
        kind="linkage",
        knowledge=tuple(pair.release for pair in pairs),
        attacker=fact(f"attacks.linkage_{method}_attacker"),
        n_targets=rates.n_targets,
        success=rates.success,
        baseline=guess,
        control=None if control is None else control.value,
        control_rate=control,
        advantage=advantage(rates.success, guess),
        assumptions=tuple(fact(f"attacks.{code}") for code in (*stated, "guess_is_random_person")),
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
            n_correct=rates.n_correct,
            n_control=None if control is None else control.n,
            control_rate=control,
            precision=rates.precision,
            n_release=len(people.release),
            n_release_linked=int((taken > 0).sum()),
            disclosed=disclosed(compared.inputs, people, compared.reached(claims)) if is_counted else {},
        ),
    )


def _expect(claims: _Claims, people: People) -> LinkRates:
    n = min(count_people(people.auxiliary), count_people(people.release))
    low, high = wilson_bounds(min(claims.expected, n), n)
    value = min(1.0, claims.expected / n)
    return LinkRates(n, None, Estimate(value=value, low=low, high=high, n=n, method="expected-wilson"))


def _count(claims: _Claims, compared: _Compared) -> LinkRates | None:
    people = compared.people
    targets = distinct(people.auxiliary[people.auxiliary >= 0])
    inside = targets[np.isin(targets, people.release)]
    outside = np.setdiff1d(targets, inside)
    if not len(inside):
        return None
    person, n_correct = compared.by_person(claims)[0], len(compared.reached(claims))
    return LinkRates(
        len(inside),
        n_correct,
        success=wilson(n_correct, len(inside)),
        control=wilson(int(np.isin(person, outside).sum()), len(outside)) if len(outside) else None,
        precision=wilson(n_correct, len(person)) if len(person) else None,
    )
