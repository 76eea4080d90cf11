"""What a joint audit found: the classes of every combination over all silos.

Question: which combinations single people out in all silos together?
Method: the sums of each set are its class sizes, and give the same record as the audit of one table.
Limits: roles, sensitive attributes and values are not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base import clock
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire, assembled
from privaudit.model import Combination
from privaudit.model.wording import Columns, Count, Listing, Name, Threshold, fact
from privaudit.model.wording.numbers import percent
from privaudit.releases import certificates
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.joint.second_round import Counts
from privaudit.report.pages import page as pages
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.search.combinations import combination_of


@dataclass(frozen=True, slots=True, kw_only=True)
class JointAudit(Wire):
    """The result of a joint audit.

    Attributes
    ----------
    silos, columns : tuple of str
    k : int
    n_records : int
        Records of all silos.
    counts, matching : str
        How counts were hidden and combinations matched.
    combinations : tuple of Combination
        One for each set of columns, as in the report of a scan; the worst first.
    """

    version: str
    plan: str
    silos: tuple[str, ...]
    columns: tuple[str, ...]
    k: int
    n_records: int
    counts: str
    matching: str
    combinations: tuple[Combination, ...]


def audit_of(plan: JointPlan, sums: Sequence[Counts]) -> JointAudit:
    """Return the result that the class sizes of every set of a plan give."""
    n = int(sums[0].sum())
    found = [
        combination_of(tuple(plan.columns[j] for j in chosen), ClassSizes.of(sizes, n_rows=n), sorted({2, plan.k}))
        for chosen, sizes in zip(plan.sets, sums, strict=True)
    ]
    return assembled(
        JointAudit,
        plan,
        version=__version__,
        plan=plan.fingerprint,
        n_records=n,
        combinations=tuple(sorted(found, key=lambda each: (each.k_min, -each.n_unique, each.columns))),
    )


def write(audit: JointAudit, path: Path) -> None:
    """Write the result; next to JSON its certificate, which states the plan and the numbers over all columns.

    Raises
    ------
    ConfigError
        If a file must not or cannot be written.
    """
    whole = _over_all_columns(audit)
    content: dict[str, Any] = {
        "plan": audit.plan,
        "silos": list(audit.silos),
        "columns": list(audit.columns),
        "counts": audit.counts,
        "matching": audit.matching,
        "n_records": audit.n_records,
        "k_required": audit.k,
        "k_min": whole.k_min,
        "n_unique": whole.n_unique,
        "n_below": whole.n_below,
        # The counts are exact, and no silo has a budget for them.
        "privacy": None,
        "ledger": None,
    }
    forms = pages.forms_of(page(audit), audit)
    certificates.write_certified(path, forms, certificates.JOINT_AUDIT, content, clock.stamp())


def _over_all_columns(audit: JointAudit) -> Combination:
    return max(audit.combinations, key=lambda each: len(each.columns))


def page(audit: JointAudit) -> pages.Page:
    """Return the result for readers, with what each party learned."""
    whole = _over_all_columns(audit)
    k, n = Threshold(audit.k), audit.n_records
    rows = [
        (
            " + ".join(each.columns),
            f"{each.n_classes:,}",
            f"{each.k_min:,}",
            f"{each.n_unique:,}",
            f"{each.n_below[str(audit.k)]:,} ({percent(each.n_below[str(audit.k)] / n)})",
        )
        for each in audit.combinations
    ]
    learned = [fact(f"joint.learned_{who}") for who in ("combiner", audit.matching.replace("-", "_"), audit.counts)]
    return pages.Page(
        kicker="Joint audit",
        title=fact("joint.title", silos=Listing(tuple(Name(silo) for silo in audit.silos))),
        lead=fact(
            "joint.lead",
            columns=Columns(whole.columns),
            n=Count(n),
            classes=Count(whole.n_classes, unit="class"),
            k_min=Count(whole.k_min, unit="record"),
            unique=Count(whole.n_unique, of=n),
            below=Count(whole.n_below[str(audit.k)], of=n),
            k=k,
        ),
        sections=(
            pages.Section(
                key="combinations",
                title="Combinations",
                sentences=(fact("joint.equal"),),
                head=("columns", "classes", "k", "uniques", f"records below {audit.k}"),
                rows=rows,
            ),
            pages.Section(key="learned", title="What each party learned", sentences=(*learned, fact("joint.subtract"))),
        ),
        footer=fact("joint.footer"),
    )
