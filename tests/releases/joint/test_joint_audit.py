"""A joint audit equals the audit of the pooled table, for every combination, and discloses no cell."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from privaudit.releases.joint import message
from tests.helpers.command import refusal
from tests.helpers.paths import SHARED

COLUMNS = ("age", "sex", "area", "job")
SILOS = ("north", "south", "west")
CANARY = "Zq7canary"


def rows(seed: int, n: int) -> list[tuple[str, ...]]:
    """Return rows whose classes span silos: all are drawn from one distribution, with missing cells."""
    rng = random.Random(seed)
    draw = lambda values: rng.choice(values)  # noqa: E731
    ages, areas, jobs = [str(30 + i) for i in range(20)], ["a", f"{CANARY}b", "", "d"], ["x", "y,z", "ü"]
    return [(draw(ages), draw("FM"), draw(areas), draw(jobs)) for _ in range(n)]


def brute_force(table: list[tuple[str, ...]], max_size: int, k: int) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return classes, k, uniques and records below k of each set, by counting tuples."""
    found = {}
    for size in (*range(1, max_size + 1), len(COLUMNS)):
        for chosen in itertools.combinations(range(len(COLUMNS)), size):
            n = Counter(tuple(row[j] for j in chosen) for row in table).values()
            found[tuple(COLUMNS[j] for j in chosen)] = (
                len(n), min(n), sum(x == 1 for x in n), sum(x for x in n if x < k),
            )  # fmt: skip
    return found


