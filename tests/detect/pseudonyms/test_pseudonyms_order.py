"""Keys that follow time, contain a clock, or occur in two tables are reported; random keys are not."""

from __future__ import annotations

import datetime
import random
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from privaudit.detect.pseudonyms.keys import lower_bound, ranks, spearman
from privaudit.model.wording import Columns, Count, Name
from tests.helpers.detection import NO_MODEL, judge

N = 200
DAYS = [(datetime.date(2020, 1, 1) + datetime.timedelta(i)).isoformat() for i in range(N)]
SOURCE = random.Random(9)
SHUFFLED = SOURCE.sample(range(N), N)
GAPS = np.cumsum([SOURCE.randrange(1, 60) for _ in range(N)]) + 10_000


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=40))
def test_rank_correlation_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(part, dtype=float) for part in zip(*pairs, strict=True))
    expected = 0.0 if len(set(one)) == 1 or len(set(other)) == 1 else stats.spearmanr(one, other).statistic
    assert spearman(one, other) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=30, unique=True), st.sampled_from(["", "C", "cust-"]))
def test_ranks_of_numbers_are_by_size_behind_any_beginning(numbers: list[int], prefix: str) -> None:
    found = ranks(pa.array([f"{prefix}{n}" for n in numbers]))
    assert list(np.argsort(found)) == list(np.argsort(numbers))


@given(st.floats(-1, 1), st.integers(4, 10_000))
def test_the_lower_end_lies_between_nought_and_the_correlation(rho: float, n: int) -> None:
    assert 0 <= lower_bound(rho, n) <= abs(rho) + 1e-9


KEYED = {
    "numbers with gaps": [str(n) for n in GAPS],
    "behind a beginning": [f"CUS-{n}" for n in GAPS],
    "falling": [str(10**6 - n) for n in GAPS],
}


