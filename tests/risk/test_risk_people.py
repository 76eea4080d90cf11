"""Where a data subject column is named, every number counts people: against pandas and brute force on random tables."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import factorial

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import ColumnReport
from privaudit.risk import assess
from privaudit.risk.codes.coded import encode
from privaudit.risk.codes.scope import THRESHOLDS
from privaudit.risk.measures.scores import record_scores
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow

CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "*"]))
people_laws = settings(max_examples=20, deadline=None)


@st.composite
def tables(draw, narrowest=1):
    """Rows of quasi-identifiers, with the data subject first; a subject may be missing."""
    width = draw(st.integers(narrowest, 4))
    subject = st.one_of(st.none(), st.sampled_from([f"p{i}" for i in range(6)]))
    return draw(st.lists(st.tuples(subject, *[CELLS] * width), min_size=1, max_size=30))


def counted_rows(rows):
    """The rows with a cell that is not suppressed; all where there is none."""
    return [row for row in rows if {*row[1:]} != {"*"}] or rows


def frame_of(rows):
    """The counted rows as a frame of text; each missing subject is a person, a suppressed cell is missing."""
    names = ["who", *(f"q{i}" for i in range(len(rows[0]) - 1))]
    frame = pd.DataFrame(counted_rows(rows), columns=names, dtype=object)
    people = [f"alone {i}" if who is None else who for i, who in enumerate(frame["who"])]
    cells = frame.iloc[:, 1:].map(lambda cell: "missing" if cell in (None, "*") else cell)
    return cells.assign(who=people)


def dataset_of(rows):
    names = ["who", *(f"q{i}" for i in range(len(rows[0]) - 1))]
    return from_arrow(pa.table({n: pa.array([r[i] for r in rows], pa.string()) for i, n in enumerate(names)}))


def column(name, role, kind="text"):
    return ColumnReport(
        name=name, data_type=kind, n_rows=1, n_missing=0, n_distinct=1, uniqueness=1.0, entropy_bits=0.0, n_held_once=0,
        role=role, role_because=(), is_=None, contains=(), rejected=(), measurements={},
    )  # fmt: skip


def assessed(rows, *, sensitive=(), **options):
    names = [f"q{i}" for i in range(len(rows[0]) - 1)]
    columns = tuple(column(name, "sensitive" if name in sensitive else "quasi") for name in names)
    with dataset_of(rows) as dataset:
        chosen = Settings(subject="who", max_size=4, **options)
        return assess(dataset, (column("who", "none"), *columns), chosen, thresholds=(4,))


def people_per_row(frame, columns):
    """The number of distinct people in the class of each row."""
    return frame.groupby(list(columns))["who"].transform("nunique")


def exposure(frame, columns):
    """For each person, the fewest people in a class of that person's rows."""
    return people_per_row(frame, columns).groupby(frame["who"]).min()


def every_set(names):
    return [chosen for size in range(1, len(names) + 1) for chosen in combinations(names, size)]


@people_laws
@given(tables())
def test_every_combination_equals_distinct_people_by_pandas(rows):
    frame = frame_of(rows)
    names = [name for name in frame.columns if name != "who"]
    found = {c.columns: c for c in assessed(rows).combinations}
    assert set(found) == set(every_set(names))
    n = frame["who"].nunique()
    for chosen, c in found.items():
        classes, exposed = frame.groupby(list(chosen)), exposure(frame, chosen)
        assert c.n_classes == classes.ngroups
        assert c.k_min == classes["who"].nunique().min()
        assert c.n_unique == (exposed == 1).sum()
        assert c.share_unique == c.n_unique / n
        assert c.n_below == {str(k): (exposed < k).sum() for k in sorted({*THRESHOLDS, 4})}
        assert c.mean_class_size == pytest.approx(classes["who"].nunique().mean())
        assert c.distinction == classes.ngroups / len(frame)


