"""UUIDs: which version, and that random ones are not hashes.

Question: does a column hold UUIDs, and of which version?
Method: RFC 9562: the 13th hexadecimal digit is the version; the 17th is 8, 9, a or b. Written without hyphens, a UUID
has the form of an MD5 digest. Digests agree in these digits by chance in 1 of 64 cells, so `LEAST_VALUES` different
values that all agree are UUIDs. Versions 3 and 5 are hashes of names; the others are not.
Limits: columns of one version only.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, Ledger, claim_for
from privaudit.wording import Name, fact

LEAST_VALUES = 20
HASHED = frozenset({"3", "5"})
_VERSIONS = "12345678"
_HYPHENS = (
    r"(?i)^\{{?[0-9a-f]{{8}}-[0-9a-f]{{4}}-{version}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}\}}?$"
)
_PLAIN = r"(?i)^[0-9a-f]{{12}}{version}[0-9a-f]{{3}}[89ab][0-9a-f]{{15}}$"


def version(column: Column) -> str | None:
    """Return the version, "1" to "8", of the UUIDs that every cell of `column` holds; None for anything else."""
    hyphens = column.shortest >= 36 and column.longest <= 38
    plain = column.shortest == column.longest == 32 and column.n_distinct >= LEAST_VALUES
    if not hyphens and not plain:
        return None
    form = _HYPHENS if hyphens else _PLAIN
    return next((v for v in _VERSIONS if column.matching(form.format(version=v)) == 1), None)


def is_random_or_time(column: Column) -> bool:
    """Whether every cell holds a UUID that is random or made from the time, and thus not a hash."""
    return version(column) not in (None, *HASHED)


def run(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claim on UUIDs, which answers that on hashes, where every value has the version and variant of one."""
    hashes = [claim for claim in ledger.standing() if claim.entity == "HASH"]
    if not hashes or not is_random_or_time(column):
        return
    because = fact("detect.uuid_without_hyphens", version=Name(text=str(version(column))))
    best = max(hashes, key=lambda claim: claim.strength)
    yield from ledger.answer({"HASH"}, because)
    yield claim_for(
        column, "UUID", best.strength, "pattern", because, n_cells=best.n_cells, generic=best.generic
    )
