"""What a program calls for answers under differential privacy: `release` and `verify_release`.

Question: how does a notebook or a pipeline answer questions about a table whose rows may not be released?
Method: the plan and the ledger are opened, `privaudit.releases.answers` does the work.
Limits: holds no mechanism of its own; there is no argument for a seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from privaudit.api.scans import settings_of
from privaudit.base.errors import ConfigError, guarded
from privaudit.settings.config import Progress, silent
from privaudit.settings.options import ReadingOptions, explicit

if TYPE_CHECKING:
    from privaudit.releases.answers.result import Release
    from privaudit.releases.privacy.ledger import Ledger
    from privaudit.releases.verification import Verification


@explicit(ReadingOptions)
def release(
    source: Any,
    plan: str | Path | Mapping[str, Any],
    *,
    ledger: str | Path | Ledger,
    dataset: str | None = None,
    progress: Progress = silent,
    **reading: Unpack[ReadingOptions],
) -> Release:
    """Answer the queries of a plan about a table, with exact noise, and charge the ledger.

    Parameters
    ----------
    source : path or table
        As for `privaudit.scan`.
    plan : path or mapping
        A plan file, or its content: ``{"query": [...], "column": {...}}``.
    ledger : path or Ledger
        `privaudit.Ledger.create` makes one. No answer is given without it.
    dataset : str, optional
        The dataset of the ledger, where the plan does not name it.
    **reading
        How the table is read (`settings.options.ReadingOptions`): ``header``, ``delimiter``, ``encoding`` and others.

    Returns
    -------
    Release
        With ``answers``, ``to_frame()``, ``write(path)`` and a picture for notebooks.

    Raises
    ------
    MissingBounds
        If bounds, bands or categories of a query are not declared: they are never read from the data.
    BudgetExceeded
        If the plan costs more than is left; the refusal is written into the ledger.
    LedgerError
        If the ledger is damaged, edited, cut, or of another dataset.
    """
    from privaudit.releases.answers.plan_file import parse_plan, read_plan
    from privaudit.releases.answers.result import Release
    from privaudit.releases.answers.run import release as released
    from privaudit.releases.privacy.ledger import Ledger

    if ledger is None:
        raise ConfigError("A release needs a ledger.", hint="privaudit.Ledger.create(path, dataset=..., epsilon=...)")
    parsed = parse_plan(plan) if isinstance(plan, Mapping) else read_plan(plan)
    settings = settings_of(reading)
    with guarded("release"):
        found = released(source, parsed, Ledger.open(ledger), settings, dataset=dataset, progress=progress)
    return Release(found)


def example(source: Any, **reading: Unpack[ReadingOptions]) -> str:
    """Return the skeleton of a plan for a table, from its column names alone."""
    from privaudit.releases.answers.plan_file import example as skeleton
    from privaudit.source import open_dataset

    with guarded("release"), open_dataset(source, settings_of(reading)) as opened:
        return skeleton(opened.columns, opened.name)


def verify_release(path: str | Path, ledgers: Sequence[str | Path]) -> Verification | None:
    """Compare a release, other than a remedied table, with the certificate next to it, and with the ledgers that paid.

    Returns
    -------
    Verification or None
        None where the certificate is that of a remedied table, or there is none.

    Raises
    ------
    ConfigError
        If the file does not exist.
    UnreadableSource
        If its certificate cannot be read.
    """
    from privaudit.releases import verification

    if not verification.is_certified(Path(path)):
        return None
    return verification.verify(Path(path), [Path(ledger) for ledger in ledgers])
