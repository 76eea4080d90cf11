"""Attacks on a release with its original at hand: copies, membership, singling out, linkability, inference."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.members import nearest
from privaudit.attacks.members.compared_tables import read_compared
from privaudit.attacks.members.copies import count_copies
from privaudit.attacks.members.membership import Scored, auc
from privaudit.attacks.members.near_copies import largest_difference
from privaudit.attacks.members.nearest import nearest_distance, nearest_rows
from privaudit.attacks.registry import attack_release
from privaudit.base.errors import ScanIncomplete
from privaudit.model.advantage import advantage
from privaudit.model.stats import wilson
from privaudit.rulebook import load_policy
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from tests.helpers.paths import SHARED

SETTINGS = Settings(sensitive=("illness",))


def people(n, seed, prefix="a"):
    """Return people with correlated numbers and categories."""
    random = np.random.default_rng(seed)
    age = random.integers(18, 90, n)
    return pa.table(
        {
            "age": age.astype(str).tolist(),
            "town": [f"town {i}" for i in random.integers(0, 30, n)],
            "income": (age * 500 + random.integers(0, 40_000, n)).astype(str).tolist(),
            "illness": random.choice(["flu", "none", "asthma"], n).tolist(),
            "code": [f"{prefix}{i % 17}" for i in random.permutation(n)],
        }
    )


ORIGINAL, CONTROL, OTHERS = people(600, 1), people(600, 2), people(600, 3)


def attacks(release, original=ORIGINAL, control=CONTROL, **options):
    results = attack_release(release, original, control, settings=SETTINGS, **options)
    return {(one.kind, one.detail.method): one for one in results.attacks}, results.limits


def with_copies(share):
    n = round(600 * share)
    return pa.concat_tables([ORIGINAL.slice(0, n), OTHERS.slice(0, 600 - n)])


@pytest.fixture(scope="module")
def copied():
    return attacks(with_copies(0.3))[0]


@pytest.fixture(scope="module")
def independent():
    return attacks(OTHERS)[0]


def test_copies_are_counted_and_only_the_excess_over_outsiders_counts(copied, independent):
    found = copied["copies", "all_columns"]
    assert found.n_correct == 180 and found.control == 0 and found.advantage.low > 0.2
    assert independent["copies", "all_columns"].n_correct == 0
    assert all(one.advantage.low <= 0 for one in independent.values() if one.kind == "copies")


def test_every_attack_finds_copies_and_none_an_independent_sample(copied, independent):
    for key in (("near_copies", "distance"), ("membership", "nearest"), ("linkability", "halves")):
        assert copied[key].advantage.low > 0.05 > independent[key].advantage.low, key
    assert copied["inference", "nearest"].advantage.low > 0
    assert independent["inference", "nearest"].advantage.low <= 0


def test_every_attack_states_what_all_attacks_share(copied):
    for found in copied.values():
        assert str(found.attacker) and str(found.outcome) and found.against == "control"
        assert found.control_rate is not None and found.n_outsiders and found.n_targets
        assert found.advantage.low <= found.advantage.value <= found.advantage.high <= 1


def test_shifted_copies_are_found_by_ranks():
    moved = [str(int(cell) + 7_000_000) for cell in ORIGINAL["income"].to_pylist()]
    found, _ = attacks(ORIGINAL.set_column(2, "income", pa.array(moved)))
    assert found["copies", "all_columns"].n_correct == 0
    assert found["near_copies", "ranks"].advantage.low > 0.3


def test_the_same_seed_gives_the_same_numbers_whatever_the_order_of_the_rows(copied):
    order = np.random.default_rng(9).permutation(600)
    again, _ = attacks(with_copies(0.3).take(order), ORIGINAL.take(order), CONTROL.take(order))
    assert again == copied


def with_tokens(table, seed):
    """Return rows of the original with tokens in the place of towns and of codes, equal values with equal tokens."""
    random = np.random.default_rng(seed)
    for name in ("town", "code"):
        tokens = {value: random.bytes(8).hex() for value in table[name].unique().to_pylist()}
        made = pa.array([tokens[value] for value in table[name].to_pylist()])
        table = table.set_column(table.column_names.index(name), name, made)
    return table


@pytest.mark.parametrize("seed", range(4))
def test_another_draw_of_tokens_changes_no_number(seed):
    first, again = (attacks(with_tokens(with_copies(0.3), each))[0] for each in (100, seed))
    assert again == first


def test_a_release_that_equals_the_original_gets_a_verdict():
    found, _ = attacks(ORIGINAL)
    assert found["copies", "all_columns"].success.value == 1 and found["copies", "all_columns"].advantage.low > 0.9


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.slice(0, 1),
        lambda table: table.select(["town"]),
        lambda table: pa.table({name: pa.nulls(600, pa.string()) for name in table.column_names}),
        lambda table: table.select(table.column_names[::-1]),
        lambda table: table.set_column(0, "age", table["age"].cast(pa.float64())),
        lambda table: table.drop_columns(["income"]).append_column("other", table["town"]),
        lambda table: table.rename_columns([f"new {name}" for name in table.column_names]),
    ],
)
def test_odd_releases_give_attacks_or_a_clear_limit(change):
    found, limits = attacks(change(ORIGINAL))
    assert found or any(limit.incomplete for limit in limits)


def test_a_release_without_rows_ends_in_an_error():
    with pytest.raises(ScanIncomplete, match="no rows"):
        attacks(ORIGINAL.slice(0, 0))


def test_without_outsiders_copies_are_counted_and_the_run_is_incomplete():
    found, limits = attacks(with_copies(0.3), control=None)
    assert found["copies", "all_columns"].n_correct == 180 and found["copies", "all_columns"].is_headline
    assert "attacks.no_outsiders" in {limit.code for limit in limits if limit.incomplete}


def test_columns_that_number_the_rows_are_not_compared():
    numbered = [table.append_column("row", pa.array(map(str, range(600)))) for table in (OTHERS, ORIGINAL, CONTROL)]
    found, limits = attacks(*numbered)
    assert "row" not in found["copies", "all_columns"].knowledge
    assert "attacks.counters_not_compared" in {limit.code for limit in limits}


def test_no_cell_value_is_in_a_result():
    found, limits = attacks(with_copies(0.3))
    shown = repr((found, limits))
    assert not any(value in shown for value in ("town 1", "asthma", "'flu'", "a11"))


def test_other_types_of_the_same_numbers_are_the_same_people():
    typed = ORIGINAL.set_column(0, "age", pa.array([f"{cell}.0" for cell in ORIGINAL["age"].to_pylist()]))
    assert attacks(typed)[0]["copies", "all_columns"].n_correct == 600


def test_nearest_rows_equal_a_loop_over_all_pairs():
    with (
        open_dataset(OTHERS, SETTINGS) as release,
        open_dataset(ORIGINAL, SETTINGS) as original,
        open_dataset(CONTROL, SETTINGS) as control,
    ):
        inputs = AttackInputs(release=release, original=original, outsiders=control, settings=SETTINGS)
        compared, _ = read_compared(inputs)
    targets = compared.members.take(np.arange(40))
    points, table = compared.points(targets), compared.points(compared.release)
    expected = []
    for i in range(40):
        total = np.abs(points.numbers[i] - table.numbers).sum(axis=1)
        expected.append(total + (points.categories[i] != table.categories).sum(axis=1))
    expected = np.array(expected)
    assert nearest_distance(points, table) == pytest.approx(expected.min(axis=1))
    near = nearest_rows(points, table, 3)
    chosen = np.sort(np.take_along_axis(expected, near, axis=1), axis=1)
    assert chosen == pytest.approx(np.sort(expected, axis=1)[:, :3])


def test_distances_are_measured_by_as_many_threads_as_the_settings_allow(monkeypatch):
    allowed, each = [], nearest.each
    monkeypatch.setattr(nearest, "each", lambda *of: allowed.append(of[-1]) or each(*of))
    with open_dataset(OTHERS, SETTINGS) as release, open_dataset(ORIGINAL, SETTINGS) as original:
        for threads in (1, 3):
            chosen = replace(SETTINGS, threads=threads)
            compared, _ = read_compared(AttackInputs(release=release, original=original, settings=chosen))
            points = compared.by_rank().select([0, 1]).points(compared.members.select([0, 1]))
            nearest_distance(points, points)
            nearest_rows(points, points)
    assert allowed == [1, 1, 3, 3]


def test_the_area_equals_a_loop_over_all_pairs():
    random = np.random.default_rng(4)
    scored = Scored(random.integers(0, 9, 50).astype(float), random.integers(0, 8, 40).astype(float))
    wins = [(a > b) + (a == b) / 2 for a in scored.members for b in scored.outsiders]
    assert auc(scored).value == pytest.approx(np.mean(wins))


def test_the_sweep_equals_a_loop_over_all_thresholds():
    random = np.random.default_rng(5)
    inside, outside = (random.integers(0, 30, 60).astype(np.float32) for _ in range(2))
    excess = [(inside <= t).mean() - (outside <= t).mean() for t in np.unique(np.append(inside, outside))]
    assert largest_difference(inside, outside)[0] == pytest.approx(max(excess))


@pytest.mark.slow
def test_intervals_cover_the_true_excess_of_copies():
    """A fifth of the members is copied: the interval of the advantage contains 0.2 in 93 % of the releases or more."""
    random = np.random.default_rng(6)
    covered = 0
    for _ in range(200):
        n = 300
        copied = random.random(n) < 0.2
        names = [f"p{i}" for i in range(n)]
        release = pa.table({"name": [name for name, copy in zip(names, copied, strict=True) if copy] or ["x"]})
        original, control = pa.table({"name": names}), pa.table({"name": [f"q{i}" for i in range(n)]})
        with (
            open_dataset(release, SETTINGS) as a,
            open_dataset(original, SETTINGS) as b,
            open_dataset(control, SETTINGS) as c,
        ):
            inputs = AttackInputs(release=a, original=b, outsiders=c, settings=SETTINGS)
            compared, _ = read_compared(inputs)
        found = count_copies(compared, "all_columns")
        covered += found.advantage.low <= 0.2 <= found.advantage.high
    assert covered >= 0.93 * 200


def test_five_percent_copies_are_critical_and_an_independent_sample_is_not():
    from privaudit.api.scans import attack

    def severities(release):
        report = attack(release, original=ORIGINAL, control=CONTROL, sensitive="illness")
        return {one.severity for one in report.findings if one.code == "CPY001"}

    assert "critical" in severities(with_copies(0.05)) and "critical" not in severities(OTHERS)
    assert load_policy("public").copies == 0 and math.isclose(load_policy("public").attack_advantage, 0.05)


def test_the_interval_of_the_advantage_covers_it():
    """Each setting in 1,000 simulated runs; at most 97 % where both groups have five successes and five failures."""
    random = np.random.default_rng(0)
    for s, c, n, m in ((0.1, 0.05, 500, 500), (0.5, 0.3, 500, 500), (0.9, 0.8, 500, 500), (0.3, 0.3, 100, 100)):
        true, covered = (s - c) / (1 - c), 0
        for a, b in zip(random.binomial(n, s, 1000).tolist(), random.binomial(m, c, 1000).tolist(), strict=True):
            found = advantage(wilson(a, n), wilson(b, m))
            covered += found.low <= true <= found.high
        assert 930 <= covered <= 970, (s, c, covered)


@pytest.mark.quick_cases(1)
@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "copies", "coarse"),
    [("ctgan", (0, 0), (136, 95)), ("copies_5", (500, 0), (684, 128)), ("copies_30", (3000, 0), (3346, 339))],
)
def test_reference_releases(name, copies, coarse):
    """The releases of the reference: members and outsiders with a copy on 15 and on 13 columns, exactly."""
    pandas = pytest.importorskip("pandas")
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    tables = reference_tables(pandas)
    members, outsiders = tables["members"], tables["outsiders"]
    base = tables["synthetic"].sample(10_000, random_state=0).reset_index(drop=True)
    n = {"ctgan": 0, "copies_5": 500, "copies_30": 3000}[name]
    copied = [members.sample(n, random_state=1)] if n else []
    release = pandas.concat([base[: 10_000 - n], *copied])
    with (
        open_dataset(release, SETTINGS) as a,
        open_dataset(members, SETTINGS) as b,
        open_dataset(outsiders, SETTINGS) as c,
    ):
        compared, _ = read_compared(AttackInputs(release=a, original=b, outsiders=c, settings=SETTINGS))
    rest = [i for i, column in enumerate(compared.columns) if column not in ("fnlwgt", "education_num")]
    for table, expected in ((compared, copies), (compared.select(rest), coarse)):
        found = count_copies(table, "all_columns")
        assert (found.n_correct, round(found.control * found.n_outsiders)) == expected


def reference_tables(pandas):
    """Return the members, outsiders and synthetic people of the reference, by its recipe."""
    folder = SHARED / "data"
    outsiders, synthetic = (
        pandas.read_csv(next((folder / "anonymeter").rglob(f"adults_{part}.csv")), keep_default_na=False)
        for part in ("control", "syn_ctgan")
    )
    members = pandas.read_csv(folder / "selva86" / "adult_test.csv", keep_default_na=False)
    members.columns = outsiders.columns
    members["income"] = members["income"].str.rstrip(".")
    for column in ("type_employer", "occupation", "country"):
        members[column] = members[column].replace("NA", "?")
    members, outsiders = members.drop_duplicates(), outsiders.drop_duplicates()
    known = set(outsiders.itertuples(index=False, name=None))
    members = members[[row not in known for row in members.itertuples(index=False, name=None)]]
    return {
        "members": members.reset_index(drop=True),
        "outsiders": outsiders.reset_index(drop=True),
        "synthetic": synthetic,
    }
