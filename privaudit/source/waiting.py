"""How long a server has to answer for the first time.

Question: does the server at this address answer at all?
Method: the first request, which is small on every source, has `SECONDS` to be answered. The drivers themselves wait
without end or repeat the request for minutes.
Limits: a driver that does not end its request keeps a thread until the process ends. Later requests may take as long as
they need, because a scan of a large table does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

SECONDS = 30
"""Time that a server has for its first answer."""

Answer = TypeVar("Answer")


def first_answer(ask: Callable[[], Answer]) -> Answer:
    """Return what `ask` returns, or raise what it raises.

    Raises
    ------
    TimeoutError
        If there is no answer within `SECONDS`.
    """
    from multiprocessing import TimeoutError as LateAnswer
    from multiprocessing.pool import ThreadPool

    pool = ThreadPool(1)  # its thread does not keep the process from ending
    try:
        return pool.apply_async(ask).get(SECONDS)
    except LateAnswer:
        raise TimeoutError from None
    finally:
        pool.close()
