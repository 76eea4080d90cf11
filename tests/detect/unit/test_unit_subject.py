"""A person key that repeats is the data subject: people are counted, not rows, without being asked."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.report import render

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"


def events(seed: int, *, people: int = 60, rows: int = 400) -> dict[str, list[str]]:
    """Orders of people: the key, where the person lives, and what was paid."""
    draw = random.Random(seed)
    country = [draw.choice(["France", "Brazil", "Canada"]) for _ in range(people)]
    who = [i % people for i in range(people)] + [draw.randrange(people) for _ in range(rows - people)]
    return {
        "customer_id": [f"C{1000 + 7 * i}" for i in who],
        "billing_country": [country[i] for i in who],
        "total": [str(draw.randrange(1, 90)) for _ in who],
    }


def scan(table: dict[str, list[str]], **options: object) -> object:
    return privaudit.scan(pa.table(table), ner=False, quasi=("billing_country",), **options).wire


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_k_of_events_counts_people_as_if_their_key_were_named(seed):
    table = events(seed)
    found, named = scan(table), scan(table, subject="customer_id")
    per_class = pd.DataFrame(table).groupby("billing_country")["customer_id"].nunique()
    assert found.risk.unit == named.risk.unit == "person"
    assert found.risk.k_min == named.risk.k_min == per_class.min()
    assert found.risk.n_people == 60


def test_the_report_states_which_key_counts_people():
    report = scan(events(1))
    assert report.dataset.unit.kind == "event" and not report.dataset.unit.declared
    assert report.dataset.unit.subject == "customer_id"
    assert 'people are counted by "customer_id"' in render(report, "md")


def test_a_declared_event_uses_the_key_too():
    assert scan(events(1), unit="event").risk.unit == "person"


def test_the_key_with_most_values_is_the_subject():
    table = events(2)
    table["employee_id"] = [f"E{int(c[1:]) % 3}" for c in table["customer_id"]]
    assert scan(table).dataset.unit.subject == "customer_id"


def test_a_key_that_is_declared_a_quasi_identifier_is_not_the_subject():
    table = events(3)
    report = privaudit.scan(pa.table(table), ner=False, quasi=("customer_id", "billing_country")).wire
    assert report.dataset.unit.subject is None and report.risk.unit == "record"


def test_another_declared_unit_is_kept():
    assert scan(events(1), unit="person").risk.unit == "record"


@pytest.mark.shared
def test_invoices_are_counted_by_customer():
    file = DATA / "chinook" / "Invoice.csv"
    if not file.is_file():
        pytest.skip("reference tables are not beside the project")
    report = privaudit.scan(str(file), ner=False, quasi=("BillingCountry",)).wire
    people = pd.read_csv(file).groupby("BillingCountry")["CustomerId"].nunique().min()
    assert report.risk.k_min == people


def known(rows: int, seed: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return a release with several rows of a person but no key, and a register of the same people."""
    draw = random.Random(seed)
    people = [(f"{20 + draw.randrange(40)}", draw.choice("FM"), f"{10000 + draw.randrange(30)}") for _ in range(40)]
    chosen = [people[draw.randrange(40)] for _ in range(rows)]
    release = dict(zip(("age", "sex", "zip"), map(list, zip(*chosen, strict=True)), strict=True))
    register = dict(zip(("age", "sex", "zip"), map(list, zip(*people, strict=True)), strict=True))
    return release, register


def test_at_most_is_stated_only_where_each_row_is_a_person():
    release, register = known(400, 5)
    rows = privaudit.attack(pa.table(release), auxiliary=pa.table(register), ner=False, unit="event").wire
    people = privaudit.attack(pa.table(release), auxiliary=pa.table(register), ner=False).wire
    # The two directions of exact links come first; links of other methods have no bound.
    by_row, by_person = ([each for each in report.attacks if each.kind == "linkage"][:2] for report in (rows, people))
    assert by_row and not any(attack.success.is_upper_bound for attack in by_row)
    assert by_person and all(attack.success.is_upper_bound for attack in by_person)
    assert "Upper bound" not in " ".join(str(fact) for attack in by_row for fact in attack.assumptions)
    # Every row may belong to the same few people, so nothing below certainty is excluded.
    assert all(attack.success.high == 1 for attack in by_row)
