"""The smallest class within each part of a table of several files.

Question: how small are the classes of a part by itself, if only this part were passed on?
Method: each part is read again like a table of its own, and its records are counted by the quasi-identifiers of the
whole table.
Limits: counts records, never people. A fact of the report, which decides nothing: the classes of the table decide. Of
many parts, the ones that come first are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model import Limit, limit
from privaudit.model.wording import Count, Fact, Listing, Name, Number, fact
from privaudit.risk.measures.potential import count_classes
from privaudit.settings.config import Settings
from privaudit.source import Dataset
from privaudit.source.opening import open_parts

MOST_COUNTED = 500
MOST_NAMED = 50


def classes_of_parts(dataset: Dataset, quasi: Sequence[str], settings: Settings) -> tuple[Limit, ...]:
    """Return the k of each part of `dataset` over the columns `quasi`, as a limit that is not incomplete.

    Parameters
    ----------
    dataset : Dataset
        Empty result where it was not read from several files.
    quasi : sequence of str
        The quasi-identifiers of the table.
    settings : Settings
        How the parts are read.
    """
    if len(dataset.parts) < 2:
        return ()
    measured: list[tuple[int, Fact]] = []
    for shown, part in open_parts(dataset.parts[:MOST_COUNTED], settings):
        with part:
            if part.n_rows:
                k_min = count_classes(part, quasi, settings).k_min
                stated = fact("risk.part", part=Name(shown), k=Count(k_min, unit="record"))
                measured.append((k_min, stated))
    measured.sort(key=lambda one: one[0])
    listed = [stated for _, stated in measured[:MOST_NAMED]]
    hidden = len(dataset.parts) - len(listed)
    if hidden:
        listed.append(fact("risk.more_parts", n=Number(hidden)))
    return (limit("risk.parts", n=Number(len(dataset.parts)), parts=Listing(tuple(listed))),)
