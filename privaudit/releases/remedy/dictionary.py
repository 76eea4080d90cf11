"""The data dictionary of a remedied table: what its groups mean, and how many rows each has.

Question: what does a reader of the released table need to know to use its groups?
Method: for each column that a step changed, the technique and the levels that were written, each with its rows. Groups
of categories list their members. Those of a public hierarchy are listed in full; of the table's own values only those
that at least k people have, and the others are counted. Bands and rounded dates explain themselves: their bounds come
from the plan. The dictionary is a file next to the table and part of the release, as the table is.
Limits: a level is described over one column. Columns that no step changed, and tokens, have no levels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique import technique
from privaudit.advice.technique.hierarchies import public_hierarchy
from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.group_labels import SEPARATOR
from privaudit.base.records import dataclass
from privaudit.model.remedied import AppliedStep, DescribedColumn, DictionaryState
from privaudit.releases.certificates import file_text
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.risk.codes.coded import encode_column

SCHEMA = "privaudit dictionary 1"
LISTED = frozenset({"group_values", "merge_rare", "hierarchy_level", "recode_locally", "mondrian"})
"""The techniques whose levels are groups of values."""
EXPLAINED = frozenset({"band", "cut", "threshold", "round_date", "prefix", "top_code", "bottom_code", "round_number"})
"""The techniques whose levels explain themselves."""
_REGIONAL = frozenset({"recode_locally", "mondrian"})
"""The techniques that recode several columns, each by recodings that the step lists."""


def dictionary(
    original: pa.Table, remedied: pa.Table, rows: Ints, plan: Plan, k: int, people: str | None = None
) -> dict[str, Any]:
    """Return the data dictionary of a table.

    Parameters
    ----------
    original, remedied : pyarrow.Table of texts
        With the names of the source.
    rows : int64 array
        The row of `original` that each row of `remedied` was made of.
    plan : Plan
    k : int
        A value of the source is named if at least so many people have it.
    people : str, optional
        The column of the data subject; each record is a person where not given.
    """
    who = None if people is None else encode_column(original[people])[0].astype(np.int64)
    source, columns = _Source(original, rows, who, k), []
    for step in plan.steps:
        for name in step.columns:
            written = step.made[0] if name in original.column_names and step.made and not step.removed else name
            is_described = name in original.column_names and written in remedied.column_names
            if is_described and step.technique not in ("drop", "rename_columns"):
                described = {"column": plan.renamed.get(written, written), "technique": step.technique}
                columns.append({**described, "levels": _levels(source, name, step, remedied[written])})
    return {"schema": SCHEMA, "k": k, "columns": columns}


def _parts(step: Step, name: str) -> list[Mapping[str, Any]]:
    """Return the recodings of a column in a step on several columns."""
    if step.technique not in _REGIONAL:
        return []
    parts = (*step.parameters.get("base", ()), *step.parameters.get("parts", ()))
    return [part[name] for part in parts if name in part]


def described(content: Mapping[str, Any], plan: Plan) -> tuple[DescribedColumn, ...]:
    """Return what a data dictionary describes, without a value of the table.

    Levels are counted. What they mean is taken from the plan and from public hierarchies, never from the table: bounds
    as the plan states them, and all groups of a public hierarchy.
    """
    steps = {
        (plan.renamed.get(each, each), step.technique): (step, name)
        for step in plan.steps
        for name in step.columns
        for each in (name, *step.made[:1])
    }
    return tuple(
        _described(found["column"], len(found["levels"]), *steps[found["column"], found["technique"]])
        for found in content["columns"]
        if found["levels"]
    )


def _described(column: str, n_levels: int, step: Step, name: str) -> DescribedColumn:
    recodings = ({"technique": step.technique, **step.parameters}, *_parts(step, name))
    bounds = tuple(
        AppliedStep(technique=each["technique"], columns=(column,), parameters=_bounds(each))
        for each in recodings
        if each["technique"] in EXPLAINED and _bounds(each)
    )
    public = [each for each in recodings if each["technique"] == "hierarchy_level" and "public" in each]
    known = public_hierarchy(public[0]["public"]) if public else None
    return DescribedColumn(
        column=column,
        technique=step.technique,
        n_levels=n_levels,
        bounds=bounds,
        hierarchy="" if known is None else known.title,
        groups={}
        if known is None
        else {group: tuple(members) for group, members in known.members_at(int(public[0].get("level", 1))).items()},
    )


def _bounds(recoding: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a recoding that state its bounds; those of bands without stated edges follow the table."""
    if recoding["technique"] == "cut" and "edges" not in recoding:
        return {}
    return {key: value for key, value in recoding.items() if key not in ("technique", "write")}


