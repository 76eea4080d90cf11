"""Attacks on a release give the numbers that plain enumeration of records, pairs and thresholds gives.

The tables have missing cells, codes with leading zeros, negative numbers, large numbers, repeated rows and numbers with
few values, so that many distances are equal. The expected numbers are computed from the cells, without any code of the
package.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.attacks.members import singling_out
from privaudit.model import Attack

Kinds = dict[str, str]
Matrix = np.ndarray[Any, np.dtype[np.float64]]

CODES: dict[str, list[Any]] = {
    "codes": ["x1", "1", "x01"],
    "letters": ["a", "\u00e4", None, "B"],
    "two": ["\u00e9", "b"],
}
SIZES = (20, 35, 60)


def column(rng: np.random.Generator, kind: str, n: int) -> pd.Series[Any]:
    if kind in CODES:
        return pd.Series([CODES[kind][i] for i in rng.integers(0, len(CODES[kind]), n)], dtype=object)
    if kind == "decimals":
        return pd.Series(np.round(rng.normal(0, 100, n), 1))
    if kind == "large":
        return pd.Series(rng.integers(-9, 30, n) + 1_700_000_000)
    whole = pd.Series(rng.integers(-9, 30, n).astype(float))
    return whole.mask(rng.random(n) < 0.2) if kind == "missing" else whole


def random_tables(seed: int) -> tuple[Kinds, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return original, outsiders and a release that contains some rows of the original."""
    rng = np.random.default_rng(seed)
    n = SIZES[seed % len(SIZES)]
    choices = [*CODES, "decimals", "large", "whole", "missing"]
    kinds = {f"c{i}": choices[rng.integers(len(choices))] for i in range(rng.integers(1, 5))}

    def draw(rows: int) -> pd.DataFrame:
        return pd.DataFrame({name: column(rng, kind, rows) for name, kind in kinds.items()})

    people = draw(2 * n)
    if seed % 4 == 1:
        people = people.iloc[np.arange(2 * n) // 4].sample(frac=1, random_state=seed).reset_index(drop=True)
    original, control = (people.iloc[part].reset_index(drop=True) for part in (slice(n), slice(n, None)))
    release = pd.concat([original.iloc[: rng.integers(n)], draw(int(rng.integers(1, n)))], ignore_index=True)
    return kinds, original, control, release


def attacks(release: pd.DataFrame, original: pd.DataFrame, control: pd.DataFrame) -> dict[tuple[str, str], Attack]:
    quasi = list(release.columns)
    report = privaudit.attack(release, original=original, control=control, quasi=quasi, unit="person", ner=False)
    return {(attack.kind, attack.method): attack for attack in report.wire.attacks}


def rows_of(table: pd.DataFrame) -> list[tuple[Any, ...]]:
    return [tuple(None if pd.isna(x) else x for x in row) for row in table.itertuples(index=False, name=None)]


def distances(targets: pd.DataFrame, release: pd.DataFrame, everyone: pd.DataFrame, kinds: Kinds) -> Matrix:
    """Return Gower's sum between each target and its nearest released row."""
    total = np.zeros((len(targets), len(release)))
    for name, kind in kinds.items():
        one, other = targets[name], release[name]
        if kind in CODES:
            total += one.fillna("-").to_numpy()[:, None] != other.fillna("-").to_numpy()
            continue
        low, high = everyone[name].min(), everyone[name].max()
        ours, theirs = (x.fillna((low + high) / 2).to_numpy() for x in (one, other))
        total += np.abs(ours[:, None] - theirs) / ((high - low) or 1)
        total += one.isna().to_numpy()[:, None] != other.isna().to_numpy()
    return np.round(total.min(axis=1), 6)


def number(attack: Attack, key: str) -> float:
    assert attack.detail is not None
    found = attack.detail.measures[key]  # type: ignore[union-attr]
    return float(getattr(found, "value", getattr(found, "n", math.nan)))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s else s for s in range(40)])
def test_rates_are_those_of_comparing_all_rows(seed: int) -> None:
    kinds, original, control, release = random_tables(seed)
    n, found = len(original), attacks(release, original, control)
    members, outsiders, released = (rows_of(table) for table in (original, control, release))
    copies = found["copies", "all_columns"]
    assert copies.success.value == sum(row in released for row in members) / n
    assert copies.control == sum(row in released for row in outsiders) / n
    assert number(copies, "release_copies") == sum(row in members for row in released)
    if ("near_copies", "distance") not in found:
        assert n < 50
        return
    everyone = pd.concat([original, control])
    inside, outside = (distances(table, release, everyone, kinds) for table in (original, control))
    shares = [((inside <= t).mean(), (outside <= t).mean()) for t in np.unique(np.append(inside, outside))]
    near, member = found["near_copies", "distance"], found["membership", "nearest"]
    assert near.advantage.value == pytest.approx(max(a - b for a, b in shares))
    area = np.mean([(a < b) + (a == b) / 2 for a in inside for b in outside])
    assert number(member, "auc") == pytest.approx(area)
    for key, allowed in (("tpr_1", 0.01), ("tpr_01", 0.001)):
        assert number(member, key) == pytest.approx(max((a for a, b in shares if b <= allowed), default=0.0))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s else s for s in range(40)])
