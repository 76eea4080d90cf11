"""Account numbers are checked as python-stdnum checks them, only faster."""

from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban as reference

from privaudit.detect.catalogue.validators import get

CHECK = get("iban")
BODIES = {
    "DE": "0" * 18,
    "NL": "AAAA" + "0" * 10,
    "GB": "AAAA" + "0" * 14,
    "FR": "0" * 23,
    "ZZ": "0" * 12,
    "MT": "AAAA00000" + "0" * 18,
}


@st.composite
def numbers(draw):
    """A number right in form and key, or with one of them broken."""
    country = draw(st.sampled_from(sorted(BODIES)))
    body = "".join(draw(st.sampled_from("ABCXYZ" if kind == "A" else "0123456789")) for kind in BODIES[country])
    key = reference.calc_check_digits(f"{country}00{body}")
    text = draw(st.sampled_from([f"{country}{key}{body}", f"{country}{key}{body[:-1]}", f"{country}99{body}"]))
    text = draw(st.sampled_from([text, text.lower(), " ".join(text[i : i + 4] for i in range(0, len(text), 4))]))
    place = draw(st.integers(0, len(text) - 1))
    return draw(st.sampled_from([text, text[:place] + draw(st.sampled_from("0A-/é ")) + text[place + 1 :]]))


@given(st.one_of(numbers(), st.text("AZaz09 -.é", max_size=40)))
def test_the_check_is_that_of_stdnum(text):
    assert CHECK(text) == reference.is_valid(text, check_country=False)
