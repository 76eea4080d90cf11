"""What a joint audit found: the classes of every combination over all silos.

Question: which combinations single people out in all silos together?
Method: the sums of each set are its class sizes, and give the same record as the audit of one table.
Limits: roles, sensitive attributes and values are not known here.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit._version import __version__
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import Combination
from privaudit.model.wording import Columns, Count, Listing, Name, Threshold, fact
from privaudit.model.wording.numbers import percent
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
    return JointAudit(
        version=__version__,
        plan=plan.fingerprint,
        silos=plan.silos,
        columns=plan.columns,
        k=plan.k,
        n_records=n,
        counts=plan.counts,
        matching=plan.matching,
        combinations=tuple(sorted(found, key=lambda each: (each.k_min, -each.n_unique, each.columns))),
    )


def page(audit: JointAudit) -> pages.Page:
    """Return the result for readers, with what each party learned."""
    whole = max(audit.combinations, key=lambda each: len(each.columns))
    k, n = Threshold(value=audit.k), audit.n_records
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
        title=fact("joint.title", silos=Listing(items=tuple(Name(text=silo) for silo in audit.silos))),
        lead=fact(
            "joint.lead",
            columns=Columns(names=whole.columns),
            n=Count(n=n),
            classes=Count(n=whole.n_classes, unit="class"),
            unique=Count(n=whole.n_unique, of=n),
            below=Count(n=whole.n_below[str(audit.k)], of=n),
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
