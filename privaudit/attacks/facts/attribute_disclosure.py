"""Attribute disclosure without identity: an attacker knows the quasi-identifiers of a person in the table.

Question: how often does the table reveal a sensitive value, and how much of that is known of everybody?
Method: the people are split at random into two halves, members and outsiders, or a control table holds the outsiders.
The attacker sees the members only and guesses for each target the most frequent value of its class (or the median of
a number), and where scikit-learn is installed, what a logistic regression or boosted trees predict, whichever is right
more often on a fifth of the rows that it is fitted on. What succeeds on outsiders as well is population knowledge; the
rest is revealed by being in the table. Whole-table rates are given with it: the majority value, the class mode in
sample (posterior vulnerability) and leave-one-out, homogeneous classes, and models chosen and fitted by folds.
Limits: the half that stands for the table is smaller than the table, so its classes are smaller, too. A number counts
as guessed within 5 % of the true value. Rows without a value of the secret are not attacked.

References
----------
.. [1] A. Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, ICDE 2006.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.values.class_modes import MOST_NUMBERS, WITHIN, Categories, Numbers, Secret
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.base.extras import can_import
from privaudit.base.records import dataclass
from privaudit.model import Attack, CountedUnit, Limit, MeasuredDetail, limit
from privaudit.model.advantage import advantage, against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Count, Share, Term, Threshold, Value, fact
from privaudit.risk.codes.coded import encode_column, order_of
from privaudit.risk.codes.people import ordered_by_content
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.dataset import Dataset

Coding = Callable[[str], tuple[Ints, pa.Array]]
"""Returns the codes of a column, missing cells last, and the sorted values that they mean."""
ModelKind = Literal["logistic", "boosted"]
MODELS: tuple[ModelKind, ...] = ("logistic", "boosted")
FOLDS = 5
MOST_BOOSTED = 20
"""Values of a secret beyond which no trees are boosted: each step grows one for each value."""
MOST_CATEGORIES = 255
MOST_MODEL_ROWS = 60_000
"""Rows of a half beyond which no model is fitted."""
LEAST_PEOPLE = 20
"""People below whom halves show nothing."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The quasi-identifiers as codes, the classes over them, and who is attacked.

    ``secret`` is the column that is guessed, ``members`` are the rows that the attacker sees, ``outsiders`` people of
    whom the table has no row.
    """

    secret: str
    columns: tuple[str, ...]
    codes: tuple[Ints, ...]
    labels: Ints
    n_classes: int
    members: Ints
    outsiders: Ints
    is_split: bool

    @property
    def everyone(self) -> Ints:
        """The rows of the whole table with a value of the secret, in the order in which they were drawn."""
        return np.concatenate([self.members, self.outsiders]) if self.is_split else self.members


@dataclass(frozen=True, slots=True)
class _Guessed:
    """Of which members and outsiders the secret was guessed right, how often without knowledge, and further rates."""

    method: str
    members: Flags
    outsiders: Flags
    baseline: float
    measures: Mapping[str, Value]


def simulate_attribute_disclosure(inputs: AttackInputs) -> AttackResults:
    """Guess every sensitive column from the quasi-identifiers, for members and for outsiders."""
    known, secrets = inputs.named("quasi"), inputs.named("sensitive")
    known = tuple(name for name in known if name != inputs.settings.subject)
    if not known or not secrets:
        missing = "no_sensitive_column" if known else "no_quasi_identifier"
        return AttackResults((), () if inputs.is_headline else (limit(f"attacks.{missing}"),))
    attacks: list[Attack] = []
    limits: list[Limit] = []
    tables = [inputs.release] if inputs.outsiders is None else [inputs.release, inputs.outsiders]
    coded = cache(lambda name: _coded(tables, name))  # a column that several secrets are guessed from is coded once
    for secret in secrets:
        inputs.progress("guessing sensitive values", None)
        found, bounds = _attack_column(inputs, coded, known, secret)
        attacks += found
        limits += [bound for bound in bounds if bound not in limits]
    return AttackResults(tuple(attacks), () if inputs.is_headline else tuple(limits))


def _attack_column(
    inputs: AttackInputs, coded: Coding, known: tuple[str, ...], name: str
) -> tuple[list[Attack], list[Limit]]:
    columns = tuple(column for column in known if column != name)
    table, secret = _read(inputs, coded, columns, name)
    if min(len(table.members), len(table.outsiders)) < LEAST_PEOPLE:
        return [], [_too_few(table)]
    attacks = [_attack(inputs, table, _by_class(table, secret, inputs.counted))]
    if inputs.is_headline or not isinstance(secret, Categories):
        return attacks, []
    if not can_import("sklearn"):
        return attacks, [limit("attacks.no_model")]
    if len(table.members) > MOST_MODEL_ROWS:
        return attacks, [limit("attacks.model_too_large", most=Threshold(MOST_MODEL_ROWS))]
    return [*attacks, _attack(inputs, table, _by_model(_Model(table, secret, inputs.settings.seed)))], []


def _too_few(table: _Table) -> Limit:
    column = Columns((table.secret,))
    members, outsiders = (Count(len(rows), unit="person") for rows in (table.members, table.outsiders))
    if table.is_split:
        people = Count(members.n + outsiders.n, unit="person")
        return limit("attacks.too_few_people", column=column, people=people)
    least = Threshold(LEAST_PEOPLE)
    return limit("attacks.too_few_with_control", column=column, members=members, outsiders=outsiders, least=least)


def _read(inputs: AttackInputs, coded: Coding, columns: tuple[str, ...], name: str) -> tuple[_Table, Secret]:
    """Return the table over `columns` and the values of the secret, both for people with a value."""
    known = [coded(column) for column in columns]
    values, texts = coded(name)
    labels, n_classes = dense_labels([codes.astype(np.int32) for codes, _ in known], length=len(values))
    drawn = _one_row_each(inputs, coded, [labels, values])
    drawn = drawn[values[drawn] < len(texts)]  # a missing cell has the last code
    if inputs.outsiders is not None:
        is_member = drawn < inputs.release.n_rows
        members, outsiders = drawn[is_member], drawn[~is_member]
    else:
        members, outsiders = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
    codes = tuple(codes for codes, _ in known)
    table = _Table(name, columns, codes, labels, n_classes, members, outsiders, inputs.outsiders is None)
    numbers = _numbers(texts, values)
    return table, Categories(values, len(texts)) if numbers is None else Numbers(numbers)


def _one_row_each(inputs: AttackInputs, coded: Coding, keys: list[Ints]) -> Ints:
    """Return the rows that are attacked in random order: all, or one of each data subject with several rows.

    They are drawn from the rows sorted by their values, so that the order of the table changes nothing, nor do the
    values of the data subject column.
    """
    subject = inputs.settings.subject
    people = None
    if subject is not None and all(subject in table.columns for table in (inputs.release, inputs.outsiders) if table):
        people, names = coded(subject)
        people = np.where(people < len(names), people, len(names) + np.arange(len(people)))
        is_member = (np.arange(len(people)) < inputs.release.n_rows).astype(np.int64)
        keys = [_numbered_by_content(people, [*keys, is_member]), *keys]
    order = np.lexsort(keys)
    drawn: Ints = order[np.random.default_rng(inputs.settings.seed).permutation(len(order))]
    if people is None:
        return drawn
    _, first = np.unique(people[drawn], return_index=True)
    return drawn[np.sort(first)]


def _numbered_by_content(people: Ints, keys: list[Ints]) -> Ints:
    """Return the person of each row, numbered by the rows that the person has."""
    codes = [key.astype(np.int32) for key in keys]
    rows, _ = dense_labels(codes, length=len(people))
    _, person = np.unique(people, return_inverse=True)
    return np.argsort(ordered_by_content(person, rows))[person]


def _coded(tables: list[Dataset], name: str) -> tuple[Ints, pa.Array]:
    """Return the codes of the cells of a column, missing cells last, and the sorted values that they mean."""
    if len(tables) == 1:
        table = tables[0]
        codes, values = encode_column(table.stored([name])[name], order=lambda texts: order_of(table, name, texts))
        return codes.astype(np.int64), values
    chunks = [chunk.cast(pa.string()) for table in tables for chunk in table.rows([name])[name].chunks]
    codes, values = encode_column(pa.chunked_array(chunks, pa.string()))
    return codes.astype(np.int64), values


def _numbers(texts: pa.Array, codes: Ints) -> Floats | None:
    """Return the secret as numbers where it has many numeric values; NaN where it is missing."""
    if len(texts) <= MOST_NUMBERS:
        return None
    try:
        values = np.array([float(text) for text in texts.to_pylist()])
    except ValueError:
        return None
    if not np.isfinite(values).all():
        return None
    return np.append(values, np.nan)[codes]


def _by_class(table: _Table, secret: Secret, unit: CountedUnit) -> _Guessed:
    guesses = secret.guesses(table.members, table.labels[table.members], table.n_classes)
    inside, outside = (
        secret.correct(rows, guesses.of(table.labels[rows])) for rows in (table.members, table.outsiders)
    )
    baseline = float(secret.correct(table.outsiders, np.full(len(table.outsiders), guesses.for_all)).mean())
    measures = _whole_table(secret, table, unit) if isinstance(secret, Categories) else {}
    return _Guessed("class", inside, outside, baseline, measures)


def _whole_table(secret: Categories, table: _Table, unit: CountedUnit) -> dict[str, Value]:
    """Return the rates over all rows of the table: counts, without a sampling error."""
    rows = table.everyone
    n, some = len(rows), Categories(secret.codes[rows], secret.n_values)
    labels = table.labels[rows]
    alone, larger = some.homogeneous(labels, table.n_classes)
    counted = {
        "majority": int(np.bincount(some.codes).max()),
        "in_sample": some.in_sample(labels, table.n_classes),
        "leave_one_out": some.leave_one_out(labels, table.n_classes),
        "homogeneous_alone": alone,
        "homogeneous_larger": larger,
    }
    return {key: Count(count, of=n, unit=unit) for key, count in counted.items()}


@dataclass(frozen=True, slots=True)
class _Model:
    """A logistic regression or boosted trees on the codes of the quasi-identifiers."""

    table: _Table
    secret: Categories
    seed: int

    def choose(self, rows: Ints) -> ModelKind:
        """Return the model that is right more often on a fifth of the rows, fitted on the others."""
        if self.secret.n_values > MOST_BOOSTED:
            return "logistic"
        order = np.random.default_rng(self.seed).permutation(len(rows))
        held, fitted_on = rows[order[::FOLDS]], rows[np.delete(order, np.s_[::FOLDS])]
        right = {
            kind: int((self.predictions(kind, fitted_on, held)[0] == self.secret.codes[held]).sum()) for kind in MODELS
        }
        return max(MODELS, key=lambda kind: right[kind])

    def predictions(self, kind: ModelKind, fitted_on: Ints, *others: Ints) -> list[Ints]:
        """Fit on some rows and return the predicted codes for each of the others."""
        from threadpoolctl import threadpool_limits

        matrix, target = np.column_stack(self.table.codes), self.secret.codes[fitted_on]
        if len(np.unique(target)) < 2:
            return [np.full(len(rows), target[0]) for rows in others]
        model = (_logistic if kind == "logistic" else self._boosted)(matrix)
        with threadpool_limits(1):  # threads that wait for each other cost more than they save on so few rows
            model.fit(matrix[fitted_on], target)
            return [model.predict(matrix[rows]) for rows in others]

    def _boosted(self, matrix: Ints) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        few = matrix.max(axis=0) < MOST_CATEGORIES  # others are split by the order of their values
        return HistGradientBoostingClassifier(
            max_iter=50, max_leaf_nodes=15, early_stopping=False, categorical_features=few, random_state=self.seed
        )


def _logistic(matrix: Ints) -> Any:
    """Return a logistic regression with one indicator for each value."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    return make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=200, tol=1e-3))


