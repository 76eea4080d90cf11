"""Expressions that an engine compares with all rows, where it may refuse some of them.

Question: what matches each of several expressions, if the engine cannot run one of them?
Method: a scan reads several expressions together. A statement that fails is divided in two until the expression is
alone that the engine refuses; the others are answered.
Limits: an engine that does not answer another statement after one that failed is an error of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from privaudit.base.arrow import pa
from privaudit.base.errors import EngineError, foreign_errors_as
from privaudit.source.engine.bounded_values import EXPRESSIONS, found_by
from privaudit.source.engine.engine_errors import failed
from privaudit.source.engine.queries import Run

REFUSED: Final = "refused"
Asked = Sequence[tuple[str, str]]


def answered(
    run: Run, write: Callable[[Asked], str], check: str, asked: Asked
) -> Iterator[tuple[pa.Array, pa.Array] | Literal["refused"] | None]:
    """Yield the answer to each expression of `asked`, `REFUSED` for one that the engine cannot run.

    Parameters
    ----------
    run : callable
        Runs a statement; one that fails does not prevent later ones.
    write : callable
        Returns the statement for some expressions.
    check : str
        A statement that the engine answers whatever the expressions are.
    asked : sequence of (column, expression)

    Raises
    ------
    EngineError
        If the engine does not answer `check` after a statement that failed.
    """
    for start in range(0, len(asked), EXPRESSIONS):
        yield from _divided(run, write, check, asked[start : start + EXPRESSIONS])


def _divided(
    run: Run, write: Callable[[Asked], str], check: str, asked: Asked
) -> Iterator[tuple[pa.Array, pa.Array] | Literal["refused"] | None]:
    try:
        with foreign_errors_as(failed):
            answer = run(write(asked))
    except EngineError:
        with foreign_errors_as(failed):
            run(check)
        if len(asked) == 1:
            yield REFUSED
            return
        # One expression spoils a statement; halving finds it in few statements, and the others are answered together.
        half = len(asked) // 2
        yield from _divided(run, write, check, asked[:half])
        yield from _divided(run, write, check, asked[half:])
    else:
        yield from found_by(answer, len(asked))
