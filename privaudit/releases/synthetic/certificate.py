"""The certificate of a synthetic table: how it was made, what it cost, and which entry of which ledger paid.

Question: is this the table that was made, and is it differentially private?
Method: a JSON file next to the table holds method, declared domain, measured sets of columns, epsilon, delta, rho,
unit, the receipt of the ledger and the SHA-256 of the table. A table without privacy states it in place of the receipt.
A comparison that was paid for, which has noise, is part of it.
Limits: it holds neither a fingerprint of the source, nor an exact comparison, nor an attack, because they disclose the
data. A digest is not a signature.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.model.headers import shown_file
from privaudit.model.synthesis import Synthesis
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.releases.privacy import paid_certificate
from privaudit.releases.remedy.certificate import digest_of, sha256_of
from privaudit.releases.remedy.output import Target, certificate_of
from privaudit.releases.synthetic.domain import Domain
from privaudit.report import files

SCHEMA = "privaudit certificate of a synthetic table 1"


def certificate(file: Path, name: str, domain: Domain, made: Synthesis) -> dict[str, Any]:
    """Return the certificate of `file`, which is published as `name`."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "privaudit", "version": __version__},
        "created_at": made.created_at,
        "file": {"name": shown_file(name), "bytes": file.stat().st_size, "sha256": sha256_of(file)},
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
    return {**content, "digest": digest_of(content)}


def check_target(target: Target, read: Iterable[str | Path]) -> None:
    """Refuse a table, or its certificate, that would replace an input or a file that privaudit did not write.

    Raises
    ------
    ConfigError
    """
    files.check(target.path, read, may_replace=_has_certificate)
    files.check(target.certificate, read)


def _has_certificate(path: Path) -> bool:
    """Whether a table is one that a synthesis wrote, so that another may replace it; an empty file may be, too."""
    if path.stat().st_size == 0:
        return True
    with contextlib.suppress(ConfigError, UnreadableSource):
        return bool(_read(certificate_of(path))["file"].get("name") == shown_file(path.name))
    return False


def is_certificate(path: Path) -> bool:
    """Whether the certificate next to `path` is one of a synthetic table."""
    return paid_certificate.is_certificate(path, SCHEMA)


def verify(path: Path, ledger: Path | None) -> tuple[tuple[Fact, ...], bool, bool]:
    """Compare a synthetic table with its certificate, and the certificate with the ledger.

    Returns
    -------
    (facts, bool, bool)
        What was compared; whether all that was compared matches; whether the ledger was compared, or nobody paid.

    Raises
    ------
    ConfigError, UnreadableSource
        If the file is missing, or the certificate cannot be read.
    """
    if not path.is_file():
        raise ConfigError(f"{shown_file(path)} does not exist.", hint="check the path")
    content = _read(certificate_of(path))
    wrong = paid_certificate.differences(path, content, "synthesis.certificate_other_file")
    receipt = content["ledger"]
    if receipt is not None and ledger is not None and not wrong:
        wrong += paid_certificate.ledger_differences(receipt, ledger)
    if wrong:
        return tuple(wrong), False, True
    return _confirmed(path, content, ledger), True, receipt is None or ledger is not None


def _confirmed(path: Path, content: Mapping[str, Any], ledger: Path | None) -> tuple[Fact, ...]:
    file = Name(text=shown_file(path))
    date = Name(text=str(content.get("created_at", ""))[:10])
    privacy, receipt = content["privacy"], content["ledger"]
    if privacy is None or receipt is None:
        return (fact("synthesis.certificate_without_privacy", file=file, date=date),)
    seen = "unchecked" if ledger is None else "entry"
    return (
        fact(
            "answers.certificate_matches",
            file=file,
            date=date,
            epsilon=Name(text=f"{privacy['epsilon']:.4g}"),
            delta=Name(text=f"{privacy['delta']:.3g}"),
        ),
        fact(
            f"answers.certificate_{seen}",
            entry=Number(value=receipt["entry"]),
            dataset=Name(text=str(receipt["dataset"])),
        ),
    )


def _read(file: Path) -> dict[str, Any]:
    return paid_certificate.read(
        file,
        SCHEMA,
        is_whole=_is_whole,
        kind="a synthetic table",
        hint="privaudit synthesize writes it next to the table",
    )


def _is_whole(content: Mapping[str, Any]) -> bool:
    private, paid = content["privacy"], content["ledger"]
    if private is None or paid is None:
        return private is paid
    return all(isinstance(private[key], int | float) for key in ("epsilon", "delta"))
