"""How long a server has to answer for the first time.

Question: does the server at this address answer at all?
Method: the first request, which is small on every source, has `SECONDS` to be answered. The drivers themselves wait
without end or repeat the request for minutes. A driver that repeats refused connections is not asked where the
system refuses one at once.
Limits: a driver that does not end its request keeps a thread until the process ends. Later requests may take as long as
they need, because a scan of a large table does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

SECONDS = 30
"""Time that a server has for its first answer."""

PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")
"""Variables that name a server through which a client of gRPC connects."""

Answer = TypeVar("Answer")


def is_refused(host: str, port: int) -> bool:
    """Whether nothing listens at an address; False where that is not known, as behind a proxy."""
    if any(os.environ.get(name) for name in PROXIES):
        return False
    import socket

    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


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
