"""Answers of people: written without a loss, read for their table, overdue, and without effect on measurements."""

from __future__ import annotations

import datetime
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.settings.config_files import load_config
from privaudit.settings.run_settings import resolve

FILE = """# our settings
policy = "controlled"  # a contract exists

[answers]  # for every table
purpose = "yearly statistics"
review = 2027-05-31

[answers.control."GDPR-5.2"]
# agreed in the board
text = "the report is filed"  # see folder 12
owner = "DPO"
date = 2026-01-10
until = 2026-12-31

[tables."b.csv"]
unit = "object"  # machines
"""


@pytest.fixture
def year(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    on(monkeypatch, "2026-11-26")
    return tmp_path


def on(monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    moment = datetime.datetime.fromisoformat(f"{day}T12:00:00+00:00")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))


def give(control: str, text: str = "yes, by contract", **more: object) -> None:
    privaudit.answer(control, text=text, owner="DPO", until="2027-11-01", **more)  # type: ignore[arg-type]


def stated(source: str) -> dict[str, str]:
    from contextlib import ExitStack

    with ExitStack() as keep:
        found = resolve(None, {}, policy_from=None, keep=keep, notice=lambda _: None).of(source)
    return {entry.key: entry.text for entry in found["answers"].entries}


def test_an_answer_is_added_and_the_rest_of_the_file_stays(year: Path) -> None:
    Path("privaudit.toml").write_text(FILE, encoding="utf-8")
    give("GDPR-30", table="data/people.csv")
    after = Path("privaudit.toml").read_text(encoding="utf-8")
    assert after.startswith(FILE)
    held = tomllib.loads(after)["answers"]["data/people.csv"]["control"]
    assert held["GDPR-30"]["date"] == datetime.date(2026, 11, 26)


def test_an_answer_that_exists_is_replaced_and_its_comments_stay(year: Path) -> None:
    Path("privaudit.toml").write_text(FILE, encoding="utf-8")
    give("GDPR-5.2", "filed again")
    after = Path("privaudit.toml").read_text(encoding="utf-8")
    assert "# agreed in the board" in after and "# see folder 12" in after and "the report is filed" not in after
    assert tomllib.loads(after)["answers"]["control"]["GDPR-5.2"]["text"] == "filed again"
    untouched = [line for line in FILE.splitlines() if not line.startswith(("text", "owner", "date", "until"))]
    assert all(line in after.splitlines() for line in untouched)


def test_a_text_of_the_context_becomes_a_dated_answer(year: Path) -> None:
    Path("privaudit.toml").write_text(FILE, encoding="utf-8")
    give("purpose", "monthly statistics")
    held = tomllib.loads(Path("privaudit.toml").read_text(encoding="utf-8"))["answers"]
    assert held["purpose"]["text"] == "monthly statistics" and held["review"] == datetime.date(2027, 5, 31)


