"""The certificate of a release of answers: what was declared, what it cost, and which entry of which ledger paid.

Question: is this the file that was released, and was it paid?
Method: a JSON file next to the answers holds the plan, the SHA-256 of the file, the receipt of the ledger, the totals,
the mechanisms, the declared bounds and what was rounded. `verify` compares the file, the digest, and the entry in the
ledger with its chain of hashes.
Limits: it holds neither a fingerprint of the source nor an exact number, because both disclose the data. A digest is
not a signature.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base.errors import ConfigError
from privaudit.model.answers import Answers
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.releases.answers.plan_file import AnswerPlan
from privaudit.releases.privacy import paid_certificate
from privaudit.releases.privacy.ledger import Receipt
from privaudit.releases.remedy.certificate import digest_of, sha256_of
from privaudit.releases.remedy.output import certificate_of
from privaudit.report.escape import name

SCHEMA = "privaudit certificate of answers 1"


def certificate(file: Path, plan: AnswerPlan, made: Answers) -> dict[str, Any]:
    """Return the certificate of `file`."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "privaudit", "version": __version__},
        "created_at": made.created_at,
        "file": {"name": shown_file(file.name), "bytes": file.stat().st_size, "sha256": sha256_of(file)},
        "plan": _plan_content(plan),
        "ledger": dict(made.receipt),
        "unit": made.unit,
        "rows_per_person": made.rows_per_person,
        "neighbours": made.neighbours,
        "epsilon": made.epsilon,
        "delta": made.delta,
        "rho": made.rho,
        "rule": made.rule,
        "mechanisms": [
            {
                "query": answer.name,
                "mechanism": answer.mechanism,
                "sensitivity": answer.sensitivity,
                **({"rho": answer.rho} if answer.rho is not None else {"epsilon": answer.epsilon}),
            }
            for answer in made.answers
        ],
        "declared": {column: domain.content() for column, domain in plan.domains.items()},
        "rounded": {
            column: float(domain.step) for column, domain in plan.domains.items() if domain.is_number
        },
        "post_processing": made.consistency,
    }
    return {**content, "digest": digest_of(content)}


def _plan_content(plan: AnswerPlan) -> dict[str, Any]:
    # TOML has dates, and JSON has not.
    return {
        "query": json.loads(json.dumps([dict(query) for query in plan.stated.get("query", ())], default=str))
    }


def is_certificate(path: Path) -> bool:
    """Whether the certificate next to `path` is one of answers."""
    return paid_certificate.is_certificate(path, SCHEMA)


def verify(path: Path, ledger: Path | None) -> tuple[tuple[Fact, ...], bool, bool]:
    """Compare a file of answers with its certificate, and the certificate with the ledger.

    Returns
    -------
    (facts, bool, bool)
        What was compared; whether all that was compared matches; whether the ledger was compared.

    Raises
    ------
    ConfigError, UnreadableSource
        If the file is missing, or the certificate cannot be read.
    """
    if not path.is_file():
        raise ConfigError(f"{shown_file(path)} does not exist.", hint="check the path")
    content = read(certificate_of(path))
    wrong = paid_certificate.differences(path, content, "answers.certificate_other_file")
    if ledger is not None and not wrong:
        wrong += paid_certificate.ledger_differences(content.get("ledger"), ledger)
    if wrong:
        return tuple(wrong), False, ledger is not None
    return _confirmed(path, content, ledger), True, ledger is not None


def _confirmed(path: Path, content: Mapping[str, Any], ledger: Path | None) -> tuple[Fact, ...]:
    receipt = Receipt.parse(content.get("ledger"))
    entry, dataset = Number(value=receipt.entry), Name(text=name(receipt.dataset))
    seen = "unchecked" if ledger is None else "entry"
    return (
        fact(
            "answers.certificate_matches",
            file=Name(text=shown_file(path)),
            date=Name(text=str(content.get("created_at", ""))[:10]),
            epsilon=Number(value=content["epsilon"]),
            delta=Number(value=content["delta"]),
        ),
        fact(f"answers.certificate_{seen}", entry=entry, dataset=dataset),
    )


def read(file: Path) -> dict[str, Any]:
    """Return the content of a certificate of answers.

    Raises
    ------
    ConfigError, UnreadableSource
    """
    return paid_certificate.read(
        file,
        SCHEMA,
        is_whole=lambda content: all(isinstance(content[key], int | float) for key in ("epsilon", "delta")),
        kind="answers",
        hint="privaudit release writes it next to the answers",
    )
