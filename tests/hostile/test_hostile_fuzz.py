"""A short run of the fuzzer; ``make fuzz`` runs 5,000 files."""

from __future__ import annotations

import pytest

from tests.hostile import fuzz, fuzz_documents


@pytest.mark.slow
def test_mutated_files_never_end_in_an_internal_error():
    ends = fuzz.run(120, seed=20)
    assert not {"INTERNAL", "LEAK", "UNEXPECTED", "SLOW"} & set(ends), ends
    assert sum(ends.values()) == 120


@pytest.mark.parametrize("n", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_mutated_certificates_plans_settings_hierarchies_and_reports_are_read_or_refused(n):
    ends = fuzz_documents.run(n, seed=20)
    assert set(ends) <= {"read", "refused"} and sum(ends.values()) == n, ends
