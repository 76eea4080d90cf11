"""Mutation fuzzing of the files that commands read besides tables: certificates, plans, settings, hierarchies, reports.

A damaged one is read or refused in one line; no piece of its values is shown. Run with
``python -m tests.hostile.fuzz_documents N SEED``.
"""

from __future__ import annotations

import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import privaudit
from privaudit.base.errors import PrivauditError
from privaudit.report import json as report_json
from privaudit.settings.config import Settings
from tests.hostile.corpus import marker
from tests.hostile.fuzz import leaked, mutated

ROWS = 120


def documents(rng: random.Random, folder: Path) -> dict[str, tuple[str, bytes, Callable[[Path], Any]]]:
    """Return name, content and reader of a well-formed file of every kind."""
    from privaudit.advice.recodings.hierarchy import read_hierarchies
    from privaudit.releases.remedy import certificate
    from privaudit.releases.remedy.plan_file import read_plan
    from privaudit.rulebook import read_baseline
    from privaudit.settings.config_files import load_config, load_tables

    towns = [marker(rng).title() for _ in range(6)]
    rows = "".join(f"{rng.randrange(18, 90)},{rng.choice('FM')},{rng.choice(towns)}\n" for _ in range(ROWS))
    table = folder / "t.csv"
    table.write_text("age,sex,town\n" + rows)
    options: Any = {"ner": False, "quasi": ["age", "sex", "town"], "policy": "controlled"}
    made = privaudit.remedy(table, output=folder / "safer.csv", **options)
    made.before.write(folder / "r.json")
    privaudit.plan(table, **options).write_hierarchy("town", folder / "h.csv")
    settings = 'policy = "controlled"\nquasi = ["age"]\n[role]\nsex = "quasi"\n[tables."x*"]\nquasi = ["sex"]\n'
    plan = 'version = 1\norder = "sorted"\n[[step]]\ntechnique = "bin"\ncolumns = ["age"]\nwidth = 5\n'
    baseline = folder / "b.json"
    from privaudit.api.reports import write_baseline

    write_baseline(made.before, baseline, name="t")

    def read_settings(path: Path) -> None:
        load_config(path)
        load_tables(path)

    def read_report(path: Path) -> None:
        try:
            report_json.read(path)
        finally:
            # As if the digest had been computed anew.
            report_json._report(report_json._load(path.read_bytes(), path.name), path.name)

    def read_certificate(path: Path) -> None:
        content, _ = certificate.verify(path.with_name("safer.csv"))
        certificate.confirmation(path.with_name("safer.csv"), content)

    return {
        "certificate": ("safer.privaudit.json", (folder / "safer.privaudit.json").read_bytes(), read_certificate),
        "plan": ("p.toml", plan.encode(), read_plan),
        "settings": ("privaudit.toml", settings.encode(), read_settings),
        "hierarchy": (
            "h.csv",
            (folder / "h.csv").read_bytes(),
            lambda path: read_hierarchies({"town": str(path)}, ("town",), Settings(), table="t"),
        ),
        "report": ("r.json", (folder / "r.json").read_bytes(), read_report),
        "baseline": ("b.json", baseline.read_bytes(), read_baseline),
    }


def outcome(read: Callable[[Path], Any], path: Path) -> str:
    """Read a file; return "read", "refused", or what is wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read(path)
    except PrivauditError as error:
        text = f"{error} {error.hint}"
        return "INTERNAL" if error.exit_code == 4 else "LEAK" if leaked(text) else "refused"
    except Exception as error:  # noqa: BLE001 - anything else is what is looked for
        return f"UNEXPECTED {type(error).__name__} {error.__traceback__.tb_next}"
    return "read"


def run(n: int, seed: int) -> Counter[str]:
    """Read `n` mutated files and return how each ended; what is wrong is printed with its number."""
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = documents(random.Random(seed), folder)
        kinds = sorted(files)
        for i in range(n):
            rng = random.Random(f"{seed}-{i}")
            kind = kinds[i % len(kinds)]
            file, content, read = files[kind]
            (folder / file).write_bytes(mutated(rng, content, files[rng.choice(kinds)][1]))
            end = outcome(read, folder / file)
            (folder / file).write_bytes(content)
            ends[end.split()[0]] += 1
            if end not in ("read", "refused"):
                print(f"{i} {kind}: {end}", flush=True)
    return ends


if __name__ == "__main__":
    found = run(*(int(word) for word in sys.argv[1:3]))
    print(dict(found))
    sys.exit(int(bool(set(found) - {"read", "refused"})))
