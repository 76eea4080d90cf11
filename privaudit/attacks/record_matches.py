"""Which records of two tables match?

Question: how many released records does each auxiliary row match on the compared columns?
Method: the distinct values of a pair of columns are brought to one form and numbered over both tables. Rows become
tuples of small integers, equal tuples form a class, and everything follows from two counts per class: released records
f and auxiliary rows a.
Limits: exact equality. A missing cell matches nothing, not even another missing cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.attacks.comparable_values import canonical
from privaudit.risk.coded import dense_labels

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

Codes = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
UNKNOWN = np.int32(-1)


@dataclass(frozen=True, slots=True)
class Matches:
    """The released records that each auxiliary row matches.

    Attributes
    ----------
    in_release, in_auxiliary : int64 arrays, one entry per auxiliary row
        Released records f and auxiliary rows a in the class of the row; f is 0 where nothing matches or a cell is
        missing.
    record : int64 array
        A released record of the class, the only one where f is 1; -1 where nothing matches.
    n_linked : int
        Released records in a class with at least one auxiliary row.
    """

    in_release: Counts
    in_auxiliary: Counts
    record: Counts
    n_linked: int

    @property
    def expected_correct(self) -> float:
        """Correct links expected if as many targets as possible are in the release and each match is drawn at random.

        At most ``min(f, a)`` of the a targets of a class are in the release, each linked correctly in 1 of f cases.
        Per target this is ``1 / max(f, a)``, summed from a histogram so that the order of rows does not change a digit.
        """
        most = np.maximum(self.in_release, self.in_auxiliary)[self.in_release > 0]
        size, count = np.unique(most, return_counts=True)
        return float(sum(c / s for s, c in zip(size.tolist(), count.tolist(), strict=True)))


def read_pairs(
    release: Dataset, auxiliary: Dataset, pairs: Mapping[str, str], *, exact: bool = False
) -> tuple[list[Codes], list[Codes]]:
    """Return every row of both tables as common codes, one pair of arrays per pair of columns."""
    left, right = release.rows(list(pairs)), auxiliary.rows(list(pairs.values()))
    coded = [common_codes(left.column(i), right.column(i), exact=exact) for i in range(len(pairs))]
    return [a for a, _ in coded], [b for _, b in coded]


def match_records(release: Sequence[Codes], auxiliary: Sequence[Codes]) -> Matches:
    """Return the released records that each auxiliary row matches.

    Parameters
    ----------
    release, auxiliary : sequence of int32 arrays
        One per compared column, with common codes; -1 is missing and matches nothing.
    """
    n_release, n_auxiliary = len(release[0]), len(auxiliary[0])
    known_r, known_a = _known(release), _known(auxiliary)
    both = [np.concatenate([r[known_r], a[known_a]]) for r, a in zip(release, auxiliary, strict=True)]
    labels, n_classes = dense_labels(both, [int(code.max(initial=0)) + 1 for code in both])
    label_r, label_a = labels[: known_r.sum()], labels[known_r.sum() :]
    f = np.bincount(label_r, minlength=n_classes)
    a = np.bincount(label_a, minlength=n_classes)
    some = np.full(n_classes, -1, dtype=np.int64)
    some[label_r] = np.arange(n_release)[known_r]
    in_release, in_auxiliary = np.zeros(n_auxiliary, np.int64), np.zeros(n_auxiliary, np.int64)
    record = np.full(n_auxiliary, -1, dtype=np.int64)
    in_release[known_a], in_auxiliary[known_a], record[known_a] = f[label_a], a[label_a], some[label_a]
    return Matches(in_release, in_auxiliary, record, int(f[a > 0].sum()))


def common_codes(
    release: pa.ChunkedArray, auxiliary: pa.ChunkedArray, *, exact: bool = False
) -> tuple[Codes, Codes]:
    """Return the cells of two columns as codes into one dictionary of canonical values, -1 for missing.

    With `exact`, texts are compared as written: an ID is a name, not a number.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    left, right = _encode(release), _encode(auxiliary)
    dictionaries = (left.dictionary, right.dictionary)
    if not exact:
        dictionaries = canonical(*dictionaries)[:2]
    joint = pa.concat_arrays([w.cast(pa.large_string()) for w in dictionaries]).dictionary_encode().indices
    lookup = pc.fill_null(joint, -1).to_numpy(zero_copy_only=False).astype(np.int32)
    cut = len(left.dictionary)
    return _spread(left, lookup[:cut]), _spread(right, lookup[cut:])


def _encode(column: pa.ChunkedArray) -> pa.DictionaryArray:
    import pyarrow as pa

    encoded = column.cast(pa.large_string()).dictionary_encode().unify_dictionaries().combine_chunks()
    return encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded


def _spread(encoded: pa.DictionaryArray, lookup: Codes) -> Codes:
    raw = encoded.indices.fill_null(len(lookup)).to_numpy(zero_copy_only=False)
    spread: Codes = np.append(lookup, UNKNOWN)[raw]
    return spread


def _known(columns: Sequence[Codes]) -> Flags:
    flags: Flags = np.logical_and.reduce([code >= 0 for code in columns])
    return flags


def number_people(release: Sequence[Codes], auxiliary: Sequence[Codes]) -> tuple[Counts, Counts]:
    """Return the number of the person behind each row of both tables, by ID; -1 where the ID is missing."""
    joint = [np.concatenate(pair) for pair in zip(release, auxiliary, strict=True)]
    known = _known(joint)
    number = np.full(len(known), -1, dtype=np.int64)
    number[known], _ = dense_labels(
        [code[known] for code in joint], [int(c.max(initial=0)) + 1 for c in joint]
    )
    cut = len(release[0])
    return number[:cut], number[cut:]