def test_univariate_statements_are_those_of_listing_extremes_and_single_values(seed: int) -> None:
    kinds, original, control, release = random_tables(seed)
    statements: list[tuple[str, str, Any]] = []
    for name, kind in kinds.items():
        counts = Counter(None if pd.isna(x) else x for x in release[name])
        statements += [(name, "equal", value) for value, count in counts.items() if count == 1]
        known = [] if kind in CODES else [value for value in counts if value is not None]
        ends = ((min(known), "most"), (max(known), "least")) if known else ()
        statements += [(name, form, value) for value, form in ends if counts[value] == 1]

    def is_true(form: str, value: Any, cell: Any) -> bool:
        if form == "equal" or cell is None:
            return form == "equal" and bool(cell == value)
        return bool(cell <= value if form == "most" else cell >= value)

    def isolated(table: pd.DataFrame) -> int:
        rows = pd.DataFrame(rows_of(table), columns=table.columns, dtype=object)
        return sum(sum(is_true(form, x, cell) for cell in rows[name]) == 1 for name, form, x in statements)

    attack = attacks(release, original, control).get(("singling_out", "univariate"))
    if attack is None:
        assert len(statements) < 10
        return
    assert attack.n_targets == len(statements)
    assert attack.success.value == pytest.approx(isolated(original) / len(statements))
    assert attack.control == pytest.approx(isolated(control) / len(statements))


def multivariate_tables(seed: int) -> tuple[Kinds, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return original, outsiders and a release of so few rows and columns that all statements about them are tried."""
    rng = np.random.default_rng(seed)
    n, kinds = 24, {f"c{i}": ("codes", "letters", "missing", "whole", "decimals")[rng.integers(5)] for i in range(5)}

    def draw(rows: int) -> pd.DataFrame:
        return pd.DataFrame({name: column(rng, kind, rows) for name, kind in kinds.items()})

    original = draw(n)
    release = pd.concat([original.iloc[: seed % 20], draw(n - seed % 20)], ignore_index=True)
    return kinds, original, draw(n), release


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s else s for s in range(40)])
def test_multivariate_statements_are_all_that_single_out_a_released_row(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Anonymeter's form: numbers beyond the value of the row, on its side of the median, and equal values."""
    monkeypatch.setattr(singling_out, "_BYTES", (16, 1 << 24)[seed % 2])  # in many parts, and in one
    kinds, original, control, release = multivariate_tables(seed)
    medians = {name: release[name].median() for name, kind in kinds.items() if kind not in CODES}

    def fits(name: str, cell: Any, value: Any) -> bool:
        if value is None or cell is None or name not in medians:
            return bool(cell == value)
        return bool(cell >= value if value > medians[name] else cell <= value)

    def fitting(table: pd.DataFrame, statement: dict[str, Any]) -> list[int]:
        rows = enumerate(dict(zip(table.columns, row, strict=True)) for row in rows_of(table))
        return [i for i, row in rows if all(fits(name, row[name], value) for name, value in statement.items())]

    def n_fitting(table: pd.DataFrame, statement: dict[str, Any]) -> int:
        return len(fitting(table, statement))

    statements = [
        {name: row[list(kinds).index(name)] for name in names}
        for row in rows_of(release)
        for names in combinations(kinds, 4)
    ]
    isolating = [one for one in statements if n_fitting(release, one) == 1]
    attack = attacks(release, original, control).get(("singling_out", "multivariate"))
    if attack is None:
        assert len(isolating) < 10
        return
    assert attack.n_targets == len(isolating)
    # Several statements may be about one row: the interval is that of as many trials as rows.
    n_rows = len({fitting(release, one)[0] for one in isolating})
    for rate, table in ((attack.success, original), (attack.control_rate, control)):
        assert rate is not None
        right = sum(n_fitting(table, one) == 1 for one in isolating)
        assert rate.value == pytest.approx(right / len(isolating))
        share = right / len(isolating)
        assert (rate.low, rate.high) == pytest.approx(wilson_by_roots(share * n_rows, n_rows))


def wilson_by_roots(right: float, n: int) -> tuple[float, float]:
    """Return the shares p with ``(right / n - p)^2 n = z^2 p (1 - p)``."""
    z2 = 1.959963984540054**2
    low, high = sorted(np.roots([n + z2, -(2 * right + z2), right * right / n]).real)
    return float(low), float(high)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s else s for s in range(40)])
