"""The data dictionary: next to the table, bound by the certificate, and without a rare value or an extreme."""

from __future__ import annotations

import html
import json
import re

import pandas as pd
import pytest

import privaudit
from privaudit import steps
from privaudit.releases.remedy.dictionary import state_of
from tests.helpers.tables import drawn

OPTIONS = {"policy": "controlled", "framework": (), "ner": False}
ROLES = {"age": "quasi", "town": "quasi", "job": "quasi"}
METHODS = ("full-domain", "local", "mondrian", "least-loss")


def people():
    towns, jobs = [f"town {c}" for c in "abcdefghijklmnopqrst"], ("teacher", "farmer", "nurse", "driver", "clerk")
    cells = drawn(900, 2, age=range(20, 70), town=towns, job=jobs, visits=range(1, 10))
    rare = {"age": [13, 101], "town": ["Rareville", "Solitude"], "job": ["astronaut", "diver"], "visits": [1, 9]}
    return pd.DataFrame({name: cells[name] + rare[name] for name in rare})


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", METHODS)
def test_the_dictionary_describes_the_written_table_and_names_no_rare_value(tmp_path, method):
    made = privaudit.remedy(
        people(), reports=False, output=tmp_path / "safer.csv", role=ROLES, method=method, **OPTIONS
    )
    content = json.loads((tmp_path / "safer.dictionary.json").read_text())
    assert content == json.loads(json.dumps(made.dictionary))
    written = pd.read_csv(tmp_path / "safer.csv", dtype=str)
    source = people()
    for column in content["columns"]:
        counts = written[column["column"]].value_counts()
        assert {level["level"]: level["rows"] for level in column["levels"]} == counts.to_dict()
        assert len({level["level"] for level in column["levels"]}) == len(column["levels"])
        held = source[column["column"]].astype(str).value_counts()
        for level in column["levels"]:
            assert all(held[member] >= content["k"] for member in level.get("members", ()))
    text = (tmp_path / "safer.dictionary.json").read_text()
    assert not any(rare in text for rare in ("Rareville", "Solitude", "astronaut", "101", "13-", '"13"'))
    assert made.after.gate().passed


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", METHODS)
def test_certificate_and_reports_state_the_digest_and_no_member(tmp_path, method):
    made = privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, method=method, **OPTIONS)
    state = state_of(made.dictionary)
    assert made.certificate["dictionary"]["sha256"] == state.sha256 == made.run.dictionary.sha256
    assert made.certificate["dictionary"]["n_levels"] == state.n_levels
    for value in ("town a", "teacher"):
        assert value not in json.dumps(made.certificate) and value not in made.text()


def section_of(made, folder, edition="full"):
    made.write(folder / "page.html", edition=edition)
    text = (folder / "page.html").read_text()
    start = text.index('id="dictionary"')
    return html.unescape(re.sub(r"<[^>]*>", " ", text[start : text.index("</section>", start)]))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", METHODS)
def test_the_page_counts_the_levels_of_each_column_and_lists_no_value_of_the_table(tmp_path, method):
    made = privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, method=method, **OPTIONS)
    section, state = section_of(made, tmp_path), state_of(made.dictionary)
    assert state.sha256 in section and f"{state.n_levels:,} levels" in section
    described = [column for column in made.dictionary["columns"] if column["levels"]]
    assert described and len(described) == len(made.run.described)
    for column in described:
        assert re.search(rf"{column['column']}\s.*\s{len(column['levels'])}\s", section)
        assert not any(str(level["level"]) in section for level in column["levels"])
    assert "values and groups of the table, listed in the file only" in section
    source = people()
    assert not any(value in section for column in ("town", "job") for value in source[column])


