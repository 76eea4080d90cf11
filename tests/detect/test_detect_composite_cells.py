"""Columns whose cells hold several values."""

from __future__ import annotations

import random

from tests.helpers.detection import judge

R = random.Random(12)
PHONES = [f"+44 20 7946 0{R.randrange(100, 1000)}" for _ in range(120)]
MAILS = [f"user{i}@mail.example" for i in range(120)]
GIVEN, FAMILY = ("Anna", "Peter", "Karin", "Thomas", "Elena", "Daniel"), ("Miller", "Schmidt", "Garcia", "Rossi")
NAMES = [f"{R.choice(GIVEN)} {R.choice(FAMILY)}" for _ in range(120)]


def test_the_order_of_the_parts_changes_nothing() -> None:
    pairs = list(zip(PHONES, MAILS, strict=True))
    mixed = [" / ".join(pair if R.random() < 0.5 else pair[::-1]) for pair in pairs]
    ordered, shuffled = (judge({"c0": cells})["c0"] for cells in ([" / ".join(pair) for pair in pairs], mixed))
    assert (ordered.is_.entity, ordered.is_.share) == (shuffled.is_.entity, shuffled.is_.share)
    assert ordered.is_.share.value == 1
    assert [(c.entity, c.n_cells) for c in ordered.contains] == [(c.entity, c.n_cells) for c in shuffled.contains]


def test_a_column_is_of_a_part_only_if_most_cells_have_it() -> None:
    cells = [
        f"{phone} - {'urgent' if i % 2 else 'later'}" if i % 3 == 0 else "no call, wait"
        for i, phone in enumerate(PHONES)
    ]
    found = judge({"c0": cells})["c0"]
    assert found.is_ is None
    assert [(c.entity, c.n_cells) for c in found.contains] == [("PHONE", 40)]


def test_names_count_only_next_to_another_known_part() -> None:
    days = [f"{R.randrange(1, 28)}.{R.randrange(1, 12)}.{R.randrange(1950, 2005)}" for _ in NAMES]
    born = judge({"c0": [f"{name} ({day})" for name, day in zip(NAMES, days, strict=True)]})["c0"]
    numbered = judge({"c0": [f"{name}, {100 + 7 * i}" for i, name in enumerate(NAMES)]})["c0"]
    assert born.is_.entity == "PERSON_NAME"
    assert numbered.is_ is None or numbered.is_.entity != "PERSON_NAME"


def test_a_long_number_next_to_words_is_the_identifier_that_it_is_alone() -> None:
    numbers = [str(R.randrange(10**9, 10**13)) for _ in range(120)]
    short = [str(R.randrange(100, 10**6)) for _ in range(120)]
    alone, banks, counts = (
        judge({"c0": cells})["c0"].is_
        for cells in (
            numbers,
            [f"{R.choice(['KCB', 'Equity', 'BIDV'])} {number}" for number in numbers],
            [f"{R.choice(['boxes', 'pallets'])} {number}" for number in short],
        )
    )
    assert alone is not None and banks is not None
    assert (alone.entity, banks.entity) == ("UNRESOLVED_ID", "UNRESOLVED_ID")
    assert counts is None


def test_a_known_identifier_next_to_a_long_number_decides() -> None:
    cells = [f"{phone} / {R.randrange(10**9, 10**12)}" for phone in PHONES]
    verdict = judge({"c0": cells})["c0"].is_
    assert verdict is not None and verdict.entity == "PHONE"
