"""What this process charged to ledgers.

Question: what does a run that failed leave spent?
Method: the ledger records here each entry that it wrote; after an error the command names them.
Limits: a process that was killed reports nothing; `privaudit ledger show` does.
"""

from __future__ import annotations

from typing import NamedTuple

_charged: list[Charged] = []


class Charged(NamedTuple):
    """An entry of a ledger that was paid.

    Attributes
    ----------
    dataset : str
    entry : int
    epsilon, delta : float
    """

    dataset: str
    entry: int
    epsilon: float
    delta: float


def record(charged: Charged) -> None:
    """Keep an entry that was written."""
    _charged.append(charged)


def take() -> tuple[Charged, ...]:
    """Return the entries since the last call, and forget them."""
    found = tuple(_charged)
    _charged.clear()
    return found
