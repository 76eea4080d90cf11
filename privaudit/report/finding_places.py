"""Where a finding is, for services that show findings at files, and its identity from run to run.

Question: which file does a finding belong to, and how is the same finding recognised in the next run?
Method: the path of the table below the folder of the run, else its name; the identity hashes this place and the
fingerprint of the finding, which contains no measured number.
Limits: two tables of the same name outside of the folder of the run share their identities.
"""

from __future__ import annotations

import hashlib

from privaudit.model import Finding, Report
from privaudit.report.escape import name

MOST = 500
"""Longest path that is shown in full."""


def place(report: Report) -> str:
    """Return the path of the table relative to the folder of the run, or its name where it is elsewhere."""
    return name(report.dataset.path or report.dataset.name, MOST)


def stable_id(finding: Finding, report: Report) -> str:
    """Return 32 hexadecimal digits that name a finding of a table in every run."""
    # The place is hashed with it: one finding in two tables is two findings to these services.
    text = f"{report.dataset.path or report.dataset.name}\x1f{finding.fingerprint}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
