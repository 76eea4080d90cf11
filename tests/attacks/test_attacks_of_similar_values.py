"""Linkage of similar values: similarity of texts, probabilistic linkage, tolerance."""

from __future__ import annotations

import csv
import itertools
import os

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import privaudit
from privaudit.attacks.links import linkage_of_similar
from privaudit.attacks.links.fellegi_sunter import Field, candidates, score
from privaudit.attacks.values import text_distance
from privaudit.attacks.values.similarity import N_LEVELS, compare, kind_of
from privaudit.model.wording import Count
from tests.helpers.paths import SHARED
from tests.helpers.text_distance import edits_by_definition, jaro_winkler_by_definition

words = st.text("abcde", min_size=1, max_size=7)
texts = st.one_of(
    st.text("ab1", max_size=6), st.text("äaß€\U0001f600 ", min_size=1, max_size=20), st.text("xyz", max_size=70)
)
FEBRL = os.environ.get("PRIVAUDIT_FEBRL4", "")


@given(st.lists(texts, min_size=1, max_size=8), st.lists(texts, min_size=1, max_size=8))
def test_distances_of_many_pairs_are_those_of_each_pair_by_definition(left, right):
    i, j = (side.ravel() for side in np.indices((len(left), len(right))))
    pairs = [(left[a], right[b]) for a, b in zip(i, j, strict=True)]
    for most in (1, 2, 4):
        counted = [min(edits_by_definition(*pair), most + 1) for pair in pairs]
        assert text_distance.edits(left, right, i, j, most).tolist() == counted
    similar = text_distance.jaro_winkler(left, right, i, j)
    assert similar == pytest.approx([jaro_winkler_by_definition(*pair) for pair in pairs], abs=1e-12)


def test_long_texts_are_compared_as_by_definition():
    draw = np.random.default_rng(3)
    long = ["".join(draw.choice(list("abcdefgh "), size)) for size in (900, 905, 40)]
    i, j = (side.ravel() for side in np.indices((3, 3)))
    similar = [jaro_winkler_by_definition(long[a], long[b]) for a, b in zip(i, j, strict=True)]
    assert text_distance.jaro_winkler(long, long, i, j) == pytest.approx(similar, abs=1e-12)


def test_pairs_are_compared_in_parts_of_bounded_size(monkeypatch):
    left = ["a" * n for n in range(1, 30)]
    at = np.arange(len(left))
    whole = text_distance.jaro_winkler(left, left[::-1], at, at)
    monkeypatch.setattr(text_distance, "_CELLS", 40)
    assert np.array_equal(text_distance.jaro_winkler(left, left[::-1], at, at), whole)


@given(st.lists(words, min_size=1, max_size=8, unique=True), st.lists(words, min_size=1, max_size=8, unique=True))
def test_the_bound_by_common_characters_changes_no_level(left, right):
    pairs = [(i, j) for i in range(len(left)) for j in range(len(right))]
    a, b = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    levels = compare(left, right, a, b, "text")
    for (i, j), level in zip(pairs, levels.tolist(), strict=True):
        similarity = jaro_winkler_by_definition(left[i], right[j])
        expected = 4 if left[i] == right[j] else 3 if similarity >= 0.88 else 2 if similarity >= 0.75 else 1
        assert level == expected


def test_kinds_and_levels():
    assert kind_of(["34", "7"]) == "number" and kind_of(["1990-02-01"]) == "digits" and kind_of(["Ann"]) == "text"
    days = ["1990-02-11", "1990-11-02", "1991-11-02", "1990-02-12", "1990-03-13", "1985-07-24", "n/a"]
    a, b = np.zeros(7, dtype=np.int64), np.arange(7)
    assert compare(days, days, a, b, "digits").tolist() == [4, 3, 1, 3, 2, 1, 1]
    ages = ["34", "35", "36", "034", "x", "inf"]
    assert compare(ages, ages, a[:6], b[:6], "number").tolist() == [3, 2, 1, 2, 1, 1]
    assert compare(ages, ages, np.array([-1, 0]), np.array([0, -1]), "number").tolist() == [0, 0]


