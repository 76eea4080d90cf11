"""Small spaces are tried, other tables and joined columns too; only reversible digests are reported as reversible."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import random
import uuid
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect.pseudonyms.brute_force import _step, all_spaces
from privaudit.detect.pseudonyms.digests import function
from privaudit.model.wording import Columns, Name
from privaudit.model.wording.numbers import duration
from tests.helpers.detection import judge


def hexed(algorithm: str, text: str) -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


def drawn(n: int, size: int, seed: int = 1) -> list[int]:
    return random.Random(seed).sample(range(size), n)


def days(n: int, form: str) -> list[str]:
    first = datetime.date(1930, 1, 1)
    return [(first + datetime.timedelta(i)).strftime(form) for i in drawn(n, 30_000)]


SMALL = {
    "whole numbers below 1,000,000": [str(i) for i in drawn(500, 10**6)],
    "whole numbers of 5 digits": [f"{i:05d}" for i in drawn(500, 10**5)],
    "days from 1900 to 2025": days(500, "%d/%m/%Y"),
    "given names": ["Mary", "John", "Grace", "Amina", "Peter", "Sofia"] * 20,
}
# The people of a village: their running numbers.
RUNNING = [str(i) for i in range(1, 401)]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b"])
def test_running_numbers_are_undone_whatever_the_function(algorithm: str) -> None:
    found = judge({"code": [hexed(algorithm, text) for text in RUNNING]})["code"]
    assert found.measurements["hash_undone"] > 0.8
    assert found.measurements["hash_preimage_bits"] <= 20


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", SMALL)
def test_a_small_space_is_named_and_measured(name: str) -> None:
    """The reported share is the one that a search through the whole space gives, within its interval."""
    texts = SMALL[name]
    found = judge({"code": [hexed("sha256", text) for text in texts]})["code"]
    assert found.is_ is not None
    facts = {clue.because.code: clue.because for clue in found.is_.evidence}
    assert facts["detect.pseudonyms_hash_reversed"].values["inputs"] == Name(text=name)
    every = {text for space in all_spaces() if space.name == name for text in map(space.write, range(space.size))}
    exact = len({text for text in texts if text.encode() in every}) / len(set(texts))
    assert found.measurements["hash_undone"] == pytest.approx(exact, abs=0.12)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("kept", [8, 10, 12, 16])
def test_digests_cut_short_are_undone_too(kept: int) -> None:
    found = judge({"c0": [hexed("sha256", text)[:kept] for text in RUNNING]})["c0"]
    assert found.measurements["hash_undone"] > 0.8


@pytest.mark.slow
def test_random_inputs_keys_and_salts_are_not_undone() -> None:
    made = {
        "random": [hexed("sha256", f"{i:x}/{i * 7919}") for i in drawn(400, 2**60)],
        "keyed": [hmac.new(b"k", text.encode(), "sha256").hexdigest() for text in RUNNING],
        "salted": [hexed("sha256", "pepper" + text) for text in RUNNING],
        "cut": [hexed("sha256", "pepper" + text)[:8] for text in RUNNING],
    }
    for name, cells in made.items():
        assert "hash_undone" not in judge({"c0": cells})["c0"].measurements, name


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([8, 10, 12]))
def test_random_hexadecimal_of_any_length_is_not_undone(seed: int, length: int) -> None:
    """Short digests meet inputs by chance: the number of such meetings is known and asked to be surpassed."""
    source = random.Random(seed)
    cells = ["".join(source.choices("0123456789abcdef", k=length)) for _ in range(600)]
    assert "hash_undone" not in judge({"c0": cells})["c0"].measurements


def test_nothing_of_the_inputs_or_digests_is_reported() -> None:
    digests = [hexed("md5", text) for text in SMALL["days from 1900 to 2025"]]
    reported = repr(judge({"code": digests})["code"])
    assert not any(text in reported for text in (*digests, *SMALL["days from 1900 to 2025"]))


def test_the_answer_does_not_depend_on_the_order_of_rows() -> None:
    digests = [hexed("sha1", text) for text in SMALL["whole numbers below 1,000,000"]]
    one, other = judge({"c0": digests}), judge({"c0": digests[::-1]})
    assert one["c0"].measurements == other["c0"].measurements
    assert one["c0"].is_ == other["c0"].is_


@pytest.mark.parametrize("space", all_spaces(), ids=lambda s: s.name)
def test_inputs_of_a_space_are_all_different_and_steps_reach_each_once(space: object) -> None:
    size, write = space.size, space.write  # type: ignore[attr-defined]
    picked = sorted(
        {*range(min(size, 500)), *range(max(0, size - 500), size), *drawn(500, size)} if size > 500 else range(size)
    )
    assert len({write(i) for i in picked}) == len(picked)
    step = _step(size)
    assert np.gcd(step, size) == 1


MAILS = [f"person{i}.family{i * 7 % 31}@example.org" for i in range(300)]


class TestAuxiliary:
    """The adversary's table undoes what no sibling does."""

    @pytest.mark.parametrize("algorithm", ["md5", "sha256", "sha3_512"])
    def test_its_values_are_tried(self, algorithm: str) -> None:
        release = {"visit": [str(i % 7) for i in range(100)], "code": [hexed(algorithm, m) for m in MAILS[:100]]}
        found = judge(release, auxiliary={"Mail": [m.upper() for m in MAILS]})["code"]
        assert found.measurements["hash_of_auxiliary"] == 1
        assert found.is_ is not None and found.is_.entity == "PSEUDONYM"
        facts = {clue.because.code: clue.because for clue in found.is_.evidence}
        because = facts["detect.pseudonyms_hash_of_auxiliary"]
        assert because.values["column"] == Columns(names=("Mail",))
        assert because.values["form"].code == "detect.pseudonyms_input_lower_case"

    def test_few_people_in_common_are_enough(self) -> None:
        strangers = [f"someone{i}@example.net" for i in range(1500)]
        release = {"code": [hexed("sha256", m) for m in [*MAILS[:20], *[f"q{i}@example.com" for i in range(500)]]]}
        assert judge(release, auxiliary={"mail": strangers + MAILS[:20]})["code"].measurements["hash_of_auxiliary"] == 1

    def test_other_people_undo_nothing(self) -> None:
        release = {"code": [hexed("sha256", m) for m in MAILS]}
        found = judge(release, auxiliary={"mail": [f"someone{i}@example.net" for i in range(500)]})["code"]
        assert "hash_of_auxiliary" not in found.measurements


