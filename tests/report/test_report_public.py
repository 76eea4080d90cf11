"""Counts below 11 do not follow from the public edition: shown by exchange of hidden numbers, and by solving."""

from __future__ import annotations

import dataclasses
import io
import json
import random
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

import privaudit
from privaudit import report
from privaudit.advice.technique.removed_records import _hidden_total
from privaudit.base import resources
from privaudit.model import ClassSizeTable, Report
from privaudit.model.stats import Estimate, exact
from privaudit.model.wording import Columns, Count, Fact, Number, Share, Threshold, Wording, fact
from privaudit.model.wording.rounding import rounded
from privaudit.report import formats
from privaudit.report.public import KEPT, REVEALING_LIMITS, ROUNDED, SHOWN, publish
from privaudit.report.sections import risk as section

HIDDEN = range(1, 11)


def editions(made: Report) -> dict[str, str]:
    """Return all that the public edition shows: every format that has one, and the terminal."""
    stream = io.StringIO()
    report.show(made, stream, width=160, edition="public")
    public = [entry.name for entry in formats.REGISTRY.values() if "public" in entry.editions]
    texts = {format: report.render(made, format, edition="public") for format in public}
    return texts | {"terminal": stream.getvalue()}


# Exchange: a report with other numbers in the same ranges reads the same.


class Exchanged:
    """Replaces every number that is not published by another one, and every published one by another of its range."""

    def __init__(self, made: Report, seed: int) -> None:
        self.made, self.n = made, made.dataset.n_rows
        self.random = random.Random(seed)

    def report(self) -> Report:
        changed: Report = self.record(self.made)
        k = self.made.policy.k
        risk = changed.risk
        if risk is not None and self.made.risk is not None and self.made.risk.k_min < k:
            below = self.made.risk.n_below_k(max(k, 15))
            n_below = {str(k): self.within(below or 0)}
            risk = dataclasses.replace(risk, n_below=n_below, k_min=min(risk.k_min, k - 1) or 1)
        pairs = zip(changed.combinations, self.made.combinations, strict=True)
        combinations = tuple(self.combination(new, old, max(k, 15)) for new, old in pairs)
        return dataclasses.replace(changed, risk=risk, combinations=combinations)

    def combination(self, new: Any, old: Any, k: int) -> Any:
        below = self.within(old.n_below_k(k) or 0)
        unique = self.random.randint(0, below)
        k_min = 1 if unique else self.random.randint(2, k - 1)
        if old.k_min >= k:
            k_min, unique, below = old.k_min, 0, 0
        return dataclasses.replace(new, n_below={str(k): below}, k_min=k_min, n_unique=unique)

    def within(self, n: int, total: int | None = None) -> int:
        found = rounded(n, self.n if total is None else total)
        if found is None:
            return n
        return self.random.randint(found.low, found.low + 12 if found.high is None else found.high)

    def record(self, item: Any) -> Any:
        kind = type(item).__name__
        if kind in KEPT or kind in ("DatasetInfo", "Remedy", "CheckOutcome"):
            return item
        changed = {}
        for field in dataclasses.fields(item):
            value, key = getattr(item, field.name), f"{kind}.{field.name}"
            if key in SHOWN or key in ("ColumnReport.n_rows", "Finding.n_total"):
                continue
            if key in ROUNDED and value is not None:
                changed[field.name] = self.within(value, item.n_total if kind == "Finding" else None)
            else:
                changed[field.name] = self.part(value)
        return dataclasses.replace(item, **changed)

    def part(self, value: Any) -> Any:
        if value is None or isinstance(value, str | bool):
            return value
        if isinstance(value, int):
            return self.random.randint(1, 10**6)
        if isinstance(value, float):
            return self.random.random()
        if isinstance(value, Estimate):
            return exact(self.random.random(), value.n)
        if isinstance(value, ClassSizeTable):
            return ClassSizeTable(size=(self.random.randint(1, 9),), count=(self.random.randint(1, 99),))
        if isinstance(value, Mapping):
            return {key: self.part(item) for key, item in value.items()}
        if isinstance(value, tuple):
            return tuple(self.part(item) for item in value)
        if isinstance(value, Fact):
            return Fact(code=value.code, values={key: self.value(one) for key, one in value.values.items()})
        if hasattr(value, "code") and hasattr(value, "values"):
            values = {key: self.value(one) for key, one in value.values.items()}
            return dataclasses.replace(value, values=values)
        return self.record(value)

    def value(self, value: Any) -> Any:
        if isinstance(value, Count) and value.of is None:
            return dataclasses.replace(value, n=self.within(value.n))
        if isinstance(value, Count):
            return dataclasses.replace(value, n=self.within(value.n, value.of))
        if isinstance(value, Number):
            return Number(value=self.random.randint(1, 999))
        if isinstance(value, Share) and value.of:
            return Share(value=self.within(round(value.value * value.of), value.of) / value.of, of=value.of)
        return self.part(value) if isinstance(value, Fact) else value


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(5))
def test_other_numbers_in_the_same_ranges_give_the_same_bytes(sample: ModuleType, seed: int) -> None:
    made = sample.example()
    other = Exchanged(made, seed).report()
    assert other != made and other.risk != made.risk
    shown, again = editions(made), editions(other)
    for format, text in shown.items():
        different = [(a, b) for a, b in zip(text.splitlines(), again[format].splitlines(), strict=False) if a != b]
        assert text == again[format], different[:3]


