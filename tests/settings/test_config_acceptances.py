"""[[accept]] in a settings file: what is refused, and how the command adds an entry without changing anything else."""

from __future__ import annotations

import datetime
import tomllib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.settings.acceptance import AcceptanceEntry, check_period, parse_entries, split_columns, to_toml
from privaudit.settings.config_files import load_config, load_tables
from privaudit.settings.run_settings import resolve

EPOCH = str(int(datetime.datetime(2026, 11, 2, tzinfo=datetime.UTC).timestamp()))
WHO = {"reason": "reviewed", "owner": "board", "expires": "2027-05-01"}
ENTRY = {"code": "QI001", "columns": ["age", "sex"], **WHO}


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)


names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
sentences = names.map(lambda text: text.strip() or "x")


@given(
    st.builds(
        AcceptanceEntry,
        code=st.just("QI001"),
        columns=st.lists(names, max_size=4, unique=True).map(tuple),
        reason=sentences,
        owner=sentences,
        expires=st.dates(),
        worst_accepted=st.one_of(st.none(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), sentences),
        fingerprint=st.one_of(st.none(), sentences),
    )
)
def test_an_entry_is_read_as_it_was_written(entry: AcceptanceEntry) -> None:
    content = tomllib.loads(to_toml(entry, "tool.privaudit.accept"))["tool"]["privaudit"]
    assert parse_entries(content["accept"], "test") == (entry,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"code": ""}, '"code"'),
        ({"columns": "age"}, "a list of different column names"),
        ({"columns": ["age", "age"]}, "a list of different column names"),
        ({"columns": [""]}, "a list of different column names"),
        ({"reason": "  "}, '"reason"'),
        ({"owner": ""}, '"owner"'),
        ({"owner": 3}, '"owner"'),
        ({"expires": "soon"}, "must be a date"),
        ({"expires": "2027-02-30"}, "must be a date"),
        ({"expires": datetime.datetime(2027, 1, 1)}, "must be a date"),
        ({"worst_accepted": True}, "a number or a text"),
        ({"worst_accepted": float("nan")}, "a number or a text"),
        ({"fingerprint": ""}, '"fingerprint"'),
        ({"because": "x"}, 'Unknown key "because"'),
    ],
)
def test_an_entry_that_is_not_complete_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        parse_entries([ENTRY, {**ENTRY, "code": "QI002", **change}], "privaudit.toml")
    assert "[[accept]] 2 in privaudit.toml" in caught.value.line()


