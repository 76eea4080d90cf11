"""The certificate of a remedied table: what was done, what the scan of the written file found, and its digest.

Question: is this file the one that was scanned, and what was found?
Method: a JSON file next to the table holds a random ID of the release, the plan, the ids of the keys, the version of
privaudit, the numbers of the scan of the written file, and the SHA-256 of that file. Its own digest covers all of it.
Nothing in it is computed from the source: a hash of counts of the source can be tried out until the counts are found.
The report of the remedy, which is not published, holds the ID of the release next to the fingerprint of the source.
Limits: a digest is not a signature: whoever can change the table can also write another certificate. The certificate
states what was measured under one policy; it does not state that the table is anonymous.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from privaudit.base import clock
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.model import Report
from privaudit.model.headers import shown_file
from privaudit.model.remedied import DictionaryState, PerturbationAttack
from privaudit.model.wording import Count, Edition, Fact, Name, Number, fact
from privaudit.releases import certificates
from privaudit.releases.output import dictionary_of
from privaudit.releases.remedy.plan import Plan
from privaudit.report.escape import name as shown_name
from privaudit.report.seals import certificate_of, sha256_of
from privaudit.report.sections.ranking import open_by_severity
from privaudit.rulebook.attack_verdict import measured

SCHEMA = "privaudit certificate 1"
LONGEST_NAME = 200


def certificate(
    *,
    file: Path,
    name: str,
    plan: Plan,
    after: Report,
    key_ids: Sequence[str],
    edition: Edition = "full",
    dictionary: DictionaryState | None = None,
    perturbed: Sequence[PerturbationAttack] = (),
) -> dict[str, Any]:
    """Return the certificate of `file`, which is published as `name`; `after` is its report in the same edition.

    Of ``perturbed`` it states how many known people undo PCA masking.
    """
    # Random: a hash of the table would be a hash of values.
    head = {"schema": SCHEMA, "release": secrets.token_hex(16)}
    content: dict[str, Any] = {
        "plan": {
            "order": plan.order,
            "seeded": plan.seed is not None,
            "steps": [
                {
                    "technique": step.technique,
                    "columns": [shown_name(column, LONGEST_NAME) for column in step.columns],
                    "parameters": dict(step.parameters),
                }
                for step in plan.steps
            ],
        },
        "invented": [shown_name(column, LONGEST_NAME) for column in sorted(plan.invented)],
        "keys": list(key_ids),
        "edition": edition,
        "dictionary": None if dictionary is None else asdict(dictionary),
        "scan": scan_numbers(after, edition),
        "attacks": [
            {"check": check.code, "title": check.title, "limit": check.limit, "passed": check.state == "passed"}
            for check in measured(after.checks)
        ],
        "known_people": [
            {
                "columns": [shown_name(column, LONGEST_NAME) for column in attack.columns],
                "people": attack.n_known,
                "share_of_cells_returned": round(attack.success.value, 4),
            }
            for attack in perturbed
            if attack.kind == "known_pairs"
        ],
    }
    created_at = clock.stamp()
    return certificates.sealed(file, head=head, published_as=name, created_at=created_at, content=content)


def scan_numbers(report: Report, edition: Edition = "full") -> dict[str, Any]:
    """Return the numbers of a scan that a certificate states.

    A public certificate states of k that it reaches the policy: the report in that edition has no other number.
    """
    risk, gate = report.risk, report.gate_
    k_map = None if risk is None or risk.population is None else risk.population.k_map
    subject = None if risk is None else risk.subject
    return {
        "policy": report.policy.name,
        "k_required": report.policy.k,
        "passed": gate.passed,
        "exit_code": gate.exit_code,
        "n_rows": report.dataset.n_rows,
        "n_columns": report.dataset.n_columns,
        "quasi_identifiers": [shown_name(each, LONGEST_NAME) for each in risk.quasi_identifiers] if risk else [],
        ("k_min" if edition == "full" else "k_at_least"): None if risk is None else risk.k_min,
        "share_below_k": None if risk is None else risk.share_below_k,
        "k_map": k_map,
        "k_map_required": report.policy.k_map,
        "missing": None if risk is None else risk.missing,
        "subject": None if subject is None else shown_name(subject.column, LONGEST_NAME),
        "sensitive": [shown_name(c.name, LONGEST_NAME) for c in report.columns if c.role == "sensitive"],
        **_diversity(report),
        "findings": open_by_severity(report.findings),
        "incomplete": sum(limit.incomplete for limit in report.limits),
    }


def _diversity(report: Report) -> dict[str, Any]:
    """Return what the policy requires of sensitive attributes, and the worst that was measured."""
    found = () if report.risk is None else tuple(report.risk.diversity.values())
    distinct = [each.l_distinct for each in found if each.l_distinct is not None]
    distances = [
        each.t_closeness.equal for each in found if each.t_closeness is not None and each.t_closeness.equal is not None
    ]
    return {
        "l_required": report.policy.l,
        "l_min": min(distinct, default=None),
        "t_required": report.policy.t,
        "t_max": max(distances, default=None),
    }


def has_certificate(path: Path) -> bool:
    """Whether a table is one that a remedy wrote, so that another may replace it; an empty file may be replaced too."""
    return certificates.may_replace(path, _read)


def keeps_order(path: Path) -> bool:
    """Whether a table is one that a remedy wrote in the order of its source, by the certificate next to it."""
    file = certificate_of(path)
    if not file.is_file():
        return False
    with contextlib.suppress(UnreadableSource):
        content = _read(file)
        plan = content.get("plan")
        is_kept = isinstance(plan, dict) and plan.get("order") == "kept"
        return is_kept and content["file"].get("name") == shown_file(path.name)
    return False


def check_replaceable(path: Path) -> None:
    """Check that the certificate of a table to be written does not belong to another table next to it.

    Raises
    ------
    ConfigError
        If it does: ``safer.csv`` and ``safer.parquet`` would share ``safer.privaudit.json``.
    """
    file = certificate_of(path)
    if not file.is_file():
        return
    with contextlib.suppress(UnreadableSource):
        other = _read(file)["file"].get("name")
        if isinstance(other, str) and other != shown_file(path.name) and (path.parent / other).is_file():
            raise ConfigError(
                f"{shown_file(file)} is the certificate of {shown_file(other)}.",
                hint="give the output another name before the suffix",
            )


def verify(path: Path) -> tuple[dict[str, Any], tuple[Fact, ...]]:
    """Compare a table with its certificate.

    Returns
    -------
    (certificate, differences)
        What does not match; nothing where all matches.

    Raises
    ------
    ConfigError, UnreadableSource
        If the table or the certificate is missing, or the certificate is not one.
    """
    if not os.path.isfile(path):
        raise ConfigError(f"{shown_file(path)} does not exist.", hint="check the path")
    content = _read(certificate_of(path))
    wrong = certificates.integrity_problems(path, content, "remedies.certificate_other_file")
    described = content.get("dictionary")
    if isinstance(described, dict):
        file = dictionary_of(path)
        if not file.is_file() or sha256_of(file) != described.get("sha256"):
            wrong.append(fact("remedies.certificate_other_dictionary", file=Name(shown_file(file))))
    return content, tuple(wrong)


def confirmation(path: Path, content: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return what the certificate of `path` states about a file that matches it."""
    scan = content["scan"]
    return (
        fact(
            "remedies.certificate_matches",
            file=Name(shown_file(path)),
            date=Name(str(content.get("created_at", ""))[:10]),
        ),
        fact(
            "remedies.certificate_scan",
            decision=fact(f"remedies.certificate_{'passed' if scan.get('passed') else 'failed'}"),
            policy=Name(str(scan.get("policy"))),
            k=_stated_k(scan),
            rows=Count(scan.get("n_rows", 0), unit="row"),
        ),
        *map(_stated_attack, content.get("attacks", ())),
    )


def _stated_attack(attack: Mapping[str, Any]) -> Fact:
    word = "passed" if attack.get("passed") else "failed"
    return fact(f"remedies.certificate_attack_{word}", check=Name(f"{attack.get('check')}"))


def _stated_k(scan: Mapping[str, Any]) -> Fact:
    """Return what a certificate states about the smallest class, in the table and in the population."""
    k, least, k_map = (scan.get(key) for key in ("k_min", "k_at_least", "k_map"))
    if least is not None:
        return fact("remedies.certificate_k_at_least", k=Number(least))
    if k is None:
        return fact("remedies.certificate_no_k")
    if k_map is None:
        return fact("remedies.certificate_k", k=Number(k))
    return fact("remedies.certificate_k_map", k=Number(k), people=Number(k_map))


def _read(file: Path) -> dict[str, Any]:
    if not os.path.isfile(file):
        raise ConfigError(
            f"The certificate {shown_file(file)} was not found.", hint="privaudit remedy writes it next to the table"
        )
    return certificates.read(file, _is_expected)


def _is_expected(content: Mapping[str, Any]) -> bool:
    has_digest = isinstance(content["digest"], str)
    return content["schema"] == SCHEMA and has_digest and isinstance(content["scan"], dict)
