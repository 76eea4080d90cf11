"""Tables of things: no plain column may be taken for one of a person; hospitals, censuses and lists besides."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

import pyarrow as pa
import pytest

from privaudit.detect.catalogue.wordlists import listed_words
from privaudit.detect.detection import detect
from privaudit.detect.roles import assign
from privaudit.detect.unit.decision import infer_unit
from privaudit.model import Detection
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile

R = random.Random(20)
N = 300
UP = string.ascii_uppercase


def judge(table: dict[str, list[str]]) -> dict[str, Detection]:
    with from_arrow(pa.table(table)) as ds:
        return {d.column: d for d in detect(ds, profile(ds), Settings())}


def roles(table: dict[str, list[str]]) -> dict[str, str]:
    with from_arrow(pa.table(table)) as ds:
        measured, settings = profile(ds), Settings()
        given = assign(measured, detect(ds, measured, settings), settings)
        return {one.column: one.role for one in given}


def entity(found: Detection) -> str:
    return found.is_.entity if found.is_ else ""


def cells(make: Callable[[], str], n: int = N) -> list[str]:
    return [make() for _ in range(n)]


def digits(n: int) -> str:
    return str(R.randint(1, 9)) + "".join(R.choices("0123456789", k=n - 1))


def some(text: str) -> list[str]:
    return R.choices(text.split("|"), k=N)


def number(low: float, high: float) -> list[str]:
    return cells(lambda: f"{R.uniform(low, high):.2f}")


def mod11(n: int) -> str:
    body = [R.randint(0, 9) for _ in range(n)]
    check = -sum((n + 1 - i) * d for i, d in enumerate(body)) % 11
    return "".join(map(str, body)) + ("X" if check == 10 else str(check))


def tail() -> str:
    return f"N{R.randint(100, 999)}{R.choice(UP)}{R.choice(UP)}"


THINGS: dict[str, dict[str, list[str]]] = {
    "titles": {
        "tkey": [f"tt{1000000 + 37 * i}" for i in range(N)],
        "title_kind": some("movie|short|series"),
        "start_year": cells(lambda: str(R.randint(1930, 2020))),
        "runtime": cells(lambda: str(R.randint(5, 180))),
    },
    "flights": {
        "tail_number": cells(tail),
        "carrier": some("AA|DL|UA|WN"),
        "distance": cells(lambda: str(R.randint(90, 2500))),
        "engines": some("1|2|4"),
    },
    "logs": {
        "level": some("INFO|WARN|ERROR"),
        "span_id": cells(lambda: f"{R.getrandbits(64):016x}"[:11]),
        "block_id": cells(lambda: f"blk_{digits(12)}"),
        "latency": number(1, 900),
        "clock": cells(lambda: f"{R.randint(1, 3)}:{R.randint(0, 59):02d}.{R.randint(0, 999):03d}"),
        "at": cells(lambda: f"{R.randint(0, 23):02d}{R.randint(0, 59):02d}{R.randint(0, 59):02d}"),
    },
    "sky": {
        "objid": cells(lambda: digits(18)),
        "plate": cells(lambda: str(R.randint(266, 9000))),
        "redshift": number(0, 3),
        "density": number(0, 1),
    },
    "drinks": {
        "alcohol": number(8, 15),
        "chlorides": number(0, 2),
        "density": number(0, 2),
        "quality": some("4|5|6|7"),
    },
    "league": {
        "team": some("BOS|LAL|CHI|MIA"),
        "rank": cells(lambda: str(R.randint(1, 30))),
        "stadium": some("North Park|Old Field|River Bowl"),
        "points": cells(lambda: str(R.randint(60, 140))),
    },
    "stock": {
        "part": cells(lambda: f"{digits(3)}-{digits(4)}-{R.choice(UP)}"),
        "serial_no": cells(lambda: "SN" + digits(9)),
        "bin": some("A1|A2|B7"),
        "sub_id": cells(lambda: digits(9)),
        "unit_cost": number(1, 90),
    },
    "dishes": {
        "name": some("Spicy chicken curry|Easy apple pie|Creamy tomato soup|Roasted beef stew|Green rice salad"),
        "minutes": cells(lambda: str(R.randint(5, 200))),
        "sodium": number(1, 900),
        "recipe_code": cells(lambda: "R" + digits(7)),
    },
    "gaps": {
        "store": cells(lambda: str(R.randint(1, 45))),
        "price": cells(lambda: R.choice([" NA", f"{R.uniform(1, 900):.2f}"])),
        "mark": cells(lambda: R.choice([" NA", f"AB{R.randint(100, 999)}"])),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", THINGS)
def test_no_plain_column_of_a_table_of_things_is_direct(name: str) -> None:
    found = roles(THINGS[name])
    assert "direct" not in found.values(), found


def test_measures_and_ranks_of_things_are_nobodys() -> None:
    for name, column in [("drinks", "alcohol"), ("drinks", "density"), ("league", "team"), ("league", "rank")]:
        assert roles(THINGS[name])[column] == "none"


def test_a_code_is_direct_where_no_other_key_identifies_the_person_of_the_record() -> None:
    people = {"sex": some("Male|Female"), "age": cells(lambda: str(R.randint(18, 90)))}
    keyed = roles({**people, "span_id": cells(lambda: f"{R.getrandbits(64):016x}"[:11])})
    assert keyed["span_id"] == "direct"


@pytest.mark.slow
def test_books_and_journals_are_not_persons_numbers() -> None:
    books = judge({"c0": cells(lambda: mod11(9)), "c1": number(1, 90)})
    assert entity(books["c0"]) == "PRODUCT_CODE"
    journals = judge({"c0": cells(lambda: (lambda t: f"{t[:4]}-{t[4:]}")(mod11(7))), "c1": number(1, 90)})
    assert entity(journals["c0"]) == "PRODUCT_CODE"
    health = judge({"c0": [n for n in cells(lambda: mod11(9), 600) if n[-1] != "X"][:N]})
    assert entity(health["c0"]) != "PRODUCT_CODE"


def test_words_that_never_recur_with_some_family_names_among_them_are_not_ignored() -> None:
    ends = "ski|wicz|czak|ewicz|arek|osz|uch|anda|iel|osek".split("|")
    starts = [a + b + c for a in "BDGKLMPRSTWZ" for b in "aeiou" for c in "dlmrt"]
    unknown = [start + end for start in starts for end in ends]
    listed = "Schmidt Rossi Otieno Silva Novak Miller Johnson Garcia Martin Kamau Nowak Wang Kim Okafor".split()
    listed += "Smith Brown Taylor Wilson Davis Lopez Gonzalez Fischer Weber Meyer Wagner Becker Schulz Koch".split()
    words = R.sample(unknown, 170) + listed
    found = judge({"c0": words, "c1": [str(R.randint(1, 9)) for _ in words]})
    assert entity(found["c0"]) in ("LAST_NAME", "FIRST_NAME", "PERSON_NAME", "UNRESOLVED_ID")


def test_decimals_among_a_few_words_are_not_codes() -> None:
    table = {"c0": ["fc111nc", "fc112nc", *(f"{R.uniform(100, 999):.10f}" for _ in range(N))]}
    assert entity(judge(table)["c0"]) == ""


GIVEN = "Katrina|Andrew|Camille|Maria|Harvey|Isabel|Dennis|Ida|Laura|Charlotte|Elizabeth|Victoria|Diana|Matthew|Michael"


@pytest.mark.parametrize("name", ["storm", "storm_name", "hurricane", "ship", "vessel_name", "street_name"])
def test_given_names_of_things_are_not_people_where_the_column_name_is_that_of_a_thing(name: str) -> None:
    table = {"claimant": cells(lambda: f"{R.choice(GIVEN.split('|'))} Hoffmann"), name: some(GIVEN)}
    assert entity(judge(table)[name]) in ("", "ADDRESS_PART")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["patient", "owner", "contact", "c3"])
def test_given_names_are_people_under_other_column_names(name: str) -> None:
    given = [word.title() for word in R.sample(sorted(listed_words("given_names")), 90)]
    table = {name: cells(lambda: R.choice(given)), "age": cells(lambda: str(R.randint(18, 80)))}
    assert entity(judge(table)[name]) == "FIRST_NAME"
    assert entity(judge({"vessel": table[name], "age": table["age"]})["vessel"]) == ""


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["suite", "unit", "address2", "address_line_2", "secondary_address", "c2"])
@pytest.mark.parametrize("word", ["Suite ", "Apt. ", "Unit #"])
def test_a_flat_or_a_suite_is_a_part_of_an_address(name: str, word: str) -> None:
    table = {
        "full_name": cells(lambda: f"{R.choice(GIVEN.split('|'))} Hoffmann"),
        name: cells(lambda: f"{word}{R.randint(1, 400)}"),
    }
    assert entity(judge(table)[name]) == "ADDRESS_PART"
    table[name] = cells(lambda: f"{R.randint(1, 99)} Oak Avenue, {word}{R.randint(1, 400)}")
    assert entity(judge(table)[name]) == "STREET_ADDRESS"


@pytest.mark.parametrize("name", ["birth_month", "month_of_birth", "Geburtsmonat", "mes_nacimiento"])
@pytest.mark.parametrize("months", ["1|2|3|4|5|6|7|8|9|10|11|12", "January|February|March|May|July|December"])
def test_a_month_of_birth_is_a_quasi_identifier(name: str, months: str) -> None:
    table = {"gender": some("M|F"), "age": cells(lambda: str(R.randint(18, 80))), name: some(months)}
    assert entity(judge(table)[name]) == "BIRTH_MONTH" and roles(table)[name] == "quasi"


@pytest.mark.parametrize("name", ["expiry", "exp", "valid_thru", "credit_card_expire", "cc_expiration"])
def test_a_month_and_year_of_expiry_is_that_of_a_card(name: str) -> None:
    dates = cells(lambda: f"{R.randint(1, 12):02d}/{R.randint(27, 32)}")
    assert entity(judge({"customer_name": some("Ana Diaz|Jon Berg"), name: dates})[name]) == "CARD_EXPIRY"
    years = cells(lambda: str(R.randint(1, 30)))
    assert entity(judge({"exp": years, "age": cells(lambda: str(R.randint(18, 80)))})["exp"]) != "CARD_EXPIRY"


def test_kinds_of_things_at_the_end_are_not_names_of_people() -> None:
    places = R.sample(
        [f"{a}{b}" for a in ("Bran", "Lun", "Hol", "Wes", "Kar") for b in ("den", "feld", "ow", "stett", "by")], 25
    )
    shown = [f"{place} {kind}" for place in places for kind in ("Airport", "Harbour", "Junction")]
    codes = [f"N{R.randint(100, 999)}{R.choice('ABC')}{n:02d}" for n in range(len(shown))]
    found = judge({"display_name": shown, "TailNum": codes})
    assert entity(found["display_name"]) == "" and found["display_name"].unassessed is not None
    assert entity(found["TailNum"]) != "PERSON_ID"


def test_family_names_that_few_share_are_names() -> None:
    given = "Gurpreet Harpreet Manpreet Jaspreet Amrit Simran Kiran Arjun Baldev Daljit Inder Karan Mohan".split()
    people = [f"{one} {family}" for one in given for family in ("Singh", "Kaur")]
    assert entity(judge({"display_name": people})["display_name"]) == "PERSON_NAME"


def test_an_age_that_only_the_column_name_suggests_does_not_show_people() -> None:
    machines = {"device": cells(lambda: f"P-{R.randint(1, 9)}"), "rpm": cells(lambda: str(R.randint(900, 3000)))}
    machines |= {"age_h": cells(lambda: str(R.randint(0, 8000) / 2))}
    assert unit(machines) == "object"
    assert unit({**machines, "age_h": cells(lambda: str(round(min(95, max(0, R.gauss(44, 17))))))}) == "person"


def unit(table: dict[str, list[str]]) -> str:
    with from_arrow(pa.table(table)) as ds:
        measured, settings = profile(ds), Settings()
        return infer_unit(ds, measured, detect(ds, measured, settings), settings).kind
