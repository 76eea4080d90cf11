"""Every error privaudit raises on purpose, with the exit code it leads to.

::

    PrivauditError
    ├── ConfigError (2)            wrong key or value in configuration, arguments or a pack
    │   ├── RuleError (2)
    │   ├── ReleaseError (2)       a release is refused before or instead of an answer
    │   │   ├── LedgerError        the ledger is damaged, edited, cut, or of another dataset
    │   │   ├── BudgetExceeded     the ledger has too little budget left; the refusal is written into it
    │   │   ├── MissingBounds      bounds, categories or bands are not declared
    │   │   ├── UnitNotGiven       the unit is a person, and rows per person are not declared
    │   │   ├── TooManyCells       more cells than the limit
    │   │   ├── TooFewParties      fewer than three silos or parties
    │   │   └── KeyTooShort        a Paillier key below 3072 bits
    │   └── SubjectError (2)       a request about one person is refused
    │       ├── AmbiguousSubject   the identifier matches several people
    │       └── ChangedSinceDryRun
    ├── SourceError (2)            the table cannot be read as asked
    │   ├── UnreadableSource
    │   ├── UnsupportedFormat
    │   └── ColumnNotFound
    ├── EngineError (3)            the engine that holds the table failed
    │   └── EngineUnavailable
    ├── ScanIncomplete (3)         something could not be assessed
    └── GateFailed (1)             raised by ``GateDecision.raise_if_failed`` only

A message states what is wrong, where, and what to do, in one line of at most 300 characters. It never quotes a
cell and never repeats the text of another library's exception: those quote cells. For the same reason an error
leaves the program without the exceptions that led to it and without the frames they were raised in: a notebook,
a debugger or a crash reporter shows what hangs on them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

MAX_MESSAGE = 300


class PrivauditError(Exception):
    """Base of all errors that privaudit raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong and where.
    hint : str, optional
        What to do about it.
    """

    exit_code: ClassVar[int] = 4
    code: ClassVar[str] = "E000"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(self.line())

    def line(self) -> str:
        """Return the error as one line of at most `MAX_MESSAGE` characters."""
        text = self.message if self.hint is None else f"{self.message} Hint: {self.hint}"
        text = " ".join(text.split())
        return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"


class InternalError(PrivauditError):
    """An unexpected error, by its type and place; its text may quote cells and is not kept.

    Attributes
    ----------
    error_type : str
        Name of the type of the error.
    line_of_origin : str
        File and line of this package that raised it.
    """

    def __init__(self, stage: str, error_type: str, line: str) -> None:
        self.error_type, self.line_of_origin = error_type, line
        super().__init__(f"Internal error in stage {stage}: {error_type} at {line}.", hint="please report this line")


class ConfigError(PrivauditError):
    """A wrong key or value in the configuration, the arguments or a pack."""

    exit_code = 2
    code = "E201"


class RuleError(ConfigError):
    """A rule pack that fails validation."""

    code = "E202"


class ReleaseError(ConfigError):
    """A release of answers or synthetic rows that is refused."""

    code = "E220"


class LedgerError(ReleaseError):
    """The ledger is damaged, edited, cut, shorter than a certificate requires, or belongs to another dataset."""

    code = "E221"


class BudgetExceeded(ReleaseError):
    """The ledger has too little budget left; the refusal is an entry of the ledger."""

    code = "E222"


class MissingBounds(ReleaseError):
    """Bounds, categories or bands are not declared; they are never read from the data."""

    code = "E223"


class UnitNotGiven(ReleaseError):
    """The unit of the ledger is a person, and the person column or the rows per person are not declared."""

    code = "E224"


class TooManyCells(ReleaseError):
    """A table of counts with more cells than the limit."""

    code = "E225"


class IdentifierRefused(ReleaseError):
    """A synthetic column that would hold direct identifiers or free text."""

    code = "E226"


class TooFewParties(ReleaseError):
    """A joint audit or federated training has fewer than three parties."""

    code = "E227"


class KeyTooShort(ReleaseError):
    """A Paillier key has fewer than 3072 bits."""

    code = "E228"


class SubjectError(ConfigError):
    """A request about one person is refused."""

    code = "E230"


class AmbiguousSubject(SubjectError):
    """The identifier matches several people."""

    code = "E231"


class ChangedSinceDryRun(SubjectError):
    """The map, a store or the rows of the person are not those of the dry run."""

    code = "E232"


class SourceError(PrivauditError):
    """The table cannot be read as asked."""

    exit_code = 2
    code = "E210"


class UnreadableSource(SourceError):
    """The file is missing, damaged, or not in the format of its suffix."""

    code = "E211"


class UnsupportedFormat(SourceError):
    """No reader for this kind of file, or the extra that reads it is not installed."""

    code = "E212"


class ColumnNotFound(SourceError):
    """The table has no column of the given name."""

    code = "E213"

    @classmethod
    def among(cls, column: str, table: str, columns: Iterable[str]) -> ColumnNotFound:
        """Build the error for `column`, naming the columns of `table` that look close."""
        import difflib

        names = list(columns)
        parts = [part.strip() for part in column.split(",")]
        close = parts if set(parts) <= set(names) else difflib.get_close_matches(column, names, n=3, cutoff=0.5)
        listed = ", ".join(f'"{name}"' for name in close)
        hint = f"similar columns: {listed}" if close else "privaudit profile shows the columns"
        if close == parts:
            hint = f"give several columns as a list: [{listed}]"  # the command line separates them by commas
        n_columns = f"{len(names):,} column{'' if len(names) == 1 else 's'}"
        return cls(f'"{column}" is not a column of {table}, which has {n_columns}.', hint=hint)

    @classmethod
    def check(cls, wanted: Iterable[str], table: str, columns: Collection[str]) -> None:
        """Raise the error for the first of `wanted` that is not among the `columns` of `table`."""
        for column in wanted:
            if column not in columns:
                raise cls.among(column, table, columns)


class EngineError(PrivauditError):
    """The engine that holds the table failed."""

    exit_code = 3
    code = "E301"


class EngineUnavailable(EngineError):
    """The engine cannot be reached or is not installed."""

    code = "E302"


class ScanIncomplete(PrivauditError):
    """Something could not be assessed."""

    exit_code = 3
    code = "E303"


class GateFailed(PrivauditError):
    """The gate did not pass."""

    exit_code = 1
    code = "E101"


NOT_MAPPED = ("failed to map segment", "cannot map", "annot allocate memory")
"""What the loaders of Linux write where a library does not fit into the memory."""
NO_THREAD = "Unknown error: Failed to launch worker thread"
"""What Arrow writes where the memory, or the number of threads, does not allow another thread."""
INTERRUPTED = "Query interrupted"
"""What the embedded engine raises, as a `RuntimeError`, instead of the `KeyboardInterrupt` that ended a query."""


@contextmanager
def guarded(stage: str) -> Iterator[None]:
    """Turn an unexpected error into a `PrivauditError` (exit code 4) with `stage` and line, without its text.

    Raises
    ------
    PrivauditError
    """
    try:
        yield
    except PrivauditError:
        raise
    except Exception as error:  # noqa: BLE001 - an unexpected error of any type ends here
        if _is_interrupt(error):
            raise KeyboardInterrupt from None
        if _is_out_of_memory(error):
            raise ScanIncomplete(
                f"The table needs more memory than allowed in stage {stage}.",
                hint="allow more with --memory, or scan fewer rows or columns",
            ) from None
        if isinstance(error, FileNotFoundError) and not _has_working_folder():
            raise ConfigError(
                "The working folder was deleted.", hint="run the command in a folder that exists"
            ) from None
        raise InternalError(stage, *origin(error)) from None


def _has_working_folder() -> bool:
    """Whether the folder that relative paths begin in exists: a shell or a notebook may be in one that was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


