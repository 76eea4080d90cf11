"""Roles and acceptances from the metadata of the fields of a file, and what takes precedence over them.

Question: what does the file state about its own columns, and does it apply?
Method: ``privaudit.role`` is a role; ``privaudit.accept`` is an acceptance as JSON, or a list of them, about the
column or the columns it names. The options and the settings file take precedence: they decide about each column whose
role they state, their lists of quasi-identifiers and of sensitive attributes are complete, and their acceptance of a
finding replaces that of the file.
Limits: a pull request can change the file, so nothing here applies with ``--policy-from``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from privaudit.base import clock
from privaudit.base.errors import ConfigError
from privaudit.model import Limit, Role, limit
from privaudit.model.wording import Columns, Number
from privaudit.rulebook import check_entries, load_checks
from privaudit.settings.acceptance import AcceptanceEntry, parse_entries
from privaudit.source.input.table import ACCEPT, ROLE

if TYPE_CHECKING:
    from privaudit.settings.config import Settings
    from privaudit.source import Dataset

_OFF = "or set field_metadata = false"


def apply_statements(dataset: Dataset, settings: Settings) -> tuple[Settings, frozenset[str], tuple[Limit, ...]]:
    """Return the settings with what the fields state, the columns whose role they state, and what was noted.

    Raises
    ------
    ConfigError
        For a statement that is not valid; the message does not repeat it.
    """
    columns = Columns(tuple(dict.fromkeys(column for column, _, _ in dataset.stated)))
    if not settings.field_metadata:
        return settings, frozenset(), (limit("source.field_metadata_ignored", columns=columns),)
    roles = {
        column: role
        for column, role in _roles(dataset).items()
        if column not in settings.role and not _is_listed(column, role, settings)
    }
    folder = settings.rules_folder
    stated = _entries(dataset, folder)
    entries = [entry for entry in stated if not any(entry.overlaps(other) for other in settings.accept)]
    applied = replace(settings, role={**roles, **settings.role}, accept=(*settings.accept, *entries))
    used = limit("source.field_metadata", columns=columns, roles=Number(len(roles)), acceptances=Number(len(entries)))
    return applied, frozenset(roles), (used,)


def _is_listed(column: str, role: Role, settings: Settings) -> bool:
    """Whether a list of the settings states already which columns have this role, or the role of this column."""
    lists = {"quasi": settings.quasi, "sensitive": settings.sensitive}
    return bool(lists.get(role)) or any(column in names for names in lists.values())


def _roles(dataset: Dataset) -> dict[str, Role]:
    found: dict[str, Role] = {}
    for column, key, text in dataset.stated:
        if key == ROLE:
            role = next((role for role in get_args(Role) if role == text.strip()), None)
            if role is None:
                raise ConfigError(
                    f'The metadata "{ROLE}" of column {column} is not a role.',
                    hint=f"use one of: {', '.join(get_args(Role))}; {_OFF}",
                )
            found[column] = role
    return found


def _entries(dataset: Dataset, rules: Path | None) -> tuple[AcceptanceEntry, ...]:
    found: tuple[AcceptanceEntry, ...] = ()
    for column, key, text in dataset.stated:
        if key == ACCEPT:
            try:
                found = parse_entries([*found, *_parsed(text, column)], "the metadata")
                check_entries(found, load_checks(rules), clock.today())
            except (ConfigError, ValueError, RecursionError):
                # The error itself could repeat text of the file.
                raise ConfigError(
                    f'The metadata "{ACCEPT}" of column {column} is not an acceptance.',
                    hint=f"write it as JSON with the keys of [[accept]] in docs/configuration.md, {_OFF}",
                ) from None
    return found


def _parsed(text: str, column: str) -> Sequence[Any]:
    parsed = json.loads(text)
    listed = parsed if isinstance(parsed, list) else [parsed]
    return [{"columns": [column], **one} if isinstance(one, Mapping) else one for one in listed]
