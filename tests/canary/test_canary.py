"""Nothing leaks: marked values planted everywhere a value can occur appear in no output, log, error or file.

A marker is made of letters that no word of ours holds in that order, so that a piece of four characters is as
telling as the whole; digits are looked for whole, in pieces of seven, and hashed.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.pages import without_own_hashes

N_ROWS = 60
LETTERS = "qzxvkjw"


def marker(rng: random.Random, length: int = 9) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(length))


def digits(rng: random.Random, length: int) -> str:
    return str(rng.randrange(10 ** (length - 1), 10**length))


def make_rows(seed: int, n: int = N_ROWS) -> list[dict[str, str]]:
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        rows.append(
            {
                "full_name": f"{marker(rng).title()} {marker(rng).title()}",
                "email": f"{marker(rng)}@{marker(rng)}.org",
                "phone": f"+2547{digits(rng, 8)}",
                "national_id": digits(rng, 8),
                "city": marker(rng).title(),
                "diagnosis": marker(rng),
                "job": rng.choice([marker(random.Random(s)) for s in range(4)]),
                "age": str(rng.randrange(18, 80)),
                "sex": rng.choice(["F", "M"]),
                "balance": f"{digits(rng, 9)}.37",
                "account": f"DE{digits(rng, 20)}",
                "token": marker(rng, 40),
                "notes": f"Spoke with {marker(rng)} about {marker(rng)}, call {digits(rng, 9)} or "
                f"write to {marker(rng)}@{marker(rng)}.net.",
            }
        )
    return rows


def secrets(rows: list[dict[str, str]]) -> Iterator[str]:
    """Yield everything that must not appear: pieces of markers, long numbers, hashes of whole values."""
    for row in rows:
        for value in row.values():
            for word in "".join(c if c.isalnum() else " " for c in value).split():
                low = word.lower()
                if low.isdigit():
                    yield from (low[i : i + 7] for i in range(len(low) - 6))
                elif set(low) <= set(LETTERS):
                    yield from (low[i : i + 4] for i in range(len(low) - 3))
            if len(value) > 4:
                for name in ("md5", "sha1", "sha256"):
                    yield hashlib.new(name, value.encode()).hexdigest()[:16]


def assert_clean(texts: dict[str, str], *tables: list[dict[str, str]]) -> None:
    planted = {secret for table in tables for secret in secrets(table)}
    assert {len(secret) for secret in planted} <= set(RUNS)
    for where, text in texts.items():
        leaked = planted & set(pieces(without_own_hashes(text).lower()))
        assert not leaked, f"{len(leaked)} planted pieces in {where}"


RUNS = {4: re.compile(f"[{LETTERS}]{{4,}}"), 7: re.compile("[0-9]{7,}"), 16: re.compile("[0-9a-f]{16,}")}
"""Where a secret of a length can occur: letters of markers, digits, hexadecimal digits."""


def pieces(text: str) -> Iterator[str]:
    """Yield every piece of `text` that could be a secret."""
    for length, runs in RUNS.items():
        for run in runs.findall(text):
            yield from (run[i : i + length] for i in range(len(run) - length + 1))


def write_csv(path: Path, rows: list[dict[str, str]], *, header: bool = True, preamble: str = "") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(preamble)
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        if header:
            writer.writeheader()
        writer.writerows(rows)
    return path


def collect(tmp_path: Path, result, *skip: Path) -> dict[str, str]:
    """Return every text the run left: streams and files, temporary ones included."""
    texts = {"stdout": result.stdout, "stderr": result.stderr}
    for file in tmp_path.rglob("*"):
        if file.is_file() and file not in skip:
            texts[str(file.relative_to(tmp_path))] = file.read_bytes().decode("utf-8", "replace")
    return texts


def run_and_collect(run, tmp_path: Path, source: Path, *more: str | Path, skip: tuple[Path, ...] = ()):
    temporary = tmp_path / "temporary"
    temporary.mkdir(exist_ok=True)
    outputs = [word for name in ("r.html", "r.json", "r.md") for word in ("-o", str(tmp_path / name))]
    result = run("scan", source, *outputs, *more, TMPDIR=str(temporary), HOME=str(temporary))
    assert "Traceback" not in result.stderr
    return result, collect(tmp_path, result, source, *skip)


def test_a_planted_piece_would_be_noticed():
    rows = make_rows(1)
    with pytest.raises(AssertionError, match="planted pieces"):
        assert_clean({"here": "said " + rows[0]["full_name"].split()[0][2:7]}, rows)
    for key in ("national_id", "email", "phone"):
        with pytest.raises(AssertionError, match="planted pieces"):
            assert_clean({"here": f"x{rows[0][key]}y"}, rows)
        with pytest.raises(AssertionError, match="planted pieces"):
            assert_clean({"here": hashlib.sha256(rows[0][key].encode()).hexdigest()}, rows)


@pytest.mark.parametrize("ner", [(), ("--no-ner",)], ids=["with model", "without"])
@pytest.mark.parametrize("process", ["run", pytest.param("run_in_new_process", marks=pytest.mark.slow)])
def test_scan_with_auxiliary_table(request, process, tmp_path, ner):
    rows, other = make_rows(1), make_rows(2)
    for row, copied in zip(other[:30], rows, strict=False):
        row.update({key: copied[key] for key in ("city", "age", "sex", "job")})
    source = write_csv(tmp_path / "people.csv", rows)
    auxiliary = write_csv(tmp_path / "other.csv", other)
    result, texts = run_and_collect(
        request.getfixturevalue(process),
        tmp_path,
        source,
        "--auxiliary",
        auxiliary,
        "--quasi",
        "age,sex,city,job",
        *ner,
        skip=(auxiliary,),
    )
    assert result.returncode in (0, 1, 3), result.stderr
    assert (tmp_path / "r.html").exists()
    assert_clean(texts, rows, other)


@pytest.mark.slow
def test_headerless_file_and_lines_before_the_header(run, tmp_path):
    rows = make_rows(3)
    for name, options in (("bare.csv", {"header": False}), ("titled.csv", {"preamble": "# of qzxvkjwq vwxkzqjv\n"})):
        source = write_csv(tmp_path / name, rows, **options)
        _, texts = run_and_collect(run, tmp_path, source, "--no-ner", skip=(tmp_path / "bare.csv",))
        assert_clean(texts, rows, [{"preamble": "qzxvkjwq vwxkzqjv"}] if "preamble" in options else [])


def test_a_header_that_is_a_person(run, tmp_path):
    rows = [{"day": str(i), "qzxvkjwq@vwxkzqjv.org": str(i % 7), "+254712345678": str(i % 3)} for i in range(40)]
    source = write_csv(tmp_path / "pivot.csv", rows)
    _, texts = run_and_collect(run, tmp_path, source, "--no-ner")
    assert_clean(texts, [{"header": "qzxvkjwq@vwxkzqjv.org"}, {"header": "254712345678"}])


def test_jsonl_and_parquet(run, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = make_rows(4)
    lines = tmp_path / "people.jsonl"
    lines.write_text("\n".join(json.dumps(row) for row in rows))
    _, texts = run_and_collect(run, tmp_path, lines, "--no-ner")
    assert_clean(texts, rows)
    table = tmp_path / "people.parquet"
    pq.write_table(pa.Table.from_pylist(rows), table)
    _, texts = run_and_collect(run, tmp_path, table, "--no-ner", skip=(lines,))
    assert_clean(texts, rows)


def damage(kind: str, folder: Path, rows: list[dict[str, str]]) -> Path:
    """Write a file that must be refused, with marked values around the damage."""
    path = write_csv(folder / "people.csv", rows)
    content = path.read_bytes()
    if kind == "ragged row":
        path.write_bytes(content + b"qzxvkjwq,vwxkzqjv\n" + content.splitlines(keepends=True)[-1])
    elif kind == "wrong encoding":
        path.write_bytes(content.replace(b"Spoke", b"Spok\xff\xfe", 1))
    elif kind == "open quote":
        path.write_bytes(content + b'"qzxvkjwq vwxkzqjv')
    elif kind == "cut gzip":
        path = folder / "people.csv.gz"
        path.write_bytes(gzip.compress(content)[:-400])
    elif kind == "broken json":
        path = folder / "people.jsonl"
        path.write_text(json.dumps(rows[0]) + "\n{'name': 'qzxvkjwq'\n")
    elif kind == "not parquet":
        path = folder / "people.parquet"
        path.write_bytes(content)
    elif kind == "not excel":
        path = folder / "people.xlsx"
        path.write_bytes(content)
    elif kind == "not sqlite":
        path = folder / "people.sqlite"
        path.write_bytes(content)
    return path


DAMAGES = ("ragged row", "wrong encoding", "open quote", "cut gzip")
DAMAGES += ("broken json", "not parquet", "not excel", "not sqlite")


@pytest.mark.parametrize("kind", DAMAGES)
def test_failing_scan(run, tmp_path, kind):
    rows = make_rows(5)
    source = damage(kind, tmp_path, rows)
    original = tmp_path / "people.csv"
    result, texts = run_and_collect(run, tmp_path, source, "--no-ner", skip=(original,))
    assert result.returncode == 2, result.stderr
    assert not (tmp_path / "r.html").exists()
    assert len(result.stderr.strip().splitlines()) == 1
    assert_clean(texts, rows, [{"rest": "qzxvkjwq vwxkzqjv"}])


def test_wrong_arguments_do_not_quote_cells(run, tmp_path):
    rows = make_rows(6)
    source = write_csv(tmp_path / "people.csv", rows)
    for more in (("--quasi", "agee"), ("--on", "age=agee", "--auxiliary", str(source)), ("--weight", "full_name")):
        result, texts = run_and_collect(run, tmp_path, source, "--no-ner", *more)
        assert result.returncode in (1, 2, 3), result.stderr
        assert_clean(texts, rows)


def test_internal_error_shows_no_foreign_text(tmp_path, monkeypatch, capsys):
    import sys

    from privaudit.cli import commands as cli
    from privaudit.source import profile

    rows = make_rows(7)
    source = write_csv(tmp_path / "people.csv", rows)

    def break_down(*_args, **_kwargs):
        raise RuntimeError(f"cannot convert {rows[0]['full_name']}")

    monkeypatch.setattr(profile, "profile", break_down)
    monkeypatch.setattr(sys, "argv", ["privaudit", "scan", str(source)])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 4
    streams = capsys.readouterr()
    assert_clean({"stdout": streams.out, "stderr": streams.err}, rows)
    assert "profile" in streams.err and len(streams.err.strip().splitlines()) == 1


def shown(report) -> dict[str, str]:
    """Return everything a report shows of itself to a program or a notebook."""
    from privaudit.report import render

    texts = {kind: render(report.wire, kind) for kind in ("html", "json", "md")}
    return {**texts, "notebook": report._repr_html_(), "repr": repr(report), "frame": report.to_frame().to_csv()}


def test_weights_and_numbers_that_reports_compute_with():
    """The fewest people of a class of one record are its weight; the edge of a band may begin like its cells."""
    import pandas as pd

    import privaudit

    rows = make_rows(8)
    report = privaudit.scan(
        pd.DataFrame(rows), ner=False, quasi=["age", "sex", "city"], weight="balance", policy="internal"
    )
    assert report.risk is not None and report.risk.weighted is not None
    assert_clean(shown(report), rows)

    near = [str(24_570_000 + 37 * i) for i in range(400)]
    report = privaudit.scan(pd.DataFrame({"member": near, "sex": ["F", "M"] * 200}), ner=False, quasi=["member", "sex"])
    assert report.advice
    assert not [remedy.text for remedy in report.advice if "2457" in str((remedy.text, dict(remedy.parameters)))]
    held = ["251236780"] * 9 + [str(251236000 + i % 700) for i in range(400)]
    report = privaudit.scan(pd.DataFrame({"income": held, "sex": "F"}), ner=False, quasi=["income"])
    assert not [remedy.text for remedy in report.advice if "2512" in str((remedy.text, dict(remedy.parameters)))]


@pytest.mark.slow
def test_keys_and_headers_that_are_people(tmp_path):
    import privaudit

    rows = make_rows(9, 24)
    lines = tmp_path / "keyed.jsonl"
    lines.write_text("\n".join(json.dumps({row["email"]: i, row["phone"]: 1}) for i, row in enumerate(rows)))
    assert_clean(shown(privaudit.scan(lines, ner=False)), rows)
    nested = tmp_path / "nested.jsonl"
    people = [{"id": i, "who": {row["email"]: row["full_name"], "l": [row["job"]]}} for i, row in enumerate(rows)]
    nested.write_text("\n".join(map(json.dumps, people)))
    assert_clean(shown(privaudit.scan(nested, ner=False)), rows)
    names = [hashlib.md5(row["email"].encode()).hexdigest() for row in rows]
    wide = tmp_path / "wide.csv"
    wide.write_text("day," + ",".join(names) + "\n" + "".join(f"{i}{',1' * len(names)}\n" for i in range(9)))
    report = privaudit.scan(wide, ner=False)
    assert len(report.columns) == 25 and not [name for name in names if name[:8] in report.to_json()]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_rows_without_a_header(tmp_path, n):
    import privaudit

    rows = make_rows(10, n)
    for delimiter in ",;|":
        path = tmp_path / "bare.csv"
        kept = ("full_name", "email", "phone", "city", "age")
        path.write_text("".join(delimiter.join(row[name] for name in kept) + "\n" for row in rows))
        assert_clean(shown(privaudit.scan(path, ner=False)), rows)
