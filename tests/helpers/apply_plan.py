"""Apply a plan to a table by the words of its report: techniques and parameters alone, with pandas.

Nothing here reads a lookup of privaudit: the words of the report must suffice.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import tomllib
import uuid
from collections.abc import Mapping
from typing import Any

import pandas as pd

from tests.helpers.paths import ROOT

KEY = b"a key for tests only, 32 bytes.."


def apply_plan(table: pd.DataFrame, plan: Mapping[str, Any]) -> pd.DataFrame:
    """Return the table after the steps of a plan and the suppression of classes.

    Parameters
    ----------
    table : DataFrame of texts, missing cells as None
    plan : mapping
        The remedy "plan" of report.json: its `parameters` are read.
    """
    parameters = plan["parameters"]
    made = table.copy()
    for step in parameters["steps"]:
        column, technique = step["column"], step["technique"]
        if technique == "drop":
            made = made.drop(columns=column)
            continue
        do = TECHNIQUES[technique]
        counts = table[column].value_counts()
        settings = {**step["parameters"], "counts": counts}
        written = {cell: do(cell, settings) for cell in counts.index}
        made[column] = [None if cell is None else written[cell] for cell in made[column]]
    renamed = {s["column"]: s["parameters"]["renamed"] for s in parameters["steps"] if "renamed" in s["parameters"]}
    return suppress(made, parameters).rename(columns=renamed)


def suppress(table: pd.DataFrame, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Return the table without the classes that the plan suppresses."""
    names = [n for n in parameters.get("classes_over", ()) if n in table.columns]
    if "suppress_below" not in parameters or not names:
        return table
    keys = table[names].fillna("\0").agg("\1".join, axis=1) if len(names) > 1 else table[names[0]].fillna("\0")
    while True:
        out = _failing(table, keys, parameters)
        if not out:
            return table.reset_index(drop=True)
        kept = ~keys.isin(out)
        table, keys = table[kept], keys[kept]


