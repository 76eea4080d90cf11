"""What a program gets from `privaudit.release`: the answers as records, frames, files and a notebook cell.

Question: how does a notebook or a pipeline use the answers?
Method: wraps the records of `releases.answers.run`. A JSON file next to the answers holds the plan, the SHA-256 of the
file, the receipt of the ledger, the totals, the mechanisms, the declared bounds and what was rounded.
`releases.verification` compares the file, the digest, and the entry in the ledger with its chain of hashes.
Limits: measures nothing; the exact numbers are reachable through `write_internal` only. The JSON file holds neither a
fingerprint of the source nor an exact number, because both disclose the data. A digest is not a signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from privaudit.base.extras import FRAMES, needing
from privaudit.model.answers import Answer, Answers
from privaudit.model.wording import Name, fact
from privaudit.releases.answers.plan_file import AnswerPlan
from privaudit.releases.answers.run import Released
from privaudit.releases.certificates import ANSWERS, write_certified
from privaudit.releases.domains.columns import Numbers
from privaudit.report import files
from privaudit.report.pages import answers as page

INTERNAL_SUFFIXES = (".txt", ".md")


class Release:
    """Differentially private answers.

    Attributes
    ----------
    answers : tuple of Answer
    epsilon, delta : float
        What all of them cost together.
    """

    def __init__(self, released: Released) -> None:
        self._released = released
        self.answers = released.answers.answers
        self.epsilon, self.delta = released.answers.epsilon, released.answers.delta

    @property
    def record(self) -> Answers:
        """Everything that is written into the file."""
        return self._released.answers

    def __getitem__(self, name: str) -> Answer:
        """Return the answer to the query of this name."""
        for answer in self.answers:
            if answer.name == name:
                return answer
        raise KeyError(name)

    def to_frame(self) -> Any:
        """Return all answers as a pandas frame: one row for each number, with its interval."""
        with needing(FRAMES, "A pandas frame"):
            import pandas as pd
        rows = [
            {
                "query": answer.name,
                "cell": ", ".join(cell.labels),
                "value": cell.value,
                "low": cell.low,
                "high": cell.high,
                "consistent": cell.consistent,
                "mechanism": answer.mechanism,
                "epsilon": answer.epsilon,
                "rho": answer.rho,
                "sd": answer.sd,
            }
            for answer in self.answers
            for cell in answer.cells
        ]
        return pd.DataFrame(rows)

    def write(self, path: str | Path) -> None:
        """Write the answers: .json with a certificate next to it, or a page as .html or .md.

        Raises
        ------
        ConfigError
            For another suffix, or a file that cannot be written.
        """
        made = self._released
        content = certificate(made.plan, made.answers)
        write_certified(Path(path), page.forms(made.answers), ANSWERS, content, made.answers.created_at)

    def write_internal(self, path: str | Path) -> None:
        """Write a comparison with the exact answers, as confidential as the table; its first line states so."""
        forms = dict.fromkeys(INTERNAL_SUFFIXES, lambda: "\n".join(self._internal()) + "\n")
        files.write_form(Path(path), forms, private=True)

    def _internal(self) -> Iterator[str]:
        yield str(fact("answers.internal_head"))
        yield ""
        for answer, exact in zip(self.answers, self._released.exact, strict=True):
            for cell, number in zip(answer.cells, exact, strict=True):
                label = " / ".join((answer.name, *cell.labels))
                shown = {
                    "name": label,
                    "exact": f"{number:.6g}",
                    "value": f"{cell.value:.6g}",
                    "difference": f"{cell.value - number:+.6g}",
                }
                line = fact("answers.internal_line", **{key: Name(text) for key, text in shown.items()})
                yield f"- {line}"

    def text(self) -> str:
        """Return the answers for a terminal."""
        return page.text(self.record)

    def __repr__(self) -> str:
        return f"Release({len(self.answers)} answers, epsilon {self.epsilon:.4g}, delta {self.delta:.3g})"

    def _repr_html_(self) -> str:
        return page.notebook(self.record)


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
