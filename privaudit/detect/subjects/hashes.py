"""Hashes, UUIDs, Base64 payloads and links: which are random, and which the column name or the content explains.

Question: are 32 hexadecimal digits a hash or a UUID; is a hash a password, a UUID a device, a link a credential?
Method: RFC 9562: the 13th hexadecimal digit of a UUID is the version; the 17th is 8, 9, a or b. Digests agree in these
digits by chance in 1 of 64 cells, so `VARIOUS` different values that all agree are UUIDs. Versions 3 and 5 are
hashes of names; the others are not. What a hash, a UUID or a payload stands for is decided by the column name; a link
that contains a credential is a credential.
Limits: columns of one version only. A column name such as "token" is ambiguous, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import VARIOUS, Column, form
from privaudit.detect.ledger import Entry, Ledger, Measured, claim_for
from privaudit.detect.subjects.context import Posting, Table, suggest, withdraw
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.model.wording import EntityType, Name, fact

HASHED = frozenset({"3", "5"})
_VERSIONS = "12345678"


def version(column: Column) -> str | None:
    """Return the version, "1" to "8", of the UUIDs that every cell of `column` holds; None for anything else."""
    hyphens = column.shortest >= 36 and column.longest <= 38
    plain = column.shortest == column.longest == 32 and column.n_distinct >= VARIOUS
    if not hyphens and not plain:
        return None
    expression = form("uuid", "hyphens" if hyphens else "plain")
    return next((v for v in _VERSIONS if column.matching(expression.format(version=v)) == 1), None)


def is_random_or_time(column: Column) -> bool:
    """Whether every cell holds a UUID that is random or made from the time, and thus not a hash."""
    return version(column) not in (None, *HASHED)


def is_random_token(column: Column) -> bool:
    """Whether every cell holds a random token: a UUID of version 4, or what `pseudonymise` makes otherwise."""
    if version(column) == "4":
        return True
    return column.n_distinct >= VARIOUS and column.matching(form("token", "random")) == 1


def random_uuids(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claim on UUIDs, which answers that on hashes, where every value has the version and variant of one."""
    best = ledger.strongest("HASH")
    if best is None or not is_random_or_time(column):
        return
    because = fact("detect.uuid_without_hyphens", version=Name(str(version(column))))
    yield from ledger.answer("HASH", because)
    yield claim_for(column, "UUID", best.strength, "pattern", because, cells=best.n_cells, generic=best.generic)


def preimages(column: Column, ledger: Ledger) -> Iterator[Measured]:
    """Measure how many inputs a column of hashes may have, by the entity type its column name suggests."""
    if is_random_or_time(column) or is_random_token(column):
        return
    yield Measured("hash_like", 1.0)
    suggested = max((entity_type(hint.entity).preimage_bits for hint in column.header.hints), default=0.0)
    shown = ledger.measurements.get("hash_preimage_bits")  # the inputs of some hashes are known
    bits = suggested if shown is None else shown
    if bits:
        if shown is None:
            yield Measured("hash_inputs_by_name", 1.0)
        yield Measured("hash_preimage_bits", bits)
        yield Measured("hash_hours", 2.0**bits / 1e7 / 3600)  # ten million hashes a second on one core


def interpret(table: Table) -> Iterator[Posting]:
    """Yield what the column name suggests for a hash, a UUID or a payload, and credentials for links with them."""
    encoded = with_trait("stored_encoded")
    for item in table:
        if item.entity == "URL" and item.ledger.strength_of_values("SECRET") > 0.9:
            yield from withdraw(item, "URL", fact("detect.link_with_credential"), also_named=True)
        if item.verdict is None or item.entity not in with_trait("opaque_code"):
            continue
        hints = [h for h in item.column.header.hints if h.entity in encoded and h.strength >= 0.5]
        for hint in [h for h in hints if h.phrase != "token"][:1]:
            because = fact("detect.ambiguous_form", entity=EntityType(hint.entity))
            detail, earlier = item.verdict.entity.lower(), item.verdict.evidence
            yield suggest(item, hint.entity, 0.986, because, kind="header", detail=detail, earlier=earlier)
