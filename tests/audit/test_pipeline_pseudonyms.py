"""A scan reports pseudonyms that can be reversed, joined and dated, with and without an auxiliary table."""

from __future__ import annotations

import hashlib
import random

import pandas as pd
import pytest

import privaudit

SOURCE = random.Random(8)
N = 150
MAILS = [f"person{i}.{SOURCE.randrange(10**6)}@example.org" for i in range(N)]
KEYS = [f"{SOURCE.getrandbits(64):016x}" for _ in range(N)]
RELEASE = pd.DataFrame(
    {
        "mail_hash": [hashlib.sha256(mail.encode()).hexdigest() for mail in MAILS],
        "patient": [hashlib.md5(str(i).encode()).hexdigest() for i in range(N)],
        "person_key": KEYS,
        "age": [str(20 + i % 60) for i in range(N)],
    }
)
OTHER = pd.DataFrame({"contact": MAILS, "key": KEYS[:100] + ["0" * 16] * 50, "age": RELEASE["age"]})


@pytest.fixture(scope="module")
def report():
    return privaudit.scan(RELEASE, auxiliary=OTHER, ner=False)


def findings_by_column(report, code):
    return {finding.subject[0]: finding for finding in report.findings if finding.code == code}


def test_digests_of_the_adversarys_values_and_of_running_numbers_are_reversible(report):
    found = findings_by_column(report, "PSN002")
    assert found["mail_hash"].severity == "critical"
    assert "trial" in str(found["patient"].message)


def test_keys_of_both_tables_are_reported_with_the_people_they_join(report):
    found = findings_by_column(report, "PSN003")
    assert found["person_key"].n_people == 100


def test_without_the_other_table_nothing_is_compared():
    report = privaudit.scan(RELEASE, ner=False)
    assert not findings_by_column(report, "PSN003")
    assert findings_by_column(report, "PSN002")["patient"].severity == "critical"


def test_no_digest_and_no_hashed_value_is_printed(report):
    text = report.to_json()
    printed = {text[i : i + 12] for i in range(len(text))}
    begun = {value[:12] for value in (*MAILS, *KEYS, *RELEASE["mail_hash"], *RELEASE["patient"])}
    assert {len(piece) for piece in begun} == {12}
    assert not printed & begun
