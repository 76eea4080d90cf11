"""With a cache every report is that of a scan without one, and nobody but the user decides what is in it."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.audit.cache import key
from privaudit.audit.cache.evidence import Cache
from privaudit.audit.cache.store import KEPT_SECONDS, SUFFIX, Store, folder_of
from privaudit.base import extras
from privaudit.base.errors import ConfigError
from privaudit.settings.config import Settings
from tests.conftest import Runner

CLOCK = {"SOURCE_DATE_EPOCH": "1795000000"}
POLICIES = ("public", "internal", "strict", "safe-harbor")


def table(seed: int, n_rows: int = 60) -> str:
    """Return a table of people: fine or coarse quasi-identifiers, sometimes with a direct identifier."""
    draw = random.Random(seed)
    n_ages = draw.choice((1, 3, 40))
    columns: dict[str, Callable[[], object]] = {
        "age": lambda: 20 + draw.randrange(n_ages) * 2,
        "sex": lambda: draw.choice("FM"),
        "diagnosis": lambda: draw.choice(("flu", "asthma", "cold", "")),
    }
    if draw.random() < 0.5:
        columns["email"] = lambda: f"p{draw.randrange(10**6)}@example.org"
    rows = [",".join(str(made()) for made in columns.values()) for _ in range(n_rows)]
    return "\n".join([",".join(columns), *rows]) + "\n"


def content(report: privaudit.ScanReport) -> str:
    """Return a report without the times of the run."""
    return json.dumps({**json.loads(report.to_json()), "timings": {}})


def is_hit(report: privaudit.ScanReport) -> bool:
    return "cache" in report.timings and "detect" not in report.timings


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", range(8))
def test_a_report_over_stored_evidence_is_that_of_a_whole_scan(tmp_path, seed, policy):
    file = tmp_path / "t.csv"
    file.write_text(table(seed))
    chosen = {"ner": False, "policy": policy, "framework": ("gdpr",)}
    without = privaudit.scan(file, **chosen)
    first = privaudit.scan(file, **chosen, cache=tmp_path / "cache")
    again = privaudit.scan(file, **chosen, cache=tmp_path / "cache")
    assert content(without) == content(first) == content(again)
    assert without.gate().exit_code == again.gate().exit_code
    assert is_hit(again) == (without.gate().exit_code != 3 or bool(entries(tmp_path / "cache")))


@pytest.mark.slow
def test_every_format_over_stored_evidence_is_that_of_a_whole_scan(tmp_path, few_people):
    without = privaudit.scan(few_people, ner=False)
    for _ in range(2):
        again = privaudit.scan(few_people, ner=False, cache=tmp_path / "cache")
    assert is_hit(again)
    for name in ("report.html", "report.md", "report.sarif", "report.xml", "report.gitlab.json"):
        for report, folder in ((without, "a"), (again, "b")):
            (tmp_path / folder).mkdir(exist_ok=True)
            report.write(tmp_path / folder / name)
        one, other = ((tmp_path / folder / name).read_text() for folder in "ab")
        assert one == other or name == "report.xml", name  # JUnit has the time of each check


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table and the cache of its scan, for tests that copy them."""
    folder = tmp_path_factory.mktemp("stored")
    (folder / "t.csv").write_text(table(0))
    privaudit.scan(folder / "t.csv", ner=False, advice=False, cache=folder / "cache")
    assert len(entries(folder / "cache")) == 1
    return folder


@pytest.fixture
def copied(stored: Path, tmp_path: Path) -> Path:
    """The cache of the table, copied for one test."""
    return Path(shutil.copytree(stored / "cache", tmp_path / "copied"))


def scan(stored: Path, cache: Path, **settings: object) -> privaudit.ScanReport:
    return privaudit.scan(stored / "t.csv", **{"ner": False, "advice": False, "cache": cache, **settings})


