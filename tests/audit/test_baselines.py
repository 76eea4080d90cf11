"""A baseline belongs to tables: the findings of one table never hide those of another, whatever the sources."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.api import reports as api_reports
from privaudit.api.collection import scan_tables
from privaudit.base.errors import ConfigError
from privaudit.model import BaselineUse, Finding
from privaudit.report import render, show
from privaudit.report.entries import TableEntry
from privaudit.report.pages import index_page
from privaudit.rulebook import Baseline, KnownBefore, load_checks, read_baseline
from privaudit.rulebook.baseline import KnownTable, apply_baseline
from privaudit.rulebook.changes import Known
from privaudit.source.places.location import table_key
from tests.conftest import Runner
from tests.helpers.command import refusal
from tests.helpers.paths import ROOT
from tests.report import sample

BASELINE = "privaudit-baseline.json"
QUICK = ("--no-ner", "--no-config", "--max-size", "1")


def people(n: int = 120, bands: int = 2, mails: int = 0) -> str:
    """Return people by age band and sex: more bands give a smaller k, and `mails` have an address in clear."""
    lines = ["age_band,sex,note"]
    for i in range(n):
        note = f"mail p{i}@example.org" if i < mails else "called back"
        lines.append(f"{20 + i % bands}-{29 + i % bands},{'FM'[i // bands % 2]},{note}")
    return "\n".join(lines) + "\n"


KINDS = {"good": people(), "small classes": people(bands=30), "mails": people(mails=60)}


def write(folder: Path, tables: Mapping[str, str]) -> None:
    for name, text in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def tables_of(file: Path) -> dict[str, set[str]]:
    """Return the codes of the findings of each table of a baseline."""
    return {key: {item.code for item in table.findings} for key, table in read_baseline(file).tables.items()}


def test_a_baseline_of_one_table_hides_no_other_with_the_same_columns(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"data/known.csv": people(mails=30), "data/other.csv": people(mails=100)})
    assert run("baseline", "data/known.csv", *QUICK).returncode == 0
    use = ("--baseline", BASELINE, *QUICK)
    assert run("scan", "data/known.csv", *use, "-q").returncode == 0
    done = run("scan", "data/other.csv", *use)
    assert done.returncode == 1
    printed = " ".join((done.stdout + done.stderr).split())
    assert "The baseline does not hold this table" in printed
    assert "The baseline holds 1 table that was not scanned: data/known.csv" in printed
    done = run("scan", "data", *use)
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if ".csv" in line}
    assert done.returncode == 1
    assert "within the baseline" in lines["known.csv"] and "failed" in lines["other.csv"]


def test_a_baseline_gains_replaces_and_loses_single_tables(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"data/a.csv": people(mails=30), "data/b.csv": people(bands=30)})
    assert run("baseline", "data/a.csv", *QUICK).returncode == 0
    former = read_baseline(tmp_path / BASELINE).tables["data/a.csv"]
    assert run("baseline", "data/b.csv", *QUICK).returncode == 0
    both = tables_of(tmp_path / BASELINE)
    assert set(both) == {"data/a.csv", "data/b.csv"}
    assert read_baseline(tmp_path / BASELINE).tables["data/a.csv"] == former

    write(tmp_path, {"data/a.csv": people()})
    assert run("baseline", "data/a.csv", *QUICK).returncode == 0
    after = tables_of(tmp_path / BASELINE)
    assert "PII002" in both["data/a.csv"] - after["data/a.csv"] and after["data/b.csv"] == both["data/b.csv"]

    refused = run("baseline", "--remove", "a.csv")
    assert refused.returncode == 2 and '"data/a.csv"' in refused.stderr
    assert run("baseline", "--remove", "data/a.csv").returncode == 0
    assert set(tables_of(tmp_path / BASELINE)) == {"data/b.csv"}
    assert "or one table with --remove" in refusal(run("baseline", "data/a.csv", "--remove", "data/b.csv"))
    assert "Name the sources" in refusal(run("baseline"))


@pytest.mark.slow
def test_a_folder_a_workbook_and_a_broken_file_work_as_in_a_scan(run: Runner, tmp_path: Path) -> None:
    import sqlite3

    write(tmp_path, {"data/a.csv": people(mails=30), "data/deep/b.csv": people(bands=30)})
    with sqlite3.connect(tmp_path / "data" / "t.sqlite") as base:
        base.executescript("CREATE TABLE x(age INT, sex TEXT); CREATE TABLE y(age INT, sex TEXT);")
        base.executemany("INSERT INTO x VALUES (?, ?)", [(20 + i, "FM"[i % 2]) for i in range(40)])
        base.executemany("INSERT INTO y VALUES (30, ?)", [("FM"[i % 2],) for i in range(40)])
    base.close()
    assert run("baseline", "data", *QUICK).returncode == 0
    expected = {"data/a.csv", "data/deep/b.csv", "data/t.sqlite#x", "data/t.sqlite#y"}
    assert set(tables_of(tmp_path / BASELINE)) == expected
    assert run("scan", "data", "--baseline", BASELINE, *QUICK, "--brief").returncode == 0
    (tmp_path / "data" / "broken.parquet").write_bytes(b"PAR1")
    done = run("baseline", "data", *QUICK)
    assert done.returncode == 2 and "broken.parquet" in done.stderr
    assert set(tables_of(tmp_path / BASELINE)) == expected


def test_files_that_are_seldom_tables_are_counted(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"data/a.csv": people(), "data/b.csv": people(), "data/people.json": "[]", "data/_x.txt": ""})
    assert "1 file ending in .json or .txt was not scanned" in run("scan", "data", *QUICK, "--brief").stderr


def test_two_tables_of_one_key_and_a_table_without_a_name_are_wrong_use(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"a.csv": people(), "b.csv": people()})
    (tmp_path / BASELINE).write_text('{"schema_version": "2", "tables": {}}')
    use = ("--baseline", BASELINE, *QUICK, "-q")
    refused = run("scan", "a.csv", "b.csv", "--name", "people", *use)
    assert refused.returncode == 2 and "Two tables have the key" in refused.stderr
    refused = run("baseline", "a.csv", "b.csv", "--name", "people", *QUICK)
    assert refused.returncode == 2 and tables_of(tmp_path / BASELINE) == {}
    once = run("scan", "a.csv", "./a.csv", str(tmp_path / "a.csv"), *use)
    assert once.returncode == 0, "one table, named three times"


@pytest.mark.slow
def test_standard_input_needs_a_name(tmp_path: Path) -> None:
    write(tmp_path, {"a.csv": people(mails=30)})

    def baseline(*more: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "privaudit", "baseline", "-", *more, *QUICK]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with open(tmp_path / "a.csv", encoding="utf-8") as text:
            return subprocess.run(
                words, stdin=text, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )

    unnamed = baseline()
    assert unnamed.returncode == 2 and "--name" in unnamed.stderr
    named = baseline("--name", "nightly")
    assert named.returncode == 0, named.stderr
    assert set(tables_of(tmp_path / BASELINE)) == {"nightly"}


def test_tables_in_memory_are_compared_by_their_name(tmp_path: Path) -> None:
    table = pa.table({"age": list(range(20, 60)), "sex": ["F", "M"] * 20})
    options = {"ner": False, "max_size": 1, "advice": False}
    file = tmp_path / "b.json"
    with pytest.raises(ConfigError, match="a name"):
        api_reports.write_baseline(privaudit.scan(table, **options), file)
    api_reports.write_baseline(privaudit.scan(table, **options), file, name="frame")
    assert privaudit.scan(table, baseline=file, name="frame", **options).gate().passed
    assert not privaudit.scan(table, baseline=file, name="another", **options).gate().passed
    with pytest.raises(ConfigError, match="a name"):
        privaudit.scan(table, baseline=file, **options)
    found = privaudit.scan_many({"frame": table, "other": table}, baseline=file, **options)
    assert [one.exit_code for one in found] == [0, 1]
    assert {one.exit_code for one in privaudit.scan_many([table], baseline=file, **options)} == {2}


@pytest.mark.slow
def test_a_saved_report_is_judged_by_the_baseline_of_its_table(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"data/a.csv": people(mails=30), "data/b.csv": people(mails=30)})
    assert run("baseline", "data/a.csv", *QUICK).returncode == 0
    for name, code in (("a", 0), ("b", 1)):
        run("scan", f"data/{name}.csv", *QUICK, "-q", "-o", f"{name}.json")
        assert run("judge", f"{name}.json", "--no-config", "-q", "--baseline", BASELINE).returncode == code


def test_the_key_is_the_path_from_the_baseline_and_withholds_names(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, {"repo/data/a.csv": "x\n1\n", "repo/data/anna.smith@example.org.csv": "x\n1\n"})
    (tmp_path / "repo" / "data" / "t.xlsx").touch()
    monkeypatch.chdir(tmp_path / "repo" / "data")
    for source in ("a.csv", "./a.csv", "../data/a.csv", str(tmp_path / "repo/data/a.csv")):
        assert table_key(source, tmp_path / "repo") == "data/a.csv"
        assert table_key(source, Path()) == "a.csv"
    assert table_key("t.xlsx#2023", Path("..")) == "data/t.xlsx#2023"
    assert table_key("sqlite:a.csv#x", Path("..")) == "data/a.csv#x"
    assert "anna" not in table_key("anna.smith@example.org.csv", Path(".."))
    key = table_key("postgresql://u@db.example.org/clinic?table=public.visits", Path())
    assert "public.visits" in key and "example.org" not in key
    same = ("postgresql://v@DB.example.org/clinic?table=public.visits",)
    others = (
        "postgresql://u@db2.example.org/clinic?table=public.visits",
        "postgresql://u@db.example.org/b?table=public.visits",
    )
    assert all(table_key(address, Path()) == key for address in same)
    assert len({table_key(address, Path()) for address in others} | {key}) == 3
    buckets = {table_key(f"{place}/visits.parquet", Path()) for place in ("s3://a", "s3://b", "s3://a/x", "gs://a")}
    assert len(buckets) == 4 and not any("s3://a" in bucket for bucket in buckets)
    (tmp_path / "repo" / "data" / "link.csv").symlink_to("a.csv")
    assert table_key("link.csv", Path()) == "link.csv", "a branch must not lend one table the baseline of another"


@pytest.mark.slow
def test_every_output_states_what_is_worse_and_the_value_before(run: Runner, tmp_path: Path) -> None:
    write(tmp_path, {"t.csv": people(400)})
    quasi = ("--quasi", "age_band,sex")
    assert run("baseline", "t.csv", *QUICK, *quasi).returncode == 0
    use = ("--baseline", BASELINE, *QUICK, *quasi)
    within = run("scan", "t.csv", *use, "--format", "github")
    assert within.returncode == 0
    write(tmp_path, {"t.csv": people(400) + "50-59,F,called back\n"})
    outputs = {
        "brief": run("scan", "t.csv", *use, "--brief").stdout,
        "text": run("scan", "t.csv", *use).stdout,
        "md": run("scan", "t.csv", *use, "--format", "md").stdout,
        "github": run("scan", "t.csv", *use, "--format", "github").stdout,
        "several": run("scan", "t.csv", "t.csv", *use, "--brief", "--format", "md").stdout,
    }
    for name, text in outputs.items():
        plain = " ".join(text.replace("\\", "").split())
        assert "k was 100, is 1" in plain, name
    first = [line for line in outputs["md"].splitlines() if line][:2]
    assert first[1] == "**What changed since the baseline**"
    assert outputs["md"].index("What changed") < outputs["md"].index("## Findings")


def test_a_worse_k_is_stated_with_the_k_before() -> None:
    finding = sample.finding(1, "a", observed=1, change="worse", before=68)
    use = BaselineUse(table="t", created="2026-11-01", tolerance=0.1, n_new=0, n_worse=1, n_same=0)
    made = sample.small(findings=(finding,), baseline=use, checks=(sample.check(),))
    for format in ("md", "github", "html"):
        assert "k was 68, is 1" in render(made, format).replace("\\", ""), format
    (row,) = index_page.rows([TableEntry(name="t", report=made)])
    assert "k was 68, is 1" in row.remark
    (row,) = index_page.rows([TableEntry(name="t", report=made)], "public")
    assert "68" not in row.remark
    stream = io.StringIO()
    show(made, stream)
    assert "k was 68, is 1" in " ".join(stream.getvalue().split())


FINDINGS = st.lists(st.tuples(st.sampled_from(["QI001", "PII001", "QI003"]), st.integers(0, 9)), max_size=6)


@given(FINDINGS, st.dictionaries(st.sampled_from(["a.csv", "b.csv", "x/a.csv"]), FINDINGS))
def test_no_baseline_of_other_tables_changes_a_finding(
    found: list[tuple[str, int]], others: dict[str, list[tuple[str, int]]]
) -> None:
    """Random findings and random baselines: a baseline of other tables closes nothing."""
    from privaudit.base.wire import assembled

    def finding(code: str, i: int) -> Finding:
        return sample.finding(3, f"c{i}", code, fingerprint=f"{code} {i}", status="open")

    def known(code: str, i: int) -> Known:
        return assembled(Known, finding(code, i))

    tables = {
        key: KnownTable(created="", policy="", n_rows=1, findings=tuple(known(*one) for one in rows))
        for key, rows in others.items()
    }
    mine = Baseline(tables=tables).tables.get("y/c.csv")
    findings = [finding(*one) for one in dict.fromkeys(found)]
    compared, use = apply_baseline(findings, KnownBefore(key="y/c.csv", table=mine), load_checks(), 0.1)
    assert use.is_new and use.n_new == len(findings)
    assert all(item.status == "open" and item.change == "new" for item in compared)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The exit code of each kind of table scanned alone, without a baseline."""
    folder = tmp_path_factory.mktemp("alone")
    found = {}
    for kind, text in KINDS.items():
        (folder / "t.csv").write_text(text)
        found[kind] = privaudit.scan(folder / "t.csv", ner=False, max_size=1, advice=False).wire.gate_.exit_code
    assert found["good"] == 0 and found["mails"] == 1 and found["small classes"] == 1
    return found


