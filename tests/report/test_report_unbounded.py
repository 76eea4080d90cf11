"""The report shows intervals for population uniques, and writes infinity as a word."""

from __future__ import annotations

from privaudit.model import Diversity, Population, UniquesInterval
from privaudit.model.wording.render import Wording
from privaudit.report.json import plain
from privaudit.report.sections import risk_tables


def rows_of_diversity(**found: float | bool | None) -> dict[str, str]:
    (part,) = risk_tables._diversity(plain({"illness": Diversity(**found)}), Wording(n_rows=1000))
    return {row["id"]: row["cells"][0] for table in part["tables"] for row in table["rows"]}


def test_a_delta_without_bound_is_unbounded_and_its_mark_is_not_a_row() -> None:
    rows = rows_of_diversity(delta_disclosure=None, delta_disclosure_unbounded=True, delta_disclosure_present=2.709486)
    assert rows["diversity.delta_disclosure"] == "unbounded"
    assert rows["diversity.delta_disclosure_present"] == "2.71"
    assert "diversity.delta_disclosure_unbounded" not in rows


def test_a_bounded_delta_is_its_number() -> None:
    rows = rows_of_diversity(delta_disclosure=0.5, delta_disclosure_unbounded=False, delta_disclosure_present=0.5)
    assert rows["diversity.delta_disclosure"] == "0.5"


def test_a_measure_is_explained_once_for_all_sensitive_attributes() -> None:
    found = {f"illness {i}": Diversity(delta_disclosure=0.5, delta_disclosure_present=0.5) for i in range(7)}
    (part,) = risk_tables._diversity(plain(found), Wording(n_rows=1000))
    assert len(part["tables"]) == 3
    rows = [row for table in part["tables"] for row in table["rows"]]
    explained = [row["title"] for row in part["defined"]]
    assert len(explained) == len(set(explained)) and set(explained) == {row["heading"] for row in rows}


def test_the_interval_of_population_uniques_is_one_row_of_two_counts() -> None:
    found = Population(
        size=60_000, source="number", zayatz=23_199.4, interval=UniquesInterval(low=20_681.0, high=25_254.0)
    )
    listed = risk_tables._listed(plain(found), "population", Wording(n_rows=1000))
    shown = {row["id"]: row["value"] for row in listed}
    assert shown["population.interval"] == "20,681 to 25,254"
    assert shown["population.zayatz"] == "23,199"