def test_a_copy_of_the_folder_works_as_on_a_build_server(stored, copied, tmp_path):
    restored = tmp_path / "restored"
    restored.mkdir()
    subprocess.run(["tar", "-cf", tmp_path / "c.tar", "-C", copied.parent, copied.name], check=True)
    subprocess.run(["tar", "-xf", tmp_path / "c.tar", "-C", restored], check=True)
    assert is_hit(scan(stored, restored / copied.name))


def test_an_entry_holds_neither_cells_nor_findings(stored):
    (entry,) = entries(stored / "cache")
    text = entry.read_bytes()[32:].decode()
    emails = [cell for line in table(0).splitlines()[1:] for cell in line.split(",") if "@" in cell]
    assert not any(email in text for email in emails)
    held = json.loads(text)
    assert {"findings", "gate_", "checks", "advice", "controls"}.isdisjoint({*held, *held["evidence"]})
    assert (entry.stat().st_mode & 0o777, (stored / "cache").stat().st_mode & 0o777) == (0o600, 0o700)


@given(place=st.floats(0, 0.999), bit=st.integers(0, 7))
def test_an_entry_of_which_one_bit_was_changed_is_not_one(stored, place, bit):
    (entry,) = entries(stored / "cache")
    store, whole = Store(stored / "cache"), entry.read_bytes()
    changed = bytearray(whole)
    changed[int(place * len(whole))] ^= 1 << bit
    try:
        entry.write_bytes(changed)
        assert store.read(entry.stem) is None
        entry.write_bytes(whole[: int(place * len(whole))])
        assert store.read(entry.stem) is None
    finally:
        entry.write_bytes(whole)
    assert store.read(entry.stem) == whole[32:]


def test_an_entry_under_another_name_or_from_another_folder_is_not_one(stored, copied, tmp_path):
    (entry,) = entries(copied)
    other = "0" * len(entry.stem)
    shutil.copy2(entry, copied / f"{other}{SUFFIX}")
    assert Store(copied).read(other) is None
    Store(tmp_path / "foreign")
    shutil.copy2(entry, tmp_path / "foreign" / entry.name)
    assert Store(tmp_path / "foreign").read(entry.stem) is None


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
@pytest.mark.parametrize("name", ["key", "entry"])
@pytest.mark.quick_cases(8)
def test_files_that_others_may_read_or_write_are_refused(stored, copied, name, mode):
    target = copied / "key" if name == "key" else entries(copied)[0]
    target.chmod(mode)
    with pytest.raises(ConfigError, match="others"):
        scan(stored, copied)


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o777])
@pytest.mark.quick_cases(3)
def test_a_folder_that_others_may_read_or_write_is_refused(stored, copied, mode):
    copied.chmod(mode)
    with pytest.raises(ConfigError, match="others"):
        scan(stored, copied)


@pytest.mark.parametrize("name", ["folder", "key", "entry"])
@pytest.mark.quick_cases(3)
def test_symbolic_links_are_refused(stored, copied, tmp_path, name):
    target = {"folder": copied, "key": copied / "key", "entry": entries(copied)[0]}[name]
    target.rename(tmp_path / "elsewhere")
    target.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="link"):
        scan(stored, copied)


def test_a_folder_of_another_user_is_refused(stored, copied, monkeypatch):
    owner = copied.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(ConfigError, match="another user"):
        scan(stored, copied)


def test_a_folder_in_a_repository_is_refused(tmp_path, git):
    (tmp_path / "t.csv").write_text(table(0))
    for folder in (tmp_path, tmp_path / "cache", tmp_path / "a" / "b"):
        with pytest.raises(ConfigError, match="repository"):
            privaudit.scan(tmp_path / "t.csv", cache=folder)
    assert not (tmp_path / "cache").exists()