class Party:
    """The files of three silos and a way to run the commands as they do."""

    def __init__(self, folder: Path, run, *, counts: str = "masks", matching: str = "key", max_size: int = 2) -> None:
        self.folder, self.run = folder, run
        self.tables = {silo: rows(i, 60 + 20 * i) for i, silo in enumerate(SILOS)}
        for silo, table in self.tables.items():
            self.write_table(silo, table)
        self.write_plan("joint.toml", counts, matching, max_size)
        self.key = [] if matching == "double-masking" else ["--key", "hmac.key"]
        assert self("joint", "key", "new", "hmac.key").returncode == 0

    def write_table(self, silo: str, table: list[tuple[str, ...]]) -> None:
        with (self.folder / f"{silo}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([COLUMNS, *table])

    def write_plan(self, name: str, counts="masks", matching="key", max_size=2, silos=SILOS) -> None:
        (self.folder / name).write_text(
            f"columns = {json.dumps(COLUMNS)}\nsilos = {json.dumps(silos)}\nmax_size = {max_size}\nk = 5\n"
            f'counts = "{counts}"\nmatching = "{matching}"\n'
        )

    def __call__(self, *arguments: str):
        return self.run(*arguments)

    def keys(self, silo: str, plan: str = "joint.toml", key=None):
        key = self.key if key is None else key
        return self("joint", "keys", f"{silo}.csv", "--plan", plan, *key, "--silo", silo, "-o", f"{silo}.keys")

    def union(self, *files: str):
        return self("joint", "combine", "--union", *(files or [f"{s}.keys" for s in SILOS]), "-o", "union")

    def collapse(self, silo: str, *more: str):
        files = ("--secret", f"{silo}.keys.secret", "--union", "union")
        return self("joint", "collapse", f"{silo}.csv", *files, *self.key, *more, "-o", f"{silo}.counts")

    def both_rounds(self, *more: str) -> None:
        for silo in SILOS:
            self.ok(self.keys(silo))
        self.ok(self.union())
        for silo in SILOS:
            self.ok(self.collapse(silo, *more))

    def combine(self, *more: str):
        return self("joint", "combine", *(f"{s}.counts" for s in SILOS), *more)

    @staticmethod
    def ok(done) -> None:
        assert done.returncode == 0, done.stderr

    @property
    def pooled(self) -> list[tuple[str, ...]]:
        return [row for table in self.tables.values() for row in table]


@pytest.fixture
def party(tmp_path, run):
    return lambda **options: Party(tmp_path, run, **options)


def numbers(path: Path) -> dict[tuple[str, ...], tuple[int, ...]]:
    found = json.loads(path.read_text())
    return {
        tuple(one["columns"]): (one["n_classes"], one["k_min"], one["n_unique"], one["n_below"]["5"])
        for one in found["combinations"]
    }


def test_masked_counts_give_the_audit_of_the_pooled_table(party, tmp_path):
    audit = party(max_size=3)
    audit.both_rounds()
    outputs = ("-o", "joint.json", "-o", "joint.html", "-o", "joint.md")
    audit.ok(audit.combine(*outputs))
    done = audit.combine(*outputs)  # results of an earlier run are replaced
    assert done.returncode == 0, done.stderr
    assert numbers(tmp_path / "joint.json") == brute_force(audit.pooled, 3, 5)
    files = [file for file in tmp_path.iterdir() if file.suffix not in (".csv", ".secret")]
    assert len(files) == 13
    for file in files:
        assert CANARY.encode() not in file.read_bytes(), file.name
    assert CANARY not in done.stdout + done.stderr


def test_the_result_has_a_certificate_that_notices_a_changed_count(party, tmp_path):
    audit = party()
    audit.both_rounds()
    audit.ok(audit.combine("-o", "joint.json", "-o", "joint.html"))
    page = audit("verify", "joint.html")
    assert page.returncode == 1 and "joint.html is not certified" in page.stdout + page.stderr
    certificate = json.loads((tmp_path / "joint.privaudit.json").read_text())
    n_classes, k_min, n_unique, n_below = brute_force(audit.pooled, 2, 5)[COLUMNS]
    assert n_classes and (certificate["k_min"], certificate["n_unique"], certificate["n_below"]["5"]) == (
        k_min, n_unique, n_below,
    )  # fmt: skip
    assert certificate["n_records"] == len(audit.pooled) and certificate["silos"] == list(SILOS)
    confirmed = audit("verify", "joint.json")
    assert confirmed.returncode == 0 and "joint audit" in confirmed.stdout
    for name, old, new in (
        ("joint.json", '"n_unique": ', '"n_unique": 1'), ("joint.privaudit.json", '"k_min": ', '"k_min": 9'),
    ):  # fmt: skip
        content = (tmp_path / name).read_text()
        (tmp_path / name).write_text(content.replace(old, new, 1))
        assert audit("verify", "joint.json").returncode == 1, name
        (tmp_path / name).write_text(content)
    assert audit("verify", "joint.json", "-q").returncode == 0


@pytest.mark.slow
def test_encrypted_counts_give_the_audit_of_the_pooled_table(party, tmp_path):
    audit = party(counts="paillier")
    audit.ok(audit("joint", "key", "new", "holder", "--paillier"))
    assert (tmp_path / "holder").stat().st_mode & 0o777 == 0o600
    audit.both_rounds("--public-key", "holder.public")
    assert "The counts are encrypted" in refusal(audit.combine("-o", "sums"))
    audit.ok(audit.combine("--public-key", "holder.public", "-o", "sums"))
    audit.ok(audit("joint", "open", "sums", "--key", "holder", "-o", "joint.json"))
    assert numbers(tmp_path / "joint.json") == brute_force(audit.pooled, 2, 5)


def test_double_masking_gives_the_audit_of_the_pooled_table(party, tmp_path):
    audit = party(matching="double-masking", max_size=1)
    for silo in SILOS:
        audit.ok(audit.keys(silo))
    assert "not masked by" in audit.union().stderr
    for silo in SILOS:
        for other in SILOS:
            if other != silo:
                secret = ("--secret", f"{other}.keys.secret")
                audit.ok(audit("joint", "mask", f"{silo}.keys", *secret, "-o", "next"))
                (tmp_path / "next").replace(tmp_path / f"{silo}.keys")
    audit.ok(audit.union())
    for silo in SILOS:
        audit.ok(audit.collapse(silo, "--keys", f"{silo}.keys"))
    audit.ok(audit.combine("-o", "joint.json"))
    assert numbers(tmp_path / "joint.json") == brute_force(audit.pooled, 1, 5)


def test_one_message_of_counts_is_indistinguishable_from_random_numbers(party, tmp_path):
    from privaudit.releases.joint import message

    audit = party(max_size=3)
    audit.both_rounds()
    masked = message.read(tmp_path / "south.counts", "counts").arrays["masked"]
    bits = np.unpackbits(masked.view(np.uint8))
    assert abs(bits.mean() - 0.5) < 5 * 0.5 / np.sqrt(len(bits))
    assert len(set(masked.tolist())) == len(masked)


def test_faults_end_in_an_error_that_names_the_cause(party, tmp_path):
    audit = party()
    audit.both_rounds()
    counts = [f"{silo}.counts" for silo in SILOS]
    for files, cause in (
        (counts[:2], "No message of west"),
        ((*counts, counts[0]), "north sent twice"),
        ((counts[0], counts[1], "west.keys"), "first message"),
        ((counts[0], counts[1], "west.csv"), "damaged"),
    ):
        done = audit("joint", "combine", *files)
        assert done.returncode == 2 and cause in done.stderr, done.stderr
    again = audit.collapse("north")
    assert again.returncode == 2 and "start again" in again.stderr


def test_a_table_that_changed_between_the_rounds_is_refused(party, tmp_path):
    audit = party()
    for silo in SILOS:
        audit.ok(audit.keys(silo))
    audit.ok(audit.union())
    audit.write_table("north", [*audit.tables["north"], ("99", "F", "new", "x")])
    done = audit.collapse("north")
    assert done.returncode == 2 and "changed after the first round" in done.stderr
    # Rows that are missing now leave combinations that no silo has, or sums that differ from set to set.
    audit.write_table("north", audit.tables["north"][:1])
    for silo in SILOS:
        audit.ok(audit.collapse(silo))
    done = audit.combine()
    assert done.returncode == 2 and "not class sizes" in done.stderr


def test_another_key_or_plan_of_one_silo_is_refused(party, tmp_path):
    audit = party()
    audit.ok(audit("joint", "key", "new", "other.key"))
    for silo in SILOS[:2]:
        audit.ok(audit.keys(silo))
    audit.ok(audit.keys("west", key=["--key", "other.key"]))
    assert "different keys" in audit.union().stderr
    audit.write_plan("wide.toml", max_size=3)
    (tmp_path / "west.keys.secret").unlink()
    audit.ok(audit.keys("west", plan="wide.toml"))
    assert "different plans" in audit.union().stderr


def test_a_public_key_that_was_exchanged_on_the_way_is_refused(party, tmp_path):
    from dataclasses import replace

    from privaudit.releases.joint import masks, message

    audit = party()
    for silo in SILOS:
        audit.ok(audit.keys(silo))
    audit.ok(audit.union())
    union = message.read(tmp_path / "union", "union")
    silos = dict(union.stated["silos"])
    silos["west"] = {**silos["west"], "public": masks.public_of(masks.new_private()).hex()}
    message.write(replace(union, stated={**union.stated, "silos": silos}), tmp_path / "union")
    done = audit.collapse("north")
    assert done.returncode == 2 and "not authentic" in done.stderr


@pytest.mark.parametrize("counts", [np.zeros(0, "u8"), np.zeros(9, "u8"), np.zeros(9, "S8"), np.zeros((9, 1), "u1")])
@pytest.mark.quick_cases(4)
def test_a_silo_that_sends_another_number_of_counts_is_named(party, tmp_path, counts):
    audit = party()
    audit.both_rounds()
    path = tmp_path / "south.counts"
    made = message.read(path, "counts")
    message.write(replace(made, arrays={"masked": counts}), path)
    done = audit.combine("-o", "joint.json")
    assert done.returncode == 2 and "south" in done.stderr and "E000" not in done.stderr, done.stderr
    assert not (tmp_path / "joint.json").exists()


def test_two_silos_are_refused(party, tmp_path):
    audit = party()
    audit.write_plan("two.toml", silos=SILOS[:2])
    done = audit.keys("north", plan="two.toml")
    assert done.returncode == 2 and "E227" in done.stderr and "at least 3 silos" in done.stderr


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the third-party tables")
def test_adult_by_workclass_is_the_reference(tmp_path, run):
    """Classes span the silos: 7,645 of them jointly, while the silos alone have 6,639 uniques."""
    import privaudit

    reference = json.loads((SHARED / "reference" / "releases.json").read_text())["joint"]
    with (SHARED / "data" / "arx" / "data" / "adult.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file, delimiter=";"))

    def of(row: dict[str, str]) -> str:
        if row["workclass"] == "Private":
            return "private"
        return "self" if row["workclass"].startswith("Self") else "rest"

    silos, columns = ("private", "self", "rest"), reference["columns"]
    (tmp_path / "plan.toml").write_text(
        f"columns = {json.dumps(columns)}\nsilos = {json.dumps(silos)}\nmax_size = 6\nk = 5\n"
    )
    assert run("joint", "key", "new", "key").returncode == 0
    for name in (*silos, "pooled"):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(row for row in table if name in ("pooled", of(row)))
    for silo in silos:
        more = ("--plan", "plan.toml", "--key", "key", "--silo", silo, "-o", f"{silo}.keys")
        assert run("joint", "keys", f"{silo}.csv", *more).returncode == 0
    assert run("joint", "combine", "--union", *(f"{s}.keys" for s in silos), "-o", "u").returncode == 0
    for silo in silos:
        more = ("--union", "u", "--key", "key", "--secret", f"{silo}.keys.secret", "-o", f"{silo}.counts")
        assert run("joint", "collapse", f"{silo}.csv", *more).returncode == 0
    assert run("joint", "combine", *(f"{s}.counts" for s in silos), "-o", "j.json").returncode == 0
    found = numbers(tmp_path / "j.json")
    joint = reference["joint"]
    assert found[tuple(columns)] == (joint["classes"], 1, joint["uniques"], joint["records_below_5"])
    report = privaudit.scan(str(tmp_path / "pooled.csv"), quasi=columns, max_size=6, ner=False, policy="internal")
    pooled = {tuple(c.columns): (c.n_classes, c.k_min, c.n_unique) for c in report.wire.combinations}
    assert len(found) == 63
    by_name = {frozenset(names): found[names][:3] for names in found}
    assert {frozenset(names): n for names, n in pooled.items()}.items() <= by_name.items()


def test_a_message_that_cannot_be_written_leaves_no_secret(tmp_path, run):
    """The next attempt must not be refused because of a secret that belongs to no message."""
    (tmp_path / "joint.toml").write_text('columns = ["a"]\nsilos = ["x", "y", "z"]\nmax_size = 1\nk = 5\n')
    (tmp_path / "x.csv").write_text("a\n" + "".join(f"{i % 7}\n" for i in range(50)))
    assert run("joint", "key", "new", "shared.key").returncode == 0
    (tmp_path / "out").mkdir()
    command = ("joint", "keys", "x.csv", "--plan", "joint.toml", "--silo", "x", "--key", "shared.key")
    with pytest.MonkeyPatch.context() as patch:

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        patch.setattr("privaudit.releases.joint.message.tempfile.mkstemp", full)
        done = run(*command, "-o", "out/x.keys")
    assert done.returncode == 2 and "cannot be written" in done.stderr
    assert not list((tmp_path / "out").iterdir())
    assert run(*command, "-o", "out/x.keys").returncode == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"x.keys", "x.keys.secret"}
