"""Which columns of sentences are free text, whatever else some of their cells contain."""

from __future__ import annotations

import random

from tests.helpers.detection import judge


def _entity(cells: list[str]) -> str | None:
    verdict = judge({"c0": cells})["c0"].is_
    return None if verdict is None else verdict.entity


def _notes(n: int) -> list[str]:
    """Return notes of which more than half repeat, and a third have a number near a word that ends like a street."""
    rng = random.Random(5)
    towns = ["München", "Passau", "Landshut", "Kempten", "Augsburg"]
    once = [
        f"Pat. klagt seit {rng.randrange(2, 9)} Tagen über Atemnot. Heimweg {i} Meter. Hausarzt Dr. Koch."
        for i in range(2 * n)
    ]
    rarer = [f"Sturz zu Hause am Montag. Angehörige aus Ort {i} informiert." for i in range(n)]
    again = [f"Sturz auf dem Heimweg in {rng.choice(towns)}. Keine Allergien bekannt." for _ in range(4 * n)]
    return once + rarer + again


def test_sentences_of_which_some_repeat_and_some_name_streets_are_text() -> None:
    assert _entity(_notes(60)) == "FREE_TEXT"


def test_addresses_of_which_most_occur_once_are_not_text() -> None:
    rng = random.Random(6)
    cells = [f"Lange Straße {i}, Hinterhaus, {rng.randrange(80000, 90000)} Bad Tölz" for i in range(200)]
    assert _entity(cells + cells[:20] * 9) == "STREET_ADDRESS"


def test_messages_that_a_program_repeats_are_not_free_text() -> None:
    messages = [f"The connection to host number {i} was closed. Retry later." for i in range(40)]
    assert _entity(messages * 10) is None
