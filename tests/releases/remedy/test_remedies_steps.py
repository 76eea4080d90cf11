"""Plans as files, lists and functions are one plan; steps add, invent and rename columns, and the report states it."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from privaudit import steps
from privaudit.advice.technique import names, technique
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.plan import Plan, check, resolved
from privaudit.releases.remedy.plan_file import plan_text, read_plan
from privaudit.releases.remedy.result import plan_of
from tests.helpers.tables import drawn

OPTIONS = {"policy": "internal", "framework": (), "ner": False}
LEVELS = {"Bachelors": "higher", "Masters": "higher", "HS": ["school"]}
STEPS = [
    steps.keep_records(where="age >= 20"),
    steps.suppress_incomplete(missing_in=["city"]),
    steps.cut("age", edges=[0, 30, 60, 120], into="band"),
    steps.threshold("income", by="mean", into="above"),
    steps.bottom_code("income", at=2_000, write="limit"),
    steps.hierarchy_level("education", mapping=LEVELS, into="level"),
    steps.mask("code", length=4),
    steps.fake_city("town", shares={"A": 0.9, "B": 0.1}),
    steps.fake_date("joined", earliest="2010-01-01", latest="2019-12-31"),
    steps.pram("city", keep=0.5, redraw="uniform", categories=["Nairobi", "Kisumu", "Nakuru", "Mombasa"]),
]


def people(n=300):
    levels, cities = ("Bachelors", "Masters", "HS"), ("Nairobi", "Kisumu", "Nakuru", "Mombasa")
    cells = drawn(n, 3, age=range(18, 90), income=range(1_000, 9_000), education=levels, city=cities)
    frame = pd.DataFrame({**cells, "code": [f"c{i % 7}" for i in range(n)]})
    frame.loc[:9, "city"] = None
    return frame


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("steps")
    return privaudit.remedy(people(), plan=STEPS, output=folder / "safer.parquet", **OPTIONS), folder


def test_a_plan_is_a_file_a_list_a_mapping_or_functions(tmp_path):
    text = plan_text(Plan(steps=tuple(STEPS)))
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    listed = [
        {"technique": s.technique, **({technique(s.technique).scope: _columns(s)} if s.columns else {}), **s.parameters}
        for s in STEPS
    ]
    plans = [read_plan(tmp_path / "plan.toml"), plan_of(STEPS), plan_of(listed), plan_of({"step": listed})]
    assert {plan_text(plan) for plan in plans} == {text}
    assert plan_of({"step": listed, "order": "kept", "seed": 3}).seed == 3


def _columns(step):
    return step.columns[0] if technique(step.technique).scope == "column" else list(step.columns)


@pytest.mark.quick_cases(50)
@pytest.mark.parametrize("name", names())
def test_each_technique_is_a_function_with_signature_and_docstring(name):
    function = getattr(steps, name)
    signature = inspect.signature(function)
    for key, parameter in technique(name).parameters.items():
        assert key in signature.parameters and f"{key} : " in function.__doc__
        assert (signature.parameters[key].default is inspect.Parameter.empty) == parameter.required
    assert name in dir(steps)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: steps.band("age", width=-1), ["band", "'age'", '"width"', "above 0"]),
        (lambda: steps.band("age"), ["band", "'age'", 'needs "width"']),
        (lambda: steps.cut("age", bands=3, edges=[1, 2]), ["cut", "'age'", "exactly one"]),
        (lambda: steps.keep_records(where="age"), ["keep_records", '"where"', "condition"]),
        (lambda: steps.keep_records("age"), ["keep_records"]),
        (lambda: plan_of([{"technique": "bands", "column": "age"}]), ["bands"]),
        (lambda: plan_of([3]), ["steps of the plan"]),
    ],
)
def test_a_wrong_step_names_step_column_and_what_is_allowed(wrong, words):
    with pytest.raises(ConfigError) as error:
        wrong()
    assert all(word in str(error.value) for word in words)


def test_the_written_table_is_that_of_pandas(made):
    result, folder = made
    frame = people().query("age >= 20").dropna(subset=["city"])
    table = pd.read_parquet(folder / "safer.parquet")
    assert len(table) == len(frame) == result.after.dataset.n_rows
    assert table["above"].sum() == (frame["income"] > frame["income"].mean()).sum()
    assert table["income"].sum() == frame["income"].clip(lower=2_000).sum()
    assert (
        table["level"].value_counts().to_dict()
        == frame["education"].map({"Bachelors": "higher", "Masters": "higher", "HS": "school"}).value_counts().to_dict()
    )
    counts = pd.cut(frame["age"], [0, 30, 60, 120], right=False).value_counts(sort=False).tolist()
    assert table["band"].value_counts().reindex(["0-29", "30-59", "60-120"]).tolist() == counts
    assert set(table["code"]) == {"****"} and list(table.columns)[:4] == ["age", "band", "income", "above"]


def _read_excel(file):
    return pd.read_excel(file, engine="openpyxl")


@pytest.mark.slow
def test_written_files_are_read_back_by_other_readers(made, tmp_path):
    result, _ = made
    expected = result.frame
    for suffix in ("csv", "parquet", "xlsx"):
        file = tmp_path / f"{suffix}.{suffix}"
        privaudit.remedy(people(), plan=Plan(steps=tuple(STEPS[:7])), output=file, **OPTIONS)
        read = {"csv": pd.read_csv, "parquet": pd.read_parquet, "xlsx": _read_excel}[suffix](file)
        assert list(read.columns) == [c for c in expected.columns if c not in ("town", "joined")]
        assert read["above"].sum() == expected["above"].sum() and len(read) == len(expected)
    import duckdb

    assert (
        duckdb.sql(f"SELECT sum(above) FROM '{tmp_path / 'parquet.parquet'}'").limit(1).fetchall()[0][0]
        == expected["above"].sum()
    )
    polars = pytest.importorskip("polars")
    assert polars.read_csv(tmp_path / "csv.csv")["above"].sum() == expected["above"].sum()


def test_the_run_reports_what_its_steps_did(made):
    text = made[0].text()
    for words in (
        "keep_records removed",
        '"city" has no value in',
        "Bottom-coded at 2000",
        "epsilon 1.61",
        "Invented by this run",
    ):
        assert words in text


@pytest.mark.slow
def test_invented_columns_are_open_in_a_later_scan_only(tmp_path):
    plan = [
        steps.fake_names("name", gender="sex", unique=True),
        steps.fake_email("mail", names="name"),
        steps.fake_id("ssn"),
    ]
    source = pd.DataFrame({"sex": ["F", "M"] * 100, "active": ["yes"] * 100 + ["no"] * 100})
    result = privaudit.remedy(source, plan=plan, output=tmp_path / "made.csv", policy="public", framework=(), ner=False)
    assert result.certificate["invented"] == ["mail", "name", "ssn"]
    invented = {"mail", "name", "ssn"}
    assert not [f for f in result.after.findings if f.status == "open" and set(f.subject) & invented]
    assert not set(result.after.risk.quasi_identifiers if result.after.risk else ()) & invented
    later = privaudit.scan(tmp_path / "made.csv", policy="public", framework=(), ner=False)
    critical = [f for f in later.findings if f.status == "open" and set(f.subject) & invented]
    assert critical and not later.gate().passed


def test_addresses_of_names_that_are_not_invented_are_refused():
    with pytest.raises(ConfigError, match="no step before it invents"):
        check(Plan(steps=(steps.fake_email("mail", names="name"),)), ["name"], "people")


def test_a_new_column_may_not_have_the_name_of_another():
    with pytest.raises(ConfigError, match="which the table has"):
        check(Plan(steps=(steps.threshold("age", at=3, into="city"),)), ["age", "city"], "people")
    check(
        Plan(steps=(steps.threshold("age", at=3, into="x"), steps.drop("age"), steps.drop("x"))),
        ["age", "city"],
        "people",
    )


@pytest.mark.slow
def test_without_columns_all_get_numbers_and_the_report_has_the_new_names():
    result = privaudit.remedy(people(), plan=[steps.rename_columns()], **OPTIONS)
    assert list(result.frame.columns) == ["c1", "c2", "c3", "c4", "c5"]
    assert [column.column for column in result.utility.columns] == ["c1", "c2", "c3", "c4", "c5"]
    assert '"age" is now "c1"' in result.text()
    plan = resolved(Plan(steps=(steps.drop("age"), steps.rename_columns())), ["age", "city"])
    assert plan.renamed == {"city": "c1"}


def test_certificates_name_the_steps_and_no_value(made):
    content = json.dumps(made[0].certificate)
    assert "keep_records" in content and "Bachelors" in content, "the mapping is part of the plan"


def test_the_transformer_takes_each_technique_that_maps_or_invents_values():
    pytest.importorskip("sklearn")
    plan = [s for s in STEPS if s.technique != "pram"]
    frame = people()
    transformer = privaudit.RemedyTransformer(plan=plan)
    first = transformer.fit_transform(frame)
    one = transformer.transform(frame.iloc[[5]])
    assert list(first.columns) == list(one.columns) and "band" in first.columns and "town" in first.columns
    assert one["above"].iloc[0] == str(int(frame["income"].iloc[5] > frame["income"].mean()))
    with pytest.raises(ConfigError, match="another table"):
        privaudit.RemedyTransformer(plan=[STEPS[-1]]).fit(frame)


def test_the_stub_file_has_every_function_with_its_parameters():
    from docs.make_steps import stub

    assert Path(steps.__file__).with_suffix(".pyi").read_text(encoding="utf-8") == stub()


@pytest.mark.slow
def test_type_checkers_see_the_parameters_of_each_step(tmp_path):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    lines = ['steps.band("age", width=10)', 'steps.band("age", widht=10)', 'steps.cut("age", bands="four")']
    program.write_text("\n".join(["from privaudit import steps", *lines]) + "\n", encoding="utf-8")
    found, _, status = api.run([str(program), "--strict", "--cache-dir", str(tmp_path / "cache")])
    errors = [line for line in found.splitlines() if ": error:" in line and "program.py" in line]
    assert status == 1 and [line.split(":")[1] for line in errors] == ["3", "4"], found
    assert '"widht"' in errors[0] and '"bands"' in errors[1]