PEOPLE = {
    "first_name": random.Random(1).choices(["Mary", "John", "Grace", "Amina", "Peter", "Sofia", "Luis"], k=200),
    "last_name": random.Random(2).choices(["Smith", "Mwangi", "Lopez", "Kamau", "Brown", "Rossi", "Khan"], k=200),
    "birth_date": days(200, "%Y-%m-%d"),
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("mark", ["", " ", "|", "-", "_", ":"])
@pytest.mark.parametrize(
    "chosen", [("first_name", "last_name"), ("last_name", "birth_date"), ("first_name", "last_name", "birth_date")]
)
def test_columns_of_the_same_row_joined(mark: str, chosen: tuple[str, ...]) -> None:
    joined = [mark.join(row).lower() for row in zip(*(PEOPLE[name] for name in chosen), strict=True)]
    found = judge({**PEOPLE, "code": [hexed("sha256", text) for text in joined]})["code"]
    assert found.measurements["hash_of_sibling"] == 1
    assert found.is_ is not None
    codes = {"detect.pseudonyms_hash_joined", "detect.pseudonyms_hash_concatenated"}
    (because,) = (clue.because for clue in found.is_.evidence if clue.because.code in codes)
    assert set(because.values["columns"].names) == set(chosen)


@pytest.mark.slow
def test_a_salt_that_is_in_the_next_column_is_not_a_salt() -> None:
    salts = [hexed("md5", str(i))[:12] for i in drawn(300, 10**9)]
    codes = [hexed("sha256", salt + mail) for salt, mail in zip(salts, MAILS, strict=True)]
    found = judge({"email": MAILS, "salt": salts, "code": codes})["code"]
    assert found.measurements["hash_of_sibling"] == 1
    assert "hash_of_sibling" not in judge({"email": MAILS, "code": codes})["code"].measurements


WRITINGS = {
    "uuid 5": lambda text: str(uuid.uuid5(uuid.NAMESPACE_DNS, text)),
    "uuid 3": lambda text: str(uuid.uuid3(uuid.NAMESPACE_URL, text)).upper(),
    "md5 as a uuid": lambda text: str(uuid.UUID(hexed("md5", text))),
    "crc-32 in decimals": lambda text: str(zlib.crc32(text.encode())),
    "remainder": lambda text: str(int(hexed("sha256", text), 16) % 10**12),
    "cut to 16": lambda text: hexed("sha256", text)[:16],
    "line end": lambda text: hexed("sha256", text + "\n"),
    "utf-16": lambda text: hashlib.sha256(text.encode("utf-16-le")).hexdigest(),
}


@pytest.mark.parametrize("name", WRITINGS)
def test_writings_of_a_hash(name: str) -> None:
    found = judge({"email": MAILS, "code": [WRITINGS[name](mail) for mail in MAILS]})["code"]
    assert found.measurements["hash_of_sibling"] == 1


@pytest.mark.parametrize("name", ["MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"])
def test_functions_are_those_of_the_library(name: str) -> None:
    theirs = hashlib.new(name.lower().replace("sha-", "sha").replace("-", "_"), b"abc").digest()
    assert function(name)(b"abc") == theirs


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, "less than a second"), (1, "1 second"), (90, "2 minutes"), (3600, "1 hour"), (864000, "10 days")],
)
def test_durations_in_words(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected
