"""Give columns other names, or names without a meaning.

Limits: names protect nothing: the form of the values shows what a column contains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.advice.technique.record import Context
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Listing, fact

NAMED = 6
"""Names that one sentence lists."""


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Rename the columns."""
    into = new_names(parameters["columns"], parameters.get("to"))
    renamed = [fact("remedies.new_name", old=Columns((old,)), new=Columns((new,))) for old, new in into.items()]
    parts = [tuple(renamed[start : start + NAMED]) for start in range(0, len(renamed), NAMED)]
    context.facts.extend(fact("remedies.new_names", names=Listing(part)) for part in parts)
    made = [into.get(name, name) for name in table.column_names]
    if len(set(made)) != len(made):
        raise ConfigError('"rename_columns" gives two columns the same name.')
    return table.rename_columns(made)


def new_names(columns: Sequence[str], to: Sequence[str] | None) -> dict[str, str]:
    """Return the new name of each column: those given, else c1, c2, ...

    Raises
    ------
    ConfigError
        If there are not as many names as columns, or a name is blank.
    """
    given = [f"c{i}" for i in range(1, len(columns) + 1)] if to is None else list(to)
    if len(given) != len(columns) or not all(name.strip() for name in given):
        raise ConfigError('"to" of "rename_columns" must state one name for each column.')
    return dict(zip(columns, given, strict=True))
