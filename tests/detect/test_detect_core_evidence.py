"""The single witnesses: headers, check digits, cards, samples, facts."""

from __future__ import annotations

import random
import string

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base.sampling import keyed_hashes, lowest
from privaudit.detect.catalogue import validators
from privaudit.detect.catalogue.wordlists import fold, fold_all
from privaudit.detect.subjects import cards
from privaudit.detect.subjects.checkdigits import change_digit
from privaudit.model.headers import read_header, tokenise
from tests.helpers.detection import entity, judge


@pytest.mark.parametrize(
    "name", ["duplicate", "policy", "mission", "package", "classname_len", "message_body_size", "stagecoach"]
)
def test_words_are_never_found_inside_words(name: str) -> None:
    hints = {hint.entity for hint in read_header(name).hints}
    assert not hints & {"DRIVER_LICENSE", "SSN", "AGE", "PERSON_NAME", "TAX_ID"}


@pytest.mark.parametrize(
    "name", ["email_verified", "phone_count", "has_email", "num_addresses", "email_opt_in", "phone_type"]
)
def test_negative_words_turn_the_meaning(name: str) -> None:
    hints = {hint.entity for hint in read_header(name).hints if hint.strength > 0.5}
    assert not hints & {"EMAIL", "PHONE", "STREET_ADDRESS"}


@pytest.mark.parametrize("name", ["c00", "col_7", "V12", "x", "field 3", "7", ""])
def test_opaque_names_are_known(name: str) -> None:
    assert read_header(name).is_opaque


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_a_name(name: str) -> None:
    header = read_header(name)
    assert header.words == tokenise(name)
    assert all(0 <= hint.strength <= 1 for hint in header.hints)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_folding_vectorised_is_folding(texts: list[str]) -> None:
    again = fold_all(pa.array(texts)).to_pylist()
    for text, folded in zip(texts, again, strict=True):
        if text.isascii() and text.isprintable():
            assert folded == fold(text)


@given(st.text("0123456789", min_size=12, max_size=19))
@settings(max_examples=200, deadline=None)
def test_luhn_vectorised_is_luhn(text: str) -> None:
    if len(set(text[-11:])) > 1:
        assert bool(cards.luhn(pa.array([text]))[0]) == validators.get("luhn")(text)


@given(st.text(string.ascii_uppercase + string.digits, min_size=1, max_size=20), st.integers(0, 10_000))
@settings(max_examples=200, deadline=None)
def test_changing_a_digit_changes_one_digit(text: str, number: int) -> None:
    changed = change_digit(text, number)
    different = sum(a != b for a, b in zip(text, changed, strict=True))
    assert different == (1 if any(c.isdigit() for c in text) else 0)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=2, max_size=40, unique=True),
    st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_samples_do_not_depend_on_the_order(texts: list[str], seed: int) -> None:
    shuffled = list(texts)
    random.Random(seed).shuffle(shuffled)
    picked = [[t[i] for i in lowest(keyed_hashes(pa.array(t), seed), 5)] for t in (texts, shuffled)]
    assert picked[0] == picked[1]


def test_hashes_of_a_slice_are_those_of_the_whole() -> None:
    whole = pa.array([f"value {i}" for i in range(50)])
    assert np.array_equal(keyed_hashes(whole, 1)[20:30], keyed_hashes(whole.slice(20, 10), 1))


def cpf(r: random.Random) -> str:
    d = [r.randint(0, 9) for _ in range(9)]
    for k in (10, 11):
        d.append(sum(x * (k - i) for i, x in enumerate(d)) * 10 % 11 % 10)
    return "".join(map(str, d))


def test_a_proven_check_digit_needs_no_name_and_random_digits_stay_unresolved() -> None:
    r = random.Random(1)
    assert entity([cpf(r) for _ in range(300)]) == "TAX_ID"
    found = judge({"c0": [str(r.randint(10**10, 10**11 - 1)) for _ in range(300)]})["c0"]
    assert found.is_ is not None and found.is_.entity == "UNRESOLVED_ID"


def test_facts_count_rows_without_naming_values() -> None:
    ages = [str(a) for a in range(5, 105)] * 3
    facts = judge({"age": ages})["age"].measurements
    assert facts["age_over_89"] == 3 * 15 and facts["n_children"] == 3 * 13
    where = judge(
        {"lat": [f"{-1 - i / 7919:.6f}" for i in range(60)], "lon": [f"{36 + i / 7919:.6f}" for i in range(60)]}
    )
    assert where["lat"].measurements["geo_decimals"] == 6
    addresses = [f"10.0.0.{i}" for i in range(40)] + [f"8.8.4.{i}" for i in range(40)]
    assert judge({"ip": addresses})["ip"].measurements["private_ip"] == 40


def test_a_digest_of_a_small_space_reports_how_long_it_holds() -> None:
    import hashlib

    digests = [hashlib.sha1(str(i).encode()).hexdigest() for i in range(200)]
    found = judge({"phone_sha1": digests, "age": [str(20 + i % 50) for i in range(200)], "sex": ["M", "F"] * 100})[
        "phone_sha1"
    ]
    assert found.is_ is not None and found.is_.entity == "PSEUDONYM"
    assert found.measurements["hash_like"] == 1 and 30 < found.measurements["hash_preimage_bits"] < 40


def test_the_order_of_rows_and_repeats_change_nothing() -> None:
    r = random.Random(5)
    table = {
        "a": [cpf(r) for _ in range(60)],
        "b": [r.choice(["James Smith", "Mary Jones", "Wei Chen"]) for _ in range(60)],
    }
    order = list(range(60))
    r.shuffle(order)
    assert judge(table) == judge({name: [cells[i] for i in order] for name, cells in table.items()})
