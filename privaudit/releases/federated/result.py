"""What a federated training gives: the common weights, and a report without rows and weights.

Question: how good is the model, and what does it disclose?
Method: records of each round and attack, and a page of them.
Limits: measures nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from privaudit.base import clock
from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import Attack
from privaudit.model.wording import Count, Fact, Listing, Name, Number, fact
from privaudit.releases import certificates
from privaudit.releases.privacy.ledger import Receipt
from privaudit.report.pages import page as pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Wire):
    """The score of the common model after a round, and that of the model of pooled rows; null where not measured."""

    number: int
    score: float | None
    pooled: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded(Wire):
    """The rows of a party that no model saw, because a feature or the target is missing or is not a number."""

    party: str
    n: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FederatedRecord(Wire):
    """What is written of a federated training: no row, no weight.

    Attributes
    ----------
    excluded : tuple of Excluded
        Parties of which not every row is complete; empty with epsilon, where nothing paid for that number.
    scored_on : {"test", "parties", ""}
        The rows that the scores are measured on; empty where no score is measured.
    """

    model: str
    sums: str
    parties: tuple[str, ...]
    n_weights: int
    excluded: tuple[Excluded, ...]
    rounds: tuple[Round, ...]
    scored_on: str
    epsilon: float | None
    delta: float | None
    attacks: tuple[Attack, ...]


class FederatedReport:
    """The common model and what was measured.

    Attributes
    ----------
    weights : float64 array of shape (n_weights,)
        Of the linear and logistic model, the coefficients and last the intercept, of features scaled to [0, 1].
    record : FederatedRecord
    """

    def __init__(self, weights: Floats, record: FederatedRecord, receipts: Sequence[Receipt] = ()) -> None:
        self.weights, self.record, self._receipts = weights, record, tuple(receipts)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The scores, round by round."""
        return self.record.rounds

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """What the models of single parties would have disclosed."""
        return self.record.attacks

    def page(self) -> pages.Page:
        """Return the report for readers."""
        record = self.record
        rows = [
            (str(each.number), *("–" if score is None else f"{score:.4f}" for score in (each.score, each.pooled)))
            for each in record.rounds
        ]
        outcomes = [attack.outcome for attack in record.attacks if attack.outcome is not None]
        private = "" if record.epsilon is None else "_private"
        return pages.Page(
            kicker="Federated learning",
            title=fact("federated.title", parties=Listing(tuple(Name(name) for name in record.parties))),
            lead=fact(f"federated.lead_{record.sums}{private}", weights=Number(record.n_weights)),
            sections=(
                pages.Section(
                    key="rounds",
                    title="Rounds",
                    sentences=(_scored(record), *map(_excluded, record.excluded)),
                    head=("round", "federated", "pooled rows") if record.scored_on else (),
                    rows=rows if record.scored_on else [],
                ),
                pages.Section(
                    key="disclosure",
                    title="What the model of one party would disclose",
                    sentences=(*outcomes, fact(f"federated.sum_only{private}")),
                ),
                pages.Section(key="privacy", title="Differential privacy", sentences=(_privacy(record),)),
            ),
            footer=fact("federated.footer"),
        )

    def text(self) -> str:
        """Return the report as text."""
        return pages.text(self.page())

    def write(self, path: str | Path) -> None:
        """Write the report: .html, .md, or .json with a certificate next to it."""
        record = self.record
        paid = {"epsilon": record.epsilon, "delta": record.delta}
        content = {
            "model": record.model,
            "sums": record.sums,
            "parties": list(record.parties),
            "n_weights": record.n_weights,
            "rounds": len(record.rounds),
            "privacy": None if record.epsilon is None else paid,
            # In the order of the parties: each can confirm the entry of its own ledger.
            "ledger": [receipt.content() for receipt in self._receipts] or None,
        }
        forms = pages.forms_of(self.page(), record)
        certificates.write_certified(Path(path), forms, certificates.FEDERATED_MODEL, content, clock.stamp())

    def __repr__(self) -> str:
        return f"FederatedReport({self.record.model}, {len(self.record.parties)} parties, {len(self.rounds)} rounds)"


def _scored(record: FederatedRecord) -> Fact:
    measure = "r2" if record.model == "linear" else "accuracy"
    if not record.scored_on:
        return fact("federated.not_scored", rounds=Number(len(record.rounds)))
    return fact(f"federated.scored_on_{record.scored_on}", measure=fact(f"federated.{measure}"))


def _excluded(rows: Excluded) -> Fact:
    return fact("federated.excluded", rows=Count(rows.n, of=rows.of, unit="row"), party=Name(rows.party))


def _privacy(record: FederatedRecord) -> Fact:
    if record.epsilon is None:
        return fact("federated.no_epsilon")
    return fact("federated.epsilon", epsilon=Number(record.epsilon), delta=Name(f"{record.delta:g}"))
