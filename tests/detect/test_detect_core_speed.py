"""Shortcuts of detection: each gives what the long way gives."""

from __future__ import annotations

import re
import tomllib
from dataclasses import asdict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base.sampling import _FACTORS, _mix, keyed_hashes
from privaudit.detect.catalogue import detectors, validators
from privaudit.source.profile import count_words, parse_dates
from privaudit.source.profile.alphabet import alphabet
from privaudit.source.profile.dates import any_format
from tests.helpers.detection import judge

texts = st.lists(st.text(st.sampled_from("ab1 9.@-\t\né東 "), max_size=60), max_size=30)
addresses = st.from_regex(r"\A(?:[0-9]{1,3}\.){3,4}[0-9]{0,3}(?:[/:][0-9]{1,2})?\Z") | st.ip_addresses(v=4).map(str)


def one_by_one(text: str) -> int:
    data = text.encode()
    weighted = sum((byte + 1) * int(_FACTORS[place & 4095]) for place, byte in enumerate(data))
    return int(_mix(np.array([len(data) + 1], np.uint64))[0]) + weighted


@settings(max_examples=40, deadline=None)
@given(texts, st.sampled_from([pa.string(), pa.large_string()]), st.integers(0, 5))
def test_hashes_are_those_of_the_definition(cells: list[str], kind: pa.DataType, skipped: int) -> None:
    values = pa.array([*["zz"] * skipped, *cells, "x" * 600], kind).slice(skipped)
    plain = np.array([one_by_one(text) % 2**64 for text in values.to_pylist()], np.uint64)
    assert (keyed_hashes(values, 5) == _mix(plain ^ _mix(np.array([5], np.uint64)))).all()
    assert (keyed_hashes(values.slice(0, len(cells)), 5) == keyed_hashes(values, 5)[: len(cells)]).all()


@settings(max_examples=40, deadline=None)
@given(texts, st.integers(0, 3))
def test_the_alphabet_is_that_of_the_values(cells: list[str], skipped: int) -> None:
    values = pa.array([*["qq"] * skipped, *cells], pa.large_string()).slice(skipped)
    assert set(np.flatnonzero(alphabet(values))) == set("".join(cells).encode())


@settings(max_examples=40, deadline=None)
@given(texts)
def test_words_are_counted_as_if_taken_apart(cells: list[str]) -> None:
    apart = [len(re.findall(r"[^\t\n\f\r ]+", text)) for text in cells]
    assert count_words(pa.array(cells, pa.string())).tolist() == apart


@settings(max_examples=100, deadline=None)
@given(st.lists(addresses, min_size=1, max_size=20))
def test_the_expression_of_ip_addresses_accepts_what_the_validator_accepts(cells: list[str]) -> None:
    accepts = [detector for detector in detectors.load() if detector.entity == "IP_ADDRESS"]
    values = pa.array(cells, pa.string())
    found = np.any([detector.shaped(values) for detector in accepts], axis=0)
    assert found.tolist() == [validators.get("ip")(text) for text in cells]


dates = st.dates().flatmap(
    lambda day: st.sampled_from(["%Y-%m-%d", "%d/%m/%y", "%d %B %Y", "%Y%m%d"]).map(day.strftime)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(dates | st.text(st.sampled_from("0123456789-/. Janfeb:"), max_size=12), max_size=20))
def test_every_date_matches_the_expression_of_all_formats(cells: list[str]) -> None:
    days, _, _ = parse_dates(pa.array(cells, pa.string()))
    matched = pc.match_substring_regex(pa.array(cells, pa.string()), any_format())
    assert not (~np.isnan(days) & ~np.asarray(matched, dtype=np.bool_)).any()


def test_shipped_packs_read_without_the_schema_equal_those_read_with_it() -> None:
    for file in sorted(detectors.resources.path("rules", "detectors").glob("*.toml")):
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        strict = detectors.validate(content, file.name).detector
        read = [detectors.record(**item) for item in content["detector"]]
        assert list(map(asdict, strict)) == list(map(asdict, read))


def test_the_quick_expression_for_e_mails_is_part_of_the_long_one() -> None:
    email = next(one for one in detectors.load() if one.entity == "EMAIL")
    quick, full = (f"^(?:{pattern})$" for pattern in email.regex[:2])
    cells = pa.array(["a@b.co", "a.b+c@x-y.example.org", "a@-b.co", "a@b-.co", "ä@b.de", "a@b.c", "a" * 65 + "@b.co"])
    quickly, fully = (np.asarray(pc.match_substring_regex(cells, one)) for one in (quick, full))
    assert quickly.tolist() == [True, True, False, False, False, False, False] and not (quickly & ~fully).any()


@pytest.mark.slow
def test_many_values_of_a_check_give_an_estimate_and_few_the_exact_share() -> None:
    def isbn(number: int) -> str:
        body = f"978{number:09}"
        total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
        return f"{body}{-total % 10}"

    few, many = ([isbn(i * 7919 % 10**9) for i in range(n)] for n in (500, 21_000))
    exact, sampled = (judge({"c0": cells})["c0"].is_ for cells in (few, many))
    assert exact is not None and sampled is not None
    assert exact.entity == sampled.entity == "PRODUCT_CODE"
    assert exact.share.method == "exact" and sampled.share.method == "wilson, weighted by rows"
    assert sampled.share.low <= 1.0 == sampled.share.value and sampled.share.n == 20_000
