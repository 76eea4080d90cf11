"""Mutation fuzzing: files of every format, damaged at random, must never end in an internal error.

Run with ``make fuzz`` (5,000 files), or ``python -m tests.hostile.fuzz N SEED``. The seed decides every file; a failure
prints its number, so that the same call with ``--only NUMBER`` repeats it.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import privaudit
from privaudit.base.errors import PrivauditError
from tests.hostile.corpus import LETTERS, marker

MOST_SECONDS = 60


def originals(rng: random.Random, folder: Path) -> dict[str, bytes]:
    """Return one well-formed file of every format, by suffix; cells are marker letters."""
    import duckdb
    import pyarrow as pa
    import pyarrow.feather as feather
    import pyarrow.parquet as pq

    rows = [(marker(rng), str(rng.randrange(18, 90)), rng.choice("FM"), marker(rng, 30)) for _ in range(60)]
    names = ["name", "age", "sex", "note"]
    text = "\n".join(",".join(row) for row in [tuple(names), *rows]) + "\n"
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    table = table.set_column(1, "age", table["age"].cast(pa.int64())).set_column(
        2, "sex", table["sex"].dictionary_encode()
    )
    found = {".csv": text.encode(), ".csv.gz": gzip.compress(text.encode()), ".tsv": text.replace(",", "\t").encode()}
    found[".jsonl"] = "".join(
        f'{{"name": "{a}", "age": {b}, "nested": {{"sex": "{c}", "note": ["{d}"]}}}}\n' for a, b, c, d in rows
    ).encode()
    for suffix, write in ((".parquet", pq.write_table), (".feather", feather.write_feather)):
        write(table, folder / f"o{suffix}")
        found[suffix] = (folder / f"o{suffix}").read_bytes()
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    found[".arrows"] = sink.getvalue()
    with sqlite3.connect(folder / "o.sqlite") as connection:
        connection.execute("CREATE TABLE t (name, age, sex, note)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    connection.close()
    found[".sqlite"] = (folder / "o.sqlite").read_bytes()
    with duckdb.connect(str(folder / "o.duckdb")) as database:
        database.execute("CREATE TABLE t (name TEXT, age INT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(row[0], int(row[1])) for row in rows])
    found[".duckdb"] = (folder / "o.duckdb").read_bytes()
    try:
        import openpyxl
    except ImportError:
        return found
    book = openpyxl.Workbook()
    for row in [names, *rows]:
        book.active.append(list(row))
    book.save(folder / "o.xlsx")
    found[".xlsx"] = (folder / "o.xlsx").read_bytes()
    return found


def mutated(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Return `content` with flipped bytes, cut, with a piece repeated, or with a piece of `other` in it."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        way, place = rng.randrange(5), rng.randrange(len(data) or 1)
        if way == 0:
            low, high = rng.choice(((0, 256), (32, 127), (32, 127)))
            for _ in range(rng.choice((1, 1, 2, 20))):
                if data:
                    data[rng.randrange(len(data))] = rng.randrange(low, high)
        elif way == 1:
            del data[place:]
        elif way == 2:
            end = place + rng.randrange(1, 400)
            data[place:place] = data[place:end] * rng.randrange(1, 8)
        elif way == 3:
            start = rng.randrange(len(other))
            data[place : place + rng.randrange(400)] = other[start : start + rng.randrange(400)]
        else:
            data[place : place + rng.randrange(1, 64)] = rng.choice([b"", b"\0" * 64, b"\xff" * 64, b'"', b"\r\n"])
    return bytes(data)


def leaked(shown: str) -> bool:
    """Whether a piece of four marker letters is in a message."""
    run = 0
    for letter in shown.lower():
        run = run + 1 if letter in LETTERS else 0
        if run >= 4:
            return True
    return False


def outcome(path: Path) -> str:
    """Scan a file; return "report", the class of the error, or what is wrong."""
    started = time.monotonic()
    try:
        privaudit.scan(path, ner=False, max_size=1, bad_rows="skip").to_json()
        result = "report"
    except PrivauditError as error:
        result = type(error).__name__
        if error.exit_code == 4:
            result = f"INTERNAL {error}"
        elif leaked(str(error)):
            result = "LEAK"
    except Exception as error:  # noqa: BLE001 - anything else is what is looked for
        result = f"UNEXPECTED {type(error).__name__}"
    return "SLOW" if time.monotonic() - started > MOST_SECONDS else result


def run(n: int, seed: int, only: int | None = None) -> Counter[str]:
    """Scan `n` mutated files and return how each ended; what is wrong is printed with its number."""
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = originals(random.Random(seed), folder)
        suffixes = sorted(files)
        for i in range(n):
            rng = random.Random(f"{seed}-{i}")
            suffix = suffixes[i % len(suffixes)]
            content = mutated(rng, files[suffix], files[rng.choice(suffixes)])
            if only not in (None, i):
                continue
            path = folder / f"f{suffix}"
            path.write_bytes(content)
            end = outcome(path)
            ends[end.split()[0]] += 1
            if end[:4] in ("INTE", "LEAK", "UNEX", "SLOW"):
                print(f"{i} {suffix}: {end}", flush=True)
    return ends


def main() -> int:
    """Run the fuzzer from the command line; return 1 where something is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("n", type=int, nargs="?", default=5000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--only", type=int)
    asked = parser.parse_args()
    ends = run(asked.n, asked.seed, asked.only)
    print(dict(ends))
    return int(any(end in ends for end in ("INTERNAL", "LEAK", "UNEXPECTED", "SLOW")))


if __name__ == "__main__":
    sys.exit(main())
