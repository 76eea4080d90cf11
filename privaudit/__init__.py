"""privaudit: what personal data a table holds, who in it can be singled out, and what would fix it.

>>> import privaudit
>>> report = privaudit.scan("claims.csv", policy="public", seed=7)      # doctest: +SKIP
>>> report.write("risk.html")                                           # doctest: +SKIP
"""

from __future__ import annotations

from privaudit._version import __version__

TYPE_CHECKING = False  # `typing` would be searched in the working folder before `python -m privaudit` excludes it
if TYPE_CHECKING:
    from privaudit.api.collection import scan_many
    from privaudit.api.looks import classes, compare_tables, profile
    from privaudit.api.releases import release
    from privaudit.api.remedies import plan, remedy, verify
    from privaudit.api.reports import (
        History,
        accept,
        answer,
        compare,
        history,
        verify_page,
        write_baseline,
        write_document,
    )
    from privaudit.api.scans import attack, explain, judge, load, scan
    from privaudit.api.synthesis import synthesize
    from privaudit.api.table_results import Collection, TableResult
    from privaudit.audit.result import Comparison, Findings, GateDecision, ScanReport
    from privaudit.base.errors import (
        BudgetExceeded,
        ColumnNotFound,
        ConfigError,
        EngineError,
        EngineUnavailable,
        GateFailed,
        IdentifierRefused,
        LedgerError,
        MissingBounds,
        PrivauditError,
        ReleaseError,
        RuleError,
        ScanIncomplete,
        SourceError,
        UnreadableSource,
        UnsupportedFormat,
    )
    from privaudit.releases import federated
    from privaudit.releases.answers.models.clusters import PrivateKMeans
    from privaudit.releases.answers.models.forest import PrivateForest
    from privaudit.releases.answers.models.linear import PrivateLinearRegression
    from privaudit.releases.answers.models.logistic import PrivateLogisticRegression
    from privaudit.releases.answers.models.naive_bayes import PrivateNaiveBayes
    from privaudit.releases.answers.result import Release
    from privaudit.releases.privacy.ledger import Ledger
    from privaudit.releases.remedy import steps
    from privaudit.releases.remedy.transformer import RemedyTransformer
    from privaudit.releases.synthetic.estimator import Synthesizer
    from privaudit.releases.synthetic.result import SyntheticTable

_HOMES = {
    "api.scans": "attack explain judge load scan",
    "api.remedies": "plan remedy verify",
    "api.looks": "classes compare_tables profile",
    "api.releases": "release",
    "api.synthesis": "synthesize",
    "releases.synthetic.estimator": "Synthesizer",
    "releases.synthetic.result": "SyntheticTable",
    "releases.answers.models.clusters": "PrivateKMeans",
    "releases.answers.models.forest": "PrivateForest",
    "releases.answers.models.linear": "PrivateLinearRegression",
    "releases.answers.models.logistic": "PrivateLogisticRegression",
    "releases.answers.models.naive_bayes": "PrivateNaiveBayes",
    "releases.answers.result": "Release",
    "releases.privacy.ledger": "Ledger",
    "releases.remedy.transformer": "RemedyTransformer",
    "api.reports": "History accept answer compare history verify_page write_baseline write_document",
    "api.collection": "scan_many",
    "api.table_results": "Collection TableResult",
    "audit.result": "Comparison Findings GateDecision ScanReport",
    "base.errors": (
        "BudgetExceeded ColumnNotFound ConfigError EngineError EngineUnavailable GateFailed "
        "IdentifierRefused LedgerError MissingBounds PrivauditError ReleaseError RuleError ScanIncomplete "
        "SourceError UnreadableSource UnsupportedFormat"
    ),
}
"""Public names, by the module that they are imported from at their first use."""

_MODULES = {"federated": "releases.federated", "steps": "releases.remedy.steps"}
"""Public modules, by the place where they are."""

__all__ = [
    "BudgetExceeded", "Collection", "ColumnNotFound", "Comparison", "ConfigError", "EngineError", "EngineUnavailable",
    "Findings", "GateDecision", "GateFailed", "History", "IdentifierRefused", "Ledger", "LedgerError", "MissingBounds",
    "PrivateForest", "PrivateKMeans", "PrivateLinearRegression", "PrivateLogisticRegression", "PrivateNaiveBayes",
    "PrivauditError", "Release", "ReleaseError", "RemedyTransformer", "RuleError", "ScanIncomplete", "ScanReport",
    "SourceError", "Synthesizer", "SyntheticTable", "TableResult", "UnreadableSource", "UnsupportedFormat",
    "__version__", "accept", "answer", "attack", "classes", "compare", "compare_tables", "explain", "federated",
    "history", "judge", "load", "plan", "profile", "release", "remedy", "scan", "scan_many", "steps", "synthesize",
    "verify", "verify_page", "write_baseline", "write_document",
]  # fmt: skip


def __getattr__(name: str) -> object:
    # Imported on first use: `import privaudit` costs milliseconds, a scan pays for what it needs.
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"privaudit.{_MODULES[name]}")
    for home, names in _HOMES.items():
        if name in names.split():
            return getattr(importlib.import_module(f"privaudit.{home}"), name)
    raise AttributeError(f"module 'privaudit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
