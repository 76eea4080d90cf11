"""The compiled inner loops of the search for minimal sample uniques.

Question: how does one more column split the classes, and which of the new ones hold fewer than k records?
Method: rows are laid out class by class of the first, widest column of a set; below it, members and records
are counted inside each class in scratch arrays that are zero between classes.
Limits: the caller provides all memory; nothing is checked. Bits run from the lowest.
"""
# mypy: disable-error-code="no-untyped-def"
# The loops are compiled from the types of their arguments; annotations would say nothing to the compiler.

from __future__ import annotations

import numpy as np

from privaudit.risk.partition_loops import compiled


@compiled
def first_step(codes, cardinality, weights, k, out_ids, out_weights, out_starts, minimal, bits):
    """Lay rows out by one column: those of several distinct rows and k records or more.

    Rows of classes with fewer records are counted in `minimal` and marked in `bits`. Returns rows and classes
    laid out, and the records found.
    """
    at = np.zeros(cardinality, dtype=np.int32)
    sizes = np.zeros(cardinality, dtype=np.int64)
    for i in range(len(codes)):
        at[codes[i]] += 1
        sizes[codes[i]] += weights[i]
    records = np.int64(0)
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for code in range(cardinality):
        members = at[code]
        if members == 0:
            continue
        if sizes[code] < k:
            records += sizes[code]
            at[code] = -1
        elif members == 1:
            at[code] = -2
        else:
            at[code] = n_rows
            n_rows += members
            n_classes += 1
            out_starts[n_classes] = n_rows
    for i in range(len(codes)):
        code = codes[i]
        to = at[code]
        if to >= 0:
            at[code] = to + 1
            out_ids[to] = i
            out_weights[to] = weights[i]
        elif to == -1:
            minimal[i] += 1
            bits[i >> 3] |= np.uint8(1 << (i & 7))
    return n_rows, n_classes, records


@compiled
def next_step(  # noqa: C901 - one loop nest; parts of it on their own would pass all its state back and forth
    matrix, column, ids, weights, rows, starts, known, k,
    members, sizes, touched, out_rows, out_starts, minimal, bits,
):  # fmt: skip
    """Split classes by one more column, leaving out rows marked in `known`; otherwise as `first_step`."""
    records = np.int64(0)
    n_rows = 0
    n_classes = 0
    out_starts[0] = 0
    for c in range(len(starts) - 1):
        n = 0
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            own = ids[row]
            if known[own >> 3] >> (own & 7) & 1:
                continue
            code = matrix[row, column]
            touched[n] = code
            n += members[code] == 0
            members[code] += 1
            sizes[code] += weights[row]
        for t in range(n):
            code = touched[t]
            if sizes[code] < k:
                records += sizes[code]
                members[code] = -1
            elif members[code] == 1:
                members[code] = -2
            else:
                count = members[code]
                members[code] = n_rows
                n_rows += count
                n_classes += 1
                out_starts[n_classes] = n_rows
        for i in range(starts[c], starts[c + 1]):
            row = rows[i]
            own = ids[row]
            if known[own >> 3] >> (own & 7) & 1:
                continue
            code = matrix[row, column]
            at = members[code]
            if at >= 0:
                out_rows[at] = row
                members[code] = at + 1
            elif at == -1:
                minimal[own] += 1
                bits[own >> 3] |= np.uint8(1 << (own & 7))
        for t in range(n):
            members[touched[t]] = 0
            sizes[touched[t]] = 0
    return n_rows, n_classes, records