def _by_model(model: _Model) -> _Guessed:
    import warnings

    table, codes, everyone = model.table, model.secret.codes, model.table.everyone
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit that stops early is a worse attack, and no error
        kind = model.choose(table.members)
        inside, outside = model.predictions(kind, table.members, table.members, table.outsiders)
        crossed = _cross_fitted(model, everyone)
    most = int(np.bincount(codes[table.members]).argmax())
    baseline = float((codes[table.outsiders] == most).mean())
    right = crossed == codes[everyone]
    recalls = [float(right[codes[everyone] == value].mean()) for value in distinct(codes[everyone])]
    measures: dict[str, Value] = {
        "model": Term(f"model.{kind}"),
        "cross_fitted": wilson(int(right.sum()), len(right)),
        "recall_mean": Share(float(np.mean(recalls)), of=len(right)),
        "recall_lowest": Share(min(recalls), of=len(right)),
    }
    return _Guessed("model", inside == codes[table.members], outside == codes[table.outsiders], baseline, measures)


def _cross_fitted(model: _Model, rows: Ints) -> Ints:
    """Return what models predict that were chosen and fitted without the row, by folds.

    A model that is chosen by the rows on which it is then counted would be right too often.
    """
    # Not the generator that drew the rows: the same permutation again would give folds in the order of the values.
    fold = np.random.default_rng([model.seed, 1]).permutation(len(rows)) % FOLDS
    found = np.zeros(len(rows), dtype=np.int64)
    for i in range(FOLDS):
        others = rows[fold != i]
        (found[fold == i],) = model.predictions(model.choose(others), others, rows[fold == i])
    return found


