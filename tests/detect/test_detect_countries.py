"""A form of a country is weaker where other columns belong to other countries, and to none of those of the form."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.detect.ledger import Claim
from privaudit.detect.subjects import countries
from privaudit.model import Clue
from privaudit.model.wording import fact

COUNTRIES = st.frozensets(st.sampled_from(["DE", "FR", "SE"]), max_size=2)


def column(locale: frozenset[str]) -> SimpleNamespace:
    clue = Clue(kind="shape", because=fact("detect.ages"))
    claim = Claim(entity="VEHICLE_PLATE", strength=0.5, locale=tuple(sorted(locale)), clues=(clue,))
    return SimpleNamespace(ledger=SimpleNamespace(standing=lambda: [claim]))


@given(st.lists(st.tuples(COUNTRIES, COUNTRIES), min_size=1, max_size=4))
def test_a_claim_is_weakened_by_the_countries_of_all_other_columns(drawn: list) -> None:
    table = [column(locale) for locale, _ in drawn]
    suggested = {id(item): found for item, (_, found) in zip(table, drawn, strict=True)}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(countries, "_countries_of", lambda item: suggested[id(item)])
        weakened = [(id(item), claim.strength) for item, claim in countries.weaken_other_countries(table)]
    expected = []
    for i, (locale, _) in enumerate(drawn):
        others = frozenset().union(*(found for j, (_, found) in enumerate(drawn) if j != i))
        if locale and others and not others & locale:
            expected.append((id(table[i]), 0.25))
    assert weakened == expected
