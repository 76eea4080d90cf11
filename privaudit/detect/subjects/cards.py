"""Payment card numbers.

Question: are these digits card numbers, or order and tracking numbers of the same length?
Method: 12 to 19 digits, an issuer prefix with a length of that issuer, and the Luhn check. One number in ten passes
Luhn by chance, so the check proves a column only if a binomial test rejects chance. Test data often contain made-up
cards, whose check fails: numbers of 15 and 16 digits with the prefixes of `_NETWORKS` networks count as cards. The
prefix of one network alone, which every series of numbers has that begins with 4, needs a column name that suggests
cards, in groups of four or not.
Limits: prefixes as of ISO/IEC 7812 and the public ranges of the issuers; private-label cards have none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.detect.chance import is_beyond_chance, is_by_chance
from privaudit.detect.column import VARIOUS, Column, form
from privaudit.detect.ledger import Entry, against, claim_for, contains
from privaudit.model.wording import Count, Fact, Share, Threshold, fact

_CHANCE = 0.1  # one number in ten passes Luhn by chance
_NETWORKS = 3  # one number in three has an issuer prefix by chance (all of `VARIOUS` numbers once in 10**9 columns)
_LEAST_OF_NETWORK = 0.03


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on payment cards of `column`, or the reason why its numbers are not cards."""
    if not column.may_be_codes or not column.has_digits or column.longest < 12:
        return
    shaped = column.matches(form("card", "digits"))
    if not shaped.any():
        return
    bare = column.values.filter(pa.array(shaped))
    if column.holds(" ") or column.holds("-"):
        bare = pc.replace_substring_regex(bare, r"[ -]", "")
    issued, valid = shaped.copy(), np.zeros(len(shaped), dtype=np.bool_)
    issued[shaped] = issuer = np.asarray(pc.match_substring_regex(bare, form("card", "issued")), dtype=np.bool_)
    if issuer.any():
        valid[issued] = luhn(bare.filter(pa.array(issuer)))
    yield from _judge(column, shaped, issued, valid)


def _judge(column: Column, shaped: Flags, issued: Flags, valid: Flags) -> Iterator[Entry]:
    n_issued, n_valid = int(issued.sum()), int(valid.sum())
    proven = is_beyond_chance(n_issued, n_valid, _CHANCE)
    single = contains(column, "CREDIT_CARD", column.cells(valid), "check-digit", fact("detect.card_cells"))
    if column.share(shaped) < 0.5:
        if n_valid and not is_by_chance(n_issued, n_valid, _CHANCE):
            yield single
        return
    share = column.cell_share(column.share(issued))
    if share.value >= 0.5 and proven and n_valid / n_issued >= 0.5:
        passing = Share(n_valid / n_issued, of=n_issued)
        because = fact("detect.cards", share=share, passing=passing, chance=Threshold(_CHANCE))
        yield claim_for(column, "CREDIT_CARD", 0.97, "check-digit", because, cells=valid)
    elif (prefixed := _all_prefixed(column, issued)) and _count_networks(column, issued) >= _NETWORKS:
        because = fact("detect.cards_of_networks", share=share)
        yield claim_for(column, "CREDIT_CARD", 0.8, "pattern", because, cells=issued)
    else:
        yield against("CREDIT_CARD", _why_not_cards(share, n_issued, n_valid))
        if prefixed:  # enough next to a column name that suggests cards
            because = fact("detect.cards_of_one_network", share=share)
            yield claim_for(column, "CREDIT_CARD", 0.35, "pattern", because, cells=issued)
        if n_valid and proven:
            yield single


def _all_prefixed(column: Column, issued: Flags) -> bool:
    """Whether so many numbers of 15 and 16 digits have an issuer prefix that chance is excluded."""
    of_today = issued & column.matches(form("card", "of_today"))
    return column.n_distinct >= VARIOUS and column.share(of_today) >= 0.95


def _count_networks(column: Column, issued: Flags) -> int:
    """Return how many networks issue the numbers, by their first digit; a few values of a network are noise."""
    firsts = pc.utf8_slice_codeunits(column.values.filter(pa.array(issued)), 0, 1)
    sizes = np.asarray(firsts.value_counts().field("counts"))
    return int((sizes >= _LEAST_OF_NETWORK * sizes.sum()).sum())


def _why_not_cards(share: Share, n_issued: int, n_valid: int) -> Fact:
    if not n_issued:
        return fact("detect.no_issuer_prefix", share=share)
    code = "detect.luhn_too_rare" if is_beyond_chance(n_issued, n_valid, _CHANCE) else "detect.luhn_as_by_chance"
    passing = Count(n_valid, of=n_issued, unit="value")
    return fact(code, share=share, passing=passing, chance=Threshold(_CHANCE))


def luhn(digits: object) -> Flags:
    """Return which of an Arrow array of digit strings pass Luhn; one digit repeated does not pass.

    The vectorised twin of ``stdnum.luhn.is_valid``, which reads one number at a time.
    """
    padded = pc.utf8_lpad(digits, 19, padding="0")
    table = np.frombuffer(padded.buffers()[2], dtype=np.uint8)[: 19 * len(padded)].reshape(-1, 19) - 48
    doubled = table[:, 17::-2].astype(np.int64) * 2
    total = table[:, 18::-2].sum(axis=1, dtype=np.int64) + (doubled - 9 * (doubled > 9)).sum(axis=1)
    tail = table[:, 8:]
    varied: Flags = (tail != tail[:, :1]).any(axis=1)
    return np.asarray((total % 10 == 0) & varied, dtype=np.bool_)
