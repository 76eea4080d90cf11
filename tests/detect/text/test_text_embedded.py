"""Embedded values: right on planted notes, exact in rows, blind to row order, silent about values."""

import base64
import json
from collections import Counter
from pathlib import Path

import detection_notes
import detection_values
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect.catalogue.forms import candidates, possible, specs
from privaudit.detect.catalogue.normalise import normalise, plain_text
from privaudit.detect.text.embedded import find_embedded, find_spans
from privaudit.source.profile.alphabet import digit_counts

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"


def contained(texts, counts=None):
    counts = np.ones(len(texts), dtype=np.int64) if counts is None else np.array(counts, dtype=np.int64)
    return find_embedded(pa.array(texts, type=pa.string()), counts)


def rows(texts, counts=None):
    return {(item.entity, item.detail): item.n_cells for item in contained(texts, counts)}


def entities(text):
    return {entity for _, _, entity, _ in find_spans(plain_text(text))}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_recall_and_precision_on_generated_notes(seed):
    hits = misses = false = 0
    for note in detection_notes.notes(seed, 1500):
        found = entities(note.text) - {"STREET_ADDRESS", "GEO_CODE"}
        hits += len(found & note.entities)
        misses += len(note.entities - found)
        false += len(found - note.entities)
    assert hits / (hits + misses) >= 0.98
    assert hits / (hits + false) >= 0.98


@pytest.mark.parametrize("name", detection_values.DECOYS)
def test_a_column_of_lookalikes_contains_nobody(name):
    from random import Random

    random = Random(5)
    texts = {f"Entry {i}: {detection_values.DECOYS[name](random)} seen" for i in range(300)}
    assert sum(item.n_cells for item in contained(sorted(texts))) <= 3


FOUND = {
    "EMAIL": [
        "write to jane.o'neil+x@mail.example.co.uk, thanks",
        "名前john@example.comです",
        "mail(at)host: joe [at] example.org",
    ],
    "PHONE": [
        "call (212) 555-0187 now",
        "Telefon: 030 1234567",
        "+254712345678",
        "电话13800138000号",
        "fax 0722 123 456 2024-05-01",
    ],
    "CREDIT_CARD": [
        "4111 1111 1111 1111",
        "3782 822463 10005",
        "card 5555555555554444.",
        "１２: ４１１１１１１１１１１１１１１１",
    ],
    "IBAN": ["DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19 is it"],
    "SSN": ["536-22-1234", "ssn 536221234", "SSN: 999-12-3456"],
    "TAX_ID": ["900-70-0001", "A001234567B", "KRA PIN C001234567B", "529.982.247-25"],
    "IP_ADDRESS": ["from 81.2.69.142 at noon", "2001:db8::ff00:42:8329", "[81.2.69.142]:8080"],
    "MAC_ADDRESS": ["00:1A:2b:3c:4d:5e", "001a.2b3c.4d5e up"],
    "DATE_OF_BIRTH": [
        "DOB 12/03/1984",
        "born on 3 March 1984",
        "née le 12/03/1984",
        "geb. 12.03.1984",
        "alizaliwa 12/03/1984",
    ],
    "SECRET": [
        "AKIAIOSFODNN7EXAMPLE",
        "-----BEGIN RSA PRIVATE KEY-----",
        "pwd=Sommer2024!",
        "postgres://app:s3cret@db.example.com/x",
        "Authorization: Bearer abcdef0123456789abcdef",
    ],
    "DEVICE_ID": ["IMEI 490154203237518"],
    "VEHICLE_ID": ["1HGCM82633A004352", "chassis WVWZZZ1JZ3W386752"],
    "PASSPORT": ["Passport No: C01234567", "passport A1234567"],
    "STREET_ADDRESS": ["lives at 221 Baker Street", "Hauptstraße 12, Berlin", "rue de Rivoli 12"],
    "NATIONAL_ID": ["National ID 23456789", "131052-308T", "Kitambulisho 23456789", "811218-9876"],
    "HEALTH_ID": ["NHS 943 476 5919", "MRN: 00123456"],
    "URL": ["https://www.linkedin.com/in/jane-doe", "https://x.example.com/p?email=a%40b.c"],
    "GEO_CODE": ["at -1.28333, 36.81667 today"],
}
CLEAN = [
    "app_version 10.2.33.125",
    "order 4111111111111111",
    "tracking 1Z999AA10123456784",
    "550e8400-e29b-41d4-a716-446655440000",
    "sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "2024-01-15T12:33:01.123Z",
    "part no 536-22-1234",
    "000-12-3456",
    "666-12-3456",
    "4111 1111 1111 1112",
    "amount 1 234 567.00",
    "0.1234567890123456",
    "nan",
    "2012-2014",
    "10:32:11",
    "icon@2x.png",
    "password required",
    "password: ********",
    "the token has expired",
    "DE00 3704 0044 0532 0130 00",
    "12 Angry Men",
    "released 3.14.159.2",
    "ISBN 978-3-16-148410-0",
    "https://www.linkedin.com/company/acme",
    "https://example.com/about",
    "duplicate policy 12345678",
    "born in the USA",
    "May Promo department",
]


@pytest.mark.parametrize(("entity", "text"), [(entity, text) for entity, texts in FOUND.items() for text in texts])
def test_found(entity, text):
    assert entity in entities(text)


@pytest.mark.parametrize("text", CLEAN)
def test_lookalikes_are_left_alone(text):
    assert entities(text) == set()


@pytest.mark.parametrize("separator", ["\u200b", "\u2060", "\u00ad", "\u200d", "\ufeff"])
def test_zero_width_splits_hide_nothing(separator):
    for text in ("4111111111111111", "jane@example.com", "+254712345678"):
        assert entities(separator.join(text)) == entities(text) != set()