def _failing(table: pd.DataFrame, keys: pd.Series, parameters: Mapping[str, Any]) -> set[str]:
    """Return the keys of the classes that fail."""
    who = parameters.get("count_people_by")
    sizes = keys.value_counts() if who is None else table[who].groupby(keys).nunique()
    out = set(sizes[sizes < parameters["suppress_below"]].index)
    for column, least in parameters.get("suppress_below_distinct", {}).items():
        values = table[column].fillna("\0")
        distinct = values.groupby(keys).nunique()
        out |= set(distinct[distinct < min(least, values.nunique())].index)
    for column, most in parameters.get("suppress_above_distance", {}).items():
        values = table[column].fillna("\0")[~keys.isin(out)]
        whole = values.value_counts(normalize=True)
        for key, cells in values.groupby(keys[~keys.isin(out)]):
            share = cells.value_counts(normalize=True)
            if (share - whole[share.index]).clip(lower=0).sum() > most + 1e-9:
                out.add(key)
    return out


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _plain(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(round(number, 9))


def _band(cell: str, settings: Mapping[str, Any]) -> str:
    number, width = _number(cell), settings["width"]
    if number is None:
        return cell
    if "under" in settings and number < settings["under"]:
        return f"under {_plain(settings['under'])}"
    if "over" in settings and number >= settings["over"]:
        return f"{_plain(settings['over'])}+"
    low = math.floor(number / width + 1e-9) * width
    numbers = [number for number in map(_number, settings["counts"].index) if number is not None]
    if all(float(number).is_integer() for number in (width, *numbers)):
        return f"{_plain(low)}-{_plain(low + width - 1)}" if width > 1 else _plain(low)
    return f"[{_plain(round(low, 9))}, {_plain(round(low + width, 9))})"


def _top(cell: str, settings: Mapping[str, Any]) -> str:
    number = _number(cell)
    return cell if number is None or number < settings["at"] else f"{_plain(settings['at'])}+"


def _bottom(cell: str, settings: Mapping[str, Any]) -> str:
    number = _number(cell)
    return cell if number is None or number > settings["at"] else f"up to {_plain(settings['at'])}"


def _date(cell: str, settings: Mapping[str, Any]) -> str:
    day = pd.to_datetime(cell, errors="coerce", format="mixed")
    if day is pd.NaT:
        return "other"
    return {
        "month": f"{day.year:04d}-{day.month:02d}",
        "quarter": f"{day.year:04d}-Q{day.quarter}",
        "year": f"{day.year:04d}",
        "decade": f"{day.year // 10 * 10:04d}s",
    }[settings["precision"]]


def _level(cell: str, settings: Mapping[str, Any]) -> str:
    known = settings.get("hierarchy", {})
    names = known.get(cell)
    if "public" in settings:
        names = _public(settings["public"]).get(" ".join(cell.casefold().split()), ["*"])
    if names is None:  # a value that the hierarchy does not contain becomes its root
        last = {levels[-1] for levels in known.values()}
        return last.pop() if len(last) == 1 else "*"
    return names[min(settings["level"], len(names)) - 1]


def _public(name: str) -> dict[str, list[str]]:
    content = tomllib.loads((ROOT / "rules" / "hierarchies" / f"{name}.toml").read_text(encoding="utf-8"))
    return {
        " ".join(member.casefold().split()): group["names"]
        for group in content["group"]
        for member in group["members"].replace("\n", " ").split(";")
    }


def _rare(cell: str, settings: Mapping[str, Any]) -> str:
    return cell if settings["counts"][cell] >= settings["below"] else "other"


def _grouped(cell: str, settings: dict[str, Any]) -> str:
    if "groups" not in settings:
        settings["groups"] = _groups(list(settings["counts"].items()), settings["below"], settings.get("rare"))
    return settings["groups"][cell]


def _groups(counts: list[tuple[str, int]], below: int, rare: int | None) -> dict[str, str]:
    """Return the group of each value: a list of lists is merged until every list has `below` records."""
    held = {value: n for value, n in counts if n >= (rare or below) and value != "other"}
    names = sorted(held)
    starts = [re.match(r"([^0-9A-Za-z]*)([0-9][0-9,]*(?:\.[0-9]+)?)", name) for name in names]
    is_ordered = bool(names) and all(starts)
    if is_ordered:
        found = dict(zip(names, starts, strict=True))
        size = {name: (float(m[2].replace(",", "")), "<" not in m[1], ">" in m[1]) for name, m in found.items()}
        names = sorted(names, key=lambda name: (size[name], name))
    others = sum(n for value, n in counts if value not in held)
    groups = [[name] for name in names] + ([["other"]] if others else [])
    held["other"] = others

    def records(group: list[str]) -> int:
        return sum(held[name] for name in group)

    def place(group: list[str]) -> list[tuple[bool, str]]:
        return [(name == "other", name) for name in group]

    while len(groups) > 1 and min(map(records, groups)) < below:
        i = min(range(len(groups)), key=lambda i: (records(groups[i]), [] if is_ordered else place(groups[i])))
        near = [i - 1, i + 1] if is_ordered else [j for j in range(len(groups)) if j != i]
        near = [j for j in near if 0 <= j < len(groups)]
        j = min(near, key=lambda j: (records(groups[j]), [] if is_ordered else place(groups[j])))
        a, b = min(i, j), max(i, j)
        merged = groups[a] + groups[b]
        groups[a] = merged if is_ordered else [name for _, name in sorted(place(merged))]
        del groups[b]
    texts = {}
    for group in groups:
        members = [name for name in group if name != "other"]
        named = set(sorted(members, key=lambda name: (-held[name], names.index(name)))[:8])
        parts = [name for name in members if name in named]
        parts += [f"{len(members) - 8} more"] * (len(members) > 8) + ["other"] * ("other" in group)
        texts |= dict.fromkeys(group, " | ".join(parts))
    return {value: texts[value if value in names else "other"] for value, _ in counts}


def _pseudonym(cell: str, settings: Mapping[str, Any]) -> str:
    digest = hmac.new(KEY, cell.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


TECHNIQUES = {
    "band": _band,
    "prefix": lambda cell, settings: cell[: settings["characters_kept"]],
    "top_code": _top,
    "bottom_code": _bottom,
    "round_date": _date,
    "hierarchy_level": _level,
    "merge_rare": _rare,
    "group_values": _grouped,
    "pseudonymise": _pseudonym,
    "mask": lambda cell, settings: "*" * len(cell),
}
