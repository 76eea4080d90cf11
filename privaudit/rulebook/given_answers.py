"""Match the answers of a settings file with the controls, the table and the current day.

Question: which answers of people hold, which are overdue, and which were given about other data?
Method: an answer names a control of a framework, or a part of the context. It holds until its last day, and where it
names the fingerprint of a table, for that table only.
Limits: an answer changes no measurement, no answer of the scan and no state of a control.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable
from pathlib import Path

from privaudit.base.errors import ConfigError
from privaudit.base.similar_names import similar
from privaudit.base.wire import assembled
from privaudit.model import DatasetInfo
from privaudit.model.judgement import AnswerState, GivenAnswer
from privaudit.model.vocabulary.statements import CONTEXT
from privaudit.rulebook.load import load_frameworks
from privaudit.rulebook.packs import Framework
from privaudit.settings.acceptance import parse_date
from privaudit.settings.answers import AnswerBook, AnswerEntry


def check_keys(keys: Iterable[str], rules: Path | None = None) -> None:
    """Raise `ConfigError` for a key that is neither a control of any framework nor a part of the context."""
    wanted = [key for key in keys if key not in CONTEXT]
    if not wanted:
        return
    known = [control.id for framework in load_frameworks(folder=rules) for control in framework.control]
    for key in wanted:
        if key not in known:
            close = similar(key, [*known, *CONTEXT], n=3, cutoff=0.6)
            raise ConfigError(
                f'An answer names "{key[:60]}", which is not a control.',
                hint=f"similar: {', '.join(close)}" if close else f"controls, and {', '.join(CONTEXT)}",
            )


def match_answers(
    book: AnswerBook, packs: Iterable[Framework], dataset: DatasetInfo, today: datetime.date, rules: Path | None = None
) -> tuple[GivenAnswer, ...]:
    """Return each answer with its status, in the order of the settings file.

    Parameters
    ----------
    book : AnswerBook
        The answers for the table.
    packs : iterable of Framework
        The chosen frameworks.
    dataset : DatasetInfo
        The table.
    today : date
    rules : Path, optional
        A folder with further frameworks of the user.

    Raises
    ------
    ConfigError
        For an answer to an unknown control.
    """
    check_keys((entry.key for entry in book.entries), rules)
    asked = {control.id for pack in packs for control in pack.control}
    return tuple(_given(entry, _status(entry, asked, dataset.fingerprint, today)) for entry in book.entries)


def _status(entry: AnswerEntry, asked: Collection[str], fingerprint: str, today: datetime.date) -> AnswerState:
    if entry.until is not None and entry.until < today:
        return "overdue"
    if entry.fingerprint and entry.fingerprint != fingerprint:
        return "other_data"
    return "holds" if entry.key in CONTEXT or entry.key in asked else "not_asked"


def _given(entry: AnswerEntry, status: AnswerState) -> GivenAnswer:
    days = {name: day.isoformat() if day else "" for name, day in (("date", entry.date), ("until", entry.until))}
    return assembled(GivenAnswer, entry, status=status, **days)


def book_of(answers: Iterable[GivenAnswer]) -> AnswerBook:
    """Return the answers that a report was judged with."""

    def day(text: str) -> datetime.date | None:
        return parse_date(text, "a date of the report") if text else None

    return AnswerBook(
        tuple(assembled(AnswerEntry, item, date=day(item.date), until=day(item.until)) for item in answers)
    )
