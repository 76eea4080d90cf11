"""Exact linkage: properties, a brute-force oracle and reference tables."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.attacks import AttackInputs, AttackResults, simulate_all
from privaudit.attacks.advantage import advantage
from privaudit.attacks.comparable_values import Comparison
from privaudit.config import Settings
from privaudit.errors import ColumnNotFound
from privaudit.headers import relate
from privaudit.headers.relation import Kind
from privaudit.model import ColumnReport, limit
from privaudit.source import from_arrow
from privaudit.stats import wilson
from privaudit.wording import catalogue

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "linkage"

cell = st.sampled_from(["a", "b", "c", None])
person = st.integers(0, 6).map(str)
row = st.tuples(person, cell, cell)
rows = st.lists(row, min_size=1, max_size=14)
ON = {"x": "x", "y": "y"}


def dataset(names, rows, name="release"):
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in names]
    return from_arrow(
        pa.table({n: pa.array(c, pa.string()) for n, c in zip(names, columns, strict=True)}), name=name
    )


def simulate(release, auxiliary, columns, options):
    return simulate_all(AttackInputs(release=release, auxiliary=auxiliary, columns=columns, settings=options))


def attack(release, auxiliary, **options):
    names = ("id", "x", "y")
    with dataset(names, release) as r, dataset(names, auxiliary, "auxiliary") as a:
        return simulate(r, a, (), Settings(on=ON, **options))


def oracle(release, auxiliary):
    """Compare every auxiliary row with every released record."""
    hits = []
    for _, *cells in auxiliary:
        same = [i for i, r in enumerate(release) if None not in cells and list(r[1:]) == cells]
        hits.append(same)
    return hits


@settings(max_examples=12, deadline=None)
@given(rows, rows)
def test_counts_equal_comparing_every_pair_of_rows(release, auxiliary):
    (found,) = attack(release, auxiliary, truth={"id": "id"}).attacks
    hits = oracle(release, auxiliary)
    unique = [(p, same[0]) for (p, *_), same in zip(auxiliary, hits, strict=True) if len(same) == 1]
    peers = Counter(tuple(a[1:]) for a in auxiliary)
    assert found.detail.n_unmatched == sum(not same for same in hits)
    assert found.detail.n_ambiguous == sum(len(same) > 1 for same in hits)
    assert found.detail.n_unique == len(unique)
    assert found.detail.n_mutual == sum(
        len(same) == 1 and peers[a[1:]] == 1 for a, same in zip(auxiliary, hits, strict=True)
    )
    expected = sum(1 / max(len(s), peers[a[1:]]) for a, s in zip(auxiliary, hits, strict=True) if s)
    assert found.detail.expected_correct == pytest.approx(expected)
    assert found.detail.n_release_linked == len({i for same in hits for i in same})
    present = {r[0] for r in release}
    if any(a[0] in present for a in auxiliary):
        inside = [a for a in auxiliary if a[0] in present]
        assert found.n_targets == len(inside)
        assert found.detail.n_correct == sum(release[i][0] == p for p, i in unique)
        outside = [len(s) == 1 for a, s in zip(auxiliary, hits, strict=True) if a[0] not in present]
        assert found.control == (sum(outside) / len(outside) if outside else None)
        guess = sum(sum(r[0] == a[0] for r in release) for a in inside) / len(inside) / len(release)
        assert found.baseline == pytest.approx(guess)
    else:
        assert found.detail.n_correct is None


@settings(max_examples=6, deadline=None)
@given(rows, rows, st.randoms())
def test_unique_links_never_exceed_the_auxiliary_rows_whatever_the_order(release, auxiliary, random):
    first = attack(release, auxiliary, truth={"id": "id"})
    random.shuffle(release)
    random.shuffle(auxiliary)
    assert attack(release, auxiliary, truth={"id": "id"}) == first
    (found,) = first.attacks
    assert found.detail.n_mutual <= found.detail.n_unique <= found.detail.n_auxiliary == len(auxiliary)
    assert found.detail.n_unmatched + found.detail.n_ambiguous + found.detail.n_unique == found.detail.n_auxiliary
    assert found.detail.n_correct is None or found.detail.n_correct <= found.detail.n_unique
    assert 0 <= found.detail.expected_correct <= found.detail.n_auxiliary


@settings(max_examples=6, deadline=None)
@given(rows)
def test_a_table_linked_with_itself_matches_its_classes(table):
    (found,) = attack(table, table).attacks
    classes = Counter(r[1:] for r in table if None not in r[1:])
    assert found.detail.n_unique == found.detail.n_mutual == sum(f == 1 for f in classes.values())
    assert found.detail.expected_correct == pytest.approx(len(classes))


def test_a_missing_cell_matches_nothing():
    release = [("1", "a", None), ("2", None, None)]
    (found,) = attack(release, release).attacks
    assert (found.detail.n_unmatched, found.detail.n_unique, found.detail.n_release_linked) == (2, 0, 0)


def test_copies_are_counted_with_their_missing_cells():
    names = ("x", "y")
    with dataset(names, [("a", None), ("b", "c")]) as r, dataset(names, [("a", None), ("b", "d")]) as a:
        (found,) = simulate(r, a, (), Settings(on=ON)).attacks
    assert found.detail.n_verbatim == 1


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["29", "30"], ["29.0", "+30"]),
        (["1990-04-23", "1991-01-02"], ["23/04/1990", "02/01/1991"]),
        (["1990-04-23", "1991-01-12"], ["04/23/1990", "01/12/1991"]),
        (["1990-04-23 10:15", "1991-01-02 00:01"], ["23.4.1990", "2.1.1991"]),
        (["Male", "Female"], ["m", "F"]),
        (["New  York", "Ｂｏｎｎ"], [" new york", "Bonn"]),
        (["02139", "00501"], ["2139", "501"]),
        (["1,200", "15"], ["1200", "15.00"]),
        (["20-29", "30-39"], ["29", "30"]),
        (["[20, 30)", "[30, 40)"], ["29.5", "30"]),
        (["29", "90+"], ["97", "29"]),
        (["<20", "20 to 40"], ["19.9", "20"]),
        (["101**", "200**"], ["20095", "10117"]),
        (["1990", "1991"], ["1990-04-23", "31/12/1991"]),
        (["1990-Q2", "1991-Q4"], ["1990-04-23", "1991-12-31"]),
        (["1990-04", "1991-12"], ["1990-04-23", "1991-12-31"]),
        (["29", "30"], ["20-29", "30-39"]),
    ],
)
def test_equal_values_in_different_notation_match(ours, theirs):
    with dataset(("v",), [(x,) for x in ours]) as r, dataset(("v",), [(x,) for x in theirs]) as a:
        (found,) = simulate(r, a, (), Settings(on={"v": "v"})).attacks
    assert found.detail.n_mutual == 2


@pytest.mark.parametrize("bands", [["20-40", "30-50"], ["20-29", "20-39"], ["101**", "2****"]])
def test_overlapping_bands_match_nothing(bands):
    with dataset(("v",), [(x,) for x in bands]) as r, dataset(("v",), [("35",), ("10117",)]) as a:
        (found,) = simulate(r, a, (), Settings(on={"v": "v"})).attacks
    assert found.detail.n_unmatched == 2


def test_suppressed_cells_match_nothing():
    with dataset(("v",), [("*",), ("b",)]) as r, dataset(("v",), [("*",), ("b",)]) as a:
        (found,) = simulate(r, a, (), Settings(on={"v": "v"})).attacks
    assert (found.detail.n_unique, found.detail.n_unmatched) == (1, 1)


def test_columns_are_paired_by_name_synonym_and_value():
    names, others = ("row", "Sex", "zip_code", "job"), ("full_name", "gender", "postcode", "jobrole")
    release = [("1", "M", "10115", "nurse"), ("2", "F", "20095", "cook"), ("3", "F", "80331", "judge")]
    auxiliary = [("A", "male", "10115", "nurse"), ("B", "female", "20095", "cook")]
    with dataset(names, release) as r, dataset(others, auxiliary, "people") as a:
        result = simulate(r, a, (), Settings())
    assert result.attacks[0].detail.mapping == {"Sex": "gender", "zip_code": "postcode", "job": "jobrole"}
    assert result.attacks[0].detail.n_mutual == 2


def test_column_names_with_the_same_meaning_are_related():
    assert relate("maritalStatus", "marital-status") == (1.0, "same_name")
    assert relate("Marital_status", "civil status") is not None
    assert relate("salary", "height") is None


def test_no_common_column_makes_the_scan_incomplete():
    with dataset(("u",), [("1",)]) as r, dataset(("w",), [("2",)]) as a:
        result = simulate(r, a, (), Settings())
    assert result.attacks == ()
    assert result.limits[-1].incomplete and result.limits[-1].code == "attacks.no_common_column"


def test_an_empty_table_makes_the_scan_incomplete():
    with dataset(("u",), []) as r, dataset(("u",), [("2",)]) as a:
        result = simulate(r, a, (), Settings())
    assert result.attacks == () and result.limits[0].incomplete


@pytest.mark.parametrize("option", ["on", "truth"])
def test_an_unknown_column_is_an_error(option):
    with dataset(("zip",), [("1",)]) as r, dataset(("zip",), [("2",)]) as a:
        with pytest.raises(ColumnNotFound):
            simulate(r, a, (), Settings(**{option: {"zap": "zip"}}))
        with pytest.raises(ColumnNotFound):
            simulate(r, a, (), Settings(**{option: {"zip": "zap"}}))


def test_truth_that_matches_no_record_makes_the_scan_incomplete():
    result = attack([("1", "a", "b")], [("2", "a", "b")], truth={"id": "id"})
    assert result.attacks[0].detail.n_correct is None
    assert any(limit.incomplete and limit.code == "attacks.truth_matches_no_record" for limit in result.limits)


def test_wilson_by_hand():
    """8 of 10: centre (0.8 + 0.19207) / 1.38415 = 0.71674, half width 0.22657."""
    found = wilson(8, 10)
    assert (found.low, found.high) == pytest.approx((0.49016, 0.94331), abs=2e-5)
    assert wilson(0, 100).low == 0 and wilson(0, 100).high == pytest.approx(0.0370, abs=1e-4)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50), st.integers(1, 50))
def test_the_advantage_lies_in_its_interval_and_never_exceeds_success(s, c, n, m):
    success, control = wilson(min(s, n), n), wilson(min(c, m), m)
    found = advantage(success, control)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.value <= success.value + 1e-12
    assert advantage(success, 0.0).value == success.value


@pytest.mark.shared
@pytest.mark.parametrize(
    ("table", "unmatched", "unique", "correct", "targets"),
    [("adult", 299, 1118, 1059, 3000), ("hr", 73, 365, 359, 400), ("kenya_insurance", 56, 301, 297, 300)],
)
def test_reference_tables_with_truth(table, unmatched, unique, correct, targets):
    """Counts made independently with a left join in pandas."""
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    with (SHARED / f"{table}_target.csv").open(newline="") as file:
        release = list(csv.reader(file))
    with (SHARED / f"{table}_aux.csv").open(newline="") as file:
        auxiliary = list(csv.reader(file))
    with (SHARED / f"{table}_truth_pairs.csv").open(newline="") as file:
        who = dict(csv.reader(file))
    key = release[0].index("row_id")
    body = [[*r[:key], who.get(r[key]), *r[key + 1 :]] for r in release[1:]]
    body = [[c or None for c in r] for r in body]
    names = ["person_id" if n == "row_id" else n for n in release[0]]
    with dataset(names, body) as r, dataset(auxiliary[0], auxiliary[1:], "people") as a:
        (found,) = simulate(r, a, (), Settings(truth={"person_id": "person_id"})).attacks
    assert set(found.detail.mapping.values()) == set(auxiliary[0]) - {"person_id", "full_name"}
    assert (found.detail.n_unmatched, found.detail.n_unique, found.detail.n_correct) == (unmatched, unique, correct)
    assert found.n_targets == targets and found.success.value == correct / targets
    assert found.baseline == pytest.approx(1 / len(body))
    assert found.detail.precision.value == correct / unique
    assert found.control is not None and found.control < found.success.value
    over = (found.success.value - found.baseline) / (1 - found.baseline)
    assert found.advantage.low < found.advantage.value == pytest.approx(over)
    assert found.detail.over_control.low < found.detail.over_control.value < found.detail.over_control.high


def test_false_links_do_not_hide_correct_links():
    """One of two targets is re-identified although every person outside the release has a unique match too."""
    release = [("1", "a", "b"), ("2", "a", "c"), ("3", "c", "c")]
    auxiliary = [("1", "a", "b"), ("2", "x", "c"), ("8", "a", "c"), ("9", "c", "c")]
    (found,) = attack(release, auxiliary, truth={"id": "id"}).attacks
    assert (found.detail.n_correct, found.n_targets, found.control, found.detail.n_control) == (1, 2, 1.0, 2)
    assert found.advantage.value == pytest.approx((1 / 2 - 1 / 3) / (1 - 1 / 3))
    assert found.detail.over_control.value == 0
    assert found.detail.precision.value == pytest.approx(1 / 3)


def profiled(release):
    columns = []
    for name in release.columns:
        found = release.frequencies(name)
        whole = all(v.isdigit() for v in found.values.to_pylist())
        ordered = release.rows([name]).column(0).to_pylist()
        columns.append(
            ColumnReport(
                name=name,
                data_type="integer" if whole else "text",
                n_rows=release.n_rows,
                n_missing=found.n_missing,
                n_distinct=len(found.values),
                n_held_once=0,
                uniqueness=len(found.values) / release.n_rows,
                entropy_bits=1.0,
                role="none",
                monotonic=whole and ordered == sorted(ordered, key=int),
            )
        )
    return tuple(columns)


def test_row_numbers_are_not_compared():
    names = ("id", "town")
    release = [(str(i), f"town {i}") for i in range(1, 9)]
    with dataset(names, release) as r, dataset(names, release[::-1], "people") as a:
        result = simulate(r, a, profiled(r), Settings())
    assert result.attacks[0].detail.mapping == {"town": "town"}
    assert result.attacks[0].detail.n_verbatim == 8
    compared = [limit for limit in result.limits if limit.code == "attacks.row_number_not_compared"]
    assert [limit.values["column"].names for limit in compared] == [("id",)]


def test_text_columns_are_paired_by_value_and_numbers_are_not():
    release = [(f"town {i}", str(i * 7)) for i in range(9)]
    with dataset(("q1", "q2"), release) as r, dataset(("a1", "a2"), release, "people") as a:
        result = simulate(r, a, profiled(r), Settings())
    assert result.attacks[0].detail.mapping == {"q1": "a1"}
    because = result.attacks[0].detail.reasons["q1"].values["because"]
    assert because.values["relation"].code == "attacks.same_values"


def test_no_value_is_disclosed():
    release = [("Quixotopolis", "Zebulon", "1977-11-23"), ("Xanadu", "Yolanda", "1981-02-03")]
    names = ("town", "nick", "born")
    with dataset(names, release) as r, dataset(names, release, "people") as a:
        shown = repr(simulate(r, a, profiled(r), Settings(truth={"nick": "nick"})))
    for value in ("uixo", "anad", "ebul", "olan", "1977", "1981"):
        assert value not in shown


def test_an_attack_without_its_inputs_does_not_run():
    with dataset(("x",), [("1",)]) as r:
        assert simulate(r, None, (), Settings()) == AttackResults()


def test_a_failed_attack_leaves_its_limits_and_the_others_run():
    failed = limit("attacks.no_rows", incomplete=True)
    with dataset(("x",), [("1",)]) as r, dataset(("x",), [("1",)]) as a:
        inputs = AttackInputs(release=r, auxiliary=a, settings=Settings())
        results = simulate_all(inputs, attempt=lambda kind, simulation: (None, (failed,)))
    assert results == AttackResults((), (failed,))


def test_every_reason_assumption_and_limit_has_a_sentence():
    with dataset(("id", "x", "y"), [("1", "a", "b")]) as r, dataset(("id", "x", "y"), [("1", "a", "b")]) as a:
        (found,), limits = (results := simulate(r, a, (), Settings(truth={"id": "id"}))).attacks, results.limits
    stated = [*found.assumptions, *found.detail.reasons.values()]
    assert all(catalogue.sentence(stated_fact.code) for stated_fact in stated)
    assert all(catalogue.limit_sentence(found_limit.code, "why") for found_limit in limits)
    for comparison in get_args(Comparison):
        assert catalogue.sentence(f"attacks.compared_as_{comparison}")
    for kind in get_args(Kind):
        assert catalogue.sentence(f"attacks.{kind}")
