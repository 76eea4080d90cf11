"""Masking: hashes by enumeration, rotations by known records, classes across releases."""

from __future__ import annotations

import base64
import datetime
import hashlib
import hmac
import json
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.attacks.masked import masking, rotation
from privaudit.attacks.masked.masking import undo
from privaudit.attacks.masked.rotation import by_least_squares, by_procrustes
from privaudit.audit import attack_stage
from privaudit.detect.pseudonyms import digests
from tests.helpers.paths import SHARED, third_party

DAYS = [datetime.date(1950, 1, 1) + datetime.timedelta(days=37 * i) for i in range(400)]


def hashed(texts, function=hashlib.sha256):
    return {function(text.encode()).hexdigest() for text in texts}


def test_all_hashes_of_dates_are_found_and_no_random_one():
    encoding = digests.hexadecimal(64, has_letters=True)
    found = undo(hashed(day.isoformat() for day in DAYS), encoding)
    assert found.n_found == 400 and found.n_control == 0


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("is_padded", [True, False])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_hashes_in_base64_are_found(encode, is_padded):
    cells = [encode(hashlib.sha256(day.isoformat().encode()).digest()).decode() for day in DAYS]
    table = pa.table({"token": cells if is_padded else [cell.rstrip("=") for cell in cells]})
    (found,) = (one for one in privaudit.attack(table).attacks if one.kind == "masking")
    assert found.n_correct == found.n_targets == 400 and found.control == 0


@pytest.mark.slow
def test_hashes_as_uuids_are_found():
    cells = [str(uuid.UUID(hashlib.md5(day.isoformat().encode()).hexdigest())) for day in DAYS]
    (found,) = (one for one in privaudit.attack(pa.table({"token": cells})).attacks if one.kind == "masking")
    assert found.n_correct == found.n_targets == 400 and found.control == 0


def sha256(text):
    return hashlib.sha256(text.encode())


def in_base64(text):
    return base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()


WRITTEN = {
    "base64 of the hexadecimal digest": lambda text: in_base64(sha256(text).hexdigest()),
    "base64 of base64": lambda text: in_base64(in_base64(sha256(text).digest())),
    "hexadecimal of base64": lambda text: in_base64(sha256(text).digest()).encode().hex(),
    "base64 that was cut": lambda text: in_base64(sha256(text).digest())[:12],
    "base64 of a cut digest": lambda text: in_base64(sha256(text).digest()[:8]),
    "the digest of a digest": lambda text: sha256(sha256(text).hexdigest()).hexdigest(),
    "the digest of its bytes": lambda text: hashlib.sha256(sha256(text).digest()).hexdigest(),
    "the digest of its base64": lambda text: sha256(in_base64(sha256(text).digest())).hexdigest(),
    "a salt": lambda text: sha256("salt" + text).hexdigest(),
}
SLOW = {"a salt"}  # a word that is tried with every input; `test_a_usual_salt_is_tried` tries it on fewer of them


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "write",
    [pytest.param(write, id=name, marks=[pytest.mark.slow] * (name in SLOW)) for name, write in WRITTEN.items()],
)
def test_nested_and_truncated_hashes_are_found_within_the_default_budget(write):
    """Nothing suggests what the column holds."""
    cells = [write(day.isoformat()) for day in DAYS]
    report = privaudit.attack(pa.table({"token": cells}))
    (found,) = (one for one in report.attacks if one.kind == "masking")
    assert found.n_correct == found.n_targets == 400 and found.control == 0
    assert found.detail.measures["hashes_tried"].value <= masking.BUDGET
    assert "REC001" in {one.code for one in report.findings}


ENCODED = {
    "base64": in_base64,
    "base64 for URLs without padding": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "base64 of base64": lambda text: in_base64(in_base64(text)),
    "hexadecimal": lambda text: text.encode().hex(),
}


@pytest.mark.quick_cases(len(ENCODED))
@pytest.mark.parametrize("write", ENCODED.values(), ids=ENCODED)
def test_an_encoding_is_undone_without_any_try(write):
    names = [f"Marie Fontaine {'abcdefghij'[i % 10]}{i}" for i in range(90)]
    report = privaudit.attack(pa.table({"token": [write(name) for name in names]}))
    (found,) = (one for one in report.attacks if one.kind == "masking")
    assert found.method == "decoding" and found.n_correct == 90 and found.control < 0.1
    text = report.to_json() + privaudit.report.render(report.wire, "html")
    assert "Fontaine" not in text and not any(write(name) in text for name in names)
    assert "REC001" in {one.code for one in report.findings}


