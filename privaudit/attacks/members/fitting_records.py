"""A release that keeps the records of people, attacked by someone who knows the quasi-identifiers of a person.

Question: what does an anonymised table disclose about the people in it, and not about others?
Method: the attacker keeps the records whose values may stand for those of the person (`label_values`). The person is
singled out where one record fits; a member is recognised by a fitting record; a sensitive value is the most frequent
one of the fitting records (the median of a number, right within 5 %). Everything is done with people outside the
original as well. Two parts of what is known link to one record exactly where together they single out the person, so
linkability is not an attack of its own here.
Limits: sensitive and other columns are taken as unknown to the attacker, as in every measure of classes: someone who
knows all values of a person recognises the record in any table that keeps it. A record that fits and is another
person's, because the person's own was suppressed, counts as found.

References
----------
.. [1] L. Sweeney, k-anonymity: a model for protecting privacy, Int. J. Uncertainty, Fuzziness and Knowledge-Based
   Systems 10, 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import LEAST_TARGETS, MOST_TARGETS, read_column
from privaudit.attacks.members.inference import stated_outcome
from privaudit.attacks.members.membership import Scored, recognised
from privaudit.attacks.values.class_modes import MOST_NUMBERS, WITHIN
from privaudit.attacks.values.label_values import stands_for
from privaudit.base.arrays import Codes, Flags, Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass
from privaudit.model import Attack, Limit, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import Estimate, wilson
from privaudit.model.wording import Columns, Count, Fact, Share, Threshold, Value, fact
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.random_rows import random_rows

MOST_LABELS = 20_000
MOST_CELLS = 1 << 27
"""Records of the release times targets."""


class Known(NamedTuple):
    """A column that the attacker knows.

    ``fits`` is a bool array of shape (labels, values): which label of the release may stand for which value. The last
    label and the last value are missing cells.
    """

    name: str
    fits: Flags
    release: Codes
    targets: tuple[Codes, Codes]


@dataclass(frozen=True, slots=True)
class Records:
    """The records of the release by what the attacker knows, and the columns.

    Attributes
    ----------
    columns : tuple of Known
    labels : int32 array of shape (classes, columns)
        Records with the same labels are one class.
    class_of : int64 array of shape (records,)
    sizes : int64 array of shape (classes,)
    """

    columns: tuple[Known, ...]
    labels: Codes
    class_of: Ints
    sizes: Ints

    @property
    def names(self) -> tuple[str, ...]:
        """What the attacker knows."""
        return tuple(column.name for column in self.columns)

    def fitting(self, group: int) -> Flags:
        """Return which classes fit each target of a group, as an array of shape (classes, targets)."""
        fits = np.ones((len(self.sizes), len(self.columns[0].targets[group])), dtype=bool)
        for i, column in enumerate(self.columns):
            fits &= column.fits[:, column.targets[group]][self.labels[:, i]]
        return fits


def simulate_fitting_records(inputs: AttackInputs) -> AttackResults:
    """Attack an anonymised release by the quasi-identifiers of members and of outsiders."""
    assert inputs.original is not None
    if inputs.outsiders is None:
        return AttackResults()
    names = [name for name in inputs.named("quasi") if _is_shared(inputs, name)]
    if not names:
        return AttackResults((), (limit("attacks.nothing_known"),))
    random = np.random.default_rng(inputs.settings.seed)
    n = min(inputs.original.n_rows, inputs.outsiders.n_rows, MOST_TARGETS, MOST_CELLS // inputs.release.n_rows)
    if n < LEAST_TARGETS:
        return AttackResults((), (limit("attacks.too_few_to_compare", least=Threshold(LEAST_TARGETS)),))
    secrets = [name for name in inputs.named("sensitive") if _is_shared(inputs, name)]
    people = (table.coded([*names, *secrets]) for table in (inputs.original, inputs.outsiders))
    drawn = [random_rows(table, random)[:n] for table in people]
    inputs.progress("comparing people with the records of the release", None)
    columns, limits = _read_known(inputs, names, drawn)
    if not columns:
        return AttackResults((), limits)
    records = group_records(columns)
    fits = records.fitting(0), records.fitting(1)
    attacks = [_singled_out(records, fits), _recognised(records, fits)]
    attacks += [_inferred(inputs, records, fits, name, drawn) for name in secrets]
    return AttackResults(tuple(attacks), limits)


def _is_shared(inputs: AttackInputs, name: str) -> bool:
    tables = (inputs.release, inputs.original, inputs.outsiders)
    return all(table is not None and name in table.columns for table in tables)


def _read_known(
    inputs: AttackInputs, names: Sequence[str], drawn: Sequence[Ints]
) -> tuple[tuple[Known, ...], tuple[Limit, ...]]:
    """Return the known columns of the release and of the drawn targets; a column of too many labels is a limit."""
    columns, too_many = [], []
    for name in names:
        release, labels = encode_column(inputs.release.rows([name])[name], is_ordered=False)
        if len(labels) > MOST_LABELS:
            too_many.append(name)
            continue
        people, values = encode_column(_of_targets(inputs, name, drawn), is_ordered=False)
        fits = stands_for(labels, values, None if inputs.labels is None else inputs.labels.get(name))
        targets = people[: len(drawn[0])], people[len(drawn[0]) :]
        columns.append(Known(name, np.pad(fits, (0, 1), constant_values=True), release, targets))
    if not too_many:
        return tuple(columns), ()
    named, most = Columns(tuple(too_many)), Threshold(MOST_LABELS)
    return tuple(columns), (limit("attacks.too_many_labels", incomplete=True, columns=named, most=most),)


def _of_targets(inputs: AttackInputs, name: str, drawn: Sequence[Ints]) -> pa.ChunkedArray:
    """Return a column of the drawn members, then of the drawn outsiders."""
    tables = zip((inputs.original, inputs.outsiders), drawn, strict=True)
    cells = [table.rows([name])[name].cast(pa.string()).take(pa.array(rows)) for table, rows in tables if table]
    return pa.chunked_array([chunk for column in cells for chunk in column.chunks], pa.string())


def group_records(columns: tuple[Known, ...]) -> Records:
    """Return the records of the release, those with the same labels as one class."""
    rows = np.column_stack([column.release for column in columns])
    # Records with equal labels fit the same people, so that they are compared once.
    labels, class_of, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return Records(columns, labels, class_of.reshape(-1), sizes)


def _singled_out(records: Records, fits: tuple[Flags, Flags]) -> Attack:
    success, control = (wilson(int((records.sizes @ one == 1).sum()), one.shape[1]) for one in fits)
    stated = {
        "members": Count(round(success.value * success.n), of=success.n, unit="person"),
        "outsiders": Count(round(control.value * control.n), of=control.n, unit="person"),
    }
    return _attack(
        "singling_out", records.names, success, control, outcome=fact("attacks.singling_out_fitting_outcome", **stated)
    )


def _recognised(records: Records, fits: tuple[Flags, Flags]) -> Attack:
    """Call a target a member where a record fits; the fewer fit, the more likely."""
    members, outsiders = (records.sizes @ one for one in fits)
    scored = Scored(*(np.where(count > 0, 1 / np.maximum(count, 1), 0.0) for count in (members, outsiders)))
    return recognised(records.names, scored, scored.members >= np.quantile(scored.members, 0.9), "fitting")


def _inferred(
    inputs: AttackInputs, records: Records, fits: tuple[Flags, Flags], name: str, drawn: Sequence[Ints]
) -> Attack:
    """Guess a sensitive value from the fitting records, and where none fits from all of them."""
    tables = (inputs.release, inputs.original, inputs.outsiders)
    read = read_column([table.rows([name])[name] for table in tables if table is not None])
    in_band = read.is_number and len(distinct(read.codes[1])) > MOST_NUMBERS
    held = [values.astype(float) for values in (read.values if in_band else read.codes)]
    rates: list[Estimate] = []
    for one, values, rows in zip(fits, held[1:], drawn, strict=True):
        guessed, for_all = guesses(records, one, held[0], as_number=in_band)
        true = values[rows]
        rates.append(wilson(int(_is_right(true, guessed, in_band).sum()), len(rows)))
        majority = float(_is_right(true, np.full(len(true), for_all), in_band).mean())
    secret = Columns((name,))
    return _attack(
        "inference",
        records.names,
        *rates,
        baseline=majority,
        outcome=stated_outcome(secret, rates[0], rates[1], majority),
        secrets=(name,),
        measures={"within": Share(WITHIN)} if in_band else {},
        secret=secret,
    )


def guesses(records: Records, fits: Flags, values: Floats, *, as_number: bool) -> tuple[Floats, float]:
    """Return the most frequent value of the fitting records for each target, or the median of a number; and of all.

    Where no record fits, a target has the value of all. Of several values that are equally frequent, the smallest.
    """
    known = np.flatnonzero(~np.isnan(values))
    distinct, codes = np.unique(values[known], return_inverse=True)
    if not len(distinct):
        return np.full(fits.shape[1], np.nan), np.nan
    # Records of one class with one value fit the same targets: they are counted once for all.
    pairs, counts = np.unique(records.class_of[known] * len(distinct) + codes, return_counts=True)
    class_of, value = np.divmod(pairs, len(distinct))

    def typical(fitting: Flags) -> float:
        held = np.bincount(value[fitting], weights=counts[fitting], minlength=len(distinct))
        return float(distinct[(2 * np.cumsum(held) >= held.sum()).argmax() if as_number else held.argmax()])

    everybody = typical(np.ones(len(pairs), dtype=bool))
    # Of a person whom no record fits, the typical value of everybody is guessed.
    held_by = (one[class_of] for one in np.ascontiguousarray(fits.T))
    return np.array([typical(fitting) if fitting.any() else everybody for fitting in held_by]), everybody


def _is_right(true: Floats, guessed: Floats, in_band: bool) -> Flags:
    return np.abs(guessed - true) <= WITHIN * np.abs(true) if in_band else guessed == true


def _attack(
    kind: str,
    known: tuple[str, ...],
    success: Estimate,
    control: Estimate,
    *,
    outcome: Fact,
    baseline: float = 0.0,
    secrets: tuple[str, ...] = (),
    measures: dict[str, Value] | None = None,
    **attacker: Value,
) -> Attack:
    return Attack(
        kind=kind,
        knowledge=known,
        attacker=fact(f"attacks.{kind}_fitting_attacker", columns=Columns(known), **attacker),
        outcome=outcome,
        baseline=baseline,
        **against_control(success, control),
        assumptions=(fact("attacks.outsiders_by_control"), fact("attacks.equal_numbers")),
        detail=MeasuredDetail(method="fitting", secrets=secrets, measures=measures or {}),
    )