def test_a_link_into_a_repository_is_refused(tmp_path, git, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (tmp_path / "inside").mkdir(mode=0o700)
    (outside / "way").symlink_to(tmp_path / "inside")
    with pytest.raises(ConfigError, match="repository"):
        Store(outside / "way" / "cache")


def test_a_folder_with_other_files_is_refused(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o700)
    (folder / "thesis.txt").write_text("")
    with pytest.raises(ConfigError, match="other files"):
        Store(folder)


def test_entries_that_no_run_read_for_long_are_removed(tmp_path):
    store = Store(tmp_path / "cache")
    for name in ("aa", "bb"):
        store.write(name, name.encode())
    old = (tmp_path / "cache" / f"aa{SUFFIX}").stat().st_mtime - KEPT_SECONDS - 60
    for name in ("aa", "bb"):
        os.utime(tmp_path / "cache" / f"{name}{SUFFIX}", (old, old))
    assert store.read("bb") == b"bb"
    store.write("cc", b"cc")
    assert [store.read(name) for name in ("aa", "bb", "cc")] == [None, b"bb", b"cc"]


def test_a_disk_that_is_full_costs_the_entry_and_not_the_scan(stored, copied):
    for entry in entries(copied):
        entry.unlink()
    (copied / "x").mkdir()
    target = copied / f"{'0' * 64}{SUFFIX}"
    target.mkdir()
    Store(copied).write("0" * 64, b"evidence")
    assert target.is_dir()


def name(folder: Path, file: Path, settings: Settings, *, in_order: bool = False, branch: str = "") -> str | None:
    store = Store(folder)
    return key.name_of(
        file, settings.auxiliary, settings.population, settings, in_order=in_order, branch=branch, hasher=store.hasher
    )


OTHER_VALUES = {
    "role": {"age": "quasi"}, "quasi": ("age",), "sensitive": ("age",), "framework": ("gdpr",), "on": {"a": "b"},
    "truth": {"a": "b"}, "keep": ("age",), "importance": {"age": 2.0}, "population": "1000", "name": "x",
    "delimiter": ";", "encoding": "utf-8", "header": True, "memory": "1GB", "threads": 1, "cap": {"columns": 5},
    "password_env": "X", "parts": ("x",), "ignore": ("x",), "weight": "w", "subject": "s", "unit": "event",
    "loss_measure": "entropy", "choose": 1, "method": "local", "missing": "wildcard", "bound": "none",
    "bad_rows": "skip", "input_format": "csv", "fail_on": "low", "linkage": "exact",
}  # fmt: skip
"""A value of each setting that is neither a file nor a flag, a number or a text with a default that can be changed."""


def changed(settings: Settings) -> dict[str, Settings]:
    """Return the settings with one of them changed, by its name."""
    found = {}
    for item in dataclasses.fields(Settings):
        value = getattr(settings, item.name)
        if item.name in OTHER_VALUES:
            found[item.name] = dataclasses.replace(settings, **{item.name: OTHER_VALUES[item.name]})
        elif isinstance(value, bool):
            found[item.name] = dataclasses.replace(settings, **{item.name: not value})
        elif isinstance(value, int | float):
            found[item.name] = dataclasses.replace(settings, **{item.name: value + 1})
    return found


def test_everything_that_decides_is_part_of_the_name(tmp_path, monkeypatch):
    file, folder, usual = tmp_path / "t.csv", tmp_path / "cache", Settings()
    file.write_text(table(0))
    names = {"usual": name(folder, file, usual)}
    names |= {f"setting {which}": name(folder, file, one) for which, one in changed(usual).items()}
    by_file = {"accept", "answers", "budget", "auxiliary", "hierarchy", "policy", "baseline", "rules"}
    assert {f"setting {item.name}" for item in dataclasses.fields(Settings)} - {*names} == {
        f"setting {one}" for one in by_file
    }
    names["policy"] = name(folder, file, Settings(policy="strict"))
    for which in ("policy", "baseline", "auxiliary"):
        for text in ("k = 5", "k = 6"):
            (tmp_path / which).write_text(text)
            names[f"{which} {text}"] = name(folder, file, Settings(**{which: str(tmp_path / which)}))
    rules = tmp_path / "rules"
    rules.mkdir()
    for text in ("a = 1", "a = 2"):
        (rules / "mine.toml").write_text(text)
        names[f"rules {text}"] = name(folder, file, Settings(rules=str(rules)))
        (tmp_path / "h.csv").write_text(text)
        names[f"hierarchy {text}"] = name(folder, file, Settings(hierarchy={"age": str(tmp_path / "h.csv")}))
    monkeypatch.setattr(key, "memory_of", lambda settings: 123e9)
    names["memory"] = name(folder, file, usual)
    monkeypatch.undo()
    (tmp_path / "linked").mkdir()
    (rules / "checks").symlink_to(tmp_path / "linked")
    for text in ("b = 1", "b = 2"):
        (tmp_path / "linked" / "more.toml").write_text(text)
        names[f"linked rules {text}"] = name(folder, file, Settings(rules=str(rules)))
    names["order"] = name(folder, file, usual, in_order=True)
    names["branch"] = name(folder, file, usual, branch="refs/heads/main")
    names["folder"] = name(tmp_path / "another", file, usual)
    (tmp_path / "u.csv").write_text(table(0))
    names["file"] = name(folder, tmp_path / "u.csv", usual)
    assert names["usual"] == name(folder, file, usual)
    file.write_text(table(0).replace("F", "M", 1))
    names["one byte"] = name(folder, file, usual)
    file.write_text(table(0))
    versions = extras.installed()
    for what in ({"spacy": "0.0"}, {"privaudit": "99"}, {"a-new-model": "1"}):
        monkeypatch.setattr(extras, "installed", lambda what=what: {**versions, **what})
        key._program.cache_clear()
        names[f"package {what}"] = name(folder, file, usual)
    monkeypatch.undo()
    key._program.cache_clear()
    assert None not in names.values() and len({*names.values()}) == len(names)


def test_a_number_names_a_population_and_no_other_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(table(0))
    found = set()
    for text in ("age\n1\n", "age\n2\n"):
        Path("2024").write_text(text)
        found.add(name(tmp_path / "c", Path("t.csv"), Settings(auxiliary="2024")))
    assert len(found) == 2
    assert name(tmp_path / "c", Path("t.csv"), Settings(population="2,024")) is not None


def test_the_copy_of_a_policy_in_another_folder_is_the_same_policy(tmp_path):
    (tmp_path / "t.csv").write_text(table(0))
    found = set()
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "p.toml").write_text("k = 5")
        found.add(name(tmp_path / "c", tmp_path / "t.csv", Settings(policy=str(tmp_path / place / "p.toml"))))
    assert len(found) == 1