@pytest.mark.parametrize(
    "cells",
    [
        [str(20 + i % 60) for i in range(200)],
        [str(2020 + i % 60) for i in range(200)],
        [f"{20200101 + i}" for i in range(200)],
        ["Mary", "Anna", "John", "Nora", "Paul", "Ruth", "Carl", "Dora"] * 30,
        [base64.b64encode(hashlib.sha512(str(i).encode()).digest()[:9]).decode() for i in range(200)],
        [hashlib.sha512(str(i).encode()).hexdigest()[:18] for i in range(200)],
    ],
    ids=["ages", "years", "days", "names", "random base64", "random hexadecimal"],
)
def test_values_that_are_not_encoded_are_not_decoded(cells):
    attacks = privaudit.attack(pa.table({"column": cells})).attacks
    assert not any(one.kind == "masking" and one.method == "decoding" for one in attacks)


def test_words_of_one_length_are_not_digests_in_base64():
    table = pa.table({"word": [f"{'abcdefghijklmnopqr'[i % 18 :]:x<18}{i:04d}" for i in range(400)]})
    assert not any(one.kind == "masking" for one in privaudit.attack(table).attacks)


def test_more_digests_than_are_tried_are_a_limit(monkeypatch):
    monkeypatch.setattr(masking, "MOST_DIGESTS", 399)
    report = privaudit.attack(pa.table({"token": sorted(hashed(day.isoformat() for day in DAYS))}))
    assert not any(one.kind == "masking" for one in report.attacks)
    assert "attacks.too_many_digests" in {one.code for one in report.limits}


@pytest.mark.parametrize("most", [99, 100])
def test_a_scan_states_that_a_table_is_too_large_for_attacks(monkeypatch, most):
    monkeypatch.setattr(attack_stage, "MOST_HEADLINE_ROWS", most)
    table = pa.table({"age": [str(20 + i % 50) for i in range(100)], "sex": ["f", "m"] * 50})
    report = privaudit.scan(table, quasi="age")
    is_stated = "attacks.too_large_for_scan" in {one.code for one in report.limits}
    assert is_stated == (most < 100) and is_stated == (not report.attacks)


@pytest.mark.slow
def test_a_usual_salt_is_tried():
    encoding = digests.hexadecimal(32, has_letters=True)
    values = hashed((f"salt{day:%d/%m/%Y}" for day in DAYS), hashlib.md5)
    found = undo(values, encoding, (b"salt",), frozenset({"DATE_OF_BIRTH"}))
    assert found.n_found == 400 and found.best.place == "before"


def test_a_keyed_hash_resists():
    key = b"a secret key that nobody guesses"
    values = {hmac.new(key, day.isoformat().encode(), "sha256").hexdigest() for day in DAYS}
    found = undo(values, digests.hexadecimal(64, has_letters=True), budget=100_000)
    assert found.n_found == 0 and found.tried <= 100_000


def test_no_preimage_is_in_a_report():
    column = [hashlib.sha256(day.isoformat().encode()).hexdigest() for day in DAYS]
    table = pa.table({"dob_hash": column, "age": [str(20 + i % 50) for i in range(400)]})
    report = privaudit.attack(table, role={"dob_hash": "direct"})
    (found,) = (one for one in report.attacks if one.kind == "masking")
    assert found.n_correct == 400 and "REC001" in {one.code for one in report.findings}
    text = report.to_json()
    assert not any(day.isoformat() in text for day in DAYS) and not any(cell in text for cell in column)


@pytest.mark.shared
@pytest.mark.parametrize("key", ["heart13", "heart13_components_dropped"])
def test_few_people_identify_others_behind_a_rotation_of_heart(key):
    reference = _rotations(key)["rows"][:1]
    _compare_rotations(reference, 100 if key == "heart13" else 50)


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("key", "draws"), [("heart13", 100), ("heart13_components_dropped", 50)])
def test_rotations_of_heart(key, draws):
    _compare_rotations(_rotations(key)["rows"], draws)


def _rotations(key):
    third_party("heart")
    return json.loads((SHARED / "reference" / "attacks.json").read_text())["pca"][key]


