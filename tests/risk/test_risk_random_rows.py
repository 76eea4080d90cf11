"""Random rows: which records a seed draws is the same for every order of the file."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.attacks.registry import attack_release
from privaudit.releases.remedy import release_attacks
from privaudit.risk.codes.random_rows import random_rows
from privaudit.settings.config import Settings
from tests.helpers.tables import drawn

CELLS = st.one_of(st.none(), st.sampled_from(["", "a", "b", "a b"]))


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=30), st.randoms(use_true_random=False), st.booleans())
def test_equal_records_are_drawn_in_any_order_of_the_file(rows, random, is_coded):
    def one_draw(given_rows):
        columns = [pa.array([row[i] for row in given_rows], pa.string()) for i in range(2)]
        table = pa.table([c.dictionary_encode() if is_coded else c for c in columns], names=["x", "y"])
        order = random_rows(table, np.random.default_rng(7))
        assert sorted(order) == list(range(len(given_rows)))
        return [given_rows[i] for i in order]

    assert one_draw(rows) == one_draw(random.sample(rows, len(rows)))


def people(n, seed):
    columns = {"age": range(20, 80), "sex": "mf", "score": range(900), "diagnosis": ("flu", "asthma", "none")}
    return pa.table(drawn(n, seed, **{name: [str(cell) for cell in cells] for name, cells in columns.items()}))


def shuffled(table):
    return table.take(np.random.default_rng(3).permutation(table.num_rows))


@pytest.mark.slow
@pytest.mark.parametrize("control", [False, True], ids=["trial", "control"])
def test_a_remedy_of_shuffled_rows_has_the_same_plan_and_the_same_attacks(control, monkeypatch):
    monkeypatch.setattr(release_attacks, "MOST_ROWS", 900)  # a part of the rows is drawn
    options = {"quasi": ("age", "sex"), "sensitive": ("diagnosis",), "ner": False, "target": "diagnosis"}

    def remedied(change):
        outside = {"control": change(people(600, 2))} if control else {}
        return privaudit.remedy(change(people(1_200, 1)), **options, **outside)

    one, other = remedied(lambda table: table), remedied(shuffled)
    assert one.plan == other.plan
    assert one.run.release_attacks == other.run.release_attacks and one.run.release_attacks
    assert one.run.utility == other.run.utility


def test_attacks_of_shuffled_tables_are_equal():
    release, original, outside = people(2_600, 1).select(["age", "sex", "diagnosis"]), people(2_600, 1), people(700, 2)
    chosen = {"quasi": ("age", "sex"), "sensitive": ("diagnosis",)}
    report = privaudit.scan(original, ner=False, **chosen)

    def attacks(change):
        tables = (change(table) for table in (release, original, outside))
        return attack_release(*tables, settings=Settings(**chosen, ner=False), columns=report.wire.columns, labels={})

    assert attacks(lambda table: table) == attacks(shuffled)


def test_probabilistic_linkage_of_shuffled_tables_is_equal():
    left, right = ({**drawn(400, 5, age=range(20, 80), score=range(900), town="abcdef")} for _ in range(2))
    right["age"] = [age + (i % 3 == 0) for i, age in enumerate(right["age"])]
    keys = {"key": list(map(str, range(400)))}
    tables = [
        pa.table(keys | {name: list(map(str, cells)) for name, cells in table.items()}) for table in (left, right)
    ]

    def linked(change):
        release, auxiliary = map(change, tables)
        chosen = {"truth": {"key": "key"}, "linkage": "probabilistic", "ner": False}
        return privaudit.attack(release, auxiliary=auxiliary, **chosen).attacks

    assert linked(lambda table: table) == linked(shuffled)


def test_the_models_of_a_comparison_are_equal_for_shuffled_rows():
    first, second = people(600, 1), people(600, 2)
    found = [privaudit.compare_tables(change(first), change(second)) for change in (lambda table: table, shuffled)]
    assert found[0].comparison.models and found[0].comparison == found[1].comparison