# Solving: what an attacker computes from a table's public edition.


def test_cells_that_contain_personal_data_are_counted_in_ranges_only() -> None:
    """The solver has no constraint for them: with other numbers in the same ranges every format reads the same."""
    notes = [f"write to p{i}@example.org today" if i < 4 else f"seen on floor {i % 9} again" for i in range(60)]
    made = privaudit.scan(pd.DataFrame({"note": notes, "sex": ["F", "M"] * 30}), ner=False).wire
    (contained,) = (one for one in made.columns[0].contains if one.entity == "EMAIL")
    assert contained.n_cells == 4
    texts = editions(made)
    for seed in range(3):
        changed = Exchanged(made, seed).report()
        assert changed.columns[0].contains != made.columns[0].contains
        assert editions(changed) == texts


def table(rng: np.random.Generator) -> pd.DataFrame:
    """Return a small table of people whose columns have a few common and some rare values."""
    n = int(rng.integers(40, 400))
    columns = {}
    for i in range(int(rng.integers(2, 4))):
        weights = rng.dirichlet(np.full(int(rng.integers(2, 14)), 0.6))
        columns[f"q{i}"] = [f"v{j:02}" for j in rng.choice(len(weights), n, p=weights)]
    columns["diagnosis"] = [f"d{j}" for j in rng.choice(5, n, p=[0.5, 0.3, 0.15, 0.04, 0.01])]
    return pd.DataFrame(columns)


def scanned(frame: pd.DataFrame, policy: str) -> Report:
    names = [name for name in frame if name.startswith("q")]
    return privaudit.scan(frame, policy=policy, quasi=names, sensitive=["diagnosis"], ner=False).wire


Range = tuple[int, int]


def reading(text: str, total: int) -> Range:
    """Return the counts out of `total` that a shown count can stand for, by the rounding that the report states."""
    if found := re.fullmatch(r"about ([\d,]+)", text):
        around = int(found[1].replace(",", ""))
        members = [n for n in range(total + 1) if (cell := rounded(n, total)) and cell.representative == around]
        return min(members), max(members)
    if text == "<11":
        return 0, 10
    if found := re.fullmatch(r">([\d,]+)", text):
        return int(found[1].replace(",", "")) + 1, total
    if text in ("–", "(not shown)"):
        return 0, total
    return int(text.replace(",", "")), int(text.replace(",", ""))


class Release:
    """What an attacker has besides the public report of the source: the remedied table and its certificate.

    Columns that no step of the certificate recodes have the same classes in both tables, but for the records that are
    missing: classes of at least k records are in the table, and the others are among the records that are missing.
    """

    def __init__(self, frame: pd.DataFrame, made: Any, folder: Path) -> None:
        table = pd.read_csv(folder / "safer.csv", dtype=str, keep_default_na=False)
        certificate = json.loads((folder / "safer.privaudit.json").read_text())
        steps = [step for step in certificate["plan"]["steps"] if step["technique"] != "suppress_records"]
        recoded = {column for step in steps for column in step["columns"]}
        self.table, self.n_missing = table, len(frame) - len(table)
        self.unchanged = [name for name in table if name not in recoded]
        self.k, self.quasi = made.after.policy.k, certificate["scan"]["quasi_identifiers"]

    def classes(self, names: tuple[str, ...]) -> dict[str, Range]:
        if not set(names) <= set(self.unchanged) & set(self.quasi) or self.k != 15:
            return {}
        n_large = len(self.table[list(names)].drop_duplicates())
        padded = (n for n in range(self.n_missing + 1) if _hidden_total(n, self.k, 11) == self.n_missing)
        least = next(padded, 0) if set(names) == set(self.quasi) else 0
        return {"suppressed": (least, self.n_missing), "large": (n_large, n_large)}


