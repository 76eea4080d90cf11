"""The ledger of one column as text: its claims, their weights, and the decision.

Question: why is this column of that entity type, and which observations are evidence against another?
Method: the claims in the order they were made, each with its strength, its weight in log-odds and the number of the
claim that answers it; for each entity type the sum that was compared with the others, and its terms; what patterns find
in the cells; and the reason why a scan reports the column as not assessed.
Limits: no language model reads the text, and no key is reversed or dated, so that their claims are missing. A sentence
states where a scan uses the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from privaudit.base.errors import ConfigError
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.detection import examine
from privaudit.detect.free_text import read_cells
from privaudit.detect.ledger import NAME, log_odds, weight_of
from privaudit.detect.precedence import largest
from privaudit.detect.resolver import Reading, weigh
from privaudit.detect.subjects.context import describes_people, rows_are_people
from privaudit.detect.unassessed import split_numbers, why_unassessed
from privaudit.model import Contained
from privaudit.model.wording import EntityType, Name, Number, fact
from privaudit.settings.config import Settings, silent
from privaudit.source.dataset import Dataset
from privaudit.source.profile import profile

_CLAIMS, _SUMS, _CONTENTS = (4, 18, 8, 8, 12), (4, 18, 8, 12, 9, 9), (4, 18, 8, 12)
"""Widths of the columns of the three tables, without the last one."""


def explain_column(dataset: Dataset, column: str, settings: Settings) -> str:
    """Return the ledger of a column of `dataset`.

    Raises
    ------
    ConfigError
        If the table has no column of this name.
    """
    if column not in dataset.columns:
        raise ConfigError(f'The table has no column "{column}".', hint="column names are case-sensitive")
    table, _ = examine(dataset, profile(dataset), settings)
    item = next(item for item in table if item.column.name == column)
    ledger = ["Claims", *_claims(item), "", "Sums", *_sums(item)]
    read_cells(item, replace(settings, ner=False), silent)
    contained = largest(item.ledger.contained, item.verdict)
    head = [_decision(item, contained), *_not_decided(item, table)]
    return "\n".join([*head, "", *ledger, *_contents(contained)])


def _decision(item: ColumnEvidence, contained: Sequence[Contained]) -> str:
    name = Name(item.column.name)
    if item.verdict is None:
        return str(fact("detect.account_contents" if contained else "detect.account_plain", column=name))
    entity, confidence = EntityType(item.verdict.entity), Number(item.verdict.confidence)
    return str(fact("detect.account_decision", column=name, entity=entity, confidence=confidence))


def _not_decided(item: ColumnEvidence, table: Sequence[ColumnEvidence]) -> Iterator[str]:
    """Yield what a scan reports in addition: why the column is not assessed, and what the language model searches."""
    name = Name(item.column.name)
    among_people, of_people = describes_people(table), rows_are_people(table)
    reason = why_unassessed(item, split_numbers(table), among_people=among_people, of_people=of_people)
    if reason is not None:
        yield str(fact("detect.account_unassessed", column=name, reason=reason))
    if any(note.code == "detect.text_names_not_sought" for note in item.ledger.notes):
        yield str(fact("detect.account_model", column=name))


def _claims(item: ColumnEvidence) -> Iterator[str]:
    number = {claim: n for n, claim in enumerate(item.ledger.claims, start=1)}
    answered = {one: number[claim] for claim in number for one in claim.answers}
    yield _row(_CLAIMS, "n", "entity type", "strength", "weight", "from", "because")
    for claim, n in number.items():
        because = str(claim.because) if not claim.is_for else "; ".join(str(clue.because) for clue in claim.clues)
        note = f" (answered by {answered[claim]})" if claim in answered else ""
        source = "against" if not claim.is_for else "column name" if claim.source == NAME else claim.source
        weight = _signed(claim.weight(item.weights.prior))
        yield _row(_CLAIMS, str(n), claim.entity, _strength(claim.strength), weight, source, because + note)


def _sums(item: ColumnEvidence) -> Iterator[str]:
    prior = item.weights.prior
    terms = f"prior {_signed(log_odds(prior))} + values + column name"
    yield _row(_SUMS, "", "entity type", "sum", "probability", "values", "name", terms)
    for reading in weigh(item.column, item.ledger, prior):
        yield _row(
            _SUMS,
            "*" if reading.entity == item.entity else "",
            reading.entity,
            _signed(reading.log_odds),
            f"{reading.probability:.3f}",
            _strength(reading.from_values),
            _strength(reading.from_name),
            _terms(reading, prior),
        )


def _terms(reading: Reading, prior: float) -> str:
    """Return the terms of a sum; a sum without a term above the prior is the log-odds of the strongest claim."""
    strengths = (reading.from_values, reading.from_name)
    if max(strengths) <= prior:
        return f"log-odds of {_strength(max(strengths))}, not above the prior"
    return " ".join(map(_signed, (log_odds(prior), *(weight_of(s, prior) for s in strengths))))


def _contents(contained: Sequence[Contained]) -> Iterator[str]:
    if contained:
        yield from (
            "",
            "Contents of cells, by patterns",
            _row(_CONTENTS, "", "entity type", "cells", "share", "because"),
        )
    for one in contained:
        because = "; ".join(dict.fromkeys(str(clue.because) for clue in one.evidence))
        yield _row(_CONTENTS, "", one.entity, f"{one.n_cells:,}", f"{one.share.value:.3f}", because)


def _signed(number: float) -> str:
    return f"{number:+.2f}" if abs(number) >= 0.005 else "0.00"


def _strength(probability: float) -> str:
    return f"{probability:.4g}" if probability else "-"


def _row(widths: tuple[int, ...], *cells: str) -> str:
    fixed = [f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)]
    return "  ".join([*fixed, cells[-1]]).rstrip()