@given(text=st.text(min_size=1).filter(lambda t: t.strip() and t.isprintable()), twice=st.booleans())
@settings(deadline=None)
def test_any_text_is_read_as_it_was_written(text: str, twice: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("answers") / "privaudit.toml"
    file.write_text(FILE, encoding="utf-8")
    for _ in range(1 + twice):
        privaudit.answer("KDPA-39", text=text, owner=text, until="2099-01-01", config=file)
    entries = {entry.key: entry for entry in load_config(file)["answers"].entries}
    assert entries["KDPA-39"].text == entries["KDPA-39"].owner == text.strip()
    assert file.read_text(encoding="utf-8").startswith(FILE)


def test_answers_of_a_table_replace_those_of_every_table(year: Path) -> None:
    Path("privaudit.toml").write_text(FILE, encoding="utf-8")
    give("GDPR-5.2", "other", table="b.csv")
    assert stated("a.csv")["GDPR-5.2"] == "the report is filed"
    assert stated("b.csv")["GDPR-5.2"] == "other" and stated("b.csv")["purpose"] == "yearly statistics"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('[answers]\nwhy = "x"\n', 'Unknown key "why"'),
        ('[answers.control."GDPR-30"]\ntext = "x"\n', "needs owner"),
        ('[answers]\npurpose = ""\n', "not empty"),
        ('[answers]\nreview = "soon"\n', "must be a date"),
        ('[answers."a.csv"]\nwhy = "x"\n', 'Unknown key "why"'),
    ],
)
def test_what_is_not_an_answer_is_refused(year: Path, content: str, why: str) -> None:
    Path("privaudit.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=why):
        load_config(Path("privaudit.toml"))


def test_an_unknown_control_is_refused(year: Path) -> None:
    with pytest.raises(ConfigError, match="not a control"):
        give("GDPR-99")
    assert not Path("privaudit.toml").exists()


def test_an_inline_answer_is_left_to_a_person(year: Path) -> None:
    content = 'answers = { purpose = "x" }\n'
    Path("privaudit.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be written"):
        give("GDPR-30")
    assert Path("privaudit.toml").read_text(encoding="utf-8") == content


def table(folder: Path, rows: int = 60) -> Path:
    file = folder / "people.csv"
    lines = [f"{20 + i % 30},{'FM'[i % 2]},{('asthma', 'influenza')[i % 2]}" for i in range(rows)]
    file.write_text("\n".join(["age,sex,diagnosis", *lines]) + "\n", encoding="utf-8")
    return file


def test_an_answer_changes_no_measurement_and_no_control(year: Path) -> None:
    file = table(year)
    plain = privaudit.scan(file, framework="gdpr", ner=False).wire
    answers = {
        "purpose": "x",
        "control": {"GDPR-25": {"text": "kept", "owner": "DPO", "date": "2026-01-01", "until": "2099-01-01"}},
    }
    answered = privaudit.scan(file, framework="gdpr", ner=False, answers=answers).wire
    assert answered.controls == plain.controls and answered.findings == plain.findings
    assert answered.risk == plain.risk and answered.gate_ == plain.gate_
    assert [item.status for item in answered.answers] == ["holds", "holds"]


def test_an_answer_is_in_every_output(year: Path) -> None:
    answers = {"purpose": {"text": "purpose of the test", "owner": "DPO", "date": "2026-01-01"}}
    report = privaudit.scan(table(year), ner=False, answers=answers)
    for name in ("report.html", "report.md", "report.json"):
        report.write(name)
        assert "purpose of the test" in Path(name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_year_of_a_privacy_officer(year: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scan, answer, sign, data change, a new scan, and overdue answers in the next year."""
    table(year)
    scan = ["scan", "people.csv", "--framework", "gdpr", "--no-ner", "-o", "report.json", "-q"]
    judge = ["judge", "report.json", "-o", "judged.json", "-q"]
    assert run(*scan).returncode == 1
    before = codes("report.json")
    common = ["--owner", "DPO", "--until", "2027-11-01"]
    assert run("answer", "GDPR-5.1.e", "--text", "kept for five years", *common).returncode == 0
    signed = ["answer", "decides", "--text", "released", *common, "--report", "report.json"]
    assert run(*signed).returncode == 0
    for command, file in ((scan, "report.json"), (judge, "judged.json")):
        assert run(*command).returncode == 1
        assert codes(file) == before and statuses(file) == {"GDPR-5.1.e": "holds", "decides": "holds"}

    table(year, rows=90)
    run(*scan)
    assert codes("report.json") - before == {"RUN008"} and statuses("report.json")["decides"] == "other_data"
    assert run(*signed).returncode == 0
    run(*scan)
    assert "RUN008" not in codes("report.json")

    on(monkeypatch, "2027-11-02")
    for command, file in ((scan, "report.json"), (judge, "judged.json")):
        run(*command)
        assert "RUN007" in codes(file) and set(statuses(file).values()) == {"overdue"}
    later = ["--owner", "DPO", "--until", "2028-11-01"]
    assert run("answer", "GDPR-5.1.e", "--text", "kept for five years", *later).returncode == 0
    run(*scan)
    assert statuses("report.json") == {"GDPR-5.1.e": "holds", "decides": "overdue"}


def test_answers_come_from_the_other_commit(year: Path, run) -> None:
    """A pull request cannot answer for the people who decide."""
    table(year)
    git("init", "-q", "-b", "main")
    Path("privaudit.toml").write_text(FILE, encoding="utf-8")
    git("add", ".")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "settings")
    give("GDPR-5.2", "changed by the branch")
    run("scan", "people.csv", "--no-ner", "--policy-from", "main", "-o", "report.json", "-q")
    held = {item.key: item.text for item in privaudit.load("report.json").wire.answers}
    assert held["GDPR-5.2"] == "the report is filed"


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def codes(file: str) -> set[str]:
    return {finding.code for finding in privaudit.load(file).findings}


def statuses(file: str) -> dict[str, str]:
    return {item.key: item.status for item in privaudit.load(file).wire.answers}