def test_halves_are_joined_where_one_released_row_is_among_the_nearest_of_both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, names = 60, [f"c{i}" for i in range(2 + seed % 4)]
    original, control, others = (pd.DataFrame({name: rng.normal(size=n) for name in names}) for _ in range(3))
    release = pd.concat([original.iloc[: 3 * (seed % 15)], others.iloc[: 40 + seed % 7]], ignore_index=True)
    attack = attacks(release, original, control)["linkability", "halves"]
    halves = [value.names for value in attack.attacker.values.values() if hasattr(value, "names")]  # type: ignore[union-attr]
    assert sorted(name for half in halves for name in half) == names
    spans = pd.concat([original, control]).max() - pd.concat([original, control]).min()

    def nearest(target: Any, half: tuple[str, ...], k: int) -> set[Any]:
        apart = sum(abs(release[name] - target[name]) / spans[name] for name in half)
        return set(apart.sort_values().index[:k])

    def joined(table: pd.DataFrame, k: int) -> float:
        return sum(bool(nearest(t, halves[0], k) & nearest(t, halves[1], k)) for _, t in table.iterrows()) / n

    assert attack.success.value == pytest.approx(joined(original, 10))
    assert attack.control == pytest.approx(joined(control, 10))
    assert number(attack, "nearest_members") == pytest.approx(joined(original, 1))
    assert number(attack, "nearest_outsiders") == pytest.approx(joined(control, 1))
    m = len(release)
    assert attack.baseline == pytest.approx(1 - math.comb(m - 10, 10) / math.comb(m, 10))


def test_adding_a_constant_to_a_number_changes_no_distance() -> None:
    """Time stamps are large numbers in a narrow range."""
    rng = np.random.default_rng(1)
    original, control, others = (rng.integers(0, 2000, 200) for _ in range(3))
    release = np.concatenate([original[:60] + rng.integers(-1, 2, 60), others[:100]])
    small, large = (
        attacks(*(pd.DataFrame({"t": times + start}) for times in (release, original, control)))
        for start in (0, 1_700_000_000)
    )
    near = "near_copies", "distance"
    assert small[near].advantage.low > 0
    assert large[near].advantage == small[near].advantage


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s else s for s in range(40)])
def test_someone_who_knows_the_quasi_identifiers_finds_the_records_whose_labels_contain_them(seed: int) -> None:
    """Bands contain numbers, prefixes contain codes, and a suppressed cell may be anything."""
    rng = np.random.default_rng(seed)
    n, width, kept = (60, 90)[seed % 2], (1, 5, 10)[seed % 3], (5, 3, 2)[seed // 3 % 3]

    def draw(rows: int) -> pd.DataFrame:
        people = {"age": rng.integers(20, 60, rows), "job": rng.choice(["a", "b", "c", "d"], rows)}
        people["zip"] = rng.choice(["10115", "10117", "20095", "20099"], rows)
        return pd.DataFrame({**people, "s": rng.choice(["u", "v", "w"], rows, p=[0.5, 0.3, 0.2])})

    original, control = draw(n), draw(n)
    released = original.sample(frac=0.8, random_state=seed).reset_index(drop=True)
    release = released.assign(zip=[code[:kept] + "*" * (5 - kept) for code in released["zip"]])
    if width > 1:
        release["age"] = [f"{age // width * width}-{age // width * width + width - 1}" for age in released["age"]]
    is_suppressed = np.arange(len(release)) % 5 == seed % 7
    release["job"] = np.where(is_suppressed, "*", release["job"])

    def fitting(person: Any) -> list[str]:
        """Return the sensitive values of the records that may be the person's."""
        fits = released["age"] // width == person.age // width
        fits &= is_suppressed | (released["job"] == person.job)
        fits &= released["zip"].str[:kept] == person.zip[:kept]
        return list(released["s"][fits])

    options: dict[str, Any] = {"quasi": ["age", "job", "zip"], "sensitive": ["s"], "unit": "person", "ner": False}
    report = privaudit.attack(release, original=original, control=control, anonymised=True, **options)
    found = {attack.kind: attack for attack in report.wire.attacks if attack.method == "fitting"}
    for table, side in ((original, "success"), (control, "control_rate")):
        records = [fitting(person) for person in table.itertuples()]
        assert getattr(found["singling_out"], side).value == sum(len(fits) == 1 for fits in records) / n
        right = round(getattr(found["inference"], side).value * n)
        guesses = [(Counter(fits or list(released["s"])), true) for fits, true in zip(records, table["s"], strict=True)]
        leading = [(true, [x for x in c if c[x] == max(c.values())]) for c, true in guesses]
        assert sum([true] == top for true, top in leading) <= right <= sum(true in top for true, top in leading)