def _attack(inputs: AttackInputs, table: _Table, guessed: _Guessed) -> Attack:
    success, control = (wilson(int(right.sum()), len(right)) for right in (guessed.members, guessed.outsiders))
    baseline, measures = guessed.baseline, guessed.measures
    is_disclosed = advantage(success, control).low > 0
    secret = Columns((table.secret,))
    of_records = "_records" if inputs.counted == "record" else ""
    outsiders = f"outsiders_by_halves{of_records}" if table.is_split else "outsiders_by_control"
    assumptions = (fact(f"attacks.{code}") for code in ("knows_membership", "exact_values", outsiders))
    return Attack(
        kind="attribute_disclosure",
        knowledge=table.columns,
        attacker=fact(f"attacks.attribute_{guessed.method}_attacker", known=Columns(table.columns), secret=secret),
        outcome=fact(
            f"attacks.attribute_outcome_{'disclosed' if is_disclosed else 'population'}{of_records}",
            secret=secret,
            members=Share(success.value, of=success.n),
            outsiders=Share(control.value, of=control.n),
            majority=Share(baseline, of=control.n),
            more=Share(max(0.0, success.value - control.value), of=success.n),
        ),
        baseline=baseline,
        **against_control(success, control),
        assumptions=tuple(assumptions),
        is_headline=inputs.is_headline,
        detail=MeasuredDetail(
            method=guessed.method,
            secrets=(table.secret,),
            measures={**measures, **({} if measures else {"within": Share(WITHIN)})},
        ),
    )
