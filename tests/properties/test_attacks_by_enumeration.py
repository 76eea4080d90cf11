"""Attacks on a table give the numbers that plain enumeration of records, classes and possible tables gives.

The tables have missing cells, codes with leading zeros, negative numbers, ties and repeated rows. The expected numbers
are computed from the cells, without any code of the package.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.model import Attack

POOLS: tuple[list[Any], ...] = (["01", "1", "001"], [-3, -1, 0, 2, 1000], ["a", "A", None], ["\u00e9", "b", "c"])
Rows = list[tuple[Any, ...]]
SLOW = [pytest.param(seed, marks=pytest.mark.slow) if seed > 1 else seed for seed in range(40)]


def draw(rng: np.random.Generator, pool: list[Any], n: int) -> pd.Series[Any]:
    return pd.Series([pool[i] for i in rng.integers(0, len(pool), n)], dtype=object)


def rows_of(table: pd.DataFrame, names: list[str]) -> Rows:
    return [tuple(None if pd.isna(x) else x for x in row) for row in table[names].itertuples(index=False, name=None)]


def attacks(table: pd.DataFrame, kind: str, **options: Any) -> list[Attack]:
    report = privaudit.attack(table, unit="person", ner=False, **options)
    return [attack for attack in report.wire.attacks if attack.kind == kind]


def measure(attack: Attack, key: str) -> int:
    assert attack.detail is not None
    return int(attack.detail.measures[key].n)  # type: ignore[union-attr]


def wilson(right: int, n: int) -> tuple[float, float]:
    z, p = 1.959963984540054, right / n
    middle, half = p + z * z / 2 / n, z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n)
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def mover(right: int, n: int, by_chance: int, m: int) -> tuple[float, float, float]:
    """Return ``1 - t1 / t2`` of the failure rates with the interval of Donner and Zou (2012), equation 9."""
    t1, t2 = 1 - right / n, 1 - by_chance / m
    u1, l1 = (1 - x for x in wilson(right, n))
    u2, l2 = (1 - x for x in wilson(by_chance, m))
    low = (t1 * t2 - math.sqrt((t1 * t2) ** 2 - l1 * u2 * (2 * t1 - l1) * (2 * t2 - u2))) / (u2 * (2 * t2 - u2))
    high = (t1 * t2 + math.sqrt((t1 * t2) ** 2 - u1 * l2 * (2 * t1 - u1) * (2 * t2 - l2))) / (l2 * (2 * t2 - l2))
    return 1 - t1 / t2, 1 - high, 1 - low


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", SLOW)
def test_what_classes_reveal_is_what_listing_each_class_reveals(seed: int) -> None:
    """A tie between the most frequent values of a class may be decided in either way."""
    rng = np.random.default_rng(seed)
    n, is_number = (60, 100, 150)[seed % 3], seed % 2
    pools = [POOLS[i] for i in rng.integers(0, len(POOLS), 2)]
    table = pd.DataFrame({"q0": draw(rng, pools[0], n + 60), "q1": draw(rng, pools[1], n + 60)})
    amounts = np.round(np.exp(rng.uniform(0, 9, n + 60)), 2) * rng.choice([-1, 1], n + 60)
    table["s"] = amounts if is_number else draw(rng, ["u", "u", "u", "v", "v", "w", None], n + 60)
    members, outsiders = (table.iloc[part].reset_index(drop=True) for part in (slice(n), slice(n, None)))
    attack = attacks(members, "attribute_disclosure", control=outsiders, quasi=["q0", "q1"], sensitive=["s"])[0]
    known = [row for row in rows_of(members, ["q0", "q1", "s"]) if row[2] is not None]
    others = [row for row in rows_of(outsiders, ["q0", "q1", "s"]) if row[2] is not None]
    classes: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    for *key, secret in known:
        classes[tuple(key)].append(secret)

    def guesses(values: list[Any]) -> list[Any]:
        if is_number:
            return [sorted(values)[(len(values) - 1) // 2]]
        counts = Counter(values)
        return [value for value in counts if counts[value] == max(counts.values())]

    def is_right(guess: Any, secret: Any) -> bool:
        return bool(abs(guess - secret) <= 0.05 * abs(secret)) if is_number else bool(guess == secret)

    def bounds(rows: Rows) -> tuple[int, int]:
        right = [[is_right(g, s) for g in guesses(classes[tuple(key)])] for *key, s in rows if tuple(key) in classes]
        outside = len(rows) - len(right)
        return sum(map(all, right)), sum(map(any, right)) + outside

    right, by_chance = round(attack.success.value * len(known)), round((attack.control or 0) * len(others))
    for count, (least, most) in ((right, bounds(known)), (by_chance, bounds(others))):
        assert least <= count <= most
    expected = mover(right, len(known), by_chance, len(others))
    assert (attack.advantage.value, attack.advantage.low, attack.advantage.high) == pytest.approx(expected)
    if not is_number:
        modes = sum(max(Counter(values).values()) for values in classes.values())
        single = [len(values) for values in classes.values() if len(set(values)) == 1]
        assert measure(attack, "in_sample") == modes
        assert measure(attack, "homogeneous_alone") == single.count(1)
        assert measure(attack, "homogeneous_larger") == sum(size for size in single if size > 1)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", SLOW)
def test_two_releases_single_out_who_is_alone_in_both_of_their_classes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = (20, 50, 90)[seed % 3]
    people = pd.DataFrame({"id": [f"P{i:04d}" for i in rng.permutation(5000)[:n]], "age": rng.integers(20, 40, n)})
    people["job"] = draw(rng, ["a", "b", None, "c"], n)
    earlier, later = (people.sample(frac=share, random_state=seed + i) for i, share in enumerate((0.9, 0.6)))
    earlier, later = (table.assign(age=table.age // w * w) for table, w in ((earlier, 2), (later, 5)))
    later.loc[later.index[::4], "job"] = "b"
    if seed % 4 == 3:
        later = pd.concat([later, later.iloc[:5].assign(age=22)])
    options = {"earlier": earlier.reset_index(drop=True), "truth": {"id": "id"}}
    attack = attacks(later.reset_index(drop=True), "releases", quasi=["age", "job"], **options)[0]
    names = ["id", "age", "job"]
    old, new = ({row[0]: row[1:] for row in reversed(rows_of(table, names))} for table in (earlier, later))
    both = [person for person in new if person in old]
    pairs = Counter((new[person], old[person]) for person in both)
    alone = Counter(row[1:] for row in rows_of(later, names))
    assert attack.n_targets == len(both)
    assert attack.success.value == pytest.approx(sum(pairs[new[p], old[p]] == 1 for p in both) / len(both))
    assert attack.control == pytest.approx(sum(alone[new[p]] == 1 for p in both) / len(both))
    assert measure(attack, "rows_changed") == sum(new[person] != old[person] for person in both)
    assert measure(attack, "smallest_intersection") == min(pairs.values())


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", SLOW)
def test_suppressed_counts_follow_where_all_possible_tables_agree(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    places, groups = ["01", "1", "x", "y"][: rng.integers(2, 5)], ["p", "q", "r"][: rng.integers(2, 4)]
    least, most = seed % 2, (3, 4)[seed % 3 // 2]
    counts = {cell: int(rng.choice([0, 1, 2, 3, 4, 5, 9, 30])) for cell in product(places, groups)}
    hidden = [cell for cell, count in counts.items() if least <= count <= most][:7]
    totals: list[tuple[str, str, list[tuple[str, str]]]] = [("Total", "Total", [*counts])]
    totals += [(place, "Total", [c for c in counts if c[0] == place]) for place in places if rng.random() < 0.8]
    totals += [("Total", group, [c for c in counts if c[1] == group]) for group in groups if rng.random() < 0.8]
    lines = [(*cell, "*" if cell in hidden else str(count)) for cell, count in counts.items()]
    lines += [(place, group, str(sum(counts[c] for c in of))) for place, group, of in totals]
    table, cells = tmp_path / "counts.csv", tmp_path / "cells.toml"
    pd.DataFrame(lines, columns=["a", "b", "n"]).sample(frac=1, random_state=seed).to_csv(table, index=False)
    ranges = f"least = {least}\nmost = {most}\n"
    cells.write_text(f'[[table]]\ndimensions = ["a", "b"]\ncount = "n"\nhidden = "*"\ntotal = "Total"\n{ranges}')
    possible = []
    for values in product(range(least, most + 1), repeat=len(hidden)):
        filled = {**counts, **dict(zip(hidden, values, strict=True))}
        if all(sum(filled[c] for c in of) == sum(counts[c] for c in of) for *_, of in totals):
            possible.append(values)
    known = [values[0] for values in zip(*possible, strict=True) if len(set(values)) == 1]
    report = privaudit.attack(table, reconstruct=True, cells=cells)
    found = [attack for attack in report.wire.attacks if attack.kind == "reconstruction"]
    if not hidden:
        assert not found
        return
    assert measure(found[0], "cells_hidden") == len(hidden)
    assert measure(found[0], "cells_determined") == len(known)
    assert measure(found[0], "people_determined") == sum(known)
    assert measure(found[0], "people_alone") == known.count(1)


def test_a_control_table_with_too_few_people_is_named() -> None:
    rng = np.random.default_rng(1)
    table, control = (pd.DataFrame({"q": draw(rng, POOLS[3], n), "s": draw(rng, ["u", "v"], n)}) for n in (150, 12))
    report = privaudit.attack(table, control=control, quasi=["q"], sensitive=["s"], unit="person", ner=False)
    (found,) = (found for found in report.wire.limits if found.code == "attacks.too_few_with_control")
    assert "150 people of the table and 12 people of the control table" in found.why
