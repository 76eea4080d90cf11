"""A small table is assessed without loading a compiler, and without a byte of its cells in what comes out."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa

from privaudit.risk import assess
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from tests.helpers.tables import column_report as report

ROOT = Path(__file__).resolve().parents[2]

SMALL = """
import sys
import numpy as np
import pyarrow as pa
from privaudit.settings.config import Settings
from privaudit.model import ColumnReport
from privaudit.risk import assess
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.files.readers.pandas_import import skip_pandas
skip_pandas()
table = pa.table({f"q{i}": np.arange(1000) * (i + 3) % (5 + i) for i in range(8)})
reports = tuple(
    ColumnReport(name=n, data_type="integer", n_rows=1000, n_missing=0, n_distinct=9, n_held_once=0,
                 uniqueness=None, entropy_bits=None, role="quasi") for n in table.column_names)
with from_arrow(table) as dataset:
    assert len(assess(dataset, reports, Settings(), thresholds=(11,)).combinations) == 93
print(sorted({"numba", "pandas", "sklearn", "spacy", "duckdb"} & set(sys.modules)))
"""


def test_a_small_table_loads_no_compiler():
    done = subprocess.run([sys.executable, "-c", SMALL], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_no_cell_reaches_the_evidence():
    """Marked values are in quasi-identifiers, sensitive, weight and data subject columns."""
    marked = {
        "q": ["CANARY-q1", "CANARY-q1", "CANARY-q2", None],
        "r": ["CANARY-r1", "*", "*", "CANARY-r2"],
        "s": ["CANARY-s1", "CANARY-s2", "CANARY-s3", "CANARY-s4"],
        "w": ["2", "1", "CANARY-w", "4"],
        "e": ["CANARY-e1", "CANARY-e1", None, "CANARY-e2"],
    }
    roles = {"q": "quasi", "r": "quasi", "s": "sensitive", "w": "none", "e": "none"}
    for missing in ("category", "wildcard", "one-sided"):
        options = Settings(weight="w", subject="e", population="50", missing=missing)
        with from_arrow(pa.table(marked)) as dataset:
            columns = tuple(report(n, r) for n, r in roles.items())
            found = assess(dataset, columns, options, thresholds=(2,))
        assert "CANARY" not in repr((found.risk, found.combinations, found.limits))
        assert found.risk.subject.n_people >= 2


def test_special_uniques_keep_to_the_sizes_searched(monkeypatch):
    monkeypatch.setattr("privaudit.risk.search.work.MOST_SETS", 12)
    table = pa.table({f"q{i}": [str(r * (i + 2) % 7) for r in range(40)] for i in range(4)})
    with from_arrow(table) as dataset:
        columns = tuple(report(n, "quasi") for n in dataset.columns)
        found = assess(dataset, columns, Settings(max_size=3), thresholds=(2,))
    assert found.risk.special_uniques.max_size == 2
    (limit,) = (limit for limit in found.limits if limit.code == "risk.special_uniques_not_searched")
    assert [size.value for size in limit.values["sizes"].items] == [3]
