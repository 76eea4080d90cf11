"""Coded facts: what a stage states, as a code and typed values, until the last step turns it into a sentence.

Question: how does a stage say why, without writing a sentence?
Method: `Fact` pairs the code of a sentence in ``rules/wording`` with typed values. The type of a value decides how it
is written and what the public edition withholds: a `Count` of records is data, a `Threshold` is a constant.
Limits: records only; `privaudit.model.wording.render` writes the sentences. No value may hold a cell of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal, TypeAlias, get_args

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.stats import Estimate

Unit = Literal["record", "row", "person", "cell", "value", "class", "link", "file", "line", "pair", "group", "item"]
"""What a `Count` counts. All of these are counts of data, which the public edition withholds below 11."""


@dataclass(frozen=True, slots=True)
class Count(Wire):
    """A number of records, people, cells or values, with the total it is counted from where one is known."""

    n: int
    unit: Unit = "record"
    of: int | None = None
    type: Literal["count"] = "count"


@dataclass(frozen=True, slots=True)
class Share(Wire):
    """A share in [0, 1]; ``of`` is the number of units it is a share of (the rows of the table where null)."""

    value: float
    of: int | None = None
    type: Literal["share"] = "share"


@dataclass(frozen=True, slots=True)
class Threshold(Wire):
    """A constant of a policy, a check or the program. It is never withheld, because it does not come from the data."""

    value: float | int | str
    type: Literal["threshold"] = "threshold"


@dataclass(frozen=True, slots=True)
class Number(Wire):
    """A derived measure that is neither a count nor a share: bits, a distance, a ratio, a level."""

    value: float | int
    type: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class Columns(Wire):
    """Column names."""

    names: tuple[str, ...]
    type: Literal["columns"] = "columns"


@dataclass(frozen=True, slots=True)
class EntityType(Wire):
    """An entity type by its code, for example EMAIL."""

    code: str
    type: Literal["entity_type"] = "entity_type"


@dataclass(frozen=True, slots=True)
class Term(Wire):
    """A word of a closed list, by its code in ``rules/wording/terms.toml``."""

    code: str
    type: Literal["term"] = "term"


@dataclass(frozen=True, slots=True)
class Name(Wire):
    """A name from configuration or packs (a detector, a package, an option), shown as it is; never from cells."""

    text: str
    type: Literal["name"] = "name"


@dataclass(frozen=True, slots=True)
class Duration(Wire):
    """A length of time in seconds."""

    seconds: float
    type: Literal["duration"] = "duration"


@dataclass(frozen=True, slots=True)
class Listing(Wire):
    """Several values of the same kind, written "a, b and c"."""

    items: tuple[Value, ...]
    type: Literal["listing"] = "listing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Wire):
    """A statement: the code of its sentence and the values that fill it.

    Attributes
    ----------
    code : str
        ``room.key`` of the sentence in ``rules/wording``, or the code of a check (QI001).
    values : mapping of str to typed value
        By the name of the placeholder in the sentence.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in the full edition."""
        return _writer[0](self)


Value: TypeAlias = (
    Count | Share | Estimate | Threshold | Number | Columns | EntityType | Term | Name | Duration | Listing | Fact
)

_TYPES = get_args(Value)


def replaced(value: Value, change: Callable[[Value], Value]) -> Value:
    """Return `value` with `change` applied to each single value that it is or holds."""
    if isinstance(value, Listing):
        return Listing(tuple(replaced(item, change) for item in value.items))
    if isinstance(value, Fact):
        return Fact(code=value.code, values={key: replaced(part, change) for key, part in value.values.items()})
    return change(value)


def write_facts_with(writer: Callable[[Fact], str]) -> None:
    """Let `writer` turn facts into text for ``str()``: rendering depends on facts, never the other way round."""
    _writer[0] = writer


_writer: list[Callable[[Fact], str]] = [lambda statement: statement.code]


def fact(code: str, /, **values: Value) -> Fact:
    """Return a `Fact`.

    Raises
    ------
    TypeError
        If a value is not typed: a bare number or text does not show what it counts, nor whether it is data.
    """
    for name, value in values.items():
        if not isinstance(value, _TYPES):
            raise TypeError(f"{code}: the value {name} must be typed, not {type(value).__name__}")
    return Fact(code=code, values=values)
