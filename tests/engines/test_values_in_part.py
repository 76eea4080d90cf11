"""Columns with more distinct values than the memory holds: exact totals, and no rare form is missed.

Question: does a bound on the values that are read change what a scan reports as exact, or hide a rare value?
Method: the embedded engine with a bound of a few values; totals are compared with counts in Python.
Limits: PostgreSQL and Spark run the same statement under `make test-engines`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.detect import values_in_part
from privaudit.detect.catalogue import detectors, validators
from privaudit.detect.catalogue.expressions import portable
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.engine import spool
from privaudit.source.engine.bounded_values import FORMS, scale_of
from privaudit.source.engine.pushed_down import REFUSED
from privaudit.source.profile.columns import entropy_bits
from tests.helpers.engine_tables import many_values, spooled

MOST = 16


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Send every table to the engine and read at most so many distinct values of a column."""

    def choose(most: int) -> None:
        monkeypatch.setattr(spool, "text_in_memory", lambda _: 0)
        monkeypatch.setattr(spool, "most_values", lambda *_: most)

    return choose


CELLS = st.one_of(st.none(), st.sampled_from(["", " ", "a", "b", "4111 1111 1111 1111"]), st.text(max_size=4))


@settings(max_examples=40, deadline=None)
@given(cells=st.lists(CELLS, min_size=1, max_size=120))
def test_totals_are_exact_whatever_part_of_the_values_is_read(cells):
    present = Counter(cell for cell in cells if cell is not None and cell.strip())
    table = pa.table({"x": pa.array(cells, pa.string())})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "most_values", lambda *_: MOST)
        with spooled(table) as dataset:
            found = dataset.frequencies("x")
    counts = np.array(list(present.values()), dtype=np.int64)
    assert found.n_missing == len(cells) - counts.sum()
    assert (found.n_present, found.n_distinct) == (counts.sum(), len(counts))
    assert found.n_held_once == (counts == 1).sum()
    if found.totals is not None and len(counts):
        assert found.totals.entropy_bits == pytest.approx(entropy_bits(counts), abs=1e-9)
        assert set(found.values.to_pylist()) <= set(present)
    elif found.totals is None:
        assert dict(zip(found.values.to_pylist(), found.counts.tolist(), strict=True)) == present