@pytest.mark.parametrize("name", KEYED)
def test_keys_that_follow_a_date_column(name: str) -> None:
    """The rows themselves are shuffled: the order is visible only next to the dates."""
    keys = [KEYED[name][i] for i in SHUFFLED]
    table = {"customer_id": keys, "joined": [DAYS[i] for i in SHUFFLED], "age": ["30", "41"] * (N // 2)}
    found = judge(table)["customer_id"]
    assert found.measurements["key_time_correlation"] > 0.95
    assert found.is_ is not None
    code = "detect.pseudonyms_keys_fall" if name == "falling" else "detect.pseudonyms_keys_rise"
    (because,) = (clue.because for clue in found.is_.evidence if clue.because.code == code)
    assert because.values["column"] == Columns(names=("joined",))
    assert because.values["rows"] == Count(n=N, unit="row")


def test_random_keys_follow_nothing() -> None:
    keys = [str(n) for n in GAPS]
    table = {"customer_id": keys, "joined": [DAYS[i] for i in SHUFFLED]}
    assert "key_time_correlation" not in judge(table)["customer_id"].measurements


def version7(source: random.Random, at: float) -> str:
    bits = int(at * 1000) << 80 | 7 << 76 | source.getrandbits(12) << 64 | 2 << 62 | source.getrandbits(62)
    return str(uuid.UUID(int=bits))


def version1(source: random.Random, at: float, node: int) -> str:
    ticks = int((at + 12_219_292_800) * 10**7)
    low, middle, high = ticks & 0xFFFFFFFF, ticks >> 32 & 0xFFFF, ticks >> 48 & 0xFFF | 0x1000
    return str(uuid.UUID(fields=(low, middle, high, 0x80 | source.getrandbits(6), source.getrandbits(8), node)))


def ulid(source: random.Random, at: float) -> str:
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    value = int(at * 1000) << 80 | source.getrandbits(80)
    return "".join(alphabet[value >> 5 * (25 - i) & 31] for i in range(26))


CLOCKS = {
    "Version 1 UUIDs": lambda s, at: version1(s, at, 0x001A2B3C4D5E),
    "Version 7 UUIDs": version7,
    "ULIDs": ulid,
    "ObjectIds": lambda s, at: f"{int(at):08x}{s.getrandbits(64):016x}",
}


@pytest.mark.parametrize("name", CLOCKS)
def test_keys_that_carry_a_clock(name: str) -> None:
    source = random.Random(2)
    cells = [CLOCKS[name](source, 1.6e9 + source.random() * 1e8) for _ in range(N)]
    found = judge({"user_id": cells, "age": ["30", "41"] * (N // 2)})["user_id"]
    assert found.measurements["key_holds_time"] == 1
    assert found.is_ is not None
    (because,) = (c.because for c in found.is_.evidence if c.because.code == "detect.pseudonyms_time_stamp")
    assert because.values["format"] == Name(text=name)
    cards = [one.n_cells for one in found.contains if one.entity == "MAC_ADDRESS"]
    assert cards == ([N] if name == "Version 1 UUIDs" else [])


def test_random_identifiers_carry_none() -> None:
    source = random.Random(3)
    cells = {
        "a": [str(uuid.UUID(int=source.getrandbits(128), version=4)) for _ in range(N)],
        "b": [f"{source.getrandbits(96):024x}" for _ in range(N)],
        "c": [version1(source, 1.6e9 + i, source.getrandbits(48) | 1 << 40) for i in range(N)],
    }
    found = judge(cells)
    assert "key_holds_time" not in found["a"].measurements
    assert "key_holds_time" not in found["b"].measurements
    # A node with its multicast bit set is random, no card.
    assert not [one for one in found["c"].contains if one.entity == "MAC_ADDRESS"]


TOKENS = [f"{random.Random(i).getrandbits(64):016x}" for i in range(N)]


class TestShared:
    """The same pseudonym in two tables is a link; running numbers agree by counting."""

    def test_tokens_in_both_tables_are_counted_in_rows(self) -> None:
        release = {"token": TOKENS + TOKENS[:50]}
        found = judge(release, auxiliary={"key": TOKENS[:120], "n": [str(i) for i in range(120)]})["token"]
        assert found.measurements["key_shared_rows"] == 170
        assert found.is_ is not None
        facts = {clue.because.code: clue.because for clue in found.is_.evidence}
        keys = facts["detect.pseudonyms_shared_keys"].values["keys"]
        assert keys == Count(n=120, of=200, unit="value")

    def test_without_another_table_nothing_is_reported(self) -> None:
        assert "key_shared_rows" not in judge({"token": TOKENS})["token"].measurements

    def test_other_tokens_share_nothing(self) -> None:
        other = [f"{random.Random(i).getrandbits(64):016x}" for i in range(1000, 1300)]
        assert judge({"token": TOKENS}, auxiliary={"token": other})["token"].measurements["key_shared_rows"] == 0

    @pytest.mark.parametrize("prefix", ["", "P"])
    def test_running_numbers_agree_by_counting(self, prefix: str) -> None:
        release = {"code": [f"{prefix}{100_000 + 3 * i}" for i in range(N)]}
        found = judge(release, auxiliary={"n": [f"{prefix}{100_000 + i}" for i in range(2 * N)]})["code"]
        assert found.measurements.get("key_shared_rows", 0) == 0

    def test_numbers_with_gaps_that_agree_are_not_accident(self) -> None:
        numbers = [str(random.Random(i).randrange(10**8, 10**9)) for i in range(N)]
        found = judge({"customer_id": numbers}, auxiliary={"x": [*numbers[:80], "123456789"]})["customer_id"]
        assert found.measurements["key_shared_rows"] == 80

    def test_the_columns_that_hold_the_truth_are_excluded(self) -> None:
        from dataclasses import replace

        chosen = replace(NO_MODEL, truth={"token": "token"})
        found = judge({"token": TOKENS}, chosen, auxiliary={"token": TOKENS})["token"]
        assert "key_shared_rows" not in found.measurements

    def test_no_key_is_reported(self) -> None:
        reported = repr(judge({"token": TOKENS}, auxiliary={"token": TOKENS}))
        assert not any(token[:8] in reported for token in TOKENS)
