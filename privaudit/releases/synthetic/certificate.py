"""The certificate of a synthetic table: how it was made, what it cost, and which entry of which ledger paid.

Question: is this the table that was made, and is it differentially private?
Method: a JSON file next to the table holds method, declared domain, measured sets of columns, epsilon, delta, rho,
unit, the receipt of the ledger and the SHA-256 of the table. A table without privacy states it in place of the receipt.
A comparison that was paid for, which has noise, is part of it.
Limits: it holds neither a fingerprint of the source, nor an exact comparison, nor an attack, because they disclose the
data. A digest is not a signature.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from privaudit.model.synthesis import Synthesis
from privaudit.releases import certificates, verification
from privaudit.releases.output import Target
from privaudit.releases.synthetic.domain import Domain
from privaudit.report import files


def certificate(file: Path, name: str, domain: Domain, made: Synthesis) -> dict[str, Any]:
    """Return the certificate of `file`, which is published as `name`."""
    content: dict[str, Any] = {
        "method": made.method,
        "differentially_private": made.privacy is not None,
        "privacy": None if made.privacy is None else dict(made.privacy),
        "ledger": None if made.receipt is None else dict(made.receipt),
        "n_rows": made.n_rows,
        "columns": list(made.columns),
        "invented": list(made.invented),
        "derived": list(made.derived),
        "declared": domain.stated,
        "max_cells": made.max_cells,
        "post_processing": ["values inside bands", "constraints by rejection"],
    }
    if made.privacy is not None:
        # Which sets were measured was chosen privately; without privacy it depends on single records.
        content["margins"] = [list(names) for names in made.margins]
    if made.paid:
        content["comparison"] = [each.content() for each in made.paid]
    head = {"schema": certificates.TABLE}
    return certificates.sealed(file, head=head, published_as=name, created_at=made.created_at, content=content)


def check_target(target: Target, read: Iterable[str | Path]) -> None:
    """Refuse a table, or its certificate, that would replace an input or a file that privaudit did not write.

    Raises
    ------
    ConfigError
    """
    files.check(target.path, read, may_replace=lambda path: certificates.may_replace(path, verification.read))
    files.check(target.certificate, read)
