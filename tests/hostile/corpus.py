"""Files made to break readers, each with the outcome that is expected of a scan.

Question: what may a scan do with a hostile or foreign file?
Method: `corpus` generates files family by family from a seed. Every cell is made of marker letters, so that a piece of
four characters in an output is a leak. An expectation is a shape (the table must be read with exactly these rows and
columns, or refused or reported as incomplete where the file allows it), a refusal, or any clean ending.
Limits: bytes only; `test_hostile_corpus` runs the scans.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LETTERS = "qzxvkjw"
COLUMNS = ("name", "town", "age", "sex")


@dataclass(frozen=True, slots=True)
class HostileFile:
    """A file and the outcome that is expected.

    Attributes
    ----------
    name : str
        File name, unique in the corpus.
    content : bytes
    rows, columns : int or None
        The only shape in which the table may be read, where one is right.
    refused : bool
        Whether the scan must end with exit code 2.
    """

    name: str
    content: bytes
    rows: int | None = None
    columns: int | None = None
    refused: bool = False


Family = Callable[[random.Random], Iterator[HostileFile]]


def marker(rng: random.Random, length: int = 8) -> str:
    """Return a word of marker letters."""
    return "".join(rng.choice(LETTERS) for _ in range(length))


def rows_of(rng: random.Random, n: int) -> list[list[str]]:
    """Return `n` rows of four cells; names and towns are markers."""
    return [[marker(rng).title(), marker(rng).title(), str(rng.randrange(18, 90)), rng.choice("FM")] for _ in range(n)]


def csv_text(rows: list[list[str]], sep: str = ",", end: str = "\n", header: tuple[str, ...] = COLUMNS) -> str:
    """Return rows as delimited text without quotes."""
    return "".join(sep.join(cells) + end for cells in ([list(header)] if header else []) + rows)


def corpus(seed: int = 7, families: Sequence[Family] | None = None) -> Iterator[HostileFile]:
    """Yield every file of the corpus, or those of some families; the same seed gives the same bytes."""
    for family in FAMILIES if families is None else families:
        rng = random.Random(f"{seed} {family.__name__}")
        for number, file in enumerate(family(rng)):
            stem, _, suffix = file.name.partition(".")
            name = f"{family.__name__}-{number:03d}-{stem}.{suffix}"
            yield HostileFile(name, file.content, file.rows, file.columns, file.refused)


def encodings(rng: random.Random) -> Iterator[HostileFile]:
    """Text in encodings that are marked, unmarked, mixed or invalid."""
    for n in (5, 40):
        text = csv_text(rows_of(rng, n))
        yield HostileFile("utf8.csv", text.encode(), n, 4)
        for codec in ("utf-8-sig", "utf-16", "utf-32"):
            yield HostileFile(f"{codec}.csv", text.encode(codec), n, 4)
        for codec in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp037", "utf-7"):
            yield HostileFile(f"unmarked {codec}.csv", text.encode(codec))
        accented = text.replace("a", "é")
        for codec in ("latin-1", "cp1252", "mac-roman"):
            yield HostileFile(f"{codec}.csv", accented.replace("name", "namé").encode(codec))
        yield HostileFile("cut letter.csv", (text + "é,é,3,F").encode()[:-5] + b"\xc3", refused=True)
        yield HostileFile("surrogate.csv", text.encode() + b"\xed\xa0\x80,x,3,F\n", refused=True)
        yield HostileFile("overlong.csv", text.encode() + b"\xc0\xaf,x,3,F\n", refused=True)
        yield HostileFile("two marks.csv", b"\xef\xbb\xbf" + text.encode("utf-8-sig"), n, 4)
        yield HostileFile("nul.csv", text.replace(",", ",\0", 3).encode())
        yield HostileFile("nul tail.csv", text.encode() + b"\0" * 64)
        yield HostileFile("escape.csv", text.replace("name", "\x1b[31mname").encode())


def line_ends(rng: random.Random) -> Iterator[HostileFile]:
    """Line ends and the ends of files."""
    for n in (3, 30):
        rows = rows_of(rng, n)
        for end in ("\n", "\r\n", "\r"):
            yield HostileFile("ends.csv", csv_text(rows, end=end).encode(), n, 4)
            yield HostileFile("no last end.csv", csv_text(rows, end=end).rstrip().encode(), n, 4)
            yield HostileFile("blank lines.csv", (csv_text(rows, end=end) + end * 3).encode(), n, 4)
        text = csv_text(rows)
        yield HostileFile("mixed.csv", text.replace("\n", "\r\n", 2).encode())
        yield HostileFile("control-z.csv", (text + "\x1a").encode())
        yield HostileFile("separators.csv", text.replace("Q", "Q\u2028").encode())
        yield HostileFile("form feed.csv", text.replace("Q", "Q\f").encode())


def delimiters(rng: random.Random) -> Iterator[HostileFile]:
    """Separators, announced and unannounced."""
    for n in (4, 25, 90):
        rows = rows_of(rng, n)
        for sep in (",", ";", "\t", "|"):
            yield HostileFile("plain.csv", csv_text(rows, sep).encode(), n, 4)
        for sep in (":", "^", "~", "\x1f", " ", "  ", "::"):
            yield HostileFile("odd.csv", csv_text(rows, sep).encode())
        yield HostileFile("announced.csv", b"sep=;\n" + csv_text(rows, ";").encode())
        yield HostileFile("tab.tsv", csv_text(rows, "\t").encode(), n, 4)
        yield HostileFile("comma.tsv", csv_text(rows).encode())
        decimal = [[*cells[:2], cells[2] + ",5", cells[3]] for cells in rows]
        yield HostileFile("decimal comma.csv", csv_text(decimal, ";").encode(), n, 4)


def quotes(rng: random.Random) -> Iterator[HostileFile]:
    """Quotes that are right, doubled, lonely or never closed."""
    for n in (6, 35):
        rows = rows_of(rng, n)
        quoted = [[f'"{cell}"' for cell in cells] for cells in rows]
        yield HostileFile("all.csv", csv_text(quoted).encode(), n, 4)
        doubled = [[f'"{cells[0]} ""{cells[1]}"""', *cells[1:]] for cells in rows]
        yield HostileFile("doubled.csv", csv_text(doubled).encode(), n, 4)
        comma = [[f'"{cells[0]}, {cells[1]}"', *cells[1:]] for cells in rows]
        yield HostileFile("separator inside.csv", csv_text(comma).encode(), n, 4)
        lines = [[f'"{cells[0]}\n{cells[1]}"', *cells[1:]] for cells in rows]
        yield HostileFile("line inside.csv", csv_text(lines).encode(), n, 4)
        for place in (0, n // 2, n - 1):
            torn = [list(cells) for cells in rows]
            torn[place][0] = '"' + torn[place][0]
            yield HostileFile(f"never closed {place}.csv", csv_text(torn).encode())
            torn[place][0] = rows[place][0][:3] + '"' + rows[place][0][3:]
            yield HostileFile(f"in the middle {place}.csv", csv_text(torn).encode())
            torn[place][0] = f'"{rows[place][0]}"x'
            yield HostileFile(f"text behind {place}.csv", csv_text(torn).encode())
        single = [[f"'{cell}'" for cell in cells] for cells in rows]
        yield HostileFile("single.csv", csv_text(single).encode())
        backslash = [[cells[0] + "\\", *cells[1:]] for cells in rows]
        yield HostileFile("backslash.csv", csv_text(backslash).encode(), n, 4)
        escaped = [[f'"{cells[0]}\\"{cells[1]}"', *cells[1:]] for cells in rows]
        yield HostileFile("escaped.csv", csv_text(escaped).encode())


def ragged(rng: random.Random) -> Iterator[HostileFile]:
    """Rows with a field too many or too few, early, late and often."""
    for n in (10, 60):
        for place in (0, 1, n // 2, n - 1):
            for change in ("short", "long", "one", "empty"):
                rows = rows_of(rng, n)
                cells = rows[place]
                rows[place] = {"short": cells[:3], "long": [*cells, cells[0]], "one": cells[:1], "empty": [""]}[change]
                refused = change == "long" and place not in (0, n - 1)
                yield HostileFile(f"{change} {place}.csv", csv_text(rows).encode(), refused=refused)
        trailing = [[*cells, ""] for cells in rows_of(rng, n)]
        yield HostileFile("trailing separator.csv", csv_text(trailing, header=(*COLUMNS, "")).encode())
        yield HostileFile("header short.csv", csv_text(rows_of(rng, n), header=COLUMNS[:3]).encode())
        yield HostileFile("header long.csv", csv_text(rows_of(rng, n), header=(*COLUMNS, "x")).encode())


def preambles(rng: random.Random) -> Iterator[HostileFile]:
    """Lines above the table, comments, and tables below tables."""
    for n_above in (1, 2, 5, 12, 30):
        for n in (12, 50):
            above = "".join(f"{marker(rng)} {marker(rng)}\n" for _ in range(n_above))
            text = csv_text(rows_of(rng, n))
            yield HostileFile(f"lines {n_above}.csv", (above + text).encode())
            comments = "".join(f"# {marker(rng)}\n" for _ in range(n_above))
            yield HostileFile(f"comments {n_above}.csv", (comments + text).encode())
            narrow = "".join(f"{marker(rng)},{marker(rng)}\n" for _ in range(n_above))
            yield HostileFile(f"narrow table {n_above}.csv", (narrow + "\n" + text).encode())
            yield HostileFile(f"total {n_above}.csv", (text + f"total,,{n},\n").encode(), n + 1, 4)
            yield HostileFile(f"below {n_above}.csv", (text + "\n" + narrow).encode())


def headers(rng: random.Random) -> Iterator[HostileFile]:
    """Column names that are missing, repeated, commands, markup or personal data."""
    rows = rows_of(rng, 30)
    odd = (
        "",
        " ",
        "name",
        "<script>alert(1)</script>",
        "::error::x",
        "\x1b[31mred",
        "\u202egnp",
        "=1+1",
        "[bold]x[/bold]",
        "x" * 5000,
        "{{7*7}}",
        "%s%n",
        "../../etc",
        "a\nb",
        "'; DROP TABLE t; --",
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        "NULL",
        "_",
        "0",
        "rowid",
        "é" * 300,
    )
    for name in odd:
        quoted = '"' + name.replace('"', '""') + '"'
        for place in range(4):
            header = tuple(quoted if place == i else column for i, column in enumerate(COLUMNS))
            yield HostileFile(f"odd {place}.csv", csv_text(rows, header=header).encode("utf-8", "replace"))
    yield HostileFile("none.csv", csv_text(rows, header=()).encode())
    yield HostileFile("same.csv", csv_text(rows, header=("a", "a", "a", "a")).encode())
    yield HostileFile("case.csv", csv_text(rows, header=("a", "A", "b", "B")).encode(), 30, 4)
    people = tuple(marker(rng).title() + " " + marker(rng).title() for _ in range(4))
    yield HostileFile("people.csv", csv_text(rows, header=people).encode())


def sizes(rng: random.Random) -> Iterator[HostileFile]:
    """Nothing, nearly nothing, very wide, very long."""
    for content in (b"", b"\n", b" \n \n", b",\n", b",,,\n,,,\n", b'""\n', b"\0", b"\xef\xbb\xbf", b"\t\t\n", b"#\n"):
        yield HostileFile("nearly nothing.csv", content)
    for n in (1, 2, 3):
        yield HostileFile(f"rows {n}.csv", csv_text(rows_of(rng, n)).encode())
    yield HostileFile("header only.csv", (",".join(COLUMNS) + "\n").encode())
    for wide in (64, 700):
        cells = [[marker(rng, 4) for _ in range(wide)] for _ in range(5)]
        yield HostileFile(
            f"wide {wide}.csv", csv_text(cells, header=tuple(f"c{i}" for i in range(wide))).encode(), 5, wide
        )
    for length in (399, 400, 401, 70_000, 2_000_000):
        rows = rows_of(rng, 12)
        rows[3][0] = marker(rng, 7) * (length // 7)
        yield HostileFile(f"long cell {length}.csv", csv_text(rows).encode())
    column = "".join(marker(rng) + "\n" for _ in range(40))
    yield HostileFile("one column.csv", ("code\n" + column).encode())


def cells(rng: random.Random) -> Iterator[HostileFile]:
    """Cells that other programs obey, misread or lose."""
    odd = (
        "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "<img src=x onerror=alert(1)>", "javascript:alert(1)",
        "NaN", "Infinity", "-0", "1e400", "1_000", "0x1F", "00012", "1/0", "TRUE", "nil", "NULL", "\\N", "N/A",
        "２０２４", "\u200b", "\u202e", "\ufeff", "\x07", "1,5", "١٢٣", "2024-02-30", "24:61", "12345.0", "9" * 400,
        "{}", "[" * 200, "%00", "\\x00", "${jndi:ldap://x}", "{{7*7}}", "::set-output name=x::y",
    )  # fmt: skip
    for value in odd:
        for share in (1, 10, 30):
            rows = rows_of(rng, 30)
            for place in range(share):
                rows[place][place % 4] = '"' + value.replace('"', '""') + '"'
            yield HostileFile(f"odd {share}.csv", csv_text(rows).encode("utf-8", "replace"), 30, 4)


def json_lines(rng: random.Random) -> Iterator[HostileFile]:
    """JSON lines: nested, repeated, late, deep, broken."""

    def lines(records: list[object]) -> bytes:
        return "".join(json.dumps(record) + "\n" for record in records).encode()

    people = [dict(zip(COLUMNS, cells, strict=True)) for cells in rows_of(rng, 20)]
    yield HostileFile("plain.jsonl", lines(people), 20, 4)
    yield HostileFile("late.jsonl", lines([*people, {**people[0], "late": marker(rng)}]), 21, 5)
    yield HostileFile("nested.jsonl", lines([{**p, "more": {"a": [marker(rng)]}} for p in people]), 20)
    yield HostileFile("scalars.jsonl", lines([1, "x", None]))
    yield HostileFile("array.jsonl", json.dumps(people).encode())
    yield HostileFile("empty objects.jsonl", lines([{}] * 5))
    yield HostileFile("blank lines.jsonl", lines(people).replace(b"\n", b"\n\n"), 20, 4)
    yield HostileFile("mixed types.jsonl", lines([{"a": 1}, {"a": "x"}, {"a": None}, {"a": [1]}, {"a": {"b": 1}}]))
    broken = lines(people)
    for cut in range(1, 40, 3):
        yield HostileFile(f"cut {cut}.jsonl", broken[:-cut])
    odd = (
        b"{", b"[", b'{"a":}', b'{"a":1,}', b"{'a':1}", b'{"a":NaN}', b'{"a":1e999}', b'{"a":"\\ud800"}',
        b'{"a":1}{"a":2}', b'{"a":1}\x00', b"null", b'"x"', b'{"a":01}', b'{"":1}', b"\xff\xfe{", b'{"a":"\x01"}',
    )  # fmt: skip
    for text in odd:
        yield HostileFile("broken.jsonl", text + b"\n")
        yield HostileFile("broken late.jsonl", lines(people) + text + b"\n")
    for depth in (50, 2_000, 100_000):
        yield HostileFile(f"deep {depth}.jsonl", b'{"a":' + b"[" * depth + b"]" * depth + b"}\n")
    yield HostileFile("same key.jsonl", b'{"a":1,"a":2}\n' * 5)
    yield HostileFile("many keys.jsonl", lines([{f"k{i}": i} for i in range(400)]), 400, 400)


def _damaged(rng: random.Random, content: bytes, suffix: str, n: int) -> Iterator[HostileFile]:
    for share in (0.1, 0.5, 0.9, 0.99):
        yield HostileFile(f"cut.{suffix}", content[: int(len(content) * share)])
    yield HostileFile(f"tail.{suffix}", content + b"\0" * 9)
    yield HostileFile(f"twice.{suffix}", content * 2)
    for _ in range(n):
        changed = bytearray(content)
        for _ in range(rng.choice((1, 2, 8, 60))):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        yield HostileFile(f"flipped.{suffix}", bytes(changed))


def parquet(rng: random.Random) -> Iterator[HostileFile]:
    """Parquet: odd types, and damaged bytes."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    def written(table: pa.Table, **options: object) -> bytes:
        out = io.BytesIO()
        pq.write_table(table, out, **options)
        return out.getvalue()

    n = 40
    names = [marker(rng) for _ in range(n)]
    plain = pa.table({"name": names, "age": list(range(n))})
    yield HostileFile("plain.parquet", written(plain), n, 2)
    odd = {
        "dictionary": pa.array(names).dictionary_encode(),
        "view": pa.array(names, pa.string_view()),
        "large": pa.array(names, pa.large_string()),
        "binary": pa.array([name.encode() for name in names]),
        "list": pa.array([[name] for name in names]),
        "struct": pa.array([{"a": name} for name in names]),
        "null": pa.nulls(n),
        "decimal": pa.array([None] * n, pa.decimal128(38, 10)),
        "timestamp": pa.array([-(2**62)] * n, pa.timestamp("ns")),
        "duration": pa.array(list(range(n)), pa.duration("s")),
        "float16": pa.array([0.5] * n, pa.float32()),
        "uint64": pa.array([2**64 - 1] * n, pa.uint64()),
        "date": pa.array([2**30] * n, pa.date32()),
    }
    for kind, values in odd.items():
        try:
            content = written(pa.table({"name": names, "x": values}))
        except pa.ArrowNotImplementedError:  # PyArrow before 21 does not write string views
            continue
        yield HostileFile(f"{kind}.parquet", content, n, 2)
    yield HostileFile("no rows.parquet", written(plain.slice(0, 0)))
    yield HostileFile("no columns.parquet", written(plain.select([])))
    yield HostileFile("same names.parquet", written(pa.table([names, names], names=["a", "a"])))
    yield HostileFile("blank name.parquet", written(pa.table([names], names=[""])))
    yield HostileFile("metadata.parquet", written(plain.replace_schema_metadata({"note": marker(rng)})), n, 2)
    yield from _damaged(rng, written(plain), "parquet", 60)
    yield from _damaged(rng, written(plain, compression="none", use_dictionary=False), "parquet", 40)


def arrow(rng: random.Random) -> Iterator[HostileFile]:
    """Arrow files and streams, damaged."""
    import pyarrow as pa

    table = pa.table({"name": [marker(rng) for _ in range(30)], "age": list(range(30))})
    for suffix, writer in (("arrow", pa.ipc.new_file), ("arrows", pa.ipc.new_stream)):
        out = io.BytesIO()
        with writer(out, table.schema) as sink:
            sink.write_table(table)
        yield HostileFile(f"plain.{suffix}", out.getvalue(), 30, 2)
        yield from _damaged(rng, out.getvalue(), suffix, 50)


def workbooks(rng: random.Random) -> Iterator[HostileFile]:
    """Workbooks: hidden sheets, formulas, errors, bombs, damage."""
    import openpyxl

    def saved(book: openpyxl.Workbook) -> bytes:
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    def filled() -> openpyxl.Workbook:
        book = openpyxl.Workbook()
        for cells_ in [list(COLUMNS), *rows_of(rng, 20)]:
            book.active.append(cells_)
        return book

    plain = saved(filled())
    yield HostileFile("plain.xlsx", plain, 20, 4)
    hidden = filled()
    hidden.create_sheet("x").sheet_state = "hidden"
    yield HostileFile("hidden.xlsx", saved(hidden))
    formula = filled()
    formula.active["A3"], formula.active["A4"] = "=1/0", "#REF!"
    yield HostileFile("formula.xlsx", saved(formula))
    yield HostileFile("empty.xlsx", saved(openpyxl.Workbook()))
    far = filled()
    far.active["XFD1048576"] = "x"
    yield HostileFile("far cell.xlsx", saved(far))
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<row/>" * 3_000_000)
    yield HostileFile("bomb.xlsx", bomb.getvalue(), refused=True)
    yield HostileFile("not a zip.xlsx", csv_text(rows_of(rng, 5)).encode(), refused=True)
    yield from _damaged(rng, plain, "xlsx", 40)


def databases(rng: random.Random) -> Iterator[HostileFile]:
    """SQLite files: views, none, several tables, damage."""

    def written(*statements: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.db"
            connection = sqlite3.connect(path)
            for statement in statements:
                connection.execute(statement)
            connection.commit()
            connection.close()
            return path.read_bytes()

    values = ", ".join(f"('{marker(rng)}', {i})" for i in range(25))
    table = ("CREATE TABLE t (name TEXT, age)", f"INSERT INTO t VALUES {values}")
    plain = written(*table)
    yield HostileFile("plain.sqlite", plain, 25, 2)
    yield HostileFile("view.sqlite", written(*table, "CREATE VIEW v AS SELECT * FROM t"))
    yield HostileFile("two.sqlite", written(*table, "CREATE TABLE u (a)"))
    yield HostileFile("none.sqlite", written("CREATE TABLE t (a)", "DROP TABLE t"))
    yield HostileFile(
        "blobs.sqlite", written("CREATE TABLE t (a)", "INSERT INTO t VALUES (x'00ff'), (1), ('x'), (NULL)")
    )
    yield from _damaged(rng, plain, "sqlite", 40)


def compressed(rng: random.Random) -> Iterator[HostileFile]:
    """Compressed files: cut, nested, joined, bombs, wrong suffixes."""
    text = csv_text(rows_of(rng, 30)).encode()
    packed = gzip.compress(text, mtime=0)
    yield HostileFile("plain.csv.gz", packed, 30, 4)
    yield HostileFile("nested.csv.gz", gzip.compress(packed, mtime=0))
    yield HostileFile("joined.csv.gz", packed + gzip.compress(b"Q,Q,3,F\n", mtime=0), 31, 4)
    yield HostileFile("not packed.csv.gz", text, refused=True)
    yield HostileFile("packed.csv", packed, refused=True)
    yield HostileFile("bomb.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 2_000_000, mtime=0))
    yield from _damaged(rng, packed, "csv.gz", 30)


def foreign(rng: random.Random) -> Iterator[HostileFile]:
    """Files in another format than their suffix names."""
    samples = {
        "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "pdf": b"%PDF-1.7\n" + marker(rng, 64).encode(),
        "zip": b"PK\x03\x04" + bytes(40),
        "html": f"<html><table><tr><td>{marker(rng)}</td></tr></table></html>".encode(),
        "xml": f"<?xml version='1.0'?><a>{marker(rng)}</a>".encode(),
        "json": json.dumps({"a": marker(rng)}).encode(),
        "elf": b"\x7fELF" + bytes(200),
        "parquet head": b"PAR1" + bytes(30),
        "sqlite head": b"SQLite format 3\0" + bytes(30),
        "random": rng.randbytes(500),
    }
    for content in samples.values():
        for suffix in (
            "csv",
            "tsv",
            "jsonl",
            "parquet",
            "arrow",
            "feather",
            "xlsx",
            "sqlite",
            "duckdb",
            "csv.gz",
            "csv.zst",
        ):
            yield HostileFile(f"foreign.{suffix}", content)


def surroundings(rng: random.Random) -> Iterator[HostileFile]:
    """Text outside of the table: lines, comments, metadata, unused values, parts of workbooks."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    for n_above in (1, 3, 8):
        for start in ("", "# ", "## ", "; "):
            above = "".join(f"{start}{marker(rng)} {marker(rng)}\n" for _ in range(n_above))
            yield HostileFile(f"above {n_above}.csv", (above + csv_text(rows_of(rng, 30))).encode())
    names = pa.array([marker(rng) for _ in range(40)])
    for metadata in ({"note": marker(rng)}, {marker(rng): "x"}, {"pandas": marker(rng)}, {"note": marker(rng, 9000)}):
        out = io.BytesIO()
        pq.write_table(pa.table({"name": names}).replace_schema_metadata(metadata), out)
        yield HostileFile("metadata.parquet", out.getvalue(), 40, 1)
    unused = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 20), pa.array(["a", "b", marker(rng, 40)]))
    for suffix, writer in (("arrow", pa.ipc.new_file), ("arrows", pa.ipc.new_stream)):
        out = io.BytesIO()
        with writer(out, pa.schema([("x", unused.type)])) as sink:
            sink.write_batch(pa.record_batch([unused], names=["x"]))
        yield HostileFile(f"unused.{suffix}", out.getvalue(), 40, 1)
    for code in (0, 2**31 - 1, -1):
        out = io.BytesIO()
        wrong = pa.DictionaryArray.from_arrays(pa.array([code] * 40, pa.int32()), pa.array(["a"]), safe=False)
        with pa.ipc.new_stream(out, pa.schema([("x", wrong.type)])) as sink:
            sink.write_batch(pa.record_batch([wrong], names=["x"]))
        yield HostileFile(f"code {code}.arrows", out.getvalue(), refused=code != 0)


def other_forms(rng: random.Random) -> Iterator[HostileFile]:
    """Cells that hold text as codes, in hexadecimal and in Base64."""
    import base64

    encodings_: tuple[Callable[[str], str], ...] = (
        lambda text: " ".join(str(ord(c)) for c in text),
        lambda text: "-".join(str(ord(c)) for c in text),
        lambda text: " ".join(f"0x{ord(c):x}" for c in text),
        lambda text: text.encode().hex(),
        lambda text: base64.b64encode(text.encode()).decode(),
        lambda text: base64.urlsafe_b64encode(text.encode()).decode()[:-1],
        lambda text: text.encode().hex()[:-1],
        lambda text: str([ord(c) for c in text] + [55_296]),
    )
    for encode in encodings_:
        for length in (3, 12, 60):
            rows = [[*cells, f'"{encode(marker(rng, length))}"'] for cells in rows_of(rng, 30)]
            yield HostileFile("encoded.csv", csv_text(rows, header=(*COLUMNS, "x")).encode(), 30, 5)


FAMILIES: tuple[Family, ...] = (
    encodings,
    line_ends,
    delimiters,
    quotes,
    ragged,
    preambles,
    headers,
    sizes,
    cells,
    json_lines,
    parquet,
    arrow,
    workbooks,
    databases,
    compressed,
    foreign,
    surroundings,
    other_forms,
)
