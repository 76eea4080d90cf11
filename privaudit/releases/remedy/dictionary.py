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
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import technique
from privaudit.advice.technique.hierarchies import public_hierarchy
from privaudit.base.arrow import pa
from privaudit.base.group_labels import SEPARATOR
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
    original: pa.Table, remedied: pa.Table, rows: npt.NDArray[np.int64], plan: Plan, k: int, people: str | None = None
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
    columns = []
    for step in plan.steps:
        for name in step.columns:
            written = step.made[0] if name in original.column_names and step.made and not step.removed else name
            is_described = name in original.column_names and written in remedied.column_names
            if is_described and step.technique not in ("drop", "rename_columns"):
                described = {"column": plan.renamed.get(written, written), "technique": step.technique}
                levels = _levels(name, original[name], remedied[written], rows, step, who, k)
                columns.append({**described, "levels": levels})
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


def _levels(
    name: str,
    before: pa.ChunkedArray,
    after: pa.ChunkedArray,
    rows: npt.NDArray[np.int64],
    step: Step,
    who: npt.NDArray[np.int64] | None,
    k: int,
) -> list[dict[str, Any]]:
    """Return the levels of a column, in their order of text, each with its rows and its members."""
    keeps_numbers = step.parameters.get("write") == "limit"
    if step.technique not in LISTED | EXPLAINED or technique(step.technique).is_perturbation or keeps_numbers:
        return []
    old, values = encode_column(before)
    new, labels = encode_column(after)
    counts = np.bincount(new, minlength=len(labels) + 1)
    named = _held_by(old, who, len(values)) >= k
    texts, names = values.to_pylist(), labels.to_pylist()
    public = step.parameters.get("public")
    in_full = {} if public is None else public_hierarchy(public).members_at(int(step.parameters.get("level", 1)))
    # A step on several columns may make bands or rounded dates of this one.
    lists = step.technique in LISTED and not any(part["technique"] in EXPLAINED for part in _parts(step, name))
    pairs = np.unique(new.astype(np.int64) * (len(values) + 1) + old[rows]) if lists else np.zeros(0, dtype=int)
    position = {text: i for i, text in enumerate(texts)} if lists else {}
    members: dict[int, list[int]] = {}
    for level, value in (divmod(pair, len(values) + 1) for pair in pairs.tolist()):
        if value < len(values) and level < len(labels) and texts[value] != names[level]:
            members.setdefault(level, []).append(value)
    made = []
    for level in sorted(range(len(labels)), key=lambda i: str(names[i])):
        if counts[level]:
            # A merged level also lists values whose rows were all suppressed afterwards.
            parts = {position[part] for part in str(names[level]).split(SEPARATOR) if part in position}
            found = sorted({*members.get(level, ()), *parts} - {position.get(names[level], -1)})
            stated = {"level": names[level], "rows": int(counts[level])}
            listed = [texts[value] for value in found if named[value]]
            more: dict[str, Any] = {"members": listed, "other_values": len(found) - len(listed)} if found else {}
            if public is not None:
                more = {"members": in_full.get(str(names[level]), []), "hierarchy": public_hierarchy(public).title}
            made.append({**stated, **more})
    return made


def _held_by(codes: npt.NDArray[np.int32], who: npt.NDArray[np.int64] | None, size: int) -> npt.NDArray[np.int64]:
    """Return the people who have each value; the records where each is a person."""
    if who is None:
        return np.bincount(codes, minlength=size + 1)[:size]
    held = np.unique(who * (size + 1) + codes) % (size + 1)
    return np.bincount(held, minlength=size + 1)[:size]


def state_of(content: Mapping[str, Any]) -> DictionaryState:
    """Return what reports and the certificate state of a data dictionary: its digest and its levels, no member."""
    levels: Sequence[Any] = [level for column in content["columns"] for level in column["levels"]]
    digest = hashlib.sha256(file_text(content).encode("utf-8")).hexdigest()
    return DictionaryState(sha256=digest, n_columns=len(content["columns"]), n_levels=len(levels))
