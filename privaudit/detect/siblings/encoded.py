"""Hashes, UUIDs, Base64 payloads and links whose meaning follows from the column name or their content.

Question: is this hash a password, this UUID a device, this link a credential?
Method: the form is ambiguous, so the column name decides; a link that contains a credential is a credential.
Limits: a column name such as "token" is ambiguous, too; the sibling columns decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from privaudit.detect.siblings.candidates import suggest, withdraw
from privaudit.vocabulary import with_trait
from privaudit.wording import EntityType, fact

if TYPE_CHECKING:
    from privaudit.detect.column_evidence import ColumnEvidence


def interpret(item: ColumnEvidence) -> None:
    """Add the entity type that the column name suggests for a hash, a UUID or a payload.

    A link that contains a credential is a credential, even if the column name clearly suggests a link.
    """
    if item.entity == "URL" and any(
        claim.entity == "SECRET" and claim.strength > 0.9 for claim in item.ledger.standing()
    ):
        withdraw(item, {"URL"}, fact("detect.link_with_credential"), also_named=True)
    if item.verdict is None or item.verdict.entity not in with_trait("opaque_code"):
        return
    hints, encoded = item.column.header.hints, with_trait("stored_encoded")
    suggested = [h.entity for h in hints if h.entity in encoded and h.strength >= 0.5 and h.phrase != "token"]
    if suggested:
        because = fact("detect.ambiguous_form", entity=EntityType(code=suggested[0]))
        detail, earlier = item.verdict.entity.lower(), item.verdict.evidence
        suggest(
            item, suggested[0], 0.986, because, kind="header", detail=detail, earlier=earlier, generic=False
        )