def test_what_is_not_in_files_or_depends_on_the_machine_has_no_name(tmp_path, stored):
    folder = tmp_path / "c"
    assert name(folder, stored / "t.csv", Settings(budget=5.0)) is None
    for source in ("-", "postgresql://h/d?table=t", "s3://b/t.csv", tmp_path / "missing.csv", pa.table({"a": [1]})):
        assert name(folder, source, Settings()) is None


def test_what_a_file_states_of_its_columns_is_read_each_time(tmp_path):
    field = pa.field("age", pa.int64(), metadata={"privaudit.role": "quasi"})
    ages = pa.table({"age": [20 + i % 3 for i in range(60)]}, schema=pa.schema([field]))
    pq.write_table(ages, tmp_path / "t.parquet")
    privaudit.scan(tmp_path / "t.parquet", ner=False, advice=False, cache=tmp_path / "cache")
    assert not entries(tmp_path / "cache")


def test_an_acceptance_that_ended_fails_over_stored_evidence_too(tmp_path, run):
    (tmp_path / "c.csv").write_text(table(0))
    outside = tmp_path / "cache"
    accepted = "".join(
        f'[[accept]]\ncode = "{found.code}"\ncolumns = {json.dumps(list(found.subject))}\nreason = "r"\n'
        'owner = "o"\nexpires = 2026-11-30\n'
        for found in privaudit.scan(tmp_path / "c.csv", ner=False, advice=False).findings
    )
    (tmp_path / "privaudit.toml").write_text(accepted)
    words = ("scan", "c.csv", "--brief", "--no-ner", "--cache", outside)
    assert run(*words, **CLOCK).returncode == 0
    assert len(entries(outside)) == 1
    later = {"SOURCE_DATE_EPOCH": str(int(CLOCK["SOURCE_DATE_EPOCH"]) + 30 * 24 * 3600)}
    assert run(*words, **later).returncode == run(*words[:4], **later).returncode == 1
    assert len(entries(outside)) == 1