def fields_of(left, right):
    made = []
    for column in range(len(left[0])):
        texts, rows = [], []
        for side in (left, right):
            values = sorted({row[column] for row in side if row[column]})
            texts.append(values)
            at = [values.index(row[column]) if row[column] else -1 for row in side]
            rows.append(np.array(at, dtype=np.int64))
        made.append(Field((texts[0], texts[1]), (rows[0], rows[1])))
    return made


def persons(n, seed):
    random = np.random.default_rng(seed)
    parts = ("jo", "ma", "ka", "el", "ri"), ("han", "rta", "rin"), ("a", "e", "us")
    first = ["".join(each) for each in itertools.product(*parts)]
    return [
        (
            str(random.choice(first)),
            "".join(random.choice(list("abcdefghklmnorst"), 7)),
            f"19{random.integers(20, 99)}-{random.integers(1, 12):02}-{random.integers(1, 28):02}",
            f"{random.integers(1000, 9999)}",
        )
        for _ in range(n)
    ]


def noisy(rows, seed):
    random = np.random.default_rng(seed)

    def damaged(cell):
        at = int(random.integers(len(cell) - 1))
        return cell[:at] + cell[at + 1] + cell[at] + cell[at + 2 :] if random.random() < 0.4 else cell

    return [tuple(damaged(cell) for cell in row) for row in rows]


def test_probable_pairs_are_right_and_their_posteriors_add_up():
    people = persons(500, 1)
    scored = score(fields_of(people, noisy(people, 2)))
    kept = scored.one_to_one()
    correct = int((scored.left[kept] == scored.right[kept]).sum())
    assert correct >= 0.95 * 500 and correct >= 0.99 * len(kept)
    assert scored.posterior[kept].sum() == pytest.approx(correct, rel=0.05)


def test_candidates_contain_all_pairs_that_agree_in_two_rare_columns():
    people = persons(200, 3)
    left, right, _ = candidates(fields_of(people, people))
    assert set(range(200)) <= {i for i, j in zip(left.tolist(), right.tolist(), strict=True) if i == j}


def test_missing_values_weigh_nothing():
    people = persons(200, 4)
    fields = fields_of(people, [(a, b, "", d) for a, b, _, d in people])
    scored = score(fields)
    assert (scored.left[scored.one_to_one()] == scored.right[scored.one_to_one()]).mean() > 0.95
    assert N_LEVELS["digits"] == 4


@pytest.mark.slow
def test_tolerance_links_more_people_than_exact_values():
    people = persons(300, 5)
    ids = [f"i{i}" for i in range(300)]
    names = ("first", "last", "born", "zip")
    release = pa.table({"id": ids} | {n: [row[i] for row in people] for i, n in enumerate(names)})
    known = noisy(people, 6)
    auxiliary = pa.table({"id": ids} | {n: [row[i] for row in known] for i, n in enumerate(names)})
    report = privaudit.attack(release, auxiliary=auxiliary, truth={"id": "id"}, on={n: n for n in names})
    by_method = {one.method: one for one in report.attacks if not one.is_register_attack}
    assert by_method["exact"].n_correct < by_method["tolerant"].n_correct <= by_method["probabilistic"].n_correct
    assert by_method["exact"].detail.by_columns and by_method["exact"].detail.k_map == 1


NAMES = ("first", "last", "born", "zip")


def linked_by(linkage, on=NAMES, ids=("id", "id"), **options):
    people = persons(40, 5)
    tables = [
        pa.table({name: [f"i{i}" for i in range(40)]} | {n: [row[i] for row in rows] for i, n in enumerate(NAMES)})
        for name, rows in zip(ids, (people, noisy(people, 6)), strict=True)
    ]
    return privaudit.attack(tables[0], auxiliary=tables[1], on={n: n for n in on}, linkage=linkage, **options).wire


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("linkage", ["exact", "tolerant", "probabilistic"])
def test_a_linkage_that_is_asked_for_is_the_only_one_and_as_among_all(linkage):
    truth = {"id": "id"}
    every, one = linked_by("all", truth=truth), linked_by(linkage, truth=truth)
    assert [attack.detail.method for attack in every.attacks] == ["exact", "exact", "tolerant", "probabilistic"]
    assert one.attacks == tuple(attack for attack in every.attacks if attack.detail.method == linkage)
    states_exact_values = "attacks.linkage_scope" in [found.code for found in one.limits]
    assert states_exact_values == (linkage == "exact")
    assert one.gate_.exit_code == 1 and f"linkage='{linkage}'" in one.command


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize(
    ("linkage", "options", "code"),
    [
        ("tolerant", {}, "attacks.tolerant_not_linked"),
        ("probabilistic", {"on": ("zip",)}, "attacks.probabilistic_not_linked"),
        ("tolerant", {"truth": {"id": "last"}}, "attacks.truth_matches_no_record"),
        ("probabilistic", {"truth": {"id": "last"}}, "attacks.truth_matches_no_record"),
    ],
)
def test_a_linkage_that_is_asked_for_and_not_possible_makes_the_run_incomplete(linkage, options, code):
    report = linked_by(linkage, **options)
    assert not report.attacks and report.gate_.exit_code == 3
    assert [found.code for found in report.limits if found.incomplete] == [code]