def _compare_rotations(rows, draws):
    """Compare the people that are identified with those of the reference, for each number of known people."""
    text = third_party("heart", "heart_disease.csv").read_text().splitlines()
    raw = np.array([line.split(",")[:-1] for line in text[1:]], dtype=float)
    scaled = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    axes = np.linalg.svd(scaled, full_matrices=False)[2].T
    for row in rows:
        masked, m = scaled @ axes[:, : row["components"]], row["m"]
        known = [np.random.default_rng(seed).choice(len(raw), m, replace=False) for seed in range(draws)]
        affine = [by_least_squares(raw, masked, one) for one in known]
        assert np.mean([one.identified for one in affine]) == pytest.approx(row["affine_reid_mean"], abs=1e-4)
        assert np.mean([one.rank == row["components"] + 1 for one in affine]) == row["affine_full_rank_share"]
        rotated = np.mean([by_procrustes(raw, masked, one).identified for one in known])
        if m >= 13 or row["components"] < 13:
            assert rotated == pytest.approx(row["procrustes_reid_mean"], abs=5e-3)
        else:  # the map is not determined: the reference has the one that its library returned, ours has minimum norm
            assert rotated > 0.99 > row["procrustes_reid_mean"]


@given(st.integers(0, 10_000), st.integers(4, 9))
def test_an_attacker_with_few_known_people_recovers_the_same_from_any_rotation(seed, m):
    """What the known rows do not determine must not depend on the coordinates, nor on the library that solves."""
    random = np.random.default_rng(seed)
    raw = random.normal(size=(60, 10)) @ random.normal(size=(10, 10))
    scaled = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    known = random.choice(60, m, replace=False)
    maps = [np.linalg.qr(random.normal(size=(10, 10)))[0] for _ in range(2)]
    one, other = (by_procrustes(raw, scaled @ each, known) for each in maps)
    assert one.rmse == pytest.approx(other.rmse, abs=1e-9) and one.identified == other.identified
    assert one.rank == m and one.rmse < 1  # 1 is what the means alone recover


def test_two_releases_intersect_the_classes_of_a_person():
    ages = [20 + i % 40 for i in range(400)]
    ids = [f"p{i}" for i in range(400)]
    first = pa.table({"pid": ids, "age": [f"{a // 10 * 10}-{a // 10 * 10 + 9}" for a in ages]})
    second = pa.table({"pid": ids, "age": [f"{(a + 5) // 10 * 10 - 5}-{(a + 5) // 10 * 10 + 4}" for a in ages]})
    found = privaudit.attack(second, earlier=first, quasi="age").attacks[0]
    lows = [(a // 10, (a + 5) // 10) for a in ages]
    assert found.kind == "releases" and found.detail.measures["smallest_intersection"].n == min(map(lows.count, lows))
    assert found.success.value == 0 and found.detail.measures["ids_reused"].n == 400


def test_releases_without_a_common_id_are_a_limit():
    table = pa.table({"age": [str(20 + i % 9) for i in range(50)]})
    report = privaudit.attack(table, earlier=table, quasi="age")
    assert report.attacks == () and report.gate().exit_code == 3


def test_a_pca_release_is_assigned_to_its_people():
    random = np.random.default_rng(7)
    raw = random.normal(size=(200, 5)) * [1, 10, 3, 40, 2]
    scaled = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    masked = scaled @ np.linalg.svd(scaled, full_matrices=False)[2].T
    original = pa.table({f"x{i}": raw[:, i] for i in range(5)})
    release = pa.table({"sex": random.choice(["m", "f"], 200)} | {f"pc{i}": masked[:, i] for i in range(5)})
    original = original.append_column("sex", release["sex"])
    report = privaudit.attack(release, original=original)
    (found,) = (one for one in report.attacks if one.kind == "rotation")
    assert found.success.value == 1 and found.control < 0.1 and found.detail.measures["rows_exact"].value == 1
    assert "REC001" in {one.code for one in report.findings}


def test_of_many_people_some_are_compared_with_all_recovered_rows(monkeypatch):
    """The share among those who are compared is near that among all, and no person is compared with fewer rows."""
    random = np.random.default_rng(5)
    raw = random.normal(size=(3_000, 4))
    masked = raw @ np.linalg.qr(random.normal(size=(4, 4)))[0] + random.normal(size=(3_000, 4)) / 8
    known = random.choice(3_000, 30, replace=False)
    every = by_least_squares(raw, masked, known)
    monkeypatch.setattr(rotation, "MOST_PAIRS", 1_500 * 2_970)
    some = by_least_squares(raw, masked, known)
    assert (every.n_compared, some.n_compared) == (2_970, 1_485)
    assert 0.1 < every.identified < 0.9 and (some.rmse, some.exact) == (every.rmse, every.exact)
    assert abs(some.identified - every.identified) < 4 * (every.identified / 1_485) ** 0.5
