"""Exact linkage: properties, a brute-force oracle and reference tables."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.attacks import AttackInputs, simulate_all
from privaudit.attacks.links.linkage import simulate_linkage
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.model import ColumnReport
from privaudit.model.advantage import advantage
from privaudit.model.headers import relate
from privaudit.model.stats import wilson
from privaudit.settings.config import Settings
from privaudit.source import from_arrow

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "linkage"

cell = st.sampled_from(["a", "b", "c", None])
person = st.integers(0, 6).map(str)
row = st.tuples(person, cell, cell)
rows = st.lists(row, min_size=1, max_size=14)
ON = {"x": "x", "y": "y"}


def dataset(names, rows, name="release"):
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in names]
    return from_arrow(pa.table({n: pa.array(c, pa.string()) for n, c in zip(names, columns, strict=True)}), name=name)


def simulate(release, auxiliary, columns, options):
    inputs = AttackInputs(release=release, auxiliary=auxiliary, columns=columns, settings=options)
    return simulate_all(inputs) if auxiliary is None else simulate_linkage(inputs)


def attack(release, auxiliary, **options):
    names = ("id", "x", "y")
    with dataset(names, release) as r, dataset(names, auxiliary, "auxiliary") as a:
        return simulate(r, a, (), Settings(on=ON, **options))


class Oracle:
    """One direction of a linkage by comparing every row with every other; rows are (person or None, cells...)."""

    def __init__(self, targets, searched):
        self.targets, self.searched = self._numbered(targets, "t"), self._numbered(searched, "s")
        self.hits = [self._people(self.searched, cells) for _, cells in self.targets]
        self.peers = [self._people(self.targets, cells) for _, cells in self.targets]

    @staticmethod
    def _numbered(rows, side):
        return [((side, i) if person is None else person, cells) for i, (person, *cells) in enumerate(rows)]

    @staticmethod
    def _people(rows, cells):
        return {person for person, others in rows if None not in cells and others == cells}

    def known(self, rows):
        return {person for person, _ in rows if isinstance(person, str)}

    @property
    def guess(self):
        return 1 / len({person for person, _ in self.searched})

    @property
    def expected(self):
        classes = {tuple(cells): len(hits) for (_, cells), hits in zip(self.targets, self.hits, strict=True) if hits}
        return sum(min(n, len(self._people(self.targets, list(cells)))) / n for cells, n in classes.items())

    def claims(self, person):
        found = [hits for (p, _), hits in zip(self.targets, self.hits, strict=True) if p == person]
        return [next(iter(hits)) for hits in found if len(hits) == 1]

    def is_claimed(self, person):
        return len(set(self.claims(person))) == 1

    def is_correct(self, person):
        return set(self.claims(person)) == {person}

    def may_be_present(self, person):
        """Whether a searched row without an ID agrees with a row of the person in all cells that both have."""
        return any(
            not isinstance(q, str) and all(a == b or None in (a, b) for a, b in zip(cells, others, strict=True))
            for p, cells in self.targets
            if p == person
            for q, others in self.searched
        )


identified = st.tuples(st.one_of(st.none(), person), cell, cell)
unsure_rows = st.lists(identified, min_size=1, max_size=14)


@settings(max_examples=60, deadline=None)
@given(unsure_rows, unsure_rows)
def test_both_directions_equal_comparing_every_pair_of_rows(release, auxiliary):
    results = attack(release, auxiliary, truth={"id": "id"})
    expected = Oracle(auxiliary, release), Oracle(release, auxiliary)
    in_both = expected[0].known(expected[0].searched) & expected[0].known(expected[0].targets)
    assert [found.is_register_attack for found in results.attacks] == [False, True]
    for found, truth in zip(results.attacks, expected, strict=True):
        detail = found.detail
        assert detail.n_unmatched == sum(not hits for hits in truth.hits)
        assert detail.n_ambiguous == sum(len(hits) > 1 for hits in truth.hits)
        assert detail.n_unique == sum(len(hits) == 1 for hits in truth.hits)
        assert detail.n_mutual == sum(
            len(hits) == len(peers) == 1 for hits, peers in zip(truth.hits, truth.peers, strict=True)
        )
        assert detail.expected_correct == pytest.approx(truth.expected)
        assert found.baseline == pytest.approx(truth.guess)
        assert (detail.n_correct is None) == (not in_both)
        if in_both:
            check_counts(found, truth, in_both)


def check_counts(found, truth, in_both):
    detail = found.detail
    assert found.n_targets == len(in_both)
    assert detail.n_correct == sum(map(truth.is_correct, in_both)) == found.n_correct
    assert found.success.low <= found.success.value == detail.n_correct / len(in_both) <= found.success.high
    rest = truth.known(truth.targets) - in_both
    open_ = {p for p in rest if truth.may_be_present(p)}
    nameless = sum(not isinstance(p, str) for p, _ in truth.targets)
    assert detail.n_control_excluded == len(open_) + nameless
    control = rest - open_
    if not control:
        assert found.control is detail.control_rate is detail.n_control is detail.over_control is None
        return
    assert detail.n_control == len(control)
    assert found.control == detail.control_rate.value == sum(map(truth.is_claimed, control)) / len(control)
    assert detail.over_control.low <= detail.over_control.value <= detail.over_control.high
    for size in range(len(open_) + 1):  # whoever of them is outside, the interval contains the share
        for chosen in itertools.combinations(sorted(open_), size):
            group = control | set(chosen)
            share = sum(map(truth.is_claimed, group)) / len(group)
            assert detail.control_rate.low <= share <= detail.control_rate.high


@settings(max_examples=12, deadline=None)
@given(rows, rows)
def test_without_truth_rows_are_people_and_success_is_an_upper_bound(release, auxiliary):
    """As many as possible are in both tables: any assignment of people to equal rows gives no higher expectation."""
    (found, register) = attack(release, auxiliary).attacks
    with_truth = attack(release, auxiliary, truth={"id": "id"}).attacks
    nameless = Oracle([(None, *r[1:]) for r in auxiliary], [(None, *r[1:]) for r in release])
    assert found.detail.expected_correct == pytest.approx(nameless.expected)
    for bound, counted in zip((found, register), with_truth, strict=True):
        assert bound.success.is_upper_bound and bound.advantage.is_upper_bound and not bound.is_counted
        assert bound.success.low == 0 <= bound.success.value <= bound.success.high <= 1
        assert bound.detail.n_correct is None and bound.detail.control_rate is None
        assert bound.n_correct <= bound.n_targets
        assert counted.detail.n_auxiliary == bound.detail.n_auxiliary == len(auxiliary)


@settings(max_examples=12, deadline=None)
@given(unsure_rows, unsure_rows, st.randoms())
def test_numbers_do_not_depend_on_the_order_of_rows(release, auxiliary, random):
    first = attack(release, auxiliary, truth={"id": "id"})
    bounds = attack(release, auxiliary)
    random.shuffle(release)
    random.shuffle(auxiliary)
    assert attack(release, auxiliary, truth={"id": "id"}) == first
    assert attack(release, auxiliary) == bounds
    for found in (*first.attacks, *bounds.attacks):
        looked_up = len(release) if found.is_register_attack else len(auxiliary)
        detail = found.detail
        assert detail.n_mutual <= detail.n_unique
        assert detail.n_unmatched + detail.n_ambiguous + detail.n_unique == looked_up
        assert 0 <= detail.expected_correct <= min(len(release), len(auxiliary)) + 1e-9


@settings(max_examples=6, deadline=None)
@given(rows)
def test_a_table_linked_with_itself_matches_its_classes(table):
    found, register = attack(table, table).attacks
    classes = Counter(r[1:] for r in table if None not in r[1:])
    assert found.detail.n_unique == found.detail.n_mutual == sum(f == 1 for f in classes.values())
    assert found.detail.expected_correct == pytest.approx(len(classes))
    assert register.success == found.success


VISITS = [(f"p{i}", f"v{i}", str(visit)) for i in range(100) for visit in range(3)]
PEOPLE = [(f"p{i}", f"v{i}", "-") for i in range(100)]


def visits(release, auxiliary, **options):
    names = ("id", "x", "y")
    with dataset(names, release) as r, dataset(names, auxiliary, "auxiliary") as a:
        return simulate(r, a, (), Settings(on={"x": "x"}, **options)).attacks


def test_records_of_one_person_are_one_claim():
    """100 people with 3 visits each, all re-identified: the three matching records are not ambiguous."""
    for found in visits(VISITS, PEOPLE, truth={"id": "id"}):
        assert (found.n_targets, found.detail.n_correct, found.success.value) == (100, 100, 1.0)
        assert found.detail.n_ambiguous == 0 and found.advantage.low > 0.9
        assert (found.baseline, found.detail.expected_correct) == (1 / 100, 100.0)


def test_a_data_subject_column_makes_claims_of_its_rows_without_truth():
    found, register = visits(VISITS, PEOPLE, subject="id")
    assert (found.detail.n_unique, found.detail.expected_correct, found.baseline) == (100, 100.0, 1 / 100)
    assert (found.success.value, found.n_targets) == (1.0, 100)
    assert register.detail.n_unique == 300 and register.n_targets == 100
    rows_as_people = visits(VISITS, PEOPLE)[0]
    assert rows_as_people.detail.n_ambiguous == 100
    assert rows_as_people.success.value == pytest.approx(1 / 3)


def test_a_person_with_several_auxiliary_rows_is_one_target():
    release = [("1", "a", ""), ("2", "b", ""), ("3", "c", ""), ("4", "c", "")]
    auxiliary = [("1", "a", ""), ("1", "z", ""), ("2", "b", ""), ("2", "a", ""), ("3", "c", ""), ("9", "b", "")]
    found, _ = visits(release, auxiliary, truth={"id": "id"})
    # 1: one row matches, and is right. 2: two rows claim different people. 3: two people match.
    assert (found.n_targets, found.detail.n_correct, found.detail.n_control) == (3, 1, 1)
    assert any(a.code == "attacks.claims_of_a_person_agree" for a in found.assumptions)


def test_the_data_subject_decides_where_the_truth_names_rows():
    """The truth is the ID of a visit; the person behind the visits is a column of the release."""
    names = ("visit", "x", "person")
    release = [("v1", "a", "p"), ("v2", "a", "p"), ("v3", "b", "q"), ("v4", None, "q"), ("v5", "c", None)]
    auxiliary = [("v1", "a", ""), ("v4", "b", ""), ("v5", "c", ""), ("v9", "b", "")]
    with dataset(names, release) as r, dataset(names, auxiliary, "auxiliary") as a:
        options = Settings(on={"x": "x"}, truth={"visit": "visit"}, subject="person")
        found = simulate(r, a, (), options).attacks[0]
    assert (found.n_targets, found.detail.n_correct, found.baseline) == (3, 3, 1 / 3)
    assert (found.detail.n_control, found.control) == (1, 1.0)


def test_people_whose_record_may_lack_an_id_are_not_in_the_control():
    """All are in the release, half of the records lack the ID: no claim about them is known to be false."""
    release = [(f"p{i}" if i < 50 else None, f"v{i}", "") for i in range(100)]
    auxiliary = [(f"p{i}", f"v{i}", "") for i in range(100)]
    for found in visits(release, auxiliary, truth={"id": "id"}):
        assert (found.n_targets, found.detail.n_correct) == (50, 50)
        assert found.control is None and found.detail.n_control_excluded == 50
    outsiders = [(f"o{i}", f"w{i}", "") for i in range(20)]
    found, _ = visits(release, auxiliary + outsiders, truth={"id": "id"})
    assert (found.control, found.detail.n_control, found.detail.n_control_excluded) == (0.0, 20, 50)
    # If all 50 who were excluded were outside, 50 of 70 would be claimed.
    assert found.detail.control_rate.high > 50 / 70
    over = found.detail.over_control
    highest = found.detail.control_rate.high
    assert over.value == 1.0 and over.low == pytest.approx((found.success.low - highest) / (1 - highest))


def test_an_advantage_over_a_control_that_is_always_claimed_is_uncertain():
    found = advantage(wilson(50, 50), wilson(3, 3))
    assert found.value == found.low == 0 and found.high == 1
    assert advantage(wilson(50, 50), 1.0).high == 0


def test_the_population_scales_the_success_by_the_probability_to_be_in_the_release():
    """A tenth of the population is in the release, where half of the people are unique."""
    release = [(str(i), f"v{i}" if i < 50 else "w", "") for i in range(100)]
    auxiliary = [(str(i), f"v{i}" if i < 500 else "w", "") for i in range(0, 1000, 20)]
    alone, scaled = (visits(release, auxiliary, population=size)[0] for size in (None, "1000"))
    assert scaled.n_targets == 50 and scaled.success.method == "expected-population-at-most"
    assert scaled.success.value == pytest.approx(51 / 1000)  # 50 unique people and one of the 50 others
    assert scaled.success.high < alone.success.high
    with pytest.raises(ConfigError, match="smaller than the table"):
        visits(release, auxiliary, population="99")


def test_a_population_table_is_counted(tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("n\n" + "\n".join(map(str, range(1000))))
    release = [(str(i), f"v{i}" if i < 50 else "w", "") for i in range(100)]
    assert visits(release, release[::10], population=str(table)) == visits(release, release[::10], population="1000")


def test_a_population_that_does_not_fit_is_not_used():
    release = [(str(i), f"v{i}", "") for i in range(100)]
    names = ("id", "x", "y")
    with dataset(names, release) as r, dataset(names, release[:60], "auxiliary") as a:
        results = simulate(r, a, (), Settings(on={"x": "x"}, population="10000"))
    assert results.attacks[0].success.value == 1.0
    assert any(found.code == "attacks.population_does_not_fit" for found in results.limits)


def test_nobody_in_both_tables_is_measured_as_such():
    found, register = visits([("1", "a", "")] * 200, [("2", "b", "")] * 300)
    assert found.success.value == register.success.value == 0
    assert 0 < found.success.high < 0.02 and found.n_targets == 300


def test_a_missing_cell_matches_nothing():
    release = [("1", "a", None), ("2", None, None)]
    found = attack(release, release).attacks[0]
    assert (found.detail.n_unmatched, found.detail.n_unique, found.detail.n_release_linked) == (2, 0, 0)


def test_copies_are_counted_with_their_missing_cells():
    names = ("x", "y")
    with dataset(names, [("a", None), ("b", "c")]) as r, dataset(names, [("a", None), ("b", "d")]) as a:
        found, _ = simulate(r, a, (), Settings(on=ON)).attacks
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
        found, _ = simulate(r, a, (), Settings(on={"v": "v"})).attacks
    assert found.detail.n_mutual == 2


@pytest.mark.parametrize("bands", [["20-40", "30-50"], ["20-29", "20-39"], ["101**", "2****"]])
def test_overlapping_bands_match_nothing(bands):
    with dataset(("v",), [(x,) for x in bands]) as r, dataset(("v",), [("35",), ("10117",)]) as a:
        found, _ = simulate(r, a, (), Settings(on={"v": "v"})).attacks
    assert found.detail.n_unmatched == 2


def test_suppressed_cells_match_nothing():
    with dataset(("v",), [("*",), ("b",)]) as r, dataset(("v",), [("*",), ("b",)]) as a:
        found, _ = simulate(r, a, (), Settings(on={"v": "v"})).attacks
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
        with pytest.raises(ColumnNotFound, match='"zap" is not a column of release'):
            simulate(r, a, (), Settings(**{option: {"zap": "zip"}}))
        with pytest.raises(ColumnNotFound, match='"zap" is not a column of release'):
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
    assert found.low <= found.value <= found.high <= 1
    assert found.value <= success.value + 1e-12
    assert (found.value < 0) == (success.value < control.value < 1)
    assert advantage(success, 0.0).value == success.value


def reference(table):
    """Return header and rows of a released table, with the person of the true pairs, and of its auxiliary table."""
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
    names = ["person_id" if n == "row_id" else n for n in release[0]]
    return names, [[c or None for c in r] for r in body], auxiliary[0], auxiliary[1:]


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("name_everybody", [False, True])
def test_both_directions_on_adult_with_four_columns(name_everybody):
    """RISK.md: 3,000 people in both tables, 600 outside the release; counts made independently with pandas."""
    names, body, others, auxiliary = reference("adult")
    if name_everybody:
        body = [[r[0] or f"row {i}", *r[1:]] for i, r in enumerate(body)]
    columns = {name: name for name in ("age", "sex", "race", "education")}
    with dataset(names, body) as r, dataset(others, auxiliary, "people") as a:
        found, register = simulate(r, a, (), Settings(on=columns, truth={"person_id": "person_id"})).attacks
        bounds = simulate(r, a, (), Settings(on=columns)).attacks
    assert (found.detail.n_unique, found.detail.n_correct, found.n_targets) == (134, 116, 3000)
    assert (register.detail.n_unique, register.detail.n_correct, register.n_targets) == (3528, 536, 3000)
    assert register.detail.precision.value == pytest.approx(536 / 3528)
    if name_everybody:
        assert (found.detail.n_control, found.detail.n_control_excluded) == (600, 0)
        assert found.control == pytest.approx(18 / 600)
        assert register.detail.n_control == 27162
    else:
        assert found.detail.n_control + found.detail.n_control_excluded == 600
        assert register.control is None and register.detail.n_control_excluded == 27162
    for bound, counted in zip(bounds, (found, register), strict=True):
        assert bound.success.high > counted.success.value


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize(
    ("table", "unmatched", "unique", "correct", "targets"),
    [("adult", 299, 1118, 1059, 3000), ("hr", 73, 365, 359, 400), ("kenya_insurance", 56, 301, 297, 300)],
)
def test_reference_tables_with_truth(table, unmatched, unique, correct, targets):
    """Counts made independently with a left join in pandas."""
    names, body, others, auxiliary = reference(table)
    with dataset(names, body) as r, dataset(others, auxiliary, "people") as a:
        found, _ = simulate(r, a, (), Settings(truth={"person_id": "person_id"})).attacks
        bound, _ = simulate(r, a, (), Settings(on=found.detail.mapping)).attacks
    assert bound.success.high >= found.success.high
    assert set(found.detail.mapping.values()) == set(others) - {"person_id", "full_name"}
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
    found, _ = attack(release, auxiliary, truth={"id": "id"}).attacks
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


@pytest.mark.parametrize("n", [9, 25_000])
def test_text_columns_are_paired_by_value_and_numbers_are_not(n):
    release = [(f"town {i}", str(i * 7)) for i in range(n)]
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
        found = simulate(r, None, (), Settings())
    assert found.attacks == () and {one.code for one in found.limits} == {"attacks.no_quasi_identifier"}
