"""Rounds of federated learning, compared with training on pooled rows.

Question: how good is the common model after each round, and what would the model of one party have disclosed?
Method: each party fits the common weights on its rows and sends ``rows * weights`` and ``rows``, hidden; the sum over
all parties divided by the sum of rows is the new model (McMahan et al. 2017, FedAvg). With `epsilon`, parties send
noisy sums of clipped gradients instead. The same rounds on all rows in one place are the comparison.
Limits: the comparison and the attack need all rows in one process, which a simulation has and a deployment has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from privaudit.attacks.inputs import UpdateInputs
from privaudit.attacks.registry import simulate_all
from privaudit.base.arrays import Floats
from privaudit.base.errors import ConfigError, TooFewParties, guarded
from privaudit.model import Attack
from privaudit.releases.federated.models import BATCH, Model, SgdModel, WordModel
from privaudit.releases.federated.parties import Party, Reading, Rows
from privaudit.releases.federated.private import PrivateStep
from privaudit.releases.federated.result import Excluded, FederatedRecord, FederatedReport, Round
from privaudit.releases.federated.secure_sums import LEAST_PARTIES, EncryptedSum, KeyHolder, MaskedSum, SecureSum, Sums
from privaudit.releases.privacy.ledger import Receipt

__all__ = ["FederatedReport", "train"]

ModelName = Literal["linear", "logistic", "words"]
ATTACKED_ROWS = 200


def train(
    parties: Mapping[str, Party],
    *,
    model: ModelName = "logistic",
    target: str = "",
    features: Mapping[str, tuple[float, float]] | None = None,
    text: str = "",
    vocabulary: Sequence[str] = (),
    classes: Sequence[Any] = (),
    test: Rows | None = None,
    rounds: int = 10,
    sums: Sums = "masks",
    holder: KeyHolder | None = None,
    epsilon: float | None = None,
    delta: float = 1e-6,
    ledgers: Mapping[str, Any] | None = None,
    rate: float | None = None,
    seed: int = 0,
) -> FederatedReport:
    """Train one model over the rows of several parties.

    Parameters
    ----------
    parties : mapping of name to path or callable
        At least three. A callable returns inputs and outputs: for "words" the texts and their classes, else an array of
        shape (rows, features) and the targets.
    model : {"linear", "logistic", "words"}
    target : str
        The column to predict, where parties are files.
    features : mapping of column to (low, high)
        Numeric columns with declared bounds, where parties are files.
    text, vocabulary : str, sequence of str
        Of the word model: the column with the text, and the declared words.
    classes : sequence
        The two classes of "logistic" and "words".
    test : (inputs, outputs), optional
        Rows on which each round is scored, with the same scaling (default: the rows of the parties; with `epsilon`,
        none).
    sums : {"masks", "paillier"}
        How the models are added; for Paillier, `holder` has the key.
    epsilon, delta : float, optional
        Differential privacy of each party for one row, over all rounds; needs a ledger for each party.
    ledgers : mapping of party to Ledger or path, optional
    rate : float, optional
        Learning rate.

    Raises
    ------
    ConfigError
        For fewer than three parties, or missing declarations.
    BudgetExceeded
        If the ledger of a party cannot pay.
    """
    if len(parties) < LEAST_PARTIES:
        raise TooFewParties(
            f"Federated learning needs at least {LEAST_PARTIES} parties: of two, each can subtract its own model."
        )
    made = _model(model, features or {}, vocabulary, classes, parties, rate, seed)
    reading = Reading(
        features=features or {}, text=text, target=target, is_number=model == "linear", every_row=epsilon is not None
    )
    private = None
    if epsilon is not None:
        if set(ledgers or ()) != set(parties):
            raise ConfigError("Training with epsilon needs a ledger for each party.", hint="ledgers={party: FILE}")
        private = PrivateStep(epsilon=epsilon, delta=delta, rounds=rounds, n_weights=made.n_weights)
    with guarded("federated"):
        rows, totals, receipts = _read(parties, reading, private, ledgers or {})
        if private is None and model != "linear":  # with epsilon, an error would disclose a value that nothing paid for
            _expect_classes(rows, classes)
        summed: SecureSum = MaskedSum(tuple(parties))
        if sums == "paillier":
            summed = EncryptedSum(tuple(parties), holder or KeyHolder())
        training = _Training(made, rows, summed, private, rate or 1.0)
        scores = training.run(rounds, test)
        attacks = () if private is not None else training.attacks()
    scored = "test" if test is not None else "parties" if private is None else ""
    record = FederatedRecord(
        model=model,
        sums=sums,
        parties=tuple(parties),
        n_weights=made.n_weights,
        excluded=_excluded(rows, totals),
        rounds=scores,
        scored_on=scored,
        epsilon=epsilon,
        delta=None if epsilon is None else delta,
        attacks=attacks,
    )
    return FederatedReport(training.weights, record, receipts)


def _model(
    name: ModelName,
    features: Mapping[str, tuple[float, float]],
    vocabulary: Sequence[str],
    classes: Sequence[Any],
    parties: Mapping[str, Party],
    rate: float | None,
    seed: int,
) -> Model:
    if name == "words":
        if not vocabulary:
            raise ConfigError("The word model needs a declared vocabulary: the words of a party disclose its texts.")
        return WordModel(vocabulary, classes, rate=rate or 0.01)
    one = next(iter(parties.values()))
    n_features = len(features) or (np.asarray(one()[0]).shape[1] if callable(one) else 0)
    if not n_features:
        raise ConfigError("Declare the features with their bounds.", hint='features={"age": (0, 100)}')
    return SgdModel(n_features, classes if name == "logistic" else None, rate=rate or 0.1, seed=seed)


def _read(
    parties: Mapping[str, Party], reading: Reading, private: PrivateStep | None, ledgers: Mapping[str, Any]
) -> tuple[dict[str, Rows], dict[str, int], list[Receipt]]:
    """Return the rows of every party, how many it has with those that are excluded, and the entries that paid."""
    rows, totals, receipts = {}, {}, []
    if private is None:
        for name, party in parties.items():
            rows[name], totals[name] = reading.read(party)
        return rows, totals, []
    # All ledgers are opened before the first pays: a refusal should not cost the others their budget.
    opened = {name: private.open(ledgers[name]) for name in parties}
    for name, party in parties.items():
        door = opened[name].spend(private.charge(), partial(reading.read, party))
        rows[name], totals[name] = door.open()
        receipts.append(door.receipt)
    return rows, totals, receipts


def _excluded(rows: Mapping[str, Rows], totals: Mapping[str, int]) -> tuple[Excluded, ...]:
    left = {name: totals[name] - len(outputs) for name, (_, outputs) in rows.items()}
    return tuple(Excluded(party=name, n=n, of=totals[name]) for name, n in left.items() if n)


def _expect_classes(rows: Mapping[str, Rows], classes: Sequence[Any]) -> None:
    declared = set(classes)
    for _, outputs in rows.values():
        if not declared.issuperset(np.asarray(outputs).tolist()):
            raise ConfigError(
                "The target has a value that is not a declared class.",
                hint='cells of files are texts: classes=("0", "1")',
            )


class _Training:
    def __init__(
        self, model: Model, rows: Mapping[str, Rows], sums: SecureSum, private: PrivateStep | None, rate: float
    ) -> None:
        self.model, self.rows, self.sums, self.private, self.rate = model, rows, sums, private, rate
        self.weights: Floats = np.zeros(model.n_weights)

    def run(self, rounds: int, test: Rows | None) -> tuple[Round, ...]:
        """Train, and score the common and the pooled model after each round: on `test`, else on all rows.

        The pooled model is trained without noise: under differential privacy neither it nor a score on the rows of the
        parties is computed, because nothing paid for them.
        """
        pooled = np.zeros(self.model.n_weights)
        everything = None if self.private is not None else self._pooled()
        scored = everything if test is None else test
        scores = []
        for number in range(1, rounds + 1):
            self._step(number)
            score = None if scored is None else self.model.score(self.weights, *scored)
            compared = None
            if everything is not None and scored is not None:
                pooled = self.model.fit(pooled, *everything)
                compared = self.model.score(pooled, *scored)
            scores.append(Round(number=number, score=score, pooled=compared))
        return tuple(scores)

    def _step(self, number: int) -> None:
        messages = {}
        for name, (inputs, outputs) in self.rows.items():
            n = float(len(outputs))
            if self.private is not None:
                sent = self.private.noisy_sum(self.model, self.weights, inputs, outputs)
            else:
                sent = n * self.model.fit(self.weights, inputs, outputs)
            # The number of rows is part of the sum: the mean needs it, and nobody learns that of one party.
            messages[name] = self.sums.message(name, np.append(sent, n), number)
        total = self.sums.total(messages, self.model.n_weights + 1)
        mean = total[:-1] / total[-1]
        self.weights = self.weights + self.rate * mean if self.private is not None else mean

    def _pooled(self) -> Rows:
        inputs, outputs = zip(*self.rows.values(), strict=True)
        if isinstance(self.model, WordModel):
            return [text for part in inputs for text in part], [each for part in outputs for each in part]
        return np.concatenate(inputs), np.concatenate(outputs)

    def attacks(self) -> tuple[Attack, ...]:
        """Return what the first update of one party would disclose to whoever sees it alone."""
        inputs, outputs = next(iter(self.rows.values()))
        start = np.zeros(self.model.n_weights)
        if isinstance(self.model, WordModel):
            after = self.model.fit(start, inputs[:BATCH], outputs[:BATCH])
            in_batch = np.zeros(self.model.n_weights, dtype=bool)
            for places in self.model.words(inputs[:BATCH]):
                in_batch[places] = True
            return simulate_all(UpdateInputs(before=start, after=after, in_batch=in_batch)).attacks
        rows = np.asarray(inputs, dtype=np.float64)[:ATTACKED_ROWS]
        changes = self.model.gradients(start, rows, np.asarray(outputs)[:ATTACKED_ROWS])
        return simulate_all(UpdateInputs(before=np.zeros_like(changes), after=changes, rows=rows)).attacks
