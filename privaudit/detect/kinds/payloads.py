"""Digests, UUIDs, payloads and links, whose form says little and whose name or content says what they are.

Question: is this digest a password, this UUID a telephone, this link a credential?
Method: where the form is that of many things, the name decides; a link that holds a credential is one.
Limits: a name that says only "token" is left to what stands beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from privaudit.detect.evidence import Candidate
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined

_FORMS = ("HASH", "UUID", "BASE64")
_MEANT = frozenset("PASSWORD SECRET DEVICE_ID BIOMETRIC BANK_ACCOUNT GENETIC".split())


def meant(item: Examined) -> None:
    """A digest, a UUID or a payload that the name calls a password, a device or a face is one in that form.

    A link with a credential in it is a credential, however clearly the name says link.
    """
    if item.entity == "URL" and any(c.entity == "SECRET" and c.strength > 0.9 for c in item.found.candidates):
        item.found.candidates[:] = [c for c in item.found.candidates if c.entity != "URL"]
        item.named.pop("URL", None)
    if item.entity not in _FORMS or item.verdict is None:
        return
    hints = item.column.header.hints
    said = [h.entity for h in hints if h.entity in _MEANT and h.strength >= 0.5 and h.phrase != "token"]
    if said:
        clue = Clue(kind="header", because="the form is that of many things; the name says of which")
        item.found.add(
            Candidate(
                entity=said[0],
                detail=item.entity.lower(),
                n_cells=item.column.n_present,
                strength=0.986,
                clues=(*item.verdict.evidence, clue),
            )
        )
