"""Is an event date a quasi-identifier only where an attacker can know it, and does the reason state why?"""

from __future__ import annotations

import pandas as pd
import pytest

import privaudit

N = 90


def _scan(column: str, *, city: bool = False, **settings: object) -> privaudit.ScanReport:
    days = pd.date_range("2024-01-01", periods=N, freq="D").strftime("%Y-%m-%d")
    table = {"age": [30 + i % 3 for i in range(N)], "sex": ["f", "m"] * (N // 2), column: days}
    if city:
        table["city"] = ["Nairobi", "Mombasa", "Kisumu"] * (N // 3)
    return privaudit.scan(pd.DataFrame(table), policy="controlled", ner=False, **settings)


def _role(report: privaudit.ScanReport, column: str) -> tuple[str, str]:
    found = next(c for c in report.columns if c.name == column)
    return found.role, found.role_because[-1].code


@pytest.mark.parametrize("column", ["hire_date", "admission_date"])
def test_a_date_that_others_see_is_a_quasi_identifier(column):
    assert _role(_scan(column), column) == ("quasi", "roles.event_date_seen")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("column", ["OrderDate", "payment_date", "expiry_date"])
def test_a_transaction_is_known_where_the_table_states_where_it_took_place(column):
    assert _role(_scan(column), column) == ("none", "roles.event_date_unseen")
    assert _role(_scan(column, city=True), column) == ("quasi", "roles.event_date_with_place")


def test_k_is_stated_with_and_without_the_doubtful_column():
    report = _scan("OrderDate", city=True)
    message = str(next(f.message for f in report.findings if f.code == "QI001"))
    without = report.wire.risk.marginal["OrderDate"].k_min_without
    assert report.wire.risk.k_min == 1 < without
    assert f'Without "OrderDate", which an attacker may not know, the smallest group has {without} people.' in message


def test_the_only_quasi_identifier_is_not_compared_with_a_table_without_any():
    report = _scan("OrderDate", city=True, role=dict.fromkeys(("age", "sex", "city"), "none"))
    assert report.wire.risk.quasi_identifiers == ("OrderDate",)
    message = str(next(f.message for f in report.findings if f.code == "QI001"))
    assert 'An attacker may not know "OrderDate", the only quasi-identifier.' in message and "Without" not in message


def test_a_declared_date_is_not_doubtful():
    report = _scan("OrderDate", city=True, role={"OrderDate": "quasi"})
    assert "an attacker may not know" not in str(next(f.message for f in report.findings if f.code == "QI001"))


def test_a_state_is_too_large_to_let_others_know_the_date_of_a_transaction():
    days = pd.date_range("2024-01-01", periods=N, freq="D").strftime("%Y-%m-%d")
    states = ["Texas", "Ohio", "Utah"] * (N // 3)
    table = pd.DataFrame({"age": [30 + i % 3 for i in range(N)], "state": states, "payment_date": days})
    report = privaudit.scan(table, policy="controlled", ner=False)
    assert next(c.role for c in report.columns if c.name == "state") == "quasi"
    assert _role(report, "payment_date") == ("none", "roles.event_date_unseen")