@pytest.mark.slow
def test_the_page_describes_the_plan_and_not_the_table(tmp_path):
    """Two tables with other values and as many levels have the same description, but for the digest."""
    sections = []
    for folder, old, new in (("one", "town", "town"), ("two", "town", "hamlet")):
        (tmp_path / folder).mkdir()
        table = people().assign(town=lambda t, old=old, new=new: t["town"].str.replace(old, new))
        made = privaudit.remedy(table, output=tmp_path / folder / "safer.csv", role=ROLES, method="mondrian", **OPTIONS)
        section = section_of(made, tmp_path / folder)
        sections.append(section.replace(state_of(made.dictionary).sha256, ""))
    assert sections[0] == sections[1]


def test_a_public_hierarchy_is_listed_whole_whether_the_table_has_its_groups_or_not(tmp_path):
    table = people().assign(country=lambda t: t["town"].map(lambda town: "Kenya" if town < "town c" else "France"))
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'version = 1\n[[step]]\ntechnique = "hierarchy_level"\ncolumn = "country"\npublic = "countries"\nlevel = 1\n'
        '[[step]]\ntechnique = "band"\ncolumn = "age"\nwidth = 10\n'
    )
    made = privaudit.remedy(table, reports=False, plan=plan, output=tmp_path / "safer.csv", role=ROLES, **OPTIONS)
    section = section_of(made, tmp_path)
    assert all(text in section for text in ("Eastern Africa", "Western Europe", "Melanesia", "Kenya", "Fiji"))
    assert "bands of 10" in section and "20-29" not in section
    public = section_of(made, tmp_path, edition="public")
    assert state_of(made.dictionary).sha256 in public
    assert "Eastern Africa" not in public and "bands of" not in public


def test_verify_reports_a_dictionary_that_was_changed_or_removed(tmp_path):
    privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, **OPTIONS)
    assert privaudit.verify(tmp_path / "safer.csv")[1]
    file = tmp_path / "safer.dictionary.json"
    file.write_text(file.read_text().replace("rows", "lines"))
    assert not privaudit.verify(tmp_path / "safer.csv")[1]
    file.unlink()
    assert not privaudit.verify(tmp_path / "safer.csv")[1]


def test_a_column_that_a_step_makes_is_described_by_its_own_levels():
    step = steps.hierarchy_level("town", mapping={"Kisumu": "west", "Nakuru": "rift"}, into="region")
    frame = pd.DataFrame({"town": ["Kisumu"] * 30 + ["Nakuru"] * 50, "x": range(80)})
    made = privaudit.remedy(frame, plan=[step], **OPTIONS)
    (described,) = made.dictionary["columns"]
    assert described["column"] == "region"
    assert {level["level"]: level["rows"] for level in described["levels"]} == {"west": 30, "rift": 50}


@pytest.mark.slow
def test_groups_of_categories_claim_no_order(tmp_path):
    made = privaudit.remedy(people(), role=ROLES, method="mondrian", **OPTIONS)
    assert not made.frame["job"].str.contains(" to ").any()
    assert not made.frame["town"].str.contains(" to ").any()


@pytest.mark.slow
def test_bounds_of_numbers_are_edges_of_the_plan():
    made = privaudit.remedy(people(), role=ROLES, method="mondrian", **OPTIONS)
    (step,) = [step for step in made.plan.steps if step.technique == "mondrian"]
    band = next(part["age"] for part in step.parameters["base"] if "age" in part)
    edges = {int(n) for text in made.frame["age"].unique() for n in text.replace("+", "").split("-") if n.isdigit()}
    assert edges and all(edge % band["width"] == 0 or (edge + 1) % band["width"] == 0 for edge in edges)


@pytest.mark.slow
def test_the_first_plan_loses_least_among_those_that_are_listed():
    plan = privaudit.plan(people(), role=ROLES, **OPTIONS)
    planned = plan._planned
    passing = [each for each in planned.remedy.alternatives if each.passes and not each.drops]
    assert planned.alternative is None or planned.alternative.loss == min(each.loss for each in passing)
    assert min(each.loss for each in passing) <= planned.remedy.utility_cost