class Solver:
    """Class sizes of one set of columns as unknowns: how many classes have each size below k, and the others.

    The classes of at least k records are two unknowns, their number and their records, because nothing that is shown
    or sought depends on more: b classes can hold t records if b k <= t <= b n.
    """

    def __init__(self, n: int, k: int) -> None:
        self.n, self.sizes = n, np.arange(1, k)
        self.records = np.append(self.sizes, (0, 1)).astype(float)
        self.classes = np.append(np.ones(k - 1), (1, 0))
        self.rows, self.low, self.high = [self.records], [float(n)], [float(n)]
        self._require(np.append(np.zeros(k - 1), (-k, 1)), 0, np.inf)
        self._require(np.append(np.zeros(k - 1), (-n, 1)), -np.inf, 0)

    def below(self, size: int, weights: np.ndarray) -> np.ndarray:
        """Return the row that sums the weights of the classes below a size, which is at most k."""
        return np.append(np.where(self.sizes < size, weights, 0), (0, 0)).astype(float)

    def bound(self, row: np.ndarray, found: Range) -> None:
        self._require(row, *found)

    def range_of(self, row: np.ndarray) -> Range:
        """Return the least and largest value of `row` over all solutions."""
        ends = []
        for sign in (1, -1):
            found = self._solved(sign * row, np.zeros(len(row)), np.full(len(row), self.n))
            assert found.success, "what is shown contradicts itself"
            ends.append(round(float(sign * found.fun)))
        return ends[0], ends[1]

    def can_have_smallest(self, size: int) -> bool:
        least, most = np.zeros(len(self.records)), np.full(len(self.records), self.n)
        least[size - 1], most[: size - 1] = 1, 0
        return bool(self._solved(np.zeros(len(least)), least, most).success)

    def _require(self, row: np.ndarray, low: float, high: float) -> None:
        self.rows.append(row.astype(float))
        self.low.append(low)
        self.high.append(high)

    def _solved(self, aim: np.ndarray, least: np.ndarray, most: np.ndarray) -> OptimizeResult:
        return milp(
            aim,
            integrality=np.ones(len(aim)),
            bounds=Bounds(least, most),
            constraints=LinearConstraint(np.array(self.rows), self.low, self.high),
        )


def class_sizes(frame: pd.DataFrame, names: tuple[str, ...]) -> list[int]:
    return list(Counter(map(tuple, frame[list(names)].to_numpy().tolist())).values())


def found_out(frame: pd.DataFrame, made: Report, files: Release | None = None) -> list[str]:
    """Return the hidden counts that follow from the public edition more closely than to within 10.

    With `files`, those that follow from it together with what is published of the remedied table.
    """
    n, page = len(frame), report.render(made, "md", edition="public")
    k = max(15, made.policy.k)
    shown: dict[tuple[str, ...], dict[str, Range]] = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 4 and (names := tuple(cells[0].replace("\\", "").split(", ")))[0] in frame:
            below = re.match(r"(.+?) \(", cells[1])
            if below and set(names) <= set(frame):
                text = below[1].replace("\\", "").replace("&lt;", "<").replace("&gt;", ">")
                shown.setdefault(names, {})["below"] = reading(text, n)
        if len(cells) == 5 and cells[0] in frame and cells[1] in ("quasi", "sensitive", "none"):
            text = cells[3].replace("\\", "").replace("&lt;", "<")
            if text not in ("–", "(not shown)"):
                shown.setdefault((cells[0],), {})["distinct"] = reading(text, n)
    # Of columns of which only the number of records is shown, classes of any size are possible: nothing to solve.
    if files is not None:
        for names, known in shown.items():
            known.update(files.classes(names))
    _propagate(shown)
    return [text for names, known in shown.items() for text in _solved(frame, names, known, n, k)]


