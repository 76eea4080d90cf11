"""Render the examples of this folder: a scan of a seeded fixture with auxiliary data, in the formats that people read.

    python reports/examples/make.py

Question: what does a report look like?
Method: the fixtures are made afresh, the pipeline scans them, and the report is rendered; nothing is edited by hand.
Limits: durations are omitted, and the date is fixed, so that the same program gives the same files.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DAY = "1767225600"  # 1 January 2026
MOST_RECORDS = 2_000
EXAMPLES = ("html", "json", "md")


def scan(folder: Path) -> object:
    """Return the report of the example as a record; `folder` is for the fixtures.

    The first `MOST_RECORDS` visits of people.csv are scanned under the policy "public", with register.csv as
    auxiliary data and the true matches known.
    """
    import privaudit

    subprocess.run([sys.executable, str(ROOT / "fixtures" / "make.py"), str(folder)], check=True)
    lines = (folder / "people.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "people.csv").write_text("".join(lines[: MOST_RECORDS + 1]), encoding="utf-8")
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = DAY
    try:
        with contextlib.chdir(folder):
            report = privaudit.scan(
                "people.csv",
                auxiliary="register.csv",
                truth={"person_key": "person_key"},
                framework=["wp216", "hipaa-safe-harbor"],
                seed=7,
            ).wire
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before
    return dataclasses.replace(report, timings={})


def main() -> None:
    """Write the example in every format."""
    from privaudit import report as reports

    with tempfile.TemporaryDirectory() as folder:
        report = scan(Path(folder))
    for format in EXAMPLES:
        reports.write(report, HERE / f"example.{format}")


if __name__ == "__main__":
    main()