@pytest.mark.parametrize("linkage", ["all", "tolerant"])
def test_rows_that_equal_too_many_others_are_counted_as_not_compared(monkeypatch, linkage):
    """80 of 100 rows are men: their 6,400 pairs are not compared, those of the 20 women are."""
    monkeypatch.setattr(linkage_of_similar, "MOST_PAIRS", 1_000)
    people = {"id": [f"i{i}" for i in range(100)], "sex": ["m"] * 80 + ["f"] * 20}
    tables = [pa.table(people | {"salary": [str(20_000 + 37 * i + more) for i in range(100)]}) for more in (0, 1)]
    on = {"sex": "sex", "salary": "salary"}
    report = privaudit.attack(tables[0], auxiliary=tables[1], truth={"id": "id"}, on=on, linkage=linkage).wire
    (stated,) = [found for found in report.limits if found.code == "attacks.too_many_alike"]
    assert stated.values["omitted"] == Count(80, of=100, unit="row")
    assert stated.incomplete == (linkage == "tolerant")


def test_a_way_to_link_without_an_auxiliary_table_is_refused(run, tmp_path):
    (tmp_path / "people.csv").write_text("age,sex\n30,F\n31,M\n", encoding="utf-8")
    done = run("attack", "people.csv", "--method", "tolerant")
    assert done.returncode == 2 and "--auxiliary" in done.stderr


@pytest.mark.slow
@pytest.mark.shared
def test_people_of_the_table_with_errors_of_splink():
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    with (SHARED / "data" / "splink" / "data" / "fake_1000.csv").open(newline="") as lines:
        table = list(csv.DictReader(lines))
    rows = [[row[c].lower() for c in ("first_name", "surname", "dob", "city", "email")] for row in table]
    scored = score(fields_of(rows, rows), within=True)
    likely = scored.posterior >= 0.5
    pairs = scored.left[likely], scored.right[likely]
    group = connected_components(coo_array((np.ones(likely.sum()), pairs), [len(rows)] * 2), directed=False)[1]
    cluster = [row["cluster"] for row in table]
    claimed, true, both = (
        {(i, j) for i in range(len(rows)) for j in range(i) if same(i, j)}
        for same in (
            lambda i, j: group[i] == group[j],
            lambda i, j: cluster[i] == cluster[j],
            lambda i, j: group[i] == group[j] and cluster[i] == cluster[j],
        )
    )
    assert 2 * len(both) / (len(claimed) + len(true)) >= 0.85


@pytest.mark.skipif(not FEBRL, reason="PRIVAUDIT_FEBRL4 names no folder with FEBRL 4")
@pytest.mark.slow
@pytest.mark.parametrize(("without", "least"), [((), 0.9988), (("soc_sec_id",), 0.98)])
def test_people_of_febrl_4(without, least):
    sides = []
    for name in ("febrl4a.csv", "febrl4b.csv"):
        with open(os.path.join(FEBRL, name), newline="") as lines:
            sides.append(list(csv.DictReader(lines)))
    columns = [c for c in sides[0][0] if c not in ("rec_id", *without)]
    scored = score(fields_of(*([[row[c] for c in columns] for row in side] for side in sides)))
    kept = scored.one_to_one()
    numbers = [[row["rec_id"].split("-")[1] for row in side] for side in sides]
    pairs = zip(scored.left[kept].tolist(), scored.right[kept].tolist(), strict=True)
    right = [numbers[0][i] == numbers[1][j] for i, j in pairs]
    assert all(right) and len(right) >= least * len(sides[0])