def _propagate(shown: dict[tuple[str, ...], dict[str, Range]]) -> None:
    """Tighten the ranges of sets of columns by each other: a further column never leaves fewer records below k."""
    for few, known in shown.items():
        for more, other in shown.items():
            if set(few) < set(more) and "below" in known and "below" in other:
                known["below"] = known["below"][0], min(known["below"][1], other["below"][1])
                other["below"] = max(known["below"][0], other["below"][0]), other["below"][1]


def _solved(frame: pd.DataFrame, names: tuple[str, ...], known: dict[str, Range], n: int, k: int) -> list[str]:
    solver, sizes = Solver(n, k), class_sizes(frame, names)
    if "below" in known:
        solver.bound(solver.below(k, solver.sizes), known["below"])
    if "distinct" in known:
        solver.bound(solver.classes, known["distinct"])
    if "suppressed" in known:
        solver.bound(solver.below(k, solver.sizes), known["suppressed"])
    if "large" in known:
        solver.bound(np.append(np.zeros(k - 1), (1, 0)), known["large"])
    failures = []
    targets = {
        "unique": (solver.below(2, np.ones(k - 1)), sizes.count(1)),
        "below 5": (solver.below(5, solver.sizes), sum(s for s in sizes if s < 5)),
        f"below {k}": (solver.below(k, solver.sizes), sum(s for s in sizes if s < k)),
    }
    for title, (row, true) in targets.items():
        low, high = solver.range_of(row)
        assert low <= true <= high, (names, title, true, low, high)
        if true in HIDDEN and high - low < 10 and "below" in known:
            failures.append(f"{names}: {title} is {true}, found {low} to {high}")
    if min(sizes) in HIDDEN:
        possible = [size for size in HIDDEN if solver.can_have_smallest(size)]
        assert min(sizes) in possible
        if possible != list(HIDDEN):
            failures.append(f"{names}: smallest class is {min(sizes)}, found {possible}")
    return failures


@cache
def _scan(seed: int, policy: str) -> tuple[pd.DataFrame, Report]:
    frame = table(np.random.default_rng(seed))
    return frame, scanned(frame, policy)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(6))
def test_a_solver_finds_no_hidden_count(seed: int) -> None:
    frame, made = _scan(seed, "public")
    assert found_out(frame, made) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_a_solver_finds_no_hidden_count_under_the_lower_limits(seed: int) -> None:
    frame, made = _scan(1_000 + seed, "public-low")
    assert found_out(frame, made) == []


def released(seed: int, folder: Path) -> list[str]:
    """Return what follows from the public reports of both tables, the remedied table and its certificate."""
    frame, before = _scan(seed, "public")
    frame.to_csv(folder / "t.csv", index=False)
    names = [name for name in frame if name.startswith("q")]
    made = privaudit.remedy(
        folder / "t.csv", output=folder / "safer.csv", edition="public",
        policy="public", quasi=names, sensitive=["diagnosis"], ner=False, framework=(), budget="3s",
    )  # fmt: skip
    files = Release(frame, made, folder)
    assert files.n_missing == 0 or files.n_missing >= 11
    assert files.n_missing or not any(step.technique == "suppress_records" for step in made.plan.steps)
    made.write(folder / "comparison.md", edition="public")
    assert not (folder / "comparison.before.md").exists()
    after = found_out(made.arrow.to_pandas(), made.after.wire)
    return found_out(frame, before, files) + after


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_a_solver_with_all_files_finds_no_hidden_count_in_200_tables(seed: int, tmp_path: Path) -> None:
    assert released(3_000 + seed, tmp_path) == []


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_the_public_edition_is_accounted_for(seed: int) -> None:
    _frame, made = _scan(seed, "public")
    allowed = _constants(made) | _published(made)
    for format, text in editions(made).items():
        body = re.sub(r"(?s)<style>.*?</style>|<svg.*?</svg>|<[^>]*>|finding-\w+|&#?\w+;|\"ruleIndex\": \d+", " ", text)
        numbers = set(re.findall(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])", body))
        unknown = {number.rstrip(",.") for number in numbers} - allowed
        assert not unknown, (format, sorted(unknown))


_TEXTS = (("reference", "measures.toml"), ("wording", "report.toml"), ("wording", "limits", "risk.toml"))


