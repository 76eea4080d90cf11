"""Telephones of every region, postal codes of many, numbers that need a country, one number among many."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import phonenumbers
import pytest

from privaudit.detect.catalogue import validators
from tests.helpers.detection import judge
from tests.helpers.generated_values import form, of, values
from tests.helpers.valid_numbers import walk

REGIONS = sorted(phonenumbers.SUPPORTED_REGIONS)
MADE = 60
# A table of telephone numbers of 35 regions each; `make test` judges the first, `make test-all` all of them.
TABLES = [
    pytest.param(REGIONS[start : start + 35], id=REGIONS[start], marks=[pytest.mark.slow] if start else [])
    for start in range(0, len(REGIONS), 35)
]


@cache
def numbers(region: str) -> tuple[Any, ...]:
    """Return valid numbers of one region, made from its examples by other last digits."""
    source = random.Random(region)
    kinds = (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE)
    examples = [e for kind in kinds if (e := phonenumbers.example_number_for_type(region, kind)) is not None]
    found: dict[str, Any] = {}
    for _ in range(20_000):
        if len(found) == MADE:
            break
        digits = phonenumbers.national_significant_number(source.choice(examples))
        cut = source.randint(1, 6)
        text = f"+{phonenumbers.country_code_for_region(region)}{digits[:-cut]}{of('0123456789', cut)(source)}"
        number = phonenumbers.parse(text, None)
        if phonenumbers.is_valid_number_for_region(number, region):
            found[text] = number
    return tuple(found.values())


def written(region: str, form: int) -> list[str]:
    """Return the numbers of a region in one of the forms of phonenumbers."""
    return [phonenumbers.format_number(number, form) for number in numbers(region)]


def unfound(table: dict[str, list[str]]) -> list[str]:
    """Return the columns of a table that are not found as telephone numbers."""
    return [name for name, d in judge(table).items() if d.is_ is None or d.is_.entity != "PHONE"]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("regions", TABLES)
@pytest.mark.parametrize("form", ["E164", "INTERNATIONAL"])
def test_international_numbers_of_every_region_need_no_name(form: str, regions: list[str]) -> None:
    kind = getattr(phonenumbers.PhoneNumberFormat, form)
    assert unfound({f"c{place:03d}": written(region, kind) for place, region in enumerate(regions)}) == []


@pytest.mark.parametrize("regions", TABLES)
def test_national_numbers_of_every_region_are_found_under_a_name(regions: list[str]) -> None:
    kind = phonenumbers.PhoneNumberFormat.NATIONAL
    assert unfound({f"phone_{place}": written(region, kind) for place, region in enumerate(regions)}) == []


def test_bare_digits_need_a_name() -> None:
    cells = [str(number.national_number) for number in numbers("DK")]
    assert judge({"telefon": cells})["telefon"].is_.entity == "PHONE"  # type: ignore[union-attr]
    opaque = judge({"c00": cells})["c00"].is_
    assert opaque is None or opaque.entity != "PHONE"


POSTAL: dict[str, tuple[str, Callable[[random.Random], str]]] = {
    "AR": ("codigo postal", form("@####@@@")),
    "AU": ("postcode", form("####")),
    "BR": ("cep", form("#####-###")),
    "CA": (
        "postal code",
        lambda r: f"{r.choice('ABCEGHJK')}{form('#')(r)}{r.choice('ABCEGH')} {form('#')(r)}A{form('#')(r)}",
    ),
    "CH": ("plz", lambda r: f"CH-{r.randint(1000, 9658)}"),
    "CN": ("邮编", form("1#####")),
    "CZ": ("psc", lambda r: f"{r.randint(100, 799)} {r.randint(10, 99)}"),
    "DE": ("plz", form("5####")),
    "DK": ("postnummer", form("2###")),
    "ES": ("codigo postal", form("28###")),
    "FI": ("postinumero", form("00###")),
    "FR": ("code postal", form("75###")),
    "GB": (
        "postcode",
        lambda r: f"{r.choice(['SW', 'EC', 'M', 'LS'])}{r.randint(1, 9)} {r.randint(1, 9)}{of('ABDEFGHJLN', 2)(r)}",
    ),
    "IE": ("eircode", lambda r: f"D0{r.randint(1, 9)} {of('AFHKNPRTVWXY', 2)(r)}{form('##')(r)}"),
    "IN": ("pincode", form("1#####")),
    "IT": ("cap", form("20###")),
    "JP": ("郵便番号", form("1##-####")),
    "KE": ("postal code", form("00###")),
    "KR": ("우편번호", form("0####")),
    "MX": ("codigo postal", form("06###")),
    "NL": ("postcode", lambda r: f"{r.randint(1000, 9999)} {of('ABCDEGH', 2)(r)}"),
    "NO": ("postnummer", form("0###")),
    "PL": ("kod pocztowy", form("00-###")),
    "PT": ("codigo postal", form("1###-###")),
    "RU": ("индекс", form("1#####")),
    "SE": ("postnummer", lambda r: f"{r.randint(100, 984)} {r.randint(10, 99)}"),
    "SG": ("postal code", form("1#####")),
    "TR": ("posta kodu", form("34###")),
    "US": ("zip", form("9####")),
    "US+4": ("zip", form("9####-####")),
    "ZA": ("postal code", form("####")),
}


@pytest.mark.parametrize("country", sorted(POSTAL))
def test_postal_codes_of_a_country(country: str) -> None:
    name, make = POSTAL[country]
    got = judge({name: values(make)})[name].is_
    assert got is not None and got.entity == "POSTAL_CODE"


def test_postal_codes_of_eight_digits_need_no_name_next_to_places() -> None:
    towns = ["São Paulo", "Rio de Janeiro", "Salvador", "Curitiba", "Recife", "Manaus"] * 10
    cells = values(form("#####-###"))
    got = judge({"c00": towns, "c01": ["Brazil", "Portugal"] * 30, "c02": cells})["c02"].is_
    assert got is not None and got.entity == "POSTAL_CODE"


@pytest.mark.parametrize(
    ("start", "country", "detail"),
    [
        ("123456782", "Canada", "ca.sin"),
        ("123456782", "CAN", "ca.sin"),
        ("693770885", "Guinée", "gn.nifp"),
        ("400339910", "Moçambique", "mz.nuit"),
        ("988077917", "Norge", "no.orgnr"),
        ("501964843", "Portugal", "pt.nif"),
        ("943476919", "United Kingdom", "gb.nhs"),
        ("111222333", "Nederland", "nl.bsn"),
        ("7503305044089", "South Africa", "za.idnr"),
    ],
)
def test_the_country_distinguishes_what_shares_a_check_digit(start: str, country: str, detail: str) -> None:
    check = validators.get(detail)
    cells = walk(check, start if check(start) else next(iter(_repaired(check, start))), MADE)
    got = judge({"country": [country] * len(cells), "c01": cells})["c01"].is_
    assert got is not None and got.detail == detail


def _repaired(check: Callable[[str], bool], text: str) -> list[str]:
    """Return `text` with its last two characters replaced, or one more appended, such that it passes."""
    tails = [f"{n:02d}" for n in range(100)]
    return [t for tail in tails for t in (text[:-2] + tail, text + tail[1]) if check(t)]


@pytest.mark.slow
def test_one_number_in_two_hundred_thousand_rows_is_a_finding() -> None:
    notes = [f"visit {i} went well and the next one was agreed upon" for i in range(200_000)]
    notes[23_456] = "she paid with 4111 1111 1111 1111 and left"
    notes[123_456] = "seu CPF 390.533.447-05 foi confirmado"
    notes[177_777] = "the key is AKIAIOSFODNN7EXAMPLE they said"
    contained = {c.entity: c.n_cells for c in judge({"notes": notes})["notes"].contains}
    assert {entity: contained.get(entity) for entity in ("CREDIT_CARD", "TAX_ID", "SECRET")} == {
        "CREDIT_CARD": 1,
        "TAX_ID": 1,
        "SECRET": 1,
    }
