"""Conditions on one column: a small typed grammar, of which nothing is evaluated as code.

Question: for which records does a condition hold, and how is a wrong one refused?
Method: ``COLUMN >= 30``, ``COLUMN = "A"``, ``COLUMN in ["A", "B"]``, ``COLUMN not in [...]``, ``COLUMN is missing`` and
``COLUMN is not missing``. Numbers are compared with numbers, dates (2020-01-31) with dates, texts in quotation marks
with whole cells. A name with a symbol of the grammar in it is written in quotation marks.
Limits: one column, without "and" and "or": two conditions are two steps. A missing cell, and a cell that is not of the
type that the condition compares, meets only ``is missing`` or nothing.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from privaudit.advice.technique.recoding import MOSTLY, as_numbers
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass

HINT = 'for example: age >= 30 · status in ["open", "new"] · department is missing · seen < 2020-01-31'
_COLUMN = r'(?:"(?P<quoted>(?:[^"\\]|\\.)+)"|(?P<plain>[^"<>=!\[\]]+?))'
_OPERATOR = r"(?P<operator>>=|<=|!=|=|<|>|\s(?:is\s+not\s+missing|is\s+missing|not\s+in|in)(?=\s|\[|$))"
_CONDITION = Expression(rf"\s*{_COLUMN}\s*{_OPERATOR}\s*(?P<operand>.*?)\s*", re.DOTALL)
_DATE = Expression(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMPARE = {
    "=": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one column.

    Attributes
    ----------
    column : str
    operator : str
        One of ``= != < <= > >=``, "in", "not in", "is missing", "is not missing".
    operand : number, text or tuple of them, or None
        A date is a text of the form 2020-01-31 with `is_date`.
    is_date : bool
    """

    column: str
    operator: str
    operand: Any = None
    is_date: bool = False


def parse(text: str) -> Condition:
    """Return the condition that a text states.

    Raises
    ------
    ConfigError
        If the text is not a condition of the grammar.
    """
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise ConfigError("A condition names a column, a comparison and a value.", hint=HINT)
    quoted = found["quoted"]
    column = found["plain"].strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
    operator = " ".join(found["operator"].split())
    if operator.startswith("is "):
        if found["operand"]:
            raise ConfigError('Nothing follows "is missing".', hint=HINT)
        return Condition(column, operator)
    operand, is_date = _operand(found["operand"])
    if (operator in ("in", "not in")) != isinstance(operand, tuple):
        raise ConfigError('"in" needs a list, and every other comparison one value.', hint=HINT)
    if operator in ("<", "<=", ">", ">=") and isinstance(operand, str) and not is_date:
        raise ConfigError("Texts have no order: compare numbers or dates.", hint=HINT)
    return Condition(column, operator, operand, is_date)


def _operand(text: str) -> tuple[Any, bool]:
    """Return the value or the tuple of values after an operator, and whether it is a date."""
    if _DATE.fullmatch(text):
        return text, True
    try:
        value = json.loads(text)
    except ValueError:
        raise ConfigError(
            "A condition compares with a number, a date such as 2020-01-31, a text in quotation marks or a list.",
            hint=HINT,
        ) from None
    values = value if isinstance(value, list) else [value]
    if not values:
        raise ConfigError("The list of values is empty.", hint=HINT)
    if not all(map(_is_plain, values)):
        raise ConfigError("A condition compares with finite numbers and with texts only.", hint=HINT)
    if len({isinstance(each, str) for each in values}) > 1:
        raise ConfigError("A condition compares with numbers or with texts, not with both.", hint=HINT)
    return (tuple(values) if isinstance(value, list) else value), False


def _is_plain(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    return isinstance(value, str) or math.isfinite(value)


def is_condition(text: object) -> bool:
    """Whether a value is a condition of the grammar."""
    try:
        parse(str(text))
    except ConfigError:
        return False
    return isinstance(text, str)


def holds(condition: Condition, table: pa.Table) -> pa.Array:
    """Return for which records of a table of texts a condition holds.

    Raises
    ------
    ConfigError
        If the condition compares numbers or dates and the column does not hold them.
    """
    from privaudit.source.cells.dictionaries import written_out

    cells = written_out(table[condition.column]).combine_chunks()
    if condition.operator == "is missing":
        return pc.is_null(cells)
    if condition.operator == "is not missing":
        return pc.is_valid(cells)
    sides = condition.operand if isinstance(condition.operand, tuple) else (condition.operand,)
    left = _typed(cells, condition, is_text=isinstance(sides[0], str))
    if isinstance(condition.operand, tuple):
        inside = pc.is_in(left, value_set=pa.array(sides, left.type))
        chosen = inside if condition.operator == "in" else pc.invert(inside)
        return pc.and_(chosen, pc.is_valid(left))
    found = getattr(pc, _COMPARE[condition.operator])(left, pa.array(sides, left.type)[0])
    return pc.fill_null(found, False)


def _typed(cells: pa.Array, condition: Condition, *, is_text: bool) -> pa.Array:
    """Return the cells as the condition compares them, null for those of another type."""
    if is_text and not condition.is_date:
        return cells.cast("string")
    wanted = "dates" if condition.is_date else "numbers"
    if condition.is_date:
        from privaudit.attacks.values.comparable_values import iso_dates

        made, _ = iso_dates(cells)
    else:
        made = as_numbers(cells)
    if len(made) - made.null_count < MOSTLY * (len(cells) - cells.null_count):
        raise ConfigError(
            f'The condition compares {wanted}, and "{condition.column}" does not hold {wanted}.',
            hint="write a text in quotation marks",
        )
    return made
