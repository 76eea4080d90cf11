"""Techniques that remove records: of classes that are not allowed, by a condition, for missing cells, by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import one_column
from privaudit.advice.technique.condition import holds, parse
from privaudit.advice.technique.protection import Labels
from privaudit.advice.technique.record import Context
from privaudit.advice.technique.requirements import protections_of
from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Count, Name, fact
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.markers import encode_values
from privaudit.risk.codes.people import number_people
from privaudit.risk.codes.row_keys import dense_labels


def suppress_records(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records of `table` whose class is allowed, or for which the condition does not hold.

    Question: which records go so that every class has k records, and enough and balanced sensitive values?
    Method: a condition chooses records by one column (`advice.technique.condition`). Otherwise classes over the columns
    named, on the table as it is at this step. `advice.technique.protection` decides which classes fail, here as in the
    search for a plan. People of the population are counted after the earlier steps recoded the population too. Where
    the table is for the public, at least 20 records are suppressed: the difference between the rows of a published
    report of the source and the rows of the table would state how few records are in small classes.
    Limits: the records kept may have fewer distinct sensitive values than before: l is capped at those of the whole
    table.
    """
    if "where" in parameters:
        return without(table, holds(parse(parameters["where"]), table), "suppress_records", context)
    out = failing_records(table, parameters, context.population)
    if context.least_suppressed:
        k = int(parameters["below"])
        wanted = _hidden_total(int(out.sum()), k, context.least_suppressed) - int(out.sum())
        labels, _ = _labels([table], parameters["classes_over"])
        more = _records_of_large_classes(labels, out, wanted, k, context.random)
        if more.any():
            context.notes.append({"technique": "suppress_records", "added": int(more.sum())})
        out |= more
    return table.filter(pa.array(~out))


def _hidden_total(n: int, k: int, least: int) -> int:
    """Return the smallest number, `n` or more, to which two classes or more of `least` - 1 to `k` - 1 records add up.

    Of 17 records in classes below 15, some class has at most 8; of 20, all may have 10. No number does for a smaller k,
    and the policy itself then states that the classes are small.

    >>> [_hidden_total(n, 15, 11) for n in (0, 12, 17, 20, 29, 33)]
    [20, 20, 20, 20, 30, 33]
    """
    total = max(n, 2 * (least - 1))
    while k > least and -(-total // (k - 1)) > total // (least - 1):
        total += 1
    return total


def _records_of_large_classes(labels: Labels, out: Flags, n: int, k: int, random: np.random.Generator) -> Flags:
    """Return at least `n` further records, drawn from the largest classes; no class keeps 1 to k - 1 of its records.

    Parameters
    ----------
    labels : int array of shape (n_records,)
    out : bool array of shape (n_records,)
        The records that are suppressed in any case.
    """
    sizes = np.bincount(labels[~out])
    taken = np.zeros_like(sizes)
    while taken.sum() < n and sizes.any():
        largest = sizes.argmax()
        one = 1 if sizes[largest] > k else sizes[largest]
        sizes[largest] -= one
        taken[largest] += one
    more = np.zeros(len(labels), dtype=bool)
    for label in np.flatnonzero(taken):
        more[random.choice(np.flatnonzero((labels == label) & ~out), taken[label], replace=False)] = True
    return more


def failing_records(table: pa.Table, parameters: Mapping[str, Any], population: pa.Table | None = None) -> Flags:
    """Return which records are in a class that fails; bool array of shape (n,).

    Raises
    ------
    ConfigError
        If `k_map` is stated and no population table was given.
    """
    labels, n_classes = _labels([table], parameters["classes_over"])
    sizes = np.bincount(labels, minlength=n_classes).astype(np.int64)
    people = None
    if "k_map" in parameters:
        people = _people_by_class(table, parameters, population, labels)
    out = np.zeros(n_classes, dtype=bool)
    for protection in protections_of(table, parameters, people):
        out |= protection.failing(sizes, labels)
    return np.asarray(out[labels])


def _people_by_class(
    table: pa.Table, parameters: Mapping[str, Any], population: pa.Table | None, labels: Labels
) -> Labels:
    """Return the people of the population in each class, at the first record of the class; 0 at the others."""
    if population is None:
        raise needs_population()
    joint, n = _labels([table, population], parameters["classes_over"])
    others, subject = joint[table.num_rows :], str(parameters.get("people"))
    people = np.bincount(others, minlength=n).astype(np.int64)
    if "people" in parameters and subject in population.column_names:
        codes, words = encode_column(population[subject])
        ones = np.ones(len(codes), dtype=np.int64)
        people = number_people(codes, len(words), ones, column=subject).per_class(others, n)
    _, first = np.unique(labels, return_index=True)
    made = np.zeros(table.num_rows, dtype=np.int64)
    made[first] = people[joint[: table.num_rows][first]]
    return made


def needs_population() -> ConfigError:
    """Return the error for a plan that states `k_map`, given without a population table."""
    return ConfigError(
        "The plan limits the people of the population in each class (k_map), and no population table was given.",
        hint="name the table with --population, or remove k_map from the plan",
    )


def _labels(tables: Sequence[pa.Table], names: Sequence[str]) -> tuple[Labels, int]:
    """Return the class of each record of all `tables`, one table after the other."""
    codes = [encode_values(one_column([table[name] for table in tables]))[0] for name in names]
    return dense_labels(codes, length=sum(table.num_rows for table in tables))


def keep_records(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records for which the condition holds, in the order of the table."""
    out = pc.invert(holds(parse(parameters["where"]), table))
    return without(table, out, "keep_records", context)


def sample_records(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return a simple random sample without replacement, in the order of the table."""
    n = round(float(parameters["share"]) * table.num_rows)
    return table.take(np.sort(context.random.choice(table.num_rows, size=n, replace=False)))


def suppress_incomplete(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records with a value in every cell of the columns."""
    out = np.zeros(table.num_rows, dtype=bool)
    for name in parameters.get("missing_in") or table.column_names:
        cells = table[name]
        if cells.null_count:
            out |= pc.is_null(cells).to_numpy()
            missing = Count(cells.null_count, of=table.num_rows, unit="record")
            context.facts.append(fact("remedies.missing_cells", column=Columns((name,)), records=missing))
    return without(table, pa.array(out), "suppress_incomplete", context)


def without(table: pa.Table, out: pa.Array, technique: str, context: Context) -> pa.Table:
    """Return `table` without the records marked in `out`, a boolean array; the number of records is noted.

    Method: where the table is for the public, records drawn at random from the others are removed too until at least 11
    are: the difference between the rows of the source and of the table would state how few the condition chose.
    Limits: missing cells are seldom missing at random: the records that are left may describe other people than the
    table. A record whose cell is not of the type that a condition compares is removed by ``keep_records``. A person in
    a sample is as recognisable as before; only that a person is in the table becomes uncertain.
    """
    chosen = np.array(out, dtype=bool)
    n = int(chosen.sum())
    missing = context.least_suppressed - n
    if n and missing > 0:
        others = np.flatnonzero(~chosen)
        chosen[context.random.choice(others, min(missing, len(others)), replace=False)] = True
        context.notes.append({"technique": technique, "added": int(chosen.sum()) - n})
    records = Count(n, of=table.num_rows, unit="record")
    context.facts.append(fact("remedies.records_removed", records=records, technique=Name(technique)))
    return table.filter(pa.array(~chosen))