PLACE = "[[accept]] 1 in privaudit.toml"
KEYS = "see docs/configuration.md"
KNOWN = "known are: code, columns, reason, owner, expires, worst_accepted, fingerprint"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (3, '"accept" in privaudit.toml must be a list of tables. Hint: write each as [[accept]]'),
        ([3], f"{PLACE} must be a table. Hint: with the keys code, columns, reason, owner, expires"),
        ([{**ENTRY, "why": "x"}], f'Unknown key "why" in {PLACE}. Hint: {KNOWN}'),
        ([{}], f'"code" is missing in {PLACE}. Hint: {KEYS}'),
        (
            [{**ENTRY, "columns": 3}],
            f'"columns" in {PLACE} must be a list of different column names. Hint: an empty list means the whole table',
        ),
        ([{**ENTRY, "expires": "soon"}], f'"expires" in {PLACE} must be a date. Hint: for example 2027-05-31'),
    ],
)
def test_what_is_refused_states_what_to_write(values: Any, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_entries(values, "privaudit.toml")
    assert str(refused.value) == message


def test_the_last_day_that_an_acceptance_may_have_is_stated() -> None:
    today = datetime.date(2026, 11, 2)
    check_period(datetime.date(2027, 11, 2), today, "The date")
    with pytest.raises(ConfigError) as refused:
        check_period(datetime.date(2027, 11, 3), today, "The date")
    assert str(refused.value) == ("The date is more than 365 days ahead. Hint: 2027-11-02 is the last day allowed")


@pytest.mark.parametrize("key", ENTRY)
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(ConfigError, match=f'"{key}" is missing'):
        parse_entries([{k: v for k, v in ENTRY.items() if k != key}], "privaudit.toml")


@pytest.mark.parametrize("value", [{"code": "QI001"}, "QI001", 3, ["QI001"]])
def test_what_is_not_a_list_of_tables_is_refused(value: Any) -> None:
    with pytest.raises(ConfigError, match="table"):
        parse_entries(value, "privaudit.toml")


def test_two_entries_about_one_finding_are_refused() -> None:
    for other in ({"columns": ["sex", "age"]}, {"fingerprint": "a"}):
        with pytest.raises(ConfigError, match="same columns as an earlier entry"):
            parse_entries([ENTRY, {**ENTRY, **other}], "privaudit.toml")
    two = [{**ENTRY, "fingerprint": mark} for mark in ("a", "b")]
    assert len(parse_entries(two, "privaudit.toml")) == 2


CONTENTS = [
    b"",
    b"# nothing yet",
    b'policy = "strict"   # ours\n\n[role]\nage = "quasi" # yes\n',
    b'policy = "strict"\r\n[role]\r\nage = "quasi"\r\n',
    b'\xef\xbb\xbfpolicy = "strict"\n',
    b'[tool.privaudit]\npolicy = "strict"\n[tool.other]\nx = 1\n',
    b'[[accept]]\ncode = "QI002"\ncolumns = []\nreason = "r"\nowner = "o"\nexpires = 2027-01-01',
]


@pytest.mark.parametrize("content", CONTENTS)
def test_everything_else_in_the_file_stays_byte_for_byte(content: bytes) -> None:
    file = Path("privaudit.toml")
    file.write_bytes(content)
    file.chmod(0o640)
    before = load_config(file)
    privaudit.accept("QI001", ["age", "sex"], **WHO)
    assert file.read_bytes().startswith(content)
    assert b"\r\n" not in file.read_bytes().replace(content, b"") or b"\r\n" in content
    after = load_config(file)
    assert file.stat().st_mode & 0o777 == 0o640
    assert {k: v for k, v in after.items() if k != "accept"} == {k: v for k, v in before.items() if k != "accept"}
    assert after["accept"][-1].columns == ("age", "sex")
    assert [path.name for path in Path().iterdir()] == ["privaudit.toml"]


def test_the_file_that_a_scan_reads_is_extended_and_otherwise_created(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pyproject.toml").write_text('[tool.privaudit]\npolicy = "strict"\n', encoding="utf-8")
    Path(".git").mkdir()  # the root of the repository, where the search ends
    Path("inner").mkdir()
    monkeypatch.chdir("inner")
    privaudit.accept("QI001", "age", **WHO)
    assert not Path("privaudit.toml").exists()
    found = load_config(Path("../pyproject.toml"))
    assert (found["policy"], found["accept"][0].columns) == ("strict", ("age",))
    privaudit.accept("QI001", "age", **WHO, config="privaudit.toml")
    privaudit.accept("smallest-class-too-small", "*", **WHO)
    assert [entry.columns for entry in load_config(Path("privaudit.toml"))["accept"]] == [("age",), ()]


def test_a_link_to_the_settings_file_stays_a_link() -> None:
    Path("real.toml").write_text("seed = 3\n", encoding="utf-8")
    Path("privaudit.toml").symlink_to("real.toml")
    privaudit.accept("QI001", "age", **WHO)
    assert Path("privaudit.toml").is_symlink() and "QI001" in Path("real.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "change", "message"),
    [
        ("accept = []\n", {}, "cannot be added"),
        ("accept = 3\n", {}, "list of tables"),
        ("seed = \n", {}, "this is not TOML"),
        ("colour = 1\n", {}, "Unknown key"),
        ("polcy = 1\n", {}, 'did you mean "policy"'),
        ("", {"code": "XX001"}, "does not exist"),
        ("", {"code": "RUN001"}, "cannot be accepted"),
        ("", {"reason": " "}, '"reason"'),
        ("", {"owner": ""}, '"owner"'),
        ("", {"expires": "2026-11-01"}, "in the past"),
        ("", {"expires": "2027-11-03"}, "365 days ahead"),
        ("", {"expires": "next week"}, "must be a date"),
        ("", {"columns": "age,,sex"}, "column names"),
        ("", {"columns": '"age\n,sex'}, "list"),
        ("", {"reason": "\udc80"}, "not Unicode"),
    ],
)
def test_what_is_refused_leaves_the_file_as_it_was(content: str, change: dict[str, Any], message: str) -> None:
    Path("privaudit.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        privaudit.accept(**{"code": "QI001", "columns": "age", **WHO, **change})
    assert Path("privaudit.toml").read_text(encoding="utf-8") == content


def test_a_finding_is_accepted_once() -> None:
    privaudit.accept("QI001", "age,sex", **WHO)
    with pytest.raises(ConfigError, match="earlier entry"):
        privaudit.accept("QI001", "sex,age", **WHO)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("age,sex", ("age", "sex")), ('"a,b",c', ("a,b", "c")), ("*", ()), ('"*"', ("*",)), ("a b", ("a b",))],
)
def test_columns_are_a_list_with_quotes_as_in_csv(text: str, columns: tuple[str, ...]) -> None:
    assert privaudit.accept("QI001", text, **WHO)[0].columns == columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("age, sex", ("age", "sex")),
        ('age,"last, first"', ("age", "last, first")),
        ('age, "last, first"', ("age", "last, first")),
        ('"last, first", age', ("last, first", "age")),
        ('the "old" one,age', ('the "old" one', "age")),
    ],
)
def test_spaces_after_a_comma_are_not_part_of_a_name(text: str, columns: tuple[str, ...]) -> None:
    assert split_columns(text) == columns


def test_a_quote_that_does_not_end_is_refused() -> None:
    with pytest.raises(ConfigError) as refused:
        split_columns('"age,sex')
    assert str(refused.value) == 'The columns are not a list such as A,B. Hint: quote a name such as "A,B"'


