"""A form of a country is weaker where other columns belong to other countries, and to none of those of the form."""

from itertools import product
from types import SimpleNamespace

import pytest

from privaudit.detect.ledger import Claim
from privaudit.detect.subjects import countries
from privaudit.model import Clue
from privaudit.model.wording import fact

Drawn = tuple[tuple[frozenset[str], frozenset[str]], ...]
"""Of each column the countries of a claim, and those that the column suggests."""


def column(locale: frozenset[str]) -> SimpleNamespace:
    clue = Clue(kind="shape", because=fact("detect.ages"))
    claim = Claim(entity="VEHICLE_PLATE", strength=0.5, locale=tuple(sorted(locale)), clues=(clue,))
    return SimpleNamespace(ledger=SimpleNamespace(standing=lambda: [claim]))


@pytest.mark.parametrize("n_columns", [1, 2, 3])
def test_a_claim_is_weakened_by_the_countries_of_all_other_columns(n_columns: int) -> None:
    of_column = list(product((frozenset(), frozenset({"DE"}), frozenset({"FR", "SE"})), repeat=2))
    for drawn in product(of_column, repeat=n_columns):
        assert weakened(drawn) == expected(drawn), drawn


def weakened(drawn: Drawn) -> list[tuple[int, float]]:
    table = [column(locale) for locale, _ in drawn]
    suggested = {id(item): found for item, (_, found) in zip(table, drawn, strict=True)}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(countries, "_countries_of", lambda item: suggested[id(item)])
        return [(table.index(item), claim.strength) for item, claim in countries.weaken_other_countries(table)]


def expected(drawn: Drawn) -> list[tuple[int, float]]:
    """Return what a loop over the other columns of each column finds."""
    made = []
    for i, (locale, _) in enumerate(drawn):
        others = frozenset().union(*(found for j, (_, found) in enumerate(drawn) if j != i))
        if locale and others and not others & locale:
            made.append((i, 0.25))
    return made
