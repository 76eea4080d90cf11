"""A short run of the fuzzer; ``make fuzz`` runs 5,000 files."""

from __future__ import annotations

import pytest

from tests.hostile import fuzz


@pytest.mark.slow
def test_mutated_files_never_end_in_an_internal_error():
    ends = fuzz.run(120, seed=20)
    assert not {"INTERNAL", "LEAK", "UNEXPECTED", "SLOW"} & set(ends), ends
    assert sum(ends.values()) == 120