ODD = 'last, "first" [x] = #'


def test_with_a_report_the_finding_must_exist_and_its_value_is_the_bound() -> None:
    mails = "".join(f'"person{n}@example.org",{n % 2}\n' for n in range(60))
    Path("mails.csv").write_text('"' + ODD.replace('"', '""') + '",x\n' + mails, encoding="utf-8")
    report = privaudit.scan(Path("mails.csv").resolve(), ner=False)
    assert report.findings.with_code("PII001")[0].subject == (ODD,)
    entry = privaudit.accept("PII001", ODD, **WHO, report=report)[0]
    assert entry.columns == (ODD,) and entry.worst_accepted == report.findings.with_code("PII001")[0].observed
    entries = load_tables(Path("privaudit.toml"))["./mails.csv"]["accept"]
    accepted = privaudit.scan(Path("mails.csv").resolve(), ner=False, accept=entries)
    assert accepted.findings.with_code("PII001")[0].status == "accepted"
    with pytest.raises(ConfigError, match="no such finding"):
        privaudit.accept("GEO001", "x", **WHO, report=report)
    with pytest.raises(privaudit.ColumnNotFound, match="not a column"):
        privaudit.accept("GEO001", "y", **WHO, report=report)


def _accepted(source: str) -> tuple[AcceptanceEntry, ...]:
    """Return the acceptances that the settings file in this folder states for a table."""
    stated = resolve(None, {}, policy_from=None, keep=ExitStack(), notice=print)
    return tuple(stated.of(source).get("accept", ()))


def _write_mails(path: str) -> None:
    Path(path).parent.mkdir(exist_ok=True, parents=True)
    Path(path).write_text("mail,x\n" + "".join(f"p{n}@example.org,{n % 2}\n" for n in range(60)), encoding="utf-8")


@pytest.mark.parametrize("name", ["people.csv", "data/people.csv", "data/[1] *.csv"])
def test_an_acceptance_from_a_report_holds_for_its_table_alone(name: str) -> None:
    _write_mails(name)
    privaudit.accept("PII001", "mail", **WHO, report=privaudit.scan(name, ner=False))
    assert len(_accepted(name)) == len(_accepted(str(Path(name).resolve()))) == 1
    for other in ("other.csv", f"archive/{name}", f"data/deep/{Path(name).name}", f"{name}#2", "data/1 x.csv"):
        assert _accepted(other) == ()


def test_an_acceptance_of_one_entity_type_does_not_hold_for_another() -> None:
    _write_mails("people.csv")
    entry = privaudit.accept("PII001", "mail", **WHO, report=privaudit.scan("people.csv", ner=False))
    cards = "".join(f"{400000 + n}-45-6789".replace("4000", "2", 1) + f",{n % 2}\n" for n in range(10, 70))
    Path("people.csv").write_text("mail,x\n" + cards, encoding="utf-8")
    report = privaudit.scan("people.csv", ner=False, accept=entry)
    found = report.findings.with_code("PII001")
    assert [(finding.status, finding.measure) for finding in found] == [("open", "pii.rate[SSN]")]


def test_a_report_without_a_path_needs_the_name_of_the_table() -> None:
    _write_mails("people.csv")
    report = privaudit.scan(pa.table({"mail": [f"p{n}@example.org" for n in range(60)]}), ner=False)
    with pytest.raises(ConfigError, match="does not state the path") as refused:
        privaudit.accept("PII001", "mail", **WHO, report=report)
    assert "--table" in str(refused.value.hint)
    privaudit.accept("PII001", "mail", **WHO, report=report, table="people.csv")
    privaudit.accept("QI001", "mail", **WHO, table="*.csv")
    assert [entry.code for entry in _accepted("people.csv")] == ["PII001", "QI001"]
    assert [entry.code for entry in _accepted("old/people.csv")] == ["QI001"]


def test_the_acceptances_of_all_sections_apply_and_a_later_one_replaces_one_about_the_same_finding() -> None:
    def entry(header: str, code: str, reason: str) -> str:
        who = f'columns = ["age"]\nreason = "{reason}"\nowner = "o"\nexpires = 2027-01-01\n'
        return f'[[{header}]]\ncode = "{code}"\n{who}'

    Path("privaudit.toml").write_text(
        entry("accept", "QI001", "1")
        + entry("accept", "QI004", "2")
        + entry('tables."*.csv".accept', "QI002", "3")
        + entry('tables."*.csv".accept', "QI005", "4")
        + entry('tables."a.csv".accept', "QI001", "5")
        + entry('tables."a.csv".accept', "QI005", "6"),
        encoding="utf-8",
    )
    assert {each.code: each.reason for each in _accepted("a.csv")} == {
        "QI001": "5", "QI002": "3", "QI004": "2", "QI005": "6",
    }  # fmt: skip
    assert {each.code: each.reason for each in _accepted("b.parquet")} == {"QI001": "1", "QI004": "2"}
