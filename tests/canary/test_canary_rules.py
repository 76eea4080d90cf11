# ruff: noqa: E501 - rules and arguments are read whole
"""Nothing leaks by way of a user's own rules, labels and recognizers, nor by what is reported of pseudonyms."""

from __future__ import annotations

import hashlib
import json
import random
import sys
import uuid
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_canary import assert_clean, collect, make_rows, marker, write_csv

SECRET = "qzxvkjwqzvkx"


def folder_of(tmp_path: Path, **files: str) -> Path:
    rules = tmp_path / "rules"
    rules.mkdir(exist_ok=True)
    for name, text in files.items():
        (rules / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return rules


DETECTOR = """[[entity]]
name = "BADGE"
title = "Badge"
role = "direct"

[[detector]]
entity = "BADGE"
title = "Badge"
{line}
"""
BROKEN = {
    "regex that is none": "regex = ['(qzxvkjwqzvkx']",
    "regex with look-around": "regex = ['(?=qzxvkjwqzvkx)a']",
    "veto that is none": "regex = ['a']\nvetoes = ['[qzxvkjwqzvkx']",
    "validator that is none": "validator = 'qzxvkjwqzvkx'",
    "list that is none": "list = 'qzxvkjwqzvkx'",
    "wrong type": "regex = ['a']\nstrength = 'qzxvkjwqzvkx'",
    "too strong": "regex = ['a']\nlengths = ['qzxvkjwqzvkx']",
    "not toml": "regex = ['qzxvkjwqzvkx",
    "case that fails": "values = ['b']\nmatch = ['qzxvkjwqzvkx']",
    "case that fires": "regex = ['[a-z]+']\nno_match = ['qzxvkjwqzvkx']",
}


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("kind", BROKEN)
def test_broken_detectors_do_not_show_what_they_look_for(run, tmp_path, kind):
    """What a pack looks for may be the names of real people."""
    rules = folder_of(tmp_path, own__toml=DETECTOR.format(line=BROKEN[kind]))
    rows = make_rows(21, 30)
    source = write_csv(tmp_path / "people.csv", rows)
    for command in (("rules", "test", rules), ("scan", source, "--no-ner", "--rules", rules)):
        result = run(*command)
        assert result.returncode in (0, 1, 2, 3), result.stderr
        assert "Traceback" not in result.stderr
        assert_clean({"out": result.stdout, "err": result.stderr}, rows, [{"rule": SECRET}])
    assert run("rules", "test", rules).returncode != 0


@pytest.mark.slow
def test_detectors_that_look_for_real_people(run, tmp_path):
    rows = make_rows(22)
    names = [row["full_name"] for row in rows]
    line = f"values = {json.dumps(names)}\nmatch = {json.dumps(names[:3])}\nheaders = ['who']"
    rules = folder_of(tmp_path, own__toml=DETECTOR.format(line=line))
    source = write_csv(tmp_path / "people.csv", rows)
    scan = run("scan", source, "--no-ner", "--rules", rules, "-o", tmp_path / "r.json", "-o", tmp_path / "r.html")
    assert scan.returncode in (0, 1, 3), scan.stderr
    assert '"BADGE"' in (tmp_path / "r.json").read_text(encoding="utf-8")
    texts = collect(tmp_path, scan, source, rules / "own.toml")
    for more in (
        ("rules", "test", rules),
        ("rules", "list", rules),
        ("doctor",),
        ("explain", "BADGE", "--rules", rules),
    ):
        result = run(*more)
        assert "Traceback" not in result.stderr
        texts[" ".join(map(str, more))] = result.stdout + result.stderr
    assert_clean(texts, rows)


RECOGNIZERS = {
    "not yaml": "recognizers: [qzxvkjwqzvkx: {",
    "not a list": "recognizers: qzxvkjwqzvkx",
    "tab": "recognizers:\n\t- name: qzxvkjwqzvkx\n",
    "regex that is none": "recognizers:\n  - name: Badge\n    supported_entity: BADGE\n    supported_language: en\n"
    "    patterns:\n      - {name: b, regex: '(qzxvkjwqzvkx', score: 0.8}\n",
    "score that is none": "recognizers:\n  - name: Badge\n    supported_entity: BADGE\n    supported_language: en\n"
    "    patterns:\n      - {name: b, regex: 'a', score: qzxvkjwqzvkx}\n",
    "nothing to look for": "recognizers:\n  - name: Badge\n    supported_entity: BADGE\n    supported_language: en\n"
    "    context: [qzxvkjwqzvkx]\n",
    "class that is none": "recognizers:\n  - name: qzxvkjwqzvkx\n    type: predefined\n",
    "another language": "recognizers:\n  - name: Badge\n    supported_entity: BADGE\n    supported_language: xx\n"
    "    deny_list: [qzxvkjwqzvkx]\n",
    "object": "recognizers: !!python/object/apply:os.system ['echo qzxvkjwqzvkx']",
}


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("kind", RECOGNIZERS)
def test_broken_recognizers_are_one_line_without_their_content(run, tmp_path, kind):
    rules = folder_of(tmp_path, recognizers__yaml=RECOGNIZERS[kind])
    rows = make_rows(23, 30)
    source = write_csv(tmp_path / "people.csv", rows)
    result = run("scan", source, "--rules", rules)
    assert result.returncode == 2, (result.returncode, result.stderr)
    assert len(result.stderr.strip().splitlines()) == 1
    assert "recognizers.yaml" in result.stderr
    name = [] if kind == "class that is none" else [{"rule": SECRET}]  # the error names the recognizer
    assert_clean({"out": result.stdout, "err": result.stderr}, rows, name)


@pytest.mark.slow
def test_recognizers_that_look_for_real_people(run, tmp_path):
    """A deny-list of people and a regex with context are found, counted, and never shown."""
    rows = make_rows(24, 40)
    names = [row["full_name"].split()[0] for row in rows]
    for number, row in enumerate(rows):
        row["notes"] = f"The visitor {names[number]} came to the desk with badge BDG{10_000 + number} and waited there."
    rules = folder_of(
        tmp_path,
        recognizers__yaml="recognizers:\n  - name: Visitors\n    supported_entity: VISITOR\n    supported_language: en\n"
        f"    deny_list: {json.dumps(names)}\n  - name: Badge\n    supported_entity: BADGE\n    supported_language: en\n"
        "    patterns:\n      - {name: badge, regex: 'BDG[0-9]{5}', score: 0.3}\n    context: [badge]\n",
    )
    source = write_csv(tmp_path / "people.csv", rows)
    result = run("scan", source, "--rules", rules, "-o", tmp_path / "r.json", "-o", tmp_path / "r.html")
    assert result.returncode in (0, 1, 3), result.stderr
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    notes = next(column for column in report["columns"] if column["name"] == "notes")
    counted = {found["entity"]: found["n_cells"] for found in notes["contains"]}
    assert {"VISITOR", "BADGE"} <= set(counted), counted
    assert_clean(collect(tmp_path, result, source, rules / "recognizers.yaml"), rows)


@pytest.mark.slow
def test_training_on_tables_of_people_reveals_nothing_of_them(run, tmp_path):
    labels = {}
    known = {
        "full_name": "PERSON_NAME",
        "email": "EMAIL",
        "phone": "PHONE",
        "national_id": "NATIONAL_ID",
        "city": "CITY",
    }
    known |= {"age": "AGE", "sex": "GENDER", "balance": "NONE", "notes": "FREE_TEXT", "job": "OCCUPATION"}
    tables = [make_rows(30 + i, 40) for i in range(4)]
    sources = [write_csv(tmp_path / f"t{i}.csv", rows) for i, rows in enumerate(tables)]
    for source in sources:
        labels[source.name] = {column: {"entity": entity} for column, entity in known.items()}
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(labels))
    result = run("rules", "train", file, "-o", tmp_path / "fusion.toml")
    assert result.returncode in (0, 1), result.stderr
    assert_clean(collect(tmp_path, result, *sources, file), *tables)
    for broken in ('{"t0.csv": {"email": {"entity": "' + SECRET, '["' + SECRET + '"]', '{"t0.csv": "' + SECRET + '"}'):
        file.write_text(broken)
        result = run("rules", "train", file, "-o", tmp_path / "other.toml")
        assert result.returncode == 2 and "Traceback" not in result.stderr
        assert_clean({"out": result.stdout, "err": result.stderr}, [{"labels": SECRET}])


