"""The people of a table, and random numbers that each has in every table.

Question: who gets an invented value, and how does the same person get the same value elsewhere?
Method: a person is a value of the column ``person``; the bytes of a person are HMAC-SHA-256 of the key, the purpose and
the person. Without such a column every record is a person of its own, whose bytes are random.
Limits: whoever has the key and a list of people can compute what was invented for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.pseudonymise import canonical, digest, key_for
from privaudit.advice.technique.record import Context
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import encode_column

Codes = npt.NDArray[np.int64]
MOST_DRAWS = 1_000
"""Draws of a value that no other person has."""


@dataclass(frozen=True)
class People:
    """The people of a table.

    Attributes
    ----------
    codes : int64 array of shape (n_records,)
        The person of each record; `n` for a record without one.
    n : int
    names : sequence of str or None
        The person column's value of each person; None where each record is a person.
    key : bytes
    """

    codes: Codes
    n: int
    names: Sequence[str] | None
    key: bytes

    def bytes_of(self, person: int, purpose: str) -> bytes:
        """Return 32 bytes that belong to a person and a purpose."""
        return digest(self.key, purpose, str(person) if self.names is None else canonical(self.names[person]))

    def number(self, person: int, purpose: str) -> int:
        """Return a number below 2^64 that belongs to a person and a purpose."""
        return int.from_bytes(self.bytes_of(person, purpose)[:8], "big")

    def shares(self, purpose: str) -> npt.NDArray[np.float64]:
        """Return a number in [0, 1) for each person."""
        return np.array([self.number(person, purpose) for person in range(self.n)], dtype=np.float64) / 2.0**64


def people_of(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> People:
    """Return the people of `table`, as the step states them.

    Raises
    ------
    ConfigError
        If the step needs a key file and there is none.
    """
    name = parameters.get("person")
    if name is None:
        return People(np.arange(table.num_rows), table.num_rows, None, context.random.bytes(32))
    codes, dictionary = encode_column(table[name])
    key = key_for(context.key, {"key": parameters.get("key", "once")})
    return People(codes.astype(np.int64), len(dictionary), dictionary.to_pylist(), key)


def different(people: People, draw: Callable[[int, int], str], purpose: str) -> list[str]:
    """Return a value for each person that no other has: the first draw that is free.

    Parameters
    ----------
    draw : function
        ``draw(person, attempt)``.

    Raises
    ------
    ConfigError
        If there are hardly any values left.
    """
    taken: dict[str, int] = {}
    for person in range(people.n):
        values = (draw(person, attempt) for attempt in range(MOST_DRAWS))
        value = next((each for each in values if each not in taken), None)
        if value is None:
            raise ConfigError(f'"{purpose}" has too few values for so many people.', hint="allow longer values")
        taken[value] = person
    return list(taken)


def with_values(table: pa.Table, name: str, people: People, values: Sequence[str | None]) -> pa.Table:
    """Return the table with the value of each person in a column, which is added where there is none."""
    cells = pa.array([*values, None], pa.string()).take(pa.array(people.codes))
    return with_column(table, name, cells) if name in table.column_names else table.append_column(name, cells)