@people_laws
@given(tables())
def test_risk_equals_distinct_people_by_pandas(rows):
    frame = frame_of(rows)
    names = [name for name in frame.columns if name != "who"]
    risk = assessed(rows).risk
    exposed, n = exposure(frame, names), frame["who"].nunique()
    assert (risk.unit, risk.n_people, risk.n_units(len(rows))) == ("person", n, n)
    assert risk.k_min == frame.groupby(names)["who"].nunique().min() == exposed.min()
    assert risk.n_unique == (exposed == 1).sum()
    for k in range(1, 35):
        assert risk.n_below_k(k) == (exposed < k).sum()
    assert risk.prosecutor_max == 1 / exposed.min()
    assert risk.prosecutor_mean == pytest.approx((1 / exposed).mean())
    assert risk.marketer == risk.prosecutor_mean
    for threshold, share in risk.share_at_risk.items():
        assert share == sum(Fraction(1, int(f)) > Fraction(threshold) for f in exposed) / n
    sizes = Counter(frame.groupby(names)["who"].nunique().tolist())
    assert dict(zip(risk.class_sizes.size, risk.class_sizes.count, strict=True)) == sizes
    assert dict(zip(risk.matches.size, risk.matches.count, strict=True)) == Counter(exposed.tolist())
    # The part on people is the same measurement.
    assert (risk.subject.k_min, risk.subject.n_exposed) == (risk.k_min, risk.n_unique)
    assert risk.subject.n_below == risk.n_below
    # The numbers of records are kept next to those of people.
    records = frame.groupby(names).size()
    assert risk.records.k_min == records.min()
    assert risk.records.n_unique == (records == 1).sum()
    assert risk.records.prosecutor_mean == pytest.approx(len(records) / len(frame))
    below = {k: int(records[records < int(k)].sum()) for k in risk.records.n_below}
    assert risk.records.n_below == below


def minimal_sets(frame, names, k, keys):
    """For each person (or row), the sets on which it matches fewer than k people and on no subset of them."""
    found = {key: [] for key in set(keys)}
    for chosen in every_set(names):
        risky = set(keys[(people_per_row(frame, chosen) < k).to_numpy()])
        for key in risky:
            if not any(set(smaller) < set(chosen) for smaller in found[key]):
                found[key].append(chosen)
    return found


@people_laws
@given(tables())
def test_special_uniques_of_people_equal_their_definition(rows):
    frame = frame_of(rows)
    names = [name for name in frame.columns if name != "who"]
    special = assessed(rows).risk.special_uniques
    found = minimal_sets(frame, names, 2, frame["who"].to_numpy())
    sizes = Counter(len(chosen) for sets in found.values() for chosen in sets)
    assert list(special.msu_by_size) == [sizes[size] for size in range(1, len(names) + 1)]
    assert special.n_records == sum(bool(sets) for sets in found.values())
    scores = [sum(factorial(len(names) - len(s)) for s in sets) for sets in found.values()]
    assert (special.score_sum, special.score_max) == (sum(scores), max(scores))
    fewer = minimal_sets(frame, names, 4, frame["who"].to_numpy())
    assert special.fewer_than["4"].n_records == sum(bool(sets) for sets in fewer.values())
    for name, by_value in special.by_value.items():
        held = set()
        for chosen in every_set(names):
            if name not in chosen:
                continue
            alone = (people_per_row(frame, chosen) == 1).to_numpy()
            held |= {
                (who, cell)
                for who, cell in zip(frame["who"][alone], frame[name][alone], strict=True)
                if chosen in found[who]
            }
        assert by_value.n_records == len({who for who, _ in held})
        assert by_value.n_values == len({cell for _, cell in held})


@people_laws
@given(tables(narrowest=2))
def test_marginal_effects_count_people(rows):
    frame = frame_of(rows)
    names = [name for name in frame.columns if name != "who"]
    risk = assessed(rows).risk
    whole = exposure(frame, names)
    for name, added in risk.marginal.items():
        rest = exposure(frame, [other for other in names if other != name])
        assert added.n_unique_without == (rest == 1).sum()
        assert added.n_unique_added == (whole == 1).sum() - (rest == 1).sum()
        assert added.n_below_added["4"] == (whole < 4).sum() - (rest < 4).sum()
        assert added.n_unique_added >= 0
    if all(added.shapley is not None for added in risk.marginal.values()):
        start = int(frame["who"].nunique() == 1)
        assert sum(a.shapley for a in risk.marginal.values()) == pytest.approx(risk.n_unique - start)


