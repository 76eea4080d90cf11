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
from privaudit.base.errors import ConfigError, LedgerError, UnreadableSource
from privaudit.model.answers import Answers
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.releases.answers.plan_file import AnswerPlan
from privaudit.releases.privacy.account import MOST_BYTES
from privaudit.releases.privacy.ledger import Ledger, Receipt
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
    file = certificate_of(path)
    try:
        return file.stat().st_size <= MOST_BYTES and SCHEMA in file.read_text(encoding="utf-8")[:200]
    except (OSError, ValueError):
        return False


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
    wrong = []
    if content.get("digest") != digest_of(content):
        wrong.append(fact("remedies.certificate_changed"))
    if content["file"].get("sha256") != sha256_of(path):
        wrong.append(fact("answers.certificate_other_file", file=Name(text=shown_file(path))))
    if ledger is not None and not wrong:
        wrong += _compared(content, ledger)
    if wrong:
        return tuple(wrong), False, ledger is not None
    return _confirmed(path, content, ledger), True, ledger is not None


def _compared(content: Mapping[str, Any], path: Path) -> list[Fact]:
    try:
        Ledger.open(path, receipts=[Receipt.parse(content.get("ledger"))])
    except LedgerError as error:
        return [fact("answers.certificate_ledger", why=Name(text=error.message))]
    return []


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
    if not file.is_file():
        raise ConfigError(
            f"The certificate {shown_file(file)} was not found.",
            hint="privaudit release writes it next to the answers",
        )
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError
        content = json.loads(file.read_text(encoding="utf-8"))
        numbers = all(isinstance(content[key], int | float) for key in ("epsilon", "delta"))
        if content["schema"] != SCHEMA or not isinstance(content["file"], dict) or not numbers:
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableSource(f"{shown_file(file)} is not a certificate of answers.") from None
    found: dict[str, Any] = content
    return found