def test_rows_are_counted_not_distinct_cells():
    """Cells with 5, 7 and 11 rows; e-mail in the first two, one of them twice: 12 rows of 23."""
    texts = ["a@example.com b@example.com", "c@example.com", "nothing here"]
    (found,) = contained(texts, [5, 7, 11])
    assert (found.n_cells, found.share.value, found.share.low, found.share.high) == (12, 12 / 23, 12 / 23, 12 / 23)
    assert (found.share.method, found.share.level, found.share.n) == ("exact", 1.0, 23)


def test_one_value_in_many_cells_is_found():
    texts = [f"note {i} about nothing in particular" for i in range(100_000)] + ["KRA PIN A001234567B"]
    assert rows(texts) == {("TAX_ID", "ke.pin"): 1}


def test_numbers_that_pass_like_chance_are_not_cards():
    """One in ten 16-digit numbers passes Luhn; a column of them is not a column of cards."""
    rng = np.random.default_rng(3)
    texts = [f"4{digits:015d}" for digits in rng.integers(0, 10**15, 400)]
    assert rows(texts) == {}
    assert rows([*texts, "paid by card 4111111111111111"]) == {("CREDIT_CARD", "visa"): 1}


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_row_order_changes_nothing(seed):
    texts = sorted({note.text for note in detection_notes.notes(7, 60)})
    order = np.random.default_rng(seed).permutation(len(texts))
    counts = np.arange(1, len(texts) + 1)
    assert contained(texts, counts) == contained([texts[i] for i in order], counts[order])


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 40))
def test_parts_merged_are_the_whole(cut):
    texts = sorted({note.text for note in detection_notes.notes(8, 80)})
    whole, left, right = (by_entity(part) for part in (texts, texts[:cut], texts[cut:]))
    assert whole == left + right


def by_entity(texts):
    """Return the cells with a value of each entity type; parts of a column may have one detail, the whole several."""
    return Counter({entity: n for (entity, _), n in rows(texts).items()})


def test_a_cell_counts_once_for_an_entity_type_whatever_the_details_of_its_values():
    texts = ["KRA PIN A001234567B", "KRA PIN A001234567B and RFC GODE561231GR8", "RFC GODE561231GR8", "nothing at all"]
    assert rows(texts) == {("TAX_ID", None): 3}


def test_every_cell_with_a_telephone_number_is_counted():
    written = ("+254 712 345 678", "(212) 555-0143", "+44 20 7946 0958", "212-555-0143")
    texts = [f"Call back on {number} tomorrow please, case {i}" for i in range(10) for number in written]
    assert by_entity(texts)["PHONE"] == len(texts)


@pytest.mark.slow
def test_prefilters_let_through_all_that_the_exact_expressions_find():
    texts = [note.text for note in detection_notes.notes(9, 400, share=1.0)] + [t for ts in FOUND.values() for t in ts]
    plain = normalise(pa.array(texts))
    passed = {spec: set(cells.tolist()) for spec, cells in candidates(plain, np.arange(len(plain)), specs())}
    for spec in specs():
        for cell, text in enumerate(plain.to_pylist()):
            found = any(reading.valid for _, _, reading in spec.readings(text))
            assert not found or cell in passed.get(spec, ()), (spec.detector.label, spec.prefilter)


def test_a_form_is_possible_in_each_text_in_which_it_is_found():
    for spec in specs():
        for text in normalise(pa.array(spec.text.match, pa.string())):
            alone = pa.array([text])
            found = any(reading.valid for _, _, reading in spec.readings(text.as_py()))
            assert not found or possible(alone, digit_counts(alone), (spec,)) == (spec,), spec.detector.label


def test_no_value_in_any_record():
    canary = "zq7canary"
    texts = [f"{canary}@example.com called +254712345678, password: {canary}X1, https://github.com/{canary}"]
    reported = repr(contained(texts))
    assert canary not in reported
    assert "712345678" not in reported


def test_long_cells_are_read_to_the_end():
    cells = [
        "a" * 100_000,
        "1" * 100_000,
        "a@" * 50_000,
        "1-" * 50_000,
        "(" * 100_000,
        "eyJ" * 33_000,
        "x" * 99_000 + " a@example.com",
    ]
    assert rows(cells) == {("EMAIL", None): 1}


def test_naughty_strings_are_read_without_a_crash():
    file = SHARED / "data" / "ugly" / "blns" / "blns.json"
    if not file.exists():
        pytest.skip("reference tables are not beside the project")
    strings = json.loads(file.read_text(encoding="utf-8"))
    encoded = json.loads((file.parent / "blns.base64.json").read_text(encoding="utf-8"))
    strings += [base64.b64decode(text).decode("utf-8", "replace") for text in encoded]
    found = contained(sorted(set(strings)))
    assert {item.entity for item in found} <= {"EMAIL", "IP_ADDRESS", "SECRET", "URL"}


def test_empty_column():
    assert contained([]) == ()


@given(
    members=st.lists(
        st.one_of(
            st.from_regex(r"[0-9]{2}-[0-9]{5}", fullmatch=True),
            st.sampled_from(["jo@example.org", "0722 123 456", "other", "+254712345678", "212-555-0187", "B2"]),
        ),
        min_size=2,
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_a_group_contains_what_one_of_its_members_contains(members):
    each = {entity for member in members for entity, _ in rows([member])}
    assert {entity for entity, _ in rows([" | ".join(members)])} == each


def test_groups_of_area_codes_contain_no_telephone_number():
    assert rows(["06-07502 | 32-00405", "01-01301 | 24-01004 | other"], [30, 20]) == {}