def _constants(made: Report) -> set[str]:
    """Return the numbers of the public edition of the same report without any measured part."""
    bare = dataclasses.replace(
        made, columns=(), combinations=(), risk=None, findings=(), advice=(), attacks=(), potential=None
    )
    texts = " ".join([*editions(bare).values(), *(check.title for check in made.checks)])
    packs = " ".join(str(value) for value in [made.policy, *(check.message for check in made.checks)])
    found = set(re.findall(r"\d[\d,]*(?:\.\d+)?", re.sub(r"<[^>]*>", " ", f"{texts} {packs}")))
    rows = made.dataset.n_rows
    # Ordinals of steps and remedies, sizes of sets of columns and thresholds.
    small = {str(n) for n in range(max(13, len(made.advice) + 1))}
    texts = (resources.path("rules", *parts).read_text(encoding="utf-8") for parts in _TEXTS)
    written = set(re.findall(r"\d+(?:\.\d+)?", " ".join(texts)))
    return {number.rstrip(",.") for number in found} | small | written | {f"{rows:,}", f"{rows - 11:,}"}


def _published(made: Report) -> set[str]:
    """Return the numbers that ranges of counts can read as: representatives, their shares, distinct values."""
    rows = made.dataset.n_rows
    from privaudit.model.wording.numbers import percent

    around = {cell.representative for n in range(rows + 1) if (cell := rounded(n, rows))}
    shares = {percent(value / rows) for value in around} | {percent(11 / rows), percent(1 - 11 / rows)}
    parameters = re.findall(r"\d+", " ".join(str(remedy.parameters) for remedy in publish(made).advice))
    return (
        {f"{value:,}" for value in around}
        | {re.sub(r"[^\d.]", "", share) for share in shares}
        | {f"{int(number):,}" for number in parameters}
    )


def test_limits_that_state_a_small_class_are_withheld() -> None:
    rows = [(f"p{i}", "ab"[i % 2], "common" if i else "rare") for i in range(60)]
    frame = pd.DataFrame(rows, columns=["q", "r", "diagnosis"])
    made = privaudit.scan(frame, quasi=["q", "r"], sensitive=["diagnosis"], ner=False).wire
    codes = {found.code for found in made.limits}
    assert codes >= {"risk.unique_columns", "risk.delta_disclosure_unbounded"}
    assert not {found.code for found in publish(made).limits} & REVEALING_LIMITS
    for text in editions(made).values():
        assert "unbounded" not in text and "No two rows share" not in text


def test_measures_that_give_a_rare_value_away_are_not_in_the_public_edition() -> None:
    frame = pd.DataFrame({"q": ["a", "b"] * 251 + ["a"], "diagnosis": ["common"] * 500 + ["rare"] * 3})
    made = privaudit.scan(frame, quasi=["q"], sensitive=["diagnosis"], ner=False).wire
    assert made.risk is not None
    found = made.risk.diversity["diagnosis"]
    assert found.beta_basic is not None
    for text in editions(made).values():
        assert "beta" not in text.lower() and "t-closeness, equal" not in text.lower()
        for number in (found.beta_basic, found.l_entropy, found.alpha):
            assert number is None or f"{number:.3g}" not in text


@pytest.mark.parametrize("share", [0.0, 0.2, 0.99, 1.0])
def test_information_kept_or_lost_by_a_remedy_is_not_in_the_public_edition(sample: ModuleType, share: float) -> None:
    def page(value: float) -> str:
        kept = Share(value=value)
        effect = fact(
            "advice.effect",
            k=Threshold(value=15),
            k_before=Count(n=1, unit="record"),
            k_after=Count(n=17, unit="record"),
            below_before=Count(n=900, of=sample.N, unit="record"),
            below_after=Count(n=0, of=sample.N, unit="record"),
            kept=kept,
        )
        states = Threshold(value=40)
        search = fact("advice.search_bound", measured=states, states=states, loss=kept, bound=kept)
        texts = (fact("advice.drop", column=Columns(names=("a",)), effect=effect), search)
        advice = tuple(sample.remedy("drop", ("a",), {}, text) for text in texts)
        made = sample.small(advice=advice)
        return report.render(made, "html", edition="public") + report.render(made, "md", edition="public")

    assert page(share) == page(0.46)
    assert "information kept: (not shown)" in page(share)


@pytest.mark.parametrize("k", range(1, 11))
def test_the_sentence_on_the_smallest_class_is_the_same_for_every_withheld_size(k: int) -> None:
    wording = Wording(n_rows=1000, edition="public")
    assert section._smallest(k, wording) == section._smallest(2, wording) != section._smallest(11, wording)
