"""The ledger of one column as text: its claims, their weights, and the decision.

Question: why is this column of that entity type, and which observations are evidence against another?
Method: the claims in the order they were made, each with its weight in log-odds and the number of the claim that
answers it; then for each entity type the sum that was compared with the others, and what patterns find in the cells.
Limits: no language model reads the text, so that its claims are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from privaudit.config import Settings, silent
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.free_text import read_cells
from privaudit.detect.ledger import NAME, log_odds, weight_of
from privaudit.detect.precedence import largest
from privaudit.detect.resolver import weigh
from privaudit.detection import examine
from privaudit.errors import ConfigError
from privaudit.model import Contained
from privaudit.profile import profile
from privaudit.source.dataset import Dataset
from privaudit.wording import EntityType, Name, Number, fact

_WIDTHS = (4, 18, 8, 12)
_HEAD = ("n", "entity type", "weight", "from")


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
    return "\n".join([_decision(item, contained), "", *ledger, *_contents(contained)])


def _decision(item: ColumnEvidence, contained: Sequence[Contained]) -> str:
    name = Name(text=item.column.name)
    if item.verdict is None:
        return str(fact("detect.account_contents" if contained else "detect.account_plain", column=name))
    entity, confidence = EntityType(code=item.verdict.entity), Number(value=item.verdict.confidence)
    return str(fact("detect.account_decision", column=name, entity=entity, confidence=confidence))


def _claims(item: ColumnEvidence) -> Iterator[str]:
    number = {claim: n for n, claim in enumerate(item.ledger.claims, start=1)}
    answered = {one: number[claim] for claim in number for one in claim.answers}
    yield _row(*_HEAD, "because")
    for claim, n in number.items():
        because = str(claim.because) if not claim.is_for else "; ".join(str(clue.because) for clue in claim.clues)
        note = f" (answered by {answered[claim]})" if claim in answered else ""
        source = "against" if not claim.is_for else "column name" if claim.source == NAME else claim.source
        yield _row(str(n), claim.entity, _signed(claim.weight(item.weights.prior)), source, because + note)


def _sums(item: ColumnEvidence) -> Iterator[str]:
    yield _row("", "entity type", "sum", "probability", "prior + values + column name")
    prior = item.weights.prior
    for reading in weigh(item.column, item.ledger, prior):
        parts = [log_odds(prior), *(weight_of(s, prior) for s in (reading.from_values, reading.from_name))]
        terms = " ".join(map(_signed, parts))
        yield _row(
            "*" if reading.entity == item.entity else "",
            reading.entity,
            _signed(reading.log_odds),
            f"{reading.probability:.3f}",
            terms,
        )


def _contents(contained: Sequence[Contained]) -> Iterator[str]:
    if contained:
        yield from (
            "",
            "Contents of cells, by patterns",
            _row("", "entity type", "cells", "share", "because"),
        )
    for one in contained:
        because = "; ".join(dict.fromkeys(str(clue.because) for clue in one.evidence))
        yield _row("", one.entity, f"{one.n_cells:,}", f"{one.share.value:.3f}", because)


def _signed(number: float) -> str:
    return f"{number:+.2f}" if abs(number) >= 0.005 else "0.00"


def _row(*cells: str) -> str:
    fixed = [f"{cell:<{width}}" for cell, width in zip(cells, _WIDTHS, strict=False)]
    return "  ".join([*fixed, cells[-1]]).rstrip()