NAMES = ["a.csv", "b.csv", "sub/a.csv", "sub/c.csv"]


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    now=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(sorted(KINDS)), min_size=1),
    before=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(sorted(KINDS))),
    given_as=st.sampled_from(["folder", "pattern", "files", "folder twice"]),
)
def test_a_table_that_fails_alone_and_is_not_in_the_baseline_never_passes_in_company(
    alone: dict[str, int],
    tmp_path_factory: pytest.TempPathFactory,
    now: dict[str, str],
    before: dict[str, str],
    given_as: str,
) -> None:
    check_company(alone, tmp_path_factory.mktemp("company"), now, before, given_as)


def test_three_tables_in_company_and_a_baseline_of_one(alone: dict[str, int], tmp_path: Path) -> None:
    now = {"a.csv": "mails", "b.csv": "small classes", "sub/a.csv": "mails"}
    check_company(alone, tmp_path, now, {"a.csv": "mails"}, "folder")


def check_company(
    alone: dict[str, int], folder: Path, now: dict[str, str], before: dict[str, str], given_as: str
) -> None:
    """Write the tables of the baseline, then those of today, scan them together, and compare with each alone."""
    options = {"ner": False, "max_size": 1}
    data, file = folder / "data", folder / "baseline.json"
    write(data, {name: KINDS[kind] for name, kind in before.items()})
    scanned = scan_tables([str(data)], settings_of=lambda _: options, advice=False, written=file) if before else ()
    api_reports.write_baselines([(one.report, None) for one in scanned if one.joined is None], file)
    for name in before:
        (data / name).unlink()
    write(data, {name: KINDS[kind] for name, kind in now.items()})
    sources = {
        "folder": [str(data)],
        "pattern": [str(data / "**" / "*.csv")],
        "files": [str(data / name) for name in now],
        "folder twice": [str(data), f"{data}/"],
    }[given_as]
    found = scan_tables(sources, settings_of=lambda _: {**options, "baseline": str(file)}, advice=False)
    codes = {os.path.relpath(one.source, data): one.exit_code for one in found if one.joined is None}
    assert set(codes) == set(now)
    for name, kind in now.items():
        if before.get(name) != kind and alone[kind]:
            assert codes[name] != 0, (name, now, before)
        if before.get(name) == kind:
            assert codes[name] == 0, (name, now, before)
    assert set(found.not_scanned) == {f"data/{name}" for name in before if name not in now}