@contextmanager
def foreign_errors_as(replacement: Callable[[], PrivauditError]) -> Iterator[None]:
    """Replace any error of another library, whose text may quote cells, by one privaudit error.

    Errors are those of `foreign_errors_named`.
    """
    with foreign_errors_named(lambda _: replacement()):
        yield


@contextmanager
def foreign_errors_named(name: Callable[[str], PrivauditError]) -> Iterator[None]:
    """Replace any error of another library by the privaudit error that `name` returns for its text.

    `name` compares the text with what the library is known to write, and puts no part of it into the error.

    Raises
    ------
    PrivauditError
        The replacement, or the error itself where it is a privaudit error already.
    MemoryError
        If the library raises it, or its message states that memory is exhausted.
    KeyboardInterrupt
        If the library reports the interruption as an error of its own.
    """
    try:
        yield
    except (PrivauditError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - another library may raise anything
        if _is_interrupt(error):
            raise KeyboardInterrupt from None
        if _names_a_lack_of_memory(error):
            raise MemoryError from None
        raise name(str(error)) from None


def _is_interrupt(error: Exception) -> bool:
    return isinstance(error, RuntimeError) and str(error) == INTERRUPTED


def _is_out_of_memory(error: Exception) -> bool:
    # The engine has an error of its own, which is known by its name so that the engine is not loaded to ask.
    known = isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException"
    return known or _names_a_lack_of_memory(error)


def _names_a_lack_of_memory(error: Exception) -> bool:
    """Whether the text of an error is one that a loader or Arrow writes where memory is short."""
    if isinstance(error, (ImportError, OSError)):
        return any(text in str(error) for text in NOT_MAPPED)
    return str(error).startswith(NO_THREAD)


def origin(error: BaseException) -> tuple[str, str]:
    """Return the type of an error and the line of this package that raised it, without the text of the error."""
    return type(error).__name__, _own_line(error)


def alone(error: PrivauditError) -> PrivauditError:
    """Return `error` without the exceptions and frames behind it, to be raised outside of any ``except``."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _own_line(error: BaseException) -> str:
    place, trace = "an unknown line", error.__traceback__
    home = Path(__file__).parents[1]
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if home in file.parents:
            place = f"{file.parent.name}/{file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
