"""A joint audit equals the audit of the pooled table, for every combination, and discloses no cell."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from privaudit.advice.technique.key_file import read_key
from privaudit.base.errors import ConfigError
from privaudit.releases.joint import first_round, masks, message, secret
from privaudit.releases.joint.classes import silo_table
from privaudit.releases.joint.secret import mark
from privaudit.releases.privacy.noise import laplace_sd, laplace_tail
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
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

    def first_round(self) -> None:
        for silo in SILOS:
            self.ok(self.keys(silo))

    def mask_all(self) -> None:
        for silo in SILOS:
            for other in (*(each for each in SILOS if each != silo), silo):
                self.ok(self.mask(silo, other))
                (self.folder / "next").replace(self.folder / f"{silo}.keys")

    def mask(self, silo: str, by: str):
        return self("joint", "mask", f"{silo}.keys", "--secret", f"{by}.keys.secret", "-o", "next")

    def forget(self) -> None:
        """Remove what the first round wrote, except the record of used keys."""
        for path in self.folder.glob("*.keys*"):
            path.unlink()

    def union(self, *files: str):
        return self("joint", "combine", "--union", *(files or [f"{s}.keys" for s in SILOS]), "-o", "union")

    def collapse(self, silo: str, *more: str):
        files = ("--secret", f"{silo}.keys.secret", "--union", "union")
        return self("joint", "collapse", f"{silo}.csv", *files, *self.key, *more, "-o", f"{silo}.counts")

    def both_rounds(self, *more: str) -> None:
        self.first_round()
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
    assert len(files) == 16
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
    audit.first_round()
    assert "not masked by" in audit.union().stderr
    assert "north masks its own message last; south has not" in refusal(audit.mask("north", "north"))
    audit.mask_all()
    assert "south masked this message already" in refusal(audit.mask("north", "south"))
    audit.ok(audit.union())
    for silo in SILOS:
        audit.ok(audit.collapse(silo, "--keys", f"{silo}.keys"))
    audit.ok(audit.combine("-o", "joint.json"))
    assert numbers(tmp_path / "joint.json") == brute_force(audit.pooled, 1, 5)


def test_one_message_of_counts_is_indistinguishable_from_random_numbers(party, tmp_path):
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
    audit.first_round()
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
    assert "different keys" in refusal(audit.union())
    audit.write_plan("wide.toml", max_size=3)
    (tmp_path / "west.keys.secret").unlink()
    audit.ok(audit.keys("west", plan="wide.toml"))
    assert "different plans" in refusal(audit.union())


def test_a_key_where_its_use_cannot_be_recorded_is_refused_with_what_to_do(party, tmp_path):
    audit = party()
    audit.first_round()
    plan = message.read(tmp_path / "north.keys", "keys").plan
    with pytest.raises(ConfigError, match=r"cannot record next to the key shared\.key") as refused:
        mark(tmp_path / "read-only" / "shared.key", "north", plan)
    assert "can be written" in str(refused.value.hint)


def test_a_public_key_that_was_exchanged_on_the_way_is_refused(party, tmp_path):
    audit = party()
    audit.first_round()
    audit.ok(audit.union())
    union = message.read(tmp_path / "union", "union")
    silos = dict(union.stated["silos"])
    silos["west"] = {**silos["west"], "public": masks.public_of(masks.new_private()).hex()}
    message.write(replace(union, stated={**union.stated, "silos": silos}), tmp_path / "union")
    assert "not authentic" in refusal(audit.collapse("north"))


def sent_keys(folder: Path, silo: str) -> set[bytes]:
    return set(message.read(folder / f"{silo}.keys", "keys").arrays["keys"].tolist())


def test_with_double_masking_no_key_of_an_audit_is_that_of_another_with_the_same_tables_and_plan(party, tmp_path):
    audit = party(matching="double-masking", max_size=1)
    audit.first_round()
    before = {silo: sent_keys(tmp_path, silo) for silo in SILOS}
    audit.forget()
    audit.first_round()
    assert not any(before[silo] & sent_keys(tmp_path, silo) for silo in SILOS)


def test_a_shared_key_is_used_once_with_a_plan(party, tmp_path):
    """Otherwise the combiner could compare two audits, or the keys of two versions of a table."""
    audit = party()
    audit.first_round()
    before = sent_keys(tmp_path, "north")
    audit.forget()
    assert "has used this key for this plan already" in refusal(audit.keys("north"))
    assert not list(tmp_path.glob("north.keys*"))
    audit.ok(audit("joint", "key", "new", "fresh.key"))
    audit.ok(audit.keys("north", key=["--key", "fresh.key"]))
    assert not before & sent_keys(tmp_path, "north")
    audit.forget()
    audit.write_plan("wide.toml", max_size=3)
    audit.ok(audit.keys("north", plan="wide.toml"))
    assert not before & sent_keys(tmp_path, "north")


def test_messages_and_secrets_of_an_earlier_version_are_refused_with_a_reason(party, tmp_path):
    audit = party()
    audit.first_round()
    content = (tmp_path / "north.keys").read_bytes()
    for earlier in (b"1", b"2"):
        body = content[:-32].replace(b"joint message 3", b"joint message " + earlier, 1)
        (tmp_path / "north.keys").write_bytes(body + hashlib.sha256(body).digest())
        message_shown = refusal(audit.union())
        assert all(part in message_shown for part in ("earlier version", "joint keys"))
    secret = json.loads((tmp_path / "west.keys.secret").read_text())
    earlier = {name: secret[name] for name in ("silo", "plan", "private", "scalar", "closing", "seed")}
    (tmp_path / "west.keys.secret").write_text(json.dumps(earlier))
    (tmp_path / "north.keys").write_bytes(content)
    audit.ok(audit.union())
    assert "of this version" in refusal(audit.collapse("west"))


def test_what_belongs_to_another_plan_first_round_or_union_is_refused(party, tmp_path):
    audit = party(max_size=1)
    audit.first_round()
    audit.ok(audit.union())
    file = tmp_path / "north.keys.secret"
    own = file.read_text()
    for changed, shown in (({"plan": "0" * 64}, "another plan"), ({"private": "0" * 64}, "another first round")):
        file.write_text(json.dumps(json.loads(own) | changed))
        assert shown in refusal(audit.collapse("north"))
    file.write_text(own)
    for silo in SILOS:
        audit.ok(audit.collapse(silo))
    counts = message.read(tmp_path / "south.counts", "counts")
    message.write(replace(counts, stated={**counts.stated, "union": "0" * 64}), tmp_path / "south.counts")
    assert "different unions" in refusal(audit.combine())


def test_a_union_without_the_order_for_a_silo_is_refused(party, tmp_path):
    audit = party(matching="double-masking", max_size=1)
    audit.first_round()
    audit.mask_all()
    audit.ok(audit.union())
    union = message.read(tmp_path / "union", "union")
    silos = {silo: {**stated, "order": ""} for silo, stated in union.stated["silos"].items()}
    message.write(replace(union, stated={**union.stated, "silos": silos}), tmp_path / "union")
    assert "no order from north for south" in refusal(audit.collapse("south", "--keys", "south.keys"))


def all_keys(*files: Path) -> set[bytes]:
    """Return the keys of messages of the first round and of unions."""
    found = (message.read(file, "keys", "union").arrays["keys"] for file in files)
    return {key for keys in found for key in first_round._as_bytes(keys)}


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("viewer", SILOS)
def test_with_double_masking_a_silo_recognises_no_key_of_another_silo(party, tmp_path, viewer):
    """All that a silo has: the messages that it masks, before and after, its own completed message and the union.

    Whoever had the complete keys of another silo would know which of its own combinations that silo has as well.
    """
    audit = party(matching="double-masking", max_size=1)
    same = [("40", "F", "a", "x")] * 5 + [("41", "M", "d", "x")]
    for silo in SILOS:
        audit.write_table(silo, same)
    audit.first_round()
    seen = set()
    for silo in SILOS:
        # The viewer is the last of the others, whose masks are on the keys that it sees.
        order = [*(each for each in SILOS if each not in (silo, viewer)), *([viewer] if viewer != silo else []), silo]
        for other in order:
            audit.ok(audit.mask(silo, other))
            if other == viewer != silo:
                seen |= all_keys(tmp_path / f"{silo}.keys", tmp_path / "next")
            (tmp_path / "next").replace(tmp_path / f"{silo}.keys")
    audit.ok(audit.union())
    own, union = all_keys(tmp_path / f"{viewer}.keys"), all_keys(tmp_path / "union")
    assert own < union and len(seen) > len(own)
    assert not seen & union
    others = [all_keys(tmp_path / f"{silo}.keys") for silo in SILOS if silo != viewer]
    assert all(own & other for other in others)  # they have the same combinations, and the combiner knows that


def test_a_silo_does_not_learn_from_the_union_which_of_the_others_has_a_combination(party, tmp_path):
    audit = party(max_size=1)
    unions = []
    for south, west in ((1, 2), (2, 1)):
        audit.write_table("south", audit.tables[SILOS[south]])
        audit.write_table("west", audit.tables[SILOS[west]])
        audit.first_round()
        audit.ok(audit.union())
        union, dummies = message.read(tmp_path / "union", "union"), set()
        for silo in SILOS:
            table = silo_table(open_dataset(str(tmp_path / f"{silo}.csv"), Settings()), COLUMNS)
            made = secret.Secret.read(tmp_path / f"{silo}.keys.secret")
            key = read_key(tmp_path / "hmac.key")
            own = {each for part in first_round.keys_of(table, union.plan, key, made, lambda *_: None) for each in part}
            dummies |= all_keys(tmp_path / f"{silo}.keys") - own
        unions.append(all_keys(tmp_path / "union") - dummies)
        assert set(union.stated) == {"sizes", "silos"}
        assert all(set(stated) == {"public", "tag"} for stated in union.stated["silos"].values())
        audit.forget()
        for used in tmp_path.glob("hmac.key.*.used"):
            used.unlink()
    assert unions[0] == unions[1]


ALONE, SHARED_COMBINATIONS = 60, 60


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("matching", ["key", "double-masking"])
@pytest.mark.parametrize("records", [(7, 1, 1), (2, 3, 4)])
def test_the_combiner_cannot_tell_the_sums_of_one_silo_from_those_of_several(party, tmp_path, matching, records):
    """All that the combiner has: which silos sent each key, and the sums. It looks up the sum of each key of one silo.

    The silo north alone has 60 combinations of 7 records and south and west share 60 of one record each; or north has 2
    records of each, and south and west 3 and 4. Both tables disclose the same numbers, so both must look alike.
    """
    audit = party(matching=matching, max_size=1)
    tables = {
        silo: [(f"{name}{i}", "F", "a", "x") for i in range(n) for _ in range(times)]
        for silo, name, n, times in zip(
            SILOS, "nss", (ALONE, SHARED_COMBINATIONS, SHARED_COMBINATIONS), records, strict=True
        )
    }
    for silo, table in tables.items():
        audit.write_table(silo, table)
    audit.first_round()
    if matching == "double-masking":
        audit.mask_all()
    audit.ok(audit.union())
    for silo in SILOS:
        audit.ok(audit.collapse(silo, *(["--keys", f"{silo}.keys"] if matching == "double-masking" else [])))
    union = message.read(tmp_path / "union", "union")
    n_keys = union.stated["sizes"][0]
    total = sum(message.read(tmp_path / f"{silo}.counts", "counts").arrays["masked"] for silo in SILOS)
    sums = total[:n_keys].tolist()
    assert Counter(sums) == {7: ALONE, 2: SHARED_COMBINATIONS, 0: n_keys - ALONE - SHARED_COMBINATIONS}
    assert ALONE == SHARED_COMBINATIONS
    by_silo = {silo: set(first_round.by_sets(message.read(tmp_path / f"{silo}.keys", "keys"))[0]) for silo in SILOS}
    of_north = [key in by_silo["north"] - by_silo["south"] - by_silo["west"] for key in first_round.by_sets(union)[0]]
    # By chance, a key of north has the sum of the combinations of north as often as any key of the union.
    hits = sum(n == records[0] for n, is_north in zip(sums, of_north, strict=True) if is_north)
    chance = sum(of_north) * ALONE / n_keys
    assert sum(of_north) > ALONE and abs(hits - chance) < 5 * np.sqrt(chance)
    audit.ok(audit.combine("-o", "joint.json"))
    pooled = [row for table in tables.values() for row in table]
    assert numbers(tmp_path / "joint.json") == brute_force(pooled, 1, 5)


def test_the_number_of_keys_bounds_what_it_discloses_about_the_number_of_combinations(party, tmp_path):
    """All probabilities of the discrete Laplace distribution around the mean, cut at 0, added up."""
    audit = party()
    audit.first_round()
    n = {silo: message.read(tmp_path / f"{silo}.keys", "keys").stated["sizes"] for silo in SILOS}
    for silo, table in audit.tables.items():
        found = brute_force(table, 2, 5)
        dummies = json.loads((tmp_path / f"{silo}.keys.secret").read_text())["dummies"]
        combinations = [each[0] for each in found.values()]
        assert n[silo] == [own + dummy for own, dummy in zip(combinations, dummies, strict=True)]
        assert min(dummies) > 0 and len(set(dummies)) > 1
    q = math.exp(-1 / secret.DUMMY_SCALE)
    mean = laplace_tail(secret.DUMMY_SCALE, 1 - 2 * secret.DUMMY_FAILURE)
    probability = {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-2000, 2001)}
    cut = sum(p for x, p in probability.items() if x < -mean)
    assert cut <= secret.DUMMY_FAILURE < 2 * cut
    drawn = np.array(secret._numbers_of_dummies(4000)) - mean
    assert abs(drawn.mean()) < 5 * laplace_sd(secret.DUMMY_SCALE) / np.sqrt(4000)


def test_silos_that_were_given_different_orders_are_refused(party, tmp_path):
    """Sums over different orders would be numbers without a meaning, and their total would be right."""
    audit = party()
    audit.first_round()
    audit.ok(audit.union())
    for silo in SILOS:
        audit.ok(audit.collapse(silo))
    made = message.read(tmp_path / "south.counts", "counts")
    message.write(replace(made, stated={**made.stated, "order": "0" * 64}), tmp_path / "south.counts")
    assert "different orders" in refusal(audit.combine())


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


def test_a_message_that_cannot_be_written_leaves_no_secret_and_an_unused_key(party, tmp_path):
    """The next attempt must not be refused because of what belongs to no message."""
    audit = party()
    with pytest.MonkeyPatch.context() as patch:

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        patch.setattr("privaudit.report.files.private_folders.claim_file", full)
        assert "cannot be written" in refusal(audit.keys("north"))
    assert not list(tmp_path.glob("north.keys*"))
    audit.ok(audit.keys("north"))
    assert {path.name for path in tmp_path.glob("north.*")} == {"north.csv", "north.keys", "north.keys.secret"}
