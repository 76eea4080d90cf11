"""The certificate of a release of answers: what was declared, what it cost, and which entry of which ledger paid.

Question: is this the file that was released, and was it paid?
Method: a JSON file next to the answers holds the plan, the SHA-256 of the file, the receipt of the ledger, the totals,
the mechanisms, the declared bounds and what was rounded. `releases.verification` compares the file, the digest, and the
entry in the ledger with its chain of hashes.
Limits: it holds neither a fingerprint of the source nor an exact number, because both disclose the data. A digest is
not a signature.
"""

from __future__ import annotations

from typing import Any

from privaudit.model.answers import Answers
from privaudit.releases.answers.plan_file import AnswerPlan
from privaudit.releases.domains.columns import Numbers


def certificate(plan: AnswerPlan, made: Answers) -> dict[str, Any]:
    """Return what the certificate of answers states besides the file."""
    return {
        "plan": {"query": plan.stated["query"]},
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
        "declared": {column: plan.stated["column"][column] for column in plan.domains},
        "rounded": {column: float(each.step) for column, each in plan.domains.items() if isinstance(each, Numbers)},
        "post_processing": made.consistency,
    }
