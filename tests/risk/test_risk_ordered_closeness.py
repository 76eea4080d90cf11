"""Ordered t-closeness depends on what the values mean, never on how they are written."""

import dataclasses
import datetime
from collections import Counter, defaultdict
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model import ColumnReport
from privaudit.risk.assessment.table import assess
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile


def assessed(group, cells, **others):
    table = pa.table(
        {name: pa.array(column, pa.string()) for name, column in {"g": group, "x": cells, **others}.items()}
    )
    with from_arrow(table) as dataset:
        roles = dict.fromkeys(table.column_names, "quasi") | {"x": "sensitive"}
        columns = tuple(
            ColumnReport(
                **{f.name: getattr(p, f.name) for f in dataclasses.fields(p)}, role=roles[p.name], role_because=()
            )
            for p in profile(dataset)
        )
        return assess(dataset, columns, Settings(), thresholds=(2,))


def closeness(group, cells):
    return assessed(group, cells).risk.diversity["x"]


def emd(group, values):
    """Earth mover's distance over ranks in exact fractions, mass moved one rank at a time; missing values excluded."""
    present = [(g, v) for g, v in zip(group, values, strict=True) if v is not None]
    ranks = {v: i for i, v in enumerate(sorted({v for _, v in present}))}
    if len(ranks) == 1:
        return 0.0
    whole, classes = Counter(), defaultdict(Counter)
    for g, v in present:
        whole[ranks[v]] += 1
        classes[g][ranks[v]] += 1
    worst = Fraction(0)
    for counts in classes.values():
        carried, cost = Fraction(0), Fraction(0)
        for i in range(len(ranks)):
            carried += Fraction(counts[i], counts.total()) - Fraction(whole[i], whole.total())
            cost += abs(carried)
        worst = max(worst, cost / (len(ranks) - 1))
    return float(worst)


def grouped(x, separator, decimal="."):
    return f"{x:,}".replace(",", "\0").replace(".", decimal).replace("\0", separator)


amounts = st.lists(st.tuples(st.sampled_from("abc"), st.decimals(1, 3_000_000, places=2)), min_size=4, max_size=30)
NOTATIONS = {
    "plain": str,
    "thousands": lambda x: grouped(x, ","),
    "decimal comma": lambda x: str(x).replace(".", ","),
    "points and decimal comma": lambda x: grouped(x, ".", ","),
    "dollars": lambda x: f"${grouped(x, ',')}",
    "euros": lambda x: f"{grouped(x, '.', ',')} €",
    "percent": lambda x: f"{x}%",
    "exponent": lambda x: f"{x:E}",
    "very small": lambda x: f"{x}e-300",
    "very large": lambda x: f"{x}e+290",
}


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("marker", [None, "N/A"])
@given(rows=amounts)
@settings(max_examples=25, deadline=None)
def test_t_of_amounts_is_that_of_the_oracle_in_every_notation(notation, marker, rows):
    group, values = [g for g, _ in rows], [x for _, x in rows]
    cells = [NOTATIONS[notation](x) for x in values]
    if marker:
        group, values, cells = [*group, "a"], [*values, None], [*cells, marker]
    assert closeness(group, cells).t_closeness.ordered == pytest.approx(emd(group, values), abs=1e-12)


DATES = {
    "iso": "%Y-%m-%d",
    "dd/mm/yyyy": "%d/%m/%Y",
    "mm/dd/yyyy": "%m/%d/%Y",
    "dd.mm.yyyy": "%d.%m.%Y",
    "words": "%d %b %Y",
    "minutes": "%d/%m/%Y %H:%M",
}


@pytest.mark.parametrize("way", DATES)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from("abc"), st.datetimes(datetime.datetime(1930, 1, 1), datetime.datetime(2025, 1, 1))),
        min_size=4,
        max_size=30,
    )
)
@settings(max_examples=25, deadline=None)
def test_t_of_dates_is_that_of_the_oracle_in_every_notation(way, rows):
    group = [*(g for g, _ in rows), "a"]
    moments = [*(m for _, m in rows), datetime.datetime(2001, 12, 31, 13, 47)]  # decides day and month
    cells = [m.strftime(DATES[way]) for m in moments]
    expected = emd(group, [datetime.datetime.strptime(cell, DATES[way]) for cell in cells])
    assert closeness(group, cells).t_closeness.ordered == pytest.approx(expected, abs=1e-12)


@given(rows=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 1439)), min_size=4, max_size=30))
@settings(max_examples=25, deadline=None)
def test_t_of_times_is_that_of_the_oracle(rows):
    group = [g for g, _ in rows]
    cells = [f"{m // 60}:{m % 60:02}" for _, m in rows]
    assert closeness(group, cells).t_closeness.ordered == pytest.approx(emd(group, [m for _, m in rows]), abs=1e-12)


def skewed(n=400):
    """A table in which class a has the low incomes; as text, 1,000 sorts before 250."""
    values = [50 * i for i in range(1, n + 1)]
    return ["a" if x <= 10_000 else "b" for x in values], values


@pytest.mark.parametrize("cells", [str, lambda x: f"{x:,}", lambda x: f"${x:,}.00", lambda x: f"{x / 1e9:g}"])
def test_one_marker_does_not_change_the_order(cells):
    group, values = skewed()
    texts = [cells(x) for x in values]
    expected = emd(group, values)
    assert closeness(group, texts).t_closeness.ordered == pytest.approx(expected, abs=1e-12)
    for marker in ("N/A", "*", "suppressed"):
        found = closeness([*group, "b"], [*texts, marker])
        assert found.t_closeness.ordered == pytest.approx(expected, abs=1e-12)
        assert found.n_ordered == len(values)


def test_without_a_certain_order_the_equal_distance_decides_and_a_limit_states_why():
    group, cells = ["a", "a", "b", "b"], ["03/04/2020", "02/05/2020", "03/04/2020", "04/03/2020"]
    found = assessed(group, cells)
    distances = found.risk.diversity["x"].t_closeness
    assert distances.ordered is None
    assert distances.applicable == distances.equal
    (stated,) = [item for item in found.limits if item.code == "risk.t_closeness_unordered"]
    assert stated.values["reason"].code == "risk.unordered_ambiguous"


@given(rows=amounts)
@settings(max_examples=25, deadline=None)
def test_the_ordered_distance_is_never_above_the_equal_distance(rows):
    distances = closeness([g for g, _ in rows], [str(x) for _, x in rows]).t_closeness
    assert distances.ordered <= distances.equal + 1e-12


@pytest.mark.parametrize("has_marked_quasi_identifier", [False, True])
def test_markers_in_a_sensitive_column_are_missing_whether_or_not_a_quasi_identifier_has_any(
    has_marked_quasi_identifier,
):
    group = ["a", "a", "b", "b"]
    if has_marked_quasi_identifier:
        group = ["*", "*", "b", "b"]
    found = assessed(group, ["flu", "*", "N/A", None], other=["c"] * 4)
    diversity = found.risk.diversity["x"]
    assert (diversity.n_values, diversity.l_distinct, diversity.homogeneous_records) == (2, 1, 2)
    assert any(item.code == "risk.suppressed_cells" for item in found.limits)