def test_shares_of_the_part_estimate_those_of_the_column(bound):
    bound(1000)
    n = 40_000
    cells = ["unknown"] * (n // 4) + [f"code {i}" for i in range(n // 2)] + [f"note {i % 9000}" for i in range(n // 4)]
    with spooled(pa.table({"x": cells})) as dataset:
        found = dataset.frequencies("x")
    assert found.totals is not None
    assert len(found.values) < 1200
    shares = {
        start: found.counts[[text.startswith(start) for text in found.values.to_pylist()]].sum() / found.counts.sum()
        for start in ("unknown", "code", "note")
    }
    assert shares["unknown"] == pytest.approx(0.25, abs=0.05)
    assert shares["code"] == pytest.approx(0.5, abs=0.07)


def test_bound_and_scale():
    for n in range(1, 2000):
        assert n / scale_of(n, MOST) <= MOST
        assert scale_of(n, MOST) == 1 or 2 * n / scale_of(n, MOST) > MOST


PLANTED = {"EMAIL": "write to anna.b@example.org", "CREDIT_CARD": "card 4111 1111 1111 1111", "SSN": "SSN 536-22-8145"}


def rare(n: int, tmp_path: Path) -> Path:
    """A column of `n` different notes, three of which have an e-mail address, a card and a social security number."""
    notes = [f"seen in ward {i} at noon" for i in range(n)]
    for place, text in zip((n // 3, n // 2, n - 1), PLANTED.values(), strict=True):
        notes[place] = text
    sex = ["f" if i % 2 else "m" for i in range(n)]
    pq.write_table(pa.table({"note": notes, "sex": sex}), tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


@pytest.mark.slow
def test_a_rare_form_in_one_of_a_million_rows_is_read(bound, tmp_path):
    bound(50_000)
    with open_dataset(rare(1_000_000, tmp_path), Settings()) as dataset:
        found = dataset.frequencies("note")
    assert found.totals is not None
    assert len(found.values) < 50_000
    assert set(found.totals.sought.to_pylist()) == set(PLANTED.values())


def test_a_rare_form_in_one_row_is_found(bound, tmp_path):
    n = 20_000
    bound(2_000)
    report = privaudit.scan(rare(n, tmp_path), ner=False)
    column = next(one for one in report.columns if one.name == "note")
    found = {one.entity: one for one in column.contains}
    for entity in PLANTED:
        assert found[entity].n_cells == 1
        assert found[entity].share.value == pytest.approx(1 / n)
    assert column.n_distinct == n
    (stated,) = [str(one.why) for one in report.limits if one.code == "pipeline.values_in_part"]
    assert f"{n:,}" in stated and "seed 0" in stated


@pytest.mark.slow
def test_an_entity_type_found_in_a_few_of_the_values_read_is_counted_in_all_of_them(bound, tmp_path):
    n = 20_000
    notes = [f"call +49 30 {1_000_000 + 389 * i} about order {i}" for i in range(n)]
    for i in range(0, n, 53):
        notes[i] += f" SSN 536-22-{i // 53 + 1000}"
    pq.write_table(pa.table({"note": notes, "sex": ["f" if i % 2 else "m" for i in range(n)]}), tmp_path / "t.parquet")
    bound(4_000)
    report = privaudit.scan(tmp_path / "t.parquet", ner=False)
    found = {one.entity: one for one in report.columns[0].contains}
    assert (found["SSN"].n_cells, found["SSN"].share.method) == (len(notes[::53]), "exact")
    assert found["PHONE"].share.method == "wilson"  # too many to read all of them


@pytest.mark.slow
def test_values_that_the_engine_does_not_find_leave_the_estimate(bound, tmp_path):
    """Digits of another script are read by detection, not by the expression on the engine."""
    n = 20_000
    notes = [f"call +49 30 {1_000_000 + 389 * i} about order {i}" for i in range(n)]
    for i in range(0, n, 53):
        notes[i] += f" SSN 536-22-{i // 53 + 1000}".translate({ord("0") + d: 0xFF10 + d for d in range(10)})
    pq.write_table(pa.table({"note": notes, "sex": ["f" if i % 2 else "m" for i in range(n)]}), tmp_path / "t.parquet")
    bound(4_000)
    report = privaudit.scan(tmp_path / "t.parquet", ner=False)
    found = {one.entity: one for one in report.columns[0].contains}
    assert found["SSN"].share.method == "wilson"
    assert found["SSN"].share.low <= len(notes[::53]) / n <= found["SSN"].share.high


@pytest.mark.slow
def test_findings_are_those_of_the_table_in_memory_where_all_values_are_read(bound, few_people, tmp_path):
    here = privaudit.scan(few_people, ner=False)
    with open_dataset(few_people, Settings()) as dataset:
        table = dataset.rows(dataset.columns)
    path = tmp_path / "few.parquet"
    pq.write_table(table, path)
    bound(table.num_rows)
    there = privaudit.scan(path, ner=False)
    assert {f.code for f in there.findings} == {f.code for f in here.findings}
    assert [(c.name, c.is_ and c.is_.entity, [x.entity for x in c.contains]) for c in there.columns] == [
        (c.name, c.is_ and c.is_.entity, [x.entity for x in c.contains]) for c in here.columns
    ]


def test_examples_of_seven_characters_or_more_with_a_check_digit_have_a_form_that_is_sought():
    forms = [re.compile(form) for form in FORMS]
    missed = [
        (one.label, text)
        for one in detectors.load(None)
        if one.validator and validators.has_check_digit(one.validator)
        for text in one.match
        if sum(character.isalnum() for character in text) >= 7 and not any(form.search(text) for form in forms)
    ]
    assert not missed


def test_an_expression_that_the_engine_refuses_leaves_the_answers_to_the_others(bound):
    bound(100)
    with spooled(many_values()) as dataset:
        dataset.frequencies("note")
        good = [("note", f"^note {digit}0 ") for digit in range(1, 10)]
        expected = dataset.matching(good)
        assert all(one is not None and one != REFUSED for one in expected)
        for place in (0, 4, 9):
            found = dataset.matching([*good[:place], ("note", "("), *good[place:]])
            assert found.pop(place) == REFUSED
            assert [one[0].to_pylist() for one in found] == [one[0].to_pylist() for one in expected]


TICKET = r"""
[[entity]]
name = "TICKET"
title = "Ticket"
role = "direct"
laws = ["our rule 7"]

[[detector]]
entity = "TICKET"
title = "Ticket"
severity = "medium"

[[detector.text]]
form = ['TK\d{2}-\d{4}']
needs = "form"
match = ["see TK00-1234"]
no_match = ["see TK0"]
"""


@pytest.mark.slow
def test_a_pack_with_an_expression_that_the_engine_refuses_leaves_an_estimate_and_a_limit(bound, tmp_path, monkeypatch):
    n = 20_000
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "own.toml").write_text(TICKET, encoding="utf-8")
    notes = [f"call +49 30 {1_000_000 + 389 * i} about order {i}" for i in range(n)]
    for i in range(0, n, 53):
        notes[i] += f" SSN 536-22-{i // 53 + 1000}"
    for i in range(7, n, 53):
        notes[i] += f" TK{i % 60:02}-{i % 9000 + 1000}"
    pq.write_table(pa.table({"note": notes, "sex": ["f" if i % 2 else "m" for i in range(n)]}), tmp_path / "t.parquet")
    bound(4_000)
    monkeypatch.setattr(
        values_in_part, "portable", lambda forms: "(" if any("TK" in form for form in forms) else portable(forms)
    )
    report = privaudit.scan(tmp_path / "t.parquet", ner=False, rules=str(tmp_path / "rules"))
    found = {one.entity: one for one in report.columns[0].contains}
    assert (found["SSN"].n_cells, found["SSN"].share.method) == (len(notes[::53]), "exact")
    assert found["TICKET"].share.method == "wilson"
    assert found["TICKET"].share.low <= len(notes[7::53]) / n <= found["TICKET"].share.high
    (stated,) = [str(one.what) for one in report.limits if one.code == "pipeline.not_counted_on_engine"]
    assert "note" in stated
    assert "icket" in stated
