"""From a failed gate to a written file: the promise holds, the source stays, and a crash leaves nothing."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner

import privaudit
from privaudit.base.errors import ColumnNotFound, ConfigError, UnreadableSource
from privaudit.cli.commands import cli
from privaudit.releases.remedy import audit, certificate
from privaudit.releases.remedy import run as module
from privaudit.releases.remedy.plan import Plan, Step, by_method
from privaudit.releases.remedy.plan_file import read_plan
from privaudit.releases.remedy.rescan import second_settings
from privaudit.releases.remedy.result import plan_of
from privaudit.report.pages import remedied
from privaudit.settings.config import Settings
from tests.helpers import tables
from tests.helpers.release_audits import fail_audits_of

OPTIONS = {"policy": "controlled", "framework": (), "ner": False}
ROLES = {"email": "direct", "age": "quasi", "city": "quasi", "gender": "quasi"}


def people(n=600):
    mails = [f"person{i}@example.org" for i in range(n)]
    return pd.DataFrame({"email": mails, **tables.people(n, age=range(18, 98))})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("remedies")


@pytest.fixture(scope="module")
def source(folder):
    people().to_csv(folder / "people.csv", index=False)
    return folder / "people.csv"


@pytest.fixture(scope="module")
def made(folder, source):
    return privaudit.remedy(source, output=folder / "safer.parquet", role=ROLES, **OPTIONS)


def test_a_plan_that_is_named_is_read_and_auto_alone_searches_one(tmp_path):
    """A path that counted as "auto" would apply another plan than the one that was reviewed."""
    (tmp_path / "plan.toml").write_text('version = 1\n[[step]]\ntechnique = "drop"\ncolumn = "city"\n')
    stated = plan_of(str(tmp_path / "plan.toml"))
    assert stated == plan_of(tmp_path / "plan.toml") == read_plan(tmp_path / "plan.toml")
    assert [(step.technique, step.columns) for step in stated.steps] == [("drop", ("city",))]
    assert plan_of("auto") is None
    with pytest.raises(ConfigError):
        plan_of(str(tmp_path / "missing.toml"))


@pytest.mark.parametrize(("role", "kept"), [("quasi", True), ("sensitive", True), ("none", False)])
def test_a_column_that_is_made_of_another_has_its_role_in_the_second_scan(role, kept):
    frame = pd.DataFrame({"age": [20 + i % 40 for i in range(200)], "town": ["Ash", "Elm"] * 100})
    before = privaudit.scan(frame, role={"age": role, "town": "quasi"}, unit="person", **OPTIONS).wire
    step = Step(technique="cut", columns=("age",), parameters={"bands": 4, "into": "band"})
    stated = second_settings(Settings(unit="person"), before, Plan(steps=(step,)))
    assert stated.role.get("band") == (role if kept else None)


@pytest.mark.parametrize("dropped", [True, False])
def test_a_plan_does_not_drop_the_column_by_which_people_are_counted(dropped):
    frame = pd.DataFrame({"who": [f"C{i // 3:03d}" for i in range(240)], "town": ["Ash", "Elm"] * 120})
    before = privaudit.scan(frame, subject="who", **OPTIONS).wire
    steps = Plan(steps=(Step(technique="drop", columns=("who" if dropped else "town",)),))
    with pytest.raises(ConfigError, match="identifies the data subjects") if dropped else nullcontext():
        assert second_settings(Settings(subject="who"), before, steps).subject == "who"


def test_a_certificate_states_the_worst_diversity_of_all_sensitive_columns():
    def measured(distinct, distance):
        return SimpleNamespace(l_distinct=distinct, t_closeness=SimpleNamespace(equal=distance))

    risk = SimpleNamespace(diversity={"a": measured(3, 0.2), "b": measured(2, 0.1), "c": measured(4, 0.4)})
    found = certificate._diversity(SimpleNamespace(risk=risk, policy=SimpleNamespace(l=2, t=0.3)))
    assert found == {"l_required": 2, "l_min": 2, "t_required": 0.3, "t_max": 0.4}


@pytest.mark.parametrize(("method", "kept"), [("local", {"town": "t.csv"}), ("mondrian", {})])
def test_another_method_keeps_the_hierarchies_of_the_columns_that_it_recodes(method, kept):
    stated = Plan(
        steps=(
            Step(technique="drop", columns=("mail",)),
            Step(technique="band", columns=("age",), parameters={"width": 10}),
            Step(technique="suppress_records", parameters={"classes_over": ["age"], "below": 2}),
            Step(technique="rename_columns", columns=("x",)),
        )
    )
    step = {"technique": "mondrian", "columns": ["age", "town"], "parameters": {"below": 5}}
    other = SimpleNamespace(method=method, step=step)
    found = by_method(stated, other, {"town": "t.csv", "job": "j.csv"})
    assert [each.technique for each in found.steps] == ["drop", "mondrian", "rename_columns"]
    assert found.hierarchies == kept


def test_a_table_that_fails_the_gate_passes_after_its_plan(made):
    assert not made.before.gate().passed
    assert made.after.gate().passed


def test_the_written_file_has_the_numbers_that_the_plan_promised(made, folder):
    table = pd.read_parquet(folder / "safer.parquet")
    names = [n for n in ("age", "city", "gender") if n in table.columns]
    sizes = table.groupby(names, dropna=False).size()
    assert len(table) == made.promised["n_records"] == made.after.dataset.n_rows
    assert sizes.min() == made.promised["k_min"] == made.after.risk.k_min >= made.after.policy.k
    assert "email" not in table.columns


def test_columns_keep_their_order_and_the_types_that_their_values_have(made, folder):
    table = pd.read_parquet(folder / "safer.parquet")
    assert list(table.columns) == [n for n in people().columns if n in table.columns]


def test_a_second_remedy_of_the_result_changes_nothing(made, folder):
    again = privaudit.remedy(folder / "safer.parquet", reports=False, output=folder / "again.parquet", **OPTIONS)
    assert again.plan.steps == ()
    assert again.arrow.equals(made.arrow)


def test_the_file_matches_its_certificate_until_a_cell_changes(made, folder):
    sentences, matches = privaudit.verify(folder / "safer.parquet")
    assert matches and "k =" in sentences[1]
    table = pd.read_parquet(folder / "safer.parquet")
    table.loc[0, "visits"] += 1
    other = folder / "changed.parquet"
    table.to_parquet(other, index=False)
    (folder / "changed.privaudit.json").write_bytes((folder / "safer.privaudit.json").read_bytes())
    assert not privaudit.verify(other)[1]


@pytest.mark.slow
def test_a_table_does_not_replace_the_certificate_of_another(source, tmp_path):
    privaudit.remedy(source, output=tmp_path / "safer.csv", role=ROLES, **OPTIONS)
    held = (tmp_path / "safer.privaudit.json").read_bytes()
    with pytest.raises(ConfigError, match=r"safer\.privaudit\.json is the certificate of safer\.csv"):
        privaudit.remedy(source, output=tmp_path / "safer.parquet", role=ROLES, **OPTIONS)
    assert (tmp_path / "safer.privaudit.json").read_bytes() == held
    written = ["safer.csv", "safer.dictionary.json", "safer.privaudit.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == written
    privaudit.remedy(source, output=tmp_path / "safer.csv", role=ROLES, **OPTIONS)  # its own may be replaced


def test_the_command_lists_every_file_that_it_wrote(run, source, tmp_path):
    (tmp_path / "out").mkdir()
    done = run("remedy", source, "--no-ner", "-o", tmp_path / "out" / "safer.csv", "-o", tmp_path / "out" / "risk.md")
    written = {line.removeprefix("privaudit: wrote ") for line in done.stderr.splitlines() if "wrote" in line}
    assert written == {path.name for path in (tmp_path / "out").iterdir()} and len(written) == 6


def test_a_changed_certificate_is_noticed(made, folder):
    content = json.loads((folder / "safer.privaudit.json").read_text())
    content["scan"]["k_min"] = 1000
    copy = folder / "copy.parquet"
    copy.write_bytes((folder / "safer.parquet").read_bytes())
    (folder / "copy.privaudit.json").write_text(json.dumps(content))
    sentences, matches = privaudit.verify(copy)
    assert not matches and "certificate was changed" in sentences[0]


def test_a_file_without_a_certificate_and_a_certificate_that_is_none_are_errors(folder):
    plain = folder / "plain.csv"
    plain.write_text("a\n1\n")
    with pytest.raises(ConfigError, match="was not found"):
        privaudit.verify(plain)
    (folder / "plain.privaudit.json").write_text('{"schema": []}')
    with pytest.raises(UnreadableSource, match="is not a certificate"):
        privaudit.verify(plain)


def test_the_source_is_not_changed(made, source):
    assert source.read_text() == people().to_csv(index=False)


@pytest.mark.slow
def test_a_frame_gives_a_frame_of_the_same_library():
    polars = pytest.importorskip("polars")
    frame = people(200)
    for given in (frame, polars.from_pandas(frame)):
        made = privaudit.remedy(given, role=ROLES, drop=("email",), keep=("gender",), **OPTIONS)
        assert type(made.frame).__module__.split(".")[0] == type(given).__module__.split(".")[0]
        assert "gender" in made.frame.columns and "email" not in made.frame.columns
        assert not any(pa.types.is_string_view(kind) for kind in made.arrow.schema.types)


@pytest.mark.parametrize("how", ["same", "hard link", "symbolic link"])
def test_no_input_is_ever_overwritten(source, tmp_path, how):
    target = tmp_path / "people.csv"
    target.write_bytes(source.read_bytes())
    before, given = target.read_bytes(), target
    if how == "hard link":
        given = tmp_path / "other.csv"
        os.link(target, given)
    if how == "symbolic link":
        given = tmp_path / "other.csv"
        given.symlink_to(target)
    with pytest.raises(ConfigError, match="is a symbolic link" if how == "symbolic link" else "is an input"):
        privaudit.remedy(target, reports=False, output=given, role=ROLES, **OPTIONS)
    assert target.read_bytes() == before


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("where", ["write", "scan", "certificate"])
def test_a_crash_half_way_leaves_nothing(source, tmp_path, monkeypatch, where):
    target = tmp_path / "safer.csv"

    def fail(*_args, **_others):
        raise RuntimeError("a cell: person1@example.org")

    if where == "write":
        from privaudit.releases import output

        broken = output.Output(name="csv", suffixes=(".csv",), write=fail)
        monkeypatch.setattr(output, "OUTPUTS", (broken,))
    if where == "scan":
        monkeypatch.setattr(audit, "scan", fail)
    if where == "certificate":
        monkeypatch.setattr(module, "certificate", fail)
    with pytest.raises(privaudit.PrivauditError) as raised:
        privaudit.remedy(source, reports=False, output=target, role=ROLES, **OPTIONS)
    assert "person1" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_plan_is_written_edited_and_applied(source, tmp_path):
    made = privaudit.plan(source, role=ROLES, **OPTIONS)
    file = tmp_path / "plan.toml"
    file.write_text(made.text.replace('order = "sorted"', 'order = "kept"'))
    result = privaudit.remedy(source, plan=file, role=ROLES, **OPTIONS)
    assert result.plan.steps == made.plan.steps and result.plan.order == "kept"
    assert result.after.risk.k_min == made.promised["k_min"]


DROPPED_BEFORE = """version = 1
[[step]]
technique = "drop"
column = "age"
[[step]]
technique = "mask"
column = "age"
"""


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("version = 1\n[[step]]\ntechnique = 'drop'\ncolumn = 'emial'\n", '"emial" is not a column'),
        ("version = 2\n", "version = 1"),
        ("version = 1\nsteps = 1\n", 'Unknown key "steps"'),
        ("version = 1\n[[step]]\ntechnique = 'drop'\n", 'needs "column"'),
        ("version = 1\n[[step]]\ntechnique = 'band'\ncolumn = 'age'\nwidth = 0\n", '"width" must be a number'),
        (DROPPED_BEFORE, "after a step that drops it"),
        (
            "version = 1\n[[step]]\ntechnique = 'suppress_records'\nclasses_over = ['age']\nbelow = 10000\n",
            "every record",
        ),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(source, tmp_path, text, reason):
    file = tmp_path / "plan.toml"
    file.write_text(text)
    with pytest.raises(privaudit.PrivauditError, match=reason):
        privaudit.remedy(source, reports=False, plan=file, role=ROLES, **OPTIONS)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("technique = 'band'\ncolumns = ['age']\nwidth = 5", 'names its "column", not "columns"'),
        ("technique = 'add_noise'\ncolumn = 'age'\nshare = 0.1", 'names its "columns", not "column"'),
        ("technique = 'sample_records'\ncolumn = 'age'\nshare = 0.1", "names no column"),
        ("technique = 'band'\ncolumn = ['age', 'visits']\nwidth = 5", '"column" must be a column name'),
    ],
)
def test_a_technique_of_one_column_names_column_and_one_of_several_columns(tmp_path, step, error):
    (tmp_path / "plan.toml").write_text(f"version = 1\n[[step]]\n{step}\n")
    with pytest.raises(ConfigError, match=error):
        read_plan(tmp_path / "plan.toml")


@pytest.mark.slow
def test_an_automatic_plan_keeps_the_column_of_the_data_subject_as_a_pseudonym():
    frame = people()
    frame = pd.concat([frame, frame.head(200)], ignore_index=True)
    made = privaudit.remedy(frame, subject="email", role=ROLES, **OPTIONS)
    steps = {(step.technique, step.columns) for step in made.plan.steps}
    assert ("drop", ("email",)) not in steps and ("pseudonymise", ("email",)) in steps
    assert made.after.gate().passed
    assert made.after.risk.n_people == made.frame["pseudonym"].nunique()
    assert not set(made.frame["pseudonym"]) & set(frame["email"])


def test_the_reports_of_both_scans_are_written(made, folder):
    for suffix in (".html", ".json", ".md"):
        made.write(folder / f"risk{suffix}")
        names = [f"risk{suffix}", f"risk.before{suffix}", f"risk.after{suffix}"]
        assert all((folder / name).stat().st_size > 500 for name in names)
    record = json.loads((folder / "risk.json").read_text())
    assert record["after"]["k_min"] == record["promised"]["k_min"]
    for file in Path(folder).glob("risk*"):
        assert "person1" not in file.read_text()


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("how", ["searched", "a column dropped", "given"])
def test_without_reports_the_release_is_the_same_and_nothing_else_is_measured(made, source, tmp_path, how):
    chosen = {"searched": {}, "a column dropped": {"drop": ("visits",)}, "given": {"plan": made.plan}}[how]
    shown, hidden = (
        privaudit.remedy(source, output=tmp_path / f"{reports}.csv", reports=reports, role=ROLES, **chosen, **OPTIONS)
        for reports in (True, False)
    )
    assert (tmp_path / "True.csv").read_bytes() == (tmp_path / "False.csv").read_bytes()
    drawn_at_random = {"release", "file", "created_at", "digest"}
    left = [{k: v for k, v in each.certificate.items() if k not in drawn_at_random} for each in (shown, hidden)]
    assert left[0] == left[1] and hidden.run.search == shown.run.search
    for report, other in ((shown.before, hidden.before), (shown.after, hidden.after)):
        assert report.wire.pictures is not None and other.wire.pictures is None
        assert (report.wire.findings, report.wire.gate_) == (other.wire.findings, other.wire.gate_)
    assert shown.before.wire.advice and bool(hidden.before.wire.advice) == (how == "searched")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("failing", [{"mondrian"}, {"mondrian", "local"}, set()])
def test_a_plan_that_nobody_reads_is_the_same_also_where_its_first_methods_fail(source, monkeypatch, failing):
    audits = fail_audits_of(failing, monkeypatch)
    options = {"role": ROLES, "reports": False, **OPTIONS}
    read, unread = (privaudit.remedy(source, described=described, **options) for described in (True, False))
    n = len(audits) // 2
    assert audits[:n] == audits[n:] and failing <= {method for method, _ in audits}
    assert read.plan == unread.plan and read.arrow.equals(unread.arrow)
    assert len(read.run.search.frontier) > len(unread.run.search.frontier) == 1
    listed = [{each.method for each in made.run.alternatives} for made in (read, unread)]
    assert listed[0] - listed[1] == (set() if failing else {"local"})


@pytest.mark.parametrize("failing", [set(), {"mondrian"}])
def test_each_release_that_is_tried_is_written_and_scanned_once(tmp_path, monkeypatch, failing):
    """A release that fails is replaced by that of the next method; what is in its place is what was scanned last."""
    audits = fail_audits_of(failing, monkeypatch)
    roles = {name: role for name, role in ROLES.items() if name != "email"}
    options = {"role": roles, "reports": False, **OPTIONS}
    made = privaudit.remedy(people().drop(columns="email"), output=tmp_path / "safer.csv", **options)
    tried, parts = zip(*audits, strict=True)
    assert len(set(tried)) == len(tried) and (len(tried) > 1) == bool(failing)
    assert tried[0] == "mondrian" and tried[-1] not in failing
    assert all(part.name == "safer.csv" and part.parent.parent == tmp_path for part in parts)
    assert made.after.gate().passed and made.certificate["scan"]["passed"]
    assert {file.name for file in tmp_path.iterdir()} == {"safer.csv", "safer.dictionary.json", "safer.privaudit.json"}
    assert privaudit.verify(tmp_path / "safer.csv")[1]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("chosen", [{}, {"drop": ("visits",)}, {"plan": []}])
@pytest.mark.parametrize("named", [{"keep": ("agee",)}, {"importance": {"agee": 2.0}}])
def test_names_of_columns_are_checked_where_no_remedy_is_searched(source, chosen, named):
    with pytest.raises(ColumnNotFound, match='"agee" is not a column of the table'):
        privaudit.remedy(source, reports=False, role=ROLES, **chosen, **named, **OPTIONS)


def test_a_plan_without_a_report_is_the_same_text(source):
    shown, hidden = (
        privaudit.plan(source, reports=reports, role=ROLES, drop=("visits",), **OPTIONS) for reports in (True, False)
    )
    assert shown.text == hidden.text
    assert shown.before.wire.pictures is not None and hidden.before.wire.pictures is None


def test_the_public_edition_has_no_report_of_the_first_scan(made, folder):
    made.write(folder / "public.html", edition="public")
    assert {file.name for file in folder.glob("public*")} == {"public.html", "public.after.html"}


@pytest.mark.slow
def test_a_step_that_changes_no_value_is_stated(source, tmp_path):
    (tmp_path / "plan.toml").write_text(
        "version = 1\n"
        + "".join(f"[[step]]\ntechnique = 'band'\ncolumn = '{name}'\nwidth = 5\n" for name in ("gender", "age"))
    )
    made = privaudit.remedy(source, plan=tmp_path / "plan.toml", role=ROLES, **OPTIONS)
    assert [note["column"] for note in made.run.fits if note.get("unchanged")] == ["gender"]
    assert 'A step changed no value of "gender": ' in made.text()


def test_rows_are_sorted_by_what_is_written(made):
    rows = [tuple(map(str, row.values())) for row in made.arrow.to_pylist()]
    firsts = list(dict.fromkeys(row[0] for row in rows))
    assert [row[0] for row in rows] == [first for first in firsts for row in rows if row[0] == first]


@pytest.mark.slow
def test_renamed_columns_keep_their_roles_and_their_classes(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "rename_columns"\ncolumns = ["age", "city"]\n')
    frame = people(200).drop(columns="email")
    roles = {name: role for name, role in ROLES.items() if name != "email"}
    made = privaudit.remedy(frame, plan=plan, role=roles, **OPTIONS)
    assert list(made.frame.columns) == ["c1", "c2", "gender", "visits"]
    assert made.after.risk.quasi_identifiers == ("c1", "c2", "gender")
    assert made.after.risk.k_min == made.before.risk.k_min
    assert [column.kept for column in made.utility.columns] == [1, 1, 1, 1]


def test_no_value_of_the_source_is_in_the_plan_the_certificate_or_the_summary(made, source):
    emails = people()["email"]
    plan = privaudit.plan(source, role=ROLES, **OPTIONS)
    texts = (plan.text, json.dumps(made.certificate), made.text(), made.text("public"), repr(made))
    assert not [email for email in emails for text in texts if email in text]
    assert "Utility after the remedies" not in made.text("public")


def public_rows(made, *, suppressed, **risk):
    """Return the comparison of the public edition, as if the plan had suppressed some records."""
    before = dataclasses.replace(made.before.wire, risk=dataclasses.replace(made.before.wire.risk, **risk))
    after = made.after.wire
    extent = dataclasses.replace(after.dataset, n_rows=before.dataset.n_rows - suppressed)
    shown = remedied.page(made.run, before, dataclasses.replace(after, dataset=extent), "public")
    return {label: (old, new) for label, old, new in shown.sections[0].rows}


@pytest.mark.parametrize("suppressed", [0, 1, 4, 10, 11, 200])
def test_the_public_comparison_does_not_show_that_1_to_10_records_were_suppressed(made, suppressed):
    before, after = public_rows(made, suppressed=suppressed)["Rows"]
    assert after == str(600 - suppressed)
    assert (before == "about 600") if 1 <= suppressed <= 10 else (before == "600")


@pytest.mark.parametrize("n", [1, 2, 7, 10])
def test_the_public_comparison_withholds_counts_of_1_to_10(made, n):
    counts = public_rows(made, suppressed=0, k_min=n, n_unique=n, n_below={"15": n})
    shown = {key: counts[key][0] for key in counts if key not in ("Rows", "Columns", "Quasi-identifiers")}
    shown = {key: text for key, text in shown.items() if not key.startswith(("Open", "Not", "Gate"))}
    assert set(shown.values()) == {"(not shown)", "–", "<11"}


def test_the_public_comparison_states_of_k_that_it_reaches_the_policy(made):
    k = made.after.policy.k
    stated = public_rows(made, suppressed=0)["Smallest class (k)"][1]
    assert stated == (f"{k} or more" if k >= 11 else "(not shown)")


def test_the_comparison_has_a_table_of_contents_whose_entries_exist(made, folder):
    made.write(folder / "contents.html")
    page = (folder / "contents.html").read_text()
    # The layout of wide windows has a column for the contents; without them the page would be in that column.
    contents = re.findall(r'<li><a href="#(\w+)">', page)
    assert contents == re.findall(r'<section id="(\w+)">', page) and len(contents) >= 4


def test_columns_of_numbers_are_numbers_in_the_written_file(tmp_path):
    draw = np.random.default_rng(3)
    source = tmp_path / "t.csv"
    cells = {"flag": draw.integers(0, 2, 90), "age": draw.integers(20, 80, 90), "x": draw.normal(size=90)}
    pd.DataFrame(cells).to_csv(source, index=False)
    plan = tmp_path / "p.toml"
    plan.write_text('version = 1\n[[step]]\ntechnique = "pca_mask"\ncolumns = ["age", "x"]\n')
    privaudit.remedy(source, reports=False, plan=plan, output=tmp_path / "safer.parquet", quasi=("age", "flag"))
    written = pd.read_parquet(tmp_path / "safer.parquet")
    assert written.dtypes.map(str).to_dict() == {"flag": "int64", "age": "float64", "x": "float64"}


def test_the_line_that_remedy_prints_scans_the_written_table_as_it_was_judged(tmp_path, monkeypatch):
    """Alone, the table does not show what a row is: the column that did is dropped."""
    monkeypatch.chdir(tmp_path)
    drawn = np.random.default_rng(0).permutation(1500)[:400]
    keys = {"row_id": [f"R{i}" for i in drawn], "person_id": [f"P{i}" for i in range(400)]}
    pd.DataFrame(keys).to_csv("people.csv", index=False)

    def run(*words):
        return CliRunner().invoke(cli, words, standalone_mode=False)

    made = run("remedy", "people.csv", "--no-ner", "--no-config", "-o", "safer.csv")
    (line,) = (line for line in made.stderr.splitlines() if "privaudit scan safer.csv" in line)
    words = shlex.split(line[line.index("privaudit scan") :])[1:]
    results = made, run("scan", "safer.csv", "--no-ner", "--no-config"), run(*words)
    assert [each.return_value for each in results] == [0, 3, 0]
