"""Partial knowledge: an attacker knows some of the quasi-identifiers of a person in the table.

Question: how many people are singled out when 1, 2, 3, ... facts about them are known?
Method: for each number m of known columns, over all sets of m columns (`attacks.facts.unicity`): the mean over
sets, the worst set, and the people who are unique on some set. In a table with several rows per person a fact is a row
(`privaudit.risk.measures.histories`).
Limits: the attacker knows that the person is in the table, and knows exact values. The mean understates: the attacker
may know the facts that matter.

References
----------
.. [1] Y.-A. de Montjoye et al., Unique in the crowd, Scientific Reports 3, 2013.
"""

from __future__ import annotations

from typing import Any

from privaudit.attacks.facts.unicity import MOST_EXACT, Known, count_known
from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.model import Attack, CountedUnit, Curve, MeasuredDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import Estimate, exact
from privaudit.model.wording import Columns, Count, Listing, Number, Share, Threshold, Value, fact
from privaudit.risk.codes.coded import CodedTable

HEADLINE = 3
"""The number of known columns of the headline, and the largest that a scan counts."""
MOST_ROWS_KNOWN = 4


def simulate_partial_knowledge(inputs: AttackInputs) -> AttackResults:
    """Count for each number of known quasi-identifiers how many people they single out."""
    quasi = tuple(name for name in inputs.named("quasi") if name != inputs.settings.subject)
    if not quasi or not inputs.release.n_rows:
        return AttackResults((), () if inputs.is_headline else (limit("attacks.no_quasi_identifier"),))
    coded = _coded(inputs, quasi)
    if coded.people is not None and coded.people.n < coded.n_rows:
        return AttackResults((_by_rows(inputs, coded),))
    sizes = range(1, min(HEADLINE, len(quasi)) + 1) if inputs.is_headline else range(1, len(quasi) + 1)
    known = count_known(
        coded.codes,
        [coded.cardinality(i) for i in range(len(quasi))],
        coded.weights,
        sizes=sizes,
        seed=inputs.settings.seed,
        progress=lambda share: inputs.progress("counting sets of known columns", share),
    )
    drawn = (limit("attacks.sets_drawn", most=Threshold(value=MOST_EXACT)),) if len(quasi) > MOST_EXACT else ()
    return AttackResults((_by_columns(inputs, quasi, coded.n_rows, known),), drawn)


def _coded(inputs: AttackInputs, quasi: tuple[str, ...]) -> CodedTable:
    """Return the quasi-identifiers as codes, suppression markers as missing cells."""
    from privaudit.risk.codes.coded import encode
    from privaudit.risk.codes.markers import markers_as_missing

    if inputs.coded is not None and inputs.coded.names == quasi:
        return inputs.coded
    return markers_as_missing(encode(inputs.release, quasi, subject=inputs.settings.subject), quasi=quasi)[0]


def _by_columns(inputs: AttackInputs, quasi: tuple[str, ...], n: int, known: tuple[Known, ...]) -> Attack:
    head = known[min(HEADLINE, len(known)) - 1]
    worst = tuple(quasi[i] for i in head.worst)
    m = Number(value=head.m)
    unit = inputs.counted
    outcome = "partial_knowledge_outcome" if unit == "person" else "partial_knowledge_outcome_records"
    if head.m == len(quasi) and unit == "person":
        outcome = "partial_knowledge_outcome_all"  # all columns are known: none of several sets is the worst
    # Of drawn sets, the people who are alone in some set are a lower bound; the mean has an interval.
    success = exact(head.n_unique_some / n, n) if len(quasi) <= MOST_EXACT else head.unique
    return _attack(
        inputs,
        n,
        success,
        knowledge=quasi,
        attacker=fact("attacks.partial_knowledge_attacker", m=m, total=Number(value=len(quasi))),
        outcome=fact(
            f"attacks.{outcome}",
            m=m,
            mean=Share(value=head.unique.value, of=n),
            worst=Count(n=head.n_unique_worst, of=n, unit=unit),
            columns=Columns(names=worst),
            some=Count(n=head.n_unique_some, of=n, unit=unit),
        ),
        detail=MeasuredDetail(
            method="columns",
            measures={
                **_measures(head, n, unit),
                "worst_sets": Listing(items=tuple(Columns(names=tuple(quasi[i] for i in one.worst)) for one in known)),
            },
            curves=(
                _curve("unique_some", known, [one.n_unique_some / n for one in known]),
                _curve("unique_worst", known, [one.n_unique_worst / n for one in known]),
                _curve("unique_mean", known, [one.unique.value for one in known]),
                _curve("success_mean", known, [one.success.value for one in known]),
                _curve("success_best", known, [one.success_best for one in known]),
            ),
            picture="known",
        ),
    )


def _measures(known: Known, n: int, unit: CountedUnit) -> dict[str, Value]:
    return {
        "known": Number(value=known.m),
        "unique_mean": known.unique,
        "unique_worst": Count(n=known.n_unique_worst, of=n, unit=unit),
        "unique_some": Count(n=known.n_unique_some, of=n, unit=unit),
        "success_mean": known.success,
    }


def _curve(key: str, known: tuple[Known, ...], values: list[float]) -> Curve:
    return Curve(key=key, x=tuple(float(one.m) for one in known), y=tuple(values))


def _by_rows(inputs: AttackInputs, coded: CodedTable) -> Attack:
    """Return the attack by someone who knows some rows of a person: a place and a time, a purchase."""
    from privaudit.risk.measures.histories import Histories, unicity

    assert coded.people is not None
    histories = Histories.of(coded.people.person, coded.people.row)
    found = [unicity(histories, p, seed=inputs.settings.seed) for p in range(1, MOST_ROWS_KNOWN + 1)]
    n, success = histories.n_people, found[HEADLINE - 1]
    return _attack(
        inputs,
        n,
        success,
        knowledge=coded.names,
        attacker=fact("attacks.known_rows_attacker", m=Number(value=HEADLINE)),
        outcome=fact(
            "attacks.known_rows_outcome",
            m=Number(value=HEADLINE),
            share=Share(value=success.value, of=n),
            first=Share(value=found[0].value, of=n),
        ),
        detail=MeasuredDetail(
            method="rows",
            measures={"unique_by_one_row": found[0], "known": Number(value=HEADLINE), "unique_mean": success},
            curves=(
                Curve(
                    key="unique_mean",
                    x=tuple(float(p) for p in range(1, MOST_ROWS_KNOWN + 1)),
                    y=tuple(one.value for one in found),
                ),
            ),
            picture="known",
        ),
    )


def _attack(inputs: AttackInputs, n: int, success: Estimate, **own: Any) -> Attack:
    """Return the attack on n people or records, of whom one is guessed without knowledge."""
    return Attack(
        kind="partial_knowledge",
        n_targets=n,
        success=success,
        baseline=1 / n,
        advantage=advantage(success, 1 / n) if n > 1 else exact(0.0, n),
        assumptions=(fact("attacks.knows_membership"), fact("attacks.exact_values")),
        is_headline=inputs.is_headline,
        **own,
    )
