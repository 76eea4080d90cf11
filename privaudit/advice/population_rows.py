"""The rows of a release and of its population as one coded table.

Question: how many people of the population are in each class, whatever the recoding?
Method: the distinct rows of both tables over one dictionary for each column; each row has its records in the release
and its people in the population, so both are counted in one pass over the classes.
Limits: rows of the population alone have no records. Values that only the population has are recoded as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from privaudit.risk.coded import CodedTable, dense_labels, sorting_order, sums


def join_population(release: CodedTable, population: CodedTable) -> tuple[CodedTable, npt.NDArray[np.int64]]:
    """Return the rows of both tables, and the people of the population with each row.

    Parameters
    ----------
    release : CodedTable
        Its records are the weights of the result.
    population : CodedTable
        With the columns of the release.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    codes, dictionaries = [], []
    for name in release.names:
        tables = [(each.codes[each.index(name)], each.dictionaries[each.index(name)]) for each in (release, population)]
        words = pa.concat_arrays([own for _, own in tables]).unique()
        words = words.take(pa.array(sorting_order(words)))
        both = [np.append(pc.index_in(own, words).to_numpy(), len(words))[code] for code, own in tables]
        codes.append(np.concatenate(both).astype(np.int32))
        dictionaries.append(words)
    labels, n = dense_labels(codes, [len(words) + 1 for words in dictionaries])
    first = np.empty(n, dtype=np.int64)
    first[labels] = np.arange(len(labels))
    at = release.n_distinct
    people = sums(labels[at:], population.weights, n)
    records = sums(labels[:at], release.weights, n)
    joined = tuple(code[first] for code in codes)
    return CodedTable(release.names, joined, tuple(dictionaries), records, release.n_rows), people
