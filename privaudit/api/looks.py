"""What a program calls to look at tables: `classes`, `profile` and `compare_tables`.

Question: how does the owner of a table see its small classes and its columns before a scan?
Method: keyword arguments become `Settings`, as for `privaudit.scan`; `privaudit.audit.looks` and
`privaudit.releases.compared` do the work.
Limits: nothing is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

from privaudit.api.scans import settings_of, several
from privaudit.base.errors import guarded
from privaudit.settings.config import Progress, silent
from privaudit.settings.options import ReadingOptions

if TYPE_CHECKING:
    from privaudit.audit.looks import Classes, Profile
    from privaudit.releases.compared.result import TableComparison

LEAST = 11
"""Records at or beyond a proposed limit of coding."""


def classes(
    source: Any,
    quasi: str | Iterable[str],
    below: int,
    *,
    progress: Progress = silent,
    **options: Unpack[ReadingOptions],
) -> Classes:
    """Return the classes of identical records over some columns, with size and rows of those below a size.

    Parameters
    ----------
    source : path or table
    quasi : several column names
    below : int
        Classes with fewer records are listed.
    **options
        How the source is read, as for `scan`.
    """
    from privaudit.audit.looks import classes_of
    from privaudit.source.files.paths import kept_input

    settings = settings_of(options)
    with guarded("classes"), kept_input(source, settings) as kept:
        return classes_of(kept, several(quasi), below, settings, progress)


def profile(source: Any, *, k: int = LEAST, progress: Progress = silent, **options: Unpack[ReadingOptions]) -> Profile:
    """Return type, missing and distinct values, uniqueness and bits of each column, and limits for coding numbers.

    Parameters
    ----------
    source : path or table
    k : int
        Records at or beyond each proposed limit.
    **options
        How the source is read, as for `scan`.
    """
    from privaudit.audit.looks import profile_of
    from privaudit.source.files.paths import kept_input

    settings = settings_of(options)
    with guarded("profile"), kept_input(source, settings) as kept:
        return profile_of(kept, k, settings, progress)


def compare_tables(
    real: Any, other: Any, *, target: str | None = None, progress: Progress = silent, **options: Unpack[ReadingOptions]
) -> TableComparison:
    """Compare a table with its synthetic or remedied counterpart: distributions, relations and predictions.

    Parameters
    ----------
    real, other : path or table
    target : str, optional
        The column that models predict: by default the last one with 2 to 20 values.
    **options
        How the tables are read, as for `scan`.
    """
    from privaudit.releases.compared.result import compare_pair

    settings = settings_of(options)
    with guarded("compare"):
        return compare_pair(real, other, settings, target=target, progress=progress)