def test_a_table_that_changes_during_the_scan_is_not_stored(tmp_path, monkeypatch):
    from privaudit.audit import pipeline

    file = tmp_path / "t.csv"
    file.write_text(table(0))

    def meddle(run):
        file.write_text(table(1))
        return pipeline.gather_evidence(run)

    stages = tuple((name, meddle if name == "evidence" else stage) for name, stage in pipeline.STAGES)
    pipeline.run_stages(str(file), Settings(ner=False), stages=stages, cache=Cache(tmp_path / "cache"))
    assert not entries(tmp_path / "cache")


def test_evidence_is_not_stored_where_pictures_failed(tmp_path, monkeypatch):
    """What failed may succeed in the next run, which must try it again."""
    file = tmp_path / "t.csv"
    file.write_text(table(1))

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("privaudit.risk.pictures.measure.coded_columns", fails)
    report = privaudit.scan(file, ner=False, cache=tmp_path / "cache")
    assert any(limit.code == "pipeline.part_failed" and limit.incomplete for limit in report.wire.limits)
    assert "RUN001" in {finding.code for finding in report.findings}
    assert not entries(tmp_path / "cache")
    monkeypatch.undo()
    privaudit.scan(file, ner=False, cache=tmp_path / "cache")
    assert entries(tmp_path / "cache")


def test_user_names_a_folder_among_the_caches_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder_of("user") == tmp_path / "privaudit"
    assert folder_of("./user") == Path("user")


def test_the_variable_names_the_folder(run: Runner, tmp_path):
    (tmp_path / "t.csv").write_text(table(0))
    run("scan", "t.csv", "--brief", "--no-ner", PRIVAUDIT_CACHE=str(tmp_path / "cache"), **CLOCK)
    assert len(entries(tmp_path / "cache")) == 1
    refused = run("scan", "t.csv", "--brief", "--no-ner", "--cache", "t.csv", **CLOCK)
    assert refused.returncode == 2 and "cache folder is a file" in refused.stderr


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("on_branch", [True, False])
def test_with_policy_from_only_entries_of_runs_of_that_branch_count(git, run, tmp_path, tmp_path_factory, on_branch):
    cache = tmp_path_factory.mktemp("ci") / "cache"
    (tmp_path / "t.csv").write_text(table(0))
    (tmp_path / "privaudit.toml").write_text('policy = "public"\n')
    git("add", "-A")
    git("commit", "-qm", "Table and policy")
    words = ("scan", "t.csv", "--brief", "--no-ner", "--cache", cache, "--policy-from", "main")
    if on_branch:  # a run of the branch writes, and a pull request reads
        run(*words, **CLOCK)
        assert len(entries(cache)) == 1
    git("switch", "-qc", "change")
    (tmp_path / "other.txt").write_text("x")
    git("add", "-A")
    git("commit", "-qm", "A pull request")
    written = entries(cache) if cache.exists() else []
    without = run(*words[:4], "--policy-from", "main", **CLOCK)
    timed = run(*words[:2], *words[3:], "--timings", "--quiet", "-o", "r.json", **CLOCK)
    report = privaudit.load(tmp_path / "r.json")
    assert is_hit(report) == on_branch, timed.stderr
    assert without.returncode == timed.returncode
    assert entries(cache) == written  # a pull request writes no entry for the branch
    run(*words[:6], **CLOCK)  # a run that the pull request decides about writes its own
    assert len(entries(cache)) == len(written) + 1
    git("switch", "-q", "main")
    run(*words, **CLOCK)
    assert len(entries(cache)) == 2
