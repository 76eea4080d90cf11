"""Payment card numbers.

Question: are these digits card numbers, or order and tracking numbers of the same length?
Method: 12 to 19 digits, an issuer's prefix with a length that issuer uses, and the Luhn check. One number in ten
passes Luhn by chance, so a column counts as proven only where a binomial test says that more pass than chance
gives. Numbers written in groups of four with an issuer's prefix are taken for cards even where the check fails:
many a table holds made-up cards.
Limits: prefixes as of ISO/IEC 7812 and the issuers' public ranges; private-label cards have none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.model import Clue, Contained

_DIGITS = (
    r"^[0-9]{12,19}$|^[0-9]{4}([ -])[0-9]{4}[ -][0-9]{4}[ -][0-9]{1,7}$|^3[0-9]{3}[ -][0-9]{6}[ -][0-9]{4,5}$"
)
_GROUPED = r"^[0-9]{4}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}$|^3[0-9]{3}[ -][0-9]{6}[ -][0-9]{4,5}$"
ISSUER = (
    r"^(?:4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-5]|[689][0-9])[0-9]{11,13}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14,17}|(?:50|5[6-9]|6[0379])[0-9]{10,17}|(?:60|65|81|82|508)[0-9]{13,14})$"
)


def run(column: Column, found: Findings) -> None:
    """Add the card reading of `column`, or why it is none."""
    if column.data_type in ("decimal", "boolean", "date", "timestamp", "time") or not column.n_distinct:
        return
    if not column.has_digits or column.longest < 12:
        return
    shaped = column.matches(_DIGITS)
    if not shaped.any():
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    bare = column.values.filter(pa.array(shaped))
    if column.holds(" ") or column.holds("-"):
        bare = pc.replace_substring_regex(bare, r"[ -]", "")
    issued, valid = shaped.copy(), np.zeros(len(shaped), dtype=np.bool_)
    issuer = np.asarray(pc.match_substring_regex(bare, ISSUER), dtype=np.bool_)
    issued[shaped] = issuer
    if issuer.any():
        valid[issued] = luhn(bare.filter(pa.array(issuer)))
    _judge(column, found, shaped, issued, valid)


def _judge(
    column: Column,
    found: Findings,
    shaped: npt.NDArray[np.bool_],
    issued: npt.NDArray[np.bool_],
    valid: npt.NDArray[np.bool_],
) -> None:
    n_issued, n_valid = int(issued.sum()), int(valid.sum())
    surprise = chance(n_issued, n_valid)
    if column.share(shaped) < 0.5:
        if (n_valid and surprise < 1e-3) or (n_valid and n_issued == n_valid):
            found.contained.append(_contained(column, column.cells(valid)))
        return
    shares = f"{percent(column.share(issued))} of the cells have an issuer's prefix and length"
    if n_issued and column.share(issued) >= 0.5 and surprise < 1e-3 and n_valid / n_issued >= 0.5:
        because = f"{shares}; {percent(n_valid / n_issued)} of those pass Luhn, where chance gives 10 %"
        found.add(_card(column, valid, 0.97, Clue(kind="check-digit", because=because)))
    elif column.share(issued) >= 0.9 and column.share(issued & column.matches(_GROUPED)) >= 0.8:
        because = f"{shares} and are written in groups as on a card"
        found.add(_card(column, issued, 0.8, Clue(kind="pattern", because=because)))
    else:
        lengths = np.unique(column.lengths[shaped])
        found.reject(
            "CREDIT_CARD", f"numbers of {_range(lengths)} characters; {shares}{_luhn(n_issued, n_valid)}"
        )
        if n_valid and surprise < 1e-6:
            found.contained.append(_contained(column, column.cells(valid)))


def _luhn(n_issued: int, n_valid: int) -> str:
    """Say how many of the numbers with an issuer's prefix pass the check, beside what chance gives."""
    if not n_issued:
        return ""
    what = ", as chance would" if chance(n_issued, n_valid) > 0.01 else ", where chance gives 10 %"
    return f"; {n_valid:,} of these {n_issued:,} distinct pass Luhn, {percent(n_valid / n_issued)}{what}"


def _range(lengths: npt.NDArray[np.integer[Any]]) -> str:
    low, high = int(lengths.min()), int(lengths.max())
    return str(low) if low == high else f"{low} to {high}"


def _card(column: Column, mask: npt.NDArray[np.bool_], strength: float, clue: Clue) -> Candidate:
    few = 0.85 if column.n_distinct < 4 else 1.0
    return Candidate(entity="CREDIT_CARD", n_cells=column.cells(mask), strength=strength * few, clues=(clue,))


def _contained(column: Column, n_cells: int) -> Contained:
    clue = Clue(kind="check-digit", because="whole cells have an issuer's prefix and length and pass Luhn")
    return Contained(entity="CREDIT_CARD", n_cells=n_cells, share=column.exact(n_cells), evidence=(clue,))


def luhn(digits: object) -> npt.NDArray[np.bool_]:
    """Return which texts of ASCII digits pass Luhn, vectorised; one digit repeated does not pass."""
    import pyarrow.compute as pc

    padded = pc.utf8_lpad(digits, 19, padding="0")
    table = np.frombuffer(padded.buffers()[2], dtype=np.uint8)[: 19 * len(padded)].reshape(-1, 19) - 48
    doubled = table[:, 17::-2].astype(np.int64) * 2
    total = table[:, 18::-2].sum(axis=1, dtype=np.int64) + (doubled - 9 * (doubled > 9)).sum(axis=1)
    tail = table[:, 8:]
    varied: npt.NDArray[np.bool_] = (tail != tail[:, :1]).any(axis=1)
    return np.asarray((total % 10 == 0) & varied, dtype=np.bool_)


def chance(n: int, hits: int, p: float = 0.1) -> float:
    """Return the probability that at least `hits` of `n` pass where each passes with probability `p`."""
    if hits <= n * p:
        return 1.0
    log_p, log_q = math.log(p), math.log1p(-p)
    top = math.lgamma(n + 1)
    terms = (
        math.exp(top - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log_p + (n - k) * log_q)
        for k in range(hits, min(n, hits + 400) + 1)
    )
    return min(1.0, sum(terms))