@pytest.mark.slow
def test_pseudonyms_of_every_kind(run, tmp_path):
    """Digests, tokens and clocks: none of them, none of what they were made of, no piece and no hash of either."""
    rng = random.Random(40)
    rows = make_rows(41, 80)
    other = [dict(row) for row in make_rows(41, 80)]
    shown: list[str] = []
    for number, row in enumerate(rows):
        mail, name = row["email"], row["full_name"]
        row["mail_hash"] = hashlib.sha256(mail.encode()).hexdigest()
        row["cut"] = hashlib.md5(name.encode()).hexdigest()[:12]
        row["joined"] = hashlib.sha1(f"{name}|{row['phone']}".encode()).hexdigest()
        row["small"] = hashlib.md5(str(10_000 + number).encode()).hexdigest()
        row["keyed"] = hashlib.sha256(f"{SECRET}{mail}".encode()).hexdigest()
        row["made"] = str(uuid.UUID(int=(rng.getrandbits(60) << 68 | 1 << 76 | 2 << 62 | 0x001A2B3C4D00 | number)))
        row["token"] = f"{rng.getrandbits(64):016x}"
        other[number]["token"] = row["token"]
        shown += [row[key] for key in ("mail_hash", "cut", "joined", "small", "keyed", "made", "token")]
        shown += [str(10_000 + number)]
    for row in rows:
        del row["email"], row["notes"]
    source = write_csv(tmp_path / "people.csv", rows)
    auxiliary = write_csv(tmp_path / "other.csv", other)
    result = run("scan", source, "--no-ner", "--auxiliary", auxiliary, "-o", tmp_path / "r.json", "-o", tmp_path / "r.html",
                 "-o", tmp_path / "r.md")  # fmt: skip
    assert result.returncode in (0, 1, 3), result.stderr
    texts = collect(tmp_path, result, source, auxiliary)
    codes = {finding["code"] for finding in json.loads(texts["r.json"])["findings"]}
    assert {"PSN002", "PSN003"} <= codes
    assert_clean(texts, rows, other)
    for where, text in texts.items():
        leaked = [value for value in shown if value in text or (len(value) > 8 and value[:8] in text)]
        assert not [value for value in leaked if not value.isdigit()], where


def test_a_header_that_is_a_person_next_to_a_hash_of_that_column(run, tmp_path):
    """Evidence names columns: a column name that is a value is withheld there too."""
    rng = random.Random(50)
    mails = [f"{marker(rng)}@{marker(rng)}.org" for _ in range(60)]
    digests = [hashlib.sha256(mail.encode()).hexdigest() for mail in mails]
    for name, lines in {"bare.csv": list(zip(mails, digests, strict=True))}.items():
        source = tmp_path / name
        source.write_text("".join(f"{mail},{digest}\n" for mail, digest in lines))
        result = run("scan", source, "--no-ner", "-o", tmp_path / "r.json", "-o", tmp_path / "r.html")
        assert result.returncode in (0, 1, 3), result.stderr
        texts = collect(tmp_path, result, source)
        assert_clean(texts, [{"mail": mail} for mail in mails])
        assert not [digest for digest in digests if any(digest[:8] in text for text in texts.values())]