@dataclass(frozen=True, slots=True)
class _Source:
    """The table before the plan, the row of it that each row of the result was made of, and who may be named.

    ``who`` is the person behind each row; None where each record is a person.
    """

    original: pa.Table
    rows: Ints
    who: Ints | None
    k: int

    def may_name(self, codes: Codes, n_values: int) -> Flags:
        """Return which values of a column at least k people have."""
        held = codes if self.who is None else distinct(self.who * (n_values + 1) + codes) % (n_values + 1)
        return np.bincount(held, minlength=n_values + 1)[:n_values] >= self.k


def _levels(source: _Source, name: str, step: Step, after: pa.ChunkedArray) -> list[dict[str, Any]]:
    """Return the levels of a column, in their order of text, each with its rows and its members."""
    keeps_numbers = step.parameters.get("write") == "limit"
    if step.technique not in LISTED | EXPLAINED or technique(step.technique).is_perturbation or keeps_numbers:
        return []
    codes, texts = encode_column(after)
    labels, counts = texts.to_pylist(), np.bincount(codes, minlength=len(texts) + 1).tolist()
    members = _members(source, name, step, codes, labels)
    in_order = sorted((label, level) for level, label in enumerate(labels) if counts[level])
    return [{"level": label, "rows": counts[level], **members(level)} for label, level in in_order]


def _members(
    source: _Source, name: str, step: Step, codes: Codes, labels: Sequence[str]
) -> Callable[[int], Mapping[str, Any]]:
    """Return what states the members of a level: nothing of levels that explain themselves."""
    if "public" in step.parameters:
        known = public_hierarchy(step.parameters["public"])
        groups = known.members_at(int(step.parameters.get("level", 1)))
        return lambda level: {"members": groups.get(labels[level], []), "hierarchy": known.title}
    # A step on several columns may make bands or rounded dates of this one.
    if step.technique not in LISTED or any(part["technique"] in EXPLAINED for part in _parts(step, name)):
        return lambda level: {}
    before, values = encode_column(source.original[name])
    texts, may_name = values.to_pylist(), source.may_name(before, len(values))
    place = {text: i for i, text in enumerate(texts)}
    held: dict[int, set[int]] = {}
    width = len(texts) + 1
    for pair in distinct(codes.astype(np.int64) * width + before[source.rows]).tolist():
        held.setdefault(pair // width, set()).add(pair % width)

    def stated(level: int) -> dict[str, Any]:
        # A merged level also lists values whose rows were all suppressed afterwards; a missing cell is not a value.
        parts = {place[part] for part in labels[level].split(SEPARATOR) if part in place}
        found = sorted((held.get(level, set()) | parts) - {len(texts), place.get(labels[level])})
        named = [texts[value] for value in found if may_name[value]]
        return {"members": named, "other_values": len(found) - len(named)} if found else {}

    return stated


def state_of(content: Mapping[str, Any]) -> DictionaryState:
    """Return what reports and the certificate state of a data dictionary: its digest and its levels, no member."""
    levels: Sequence[Any] = [level for column in content["columns"] for level in column["levels"]]
    digest = hashlib.sha256(file_text(content).encode("utf-8")).hexdigest()
    return DictionaryState(sha256=digest, n_columns=len(content["columns"]), n_levels=len(levels))