@people_laws
@given(tables())
def test_minimal_sets_of_people_are_an_antichain(rows):
    listed = assessed(rows).combinations
    violating = {frozenset(c.columns) for c in listed if c.k_min < 2}
    minimal = {frozenset(c.columns) for c in listed if c.k_min < 2 <= (c.minimal_to or 0)}
    if listed[0].share_unique is not None and assessed(rows).risk.n_people > 1:
        assert minimal == {s for s in violating if not any(other < s for other in violating)}


@people_laws
@given(tables())
def test_one_row_for_each_person_gives_the_numbers_of_records(rows):
    single = [(f"p{i}", *row[1:]) for i, row in enumerate(rows)]
    people = assessed(single)
    columns = tuple(column(f"q{i}", "quasi") for i in range(len(rows[0]) - 1))
    with dataset_of(single) as dataset:
        records = assess(dataset, columns, Settings(max_size=4), thresholds=(4,))
    assert people.combinations == records.combinations
    for name in ("k_min", "n_unique", "n_below", "prosecutor_mean", "marketer", "share_at_risk", "class_sizes",
                 "special_uniques", "marginal", "n_classes"):  # fmt: skip
        assert getattr(people.risk, name) == getattr(records.risk, name), name


@people_laws
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert assessed(rows).combinations == assessed(shuffled).combinations
    assert assessed(rows).risk == assessed(shuffled).risk


@people_laws
@given(tables())
def test_repeating_the_rows_of_people_adds_nobody(rows):
    named = [(row[0] or "p0", *row[1:]) for row in rows]
    once, thrice = assessed(named), assessed(named * 3)
    assert [c.n_below for c in once.combinations] == [c.n_below for c in thrice.combinations]
    assert (once.risk.k_min, once.risk.matches) == (thrice.risk.k_min, thrice.risk.matches)


@people_laws
@given(tables())
def test_scores_of_rows_count_people(rows):
    frame = frame_of(rows)
    names = [name for name in frame.columns if name != "who"]
    coded = assessed(rows).coded
    with dataset_of(rows) as dataset:
        found = record_scores(dataset, coded, max_size=len(names))
    counted = found.class_size > 0
    assert [row for row, is_counted in zip(rows, counted, strict=True) if is_counted] == counted_rows(rows)
    assert found.class_size[counted].tolist() == people_per_row(frame, names).tolist()
    by_row = minimal_sets(frame, names, 2, pd.Series(range(len(frame))).to_numpy())
    smallest = [min(map(len, by_row[i]), default=0) for i in range(len(frame))]
    assert found.smallest_unique_set[counted].tolist() == smallest


@people_laws
@given(tables())
def test_a_table_that_its_engine_groups_gives_the_same_people(rows):
    from privaudit.source.dataset import Dataset

    names = [f"q{i}" for i in range(len(rows[0]) - 1)]
    with dataset_of(rows) as dataset:
        by_rows = encode(dataset, names, subject="who")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Dataset, "in_memory", property(lambda self: False))
            grouped = encode(dataset, names, subject="who")
    n_people = sum(row[0] is None for row in rows) + len({row[0] for row in rows} - {None})
    assert by_rows.people.n == grouped.people.n == n_people
    for name in ("row", "person", "records"):
        assert getattr(by_rows.people, name).tolist() == getattr(grouped.people, name).tolist()
    assert by_rows.people.records.sum() == by_rows.n_rows == len(rows)


def test_missing_cells_that_match_anything_are_not_assessed_in_people():
    rows = [("p1", "a"), ("p2", None), ("p3", "b")]
    found = assessed(rows, missing="wildcard")
    assert found.risk.missing == "category"
    assert any(each.code == "risk.people_not_matched" and each.incomplete for each in found.limits)


def test_the_data_subject_is_not_a_quasi_identifier():
    columns = (column("who", "quasi"), column("q0", "quasi"))
    with dataset_of([("p1", "a"), ("p2", "a")]) as dataset:
        found = assess(dataset, columns, Settings(subject="who"), thresholds=(2,))
    assert found.risk.quasi_identifiers == ("q0",)
    assert found.risk.k_min == 2
    assert any(each.code == "risk.subject_not_quasi" for each in found.limits)
