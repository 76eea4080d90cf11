"""Public hierarchies are complete, and agree with the classifications that they name."""

from __future__ import annotations

from itertools import pairwise

import pytest
from babel import Locale

from privaudit.advice.technique.hierarchies import fold, public_hierarchy

CONTAINMENT = {
    "Eastern Africa": "BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW",
    "Middle Africa": "AO CD CF CG CM GA GQ ST TD",
    "Northern Africa": "DZ EG EH LY MA SD TN EA IC",
    "Southern Africa": "BW LS NA SZ ZA",
    "Western Africa": "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
    "Caribbean": "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
    "Central America": "BZ CR GT HN MX NI PA SV",
    "South America": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE",
    "Northern America": "BM CA GL PM US",
    "Central Asia": "TM TJ KG KZ UZ",
    "Eastern Asia": "CN HK JP KP KR MN MO TW",
    "South-eastern Asia": "BN ID KH LA MM MY PH SG TH TL VN",
    "Southern Asia": "AF BD BT IN IR LK MV NP PK",
    "Western Asia": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    "Eastern Europe": "BG BY CZ HU MD PL RO RU SK UA",
    "Northern Europe": "GG IM JE AX DK EE FI FO GB IE IS LT LV NO SE SJ CQ",
    "Southern Europe": "AD AL BA ES GI GR HR IT ME MK MT RS PT SI SM VA XK",
    "Western Europe": "AT BE CH DE FR LI LU MC NL",
    "Australia and New Zealand": "AU CC CX HM NF NZ",
    "Melanesia": "FJ NC PG SB VU",
    "Micronesia": "FM GU KI MH MP NR PW UM",
    "Polynesia": "AS CK NU PF PN TK TO TV WF WS",
}
"""The territory containment of CLDR 49 (Unicode License v3), under the names of M49."""
CONTINENTS = {"Africa": 5, "Americas": 4, "Asia": 5, "Europe": 4, "Oceania": 4}
NO_RESIDENTS = {"BV", "GS", "HM", "IO", "TF", "UM"}
"""Territories without permanent residents."""
NOT_COUNTRIES = {"CQ", "EA", "IC"}
"""Sark, and parts of Spain: exceptional reservations without a code of M49."""


def groups(name):
    return {names: set(members) for names, members in public_hierarchy(name).groups}


def test_countries_are_in_the_regions_of_cldr():
    found = {names[0]: members for names, members in groups("countries").items()}
    assert set(found) == set(CONTAINMENT)
    for region, codes in CONTAINMENT.items():
        stated = {m for m in found[region] if len(m) == 2 and m != "UK"}
        assert stated == set(codes.split()) - NO_RESIDENTS - NOT_COUNTRIES, region


def test_each_continent_has_its_regions():
    regions = list(groups("countries"))
    assert {c: sum(n[1] == c for n in regions) for c in CONTINENTS} == CONTINENTS


def test_the_name_of_a_country_is_where_its_code_is():
    names, hierarchy = Locale("en").territories, public_hierarchy("countries")
    for codes in CONTAINMENT.values():
        for code in set(codes.split()) - NO_RESIDENTS - NOT_COUNTRIES:
            assert hierarchy.path(names[code]) == hierarchy.path(code), code


DIVISIONS = {
    ("New England", "Northeast"): "CT ME MA NH RI VT",
    ("Middle Atlantic", "Northeast"): "NJ NY PA",
    ("East North Central", "Midwest"): "IL IN MI OH WI",
    ("West North Central", "Midwest"): "IA KS MN MO NE ND SD",
    ("South Atlantic", "South"): "DE DC FL GA MD NC SC VA WV",
    ("East South Central", "South"): "AL KY MS TN",
    ("West South Central", "South"): "AR LA OK TX",
    ("Mountain", "West"): "AZ CO ID MT NV NM UT WY",
    ("Pacific", "West"): "AK CA HI OR WA",
}


def test_fifty_states_and_the_district_are_in_nine_divisions():
    found = groups("us-states")
    codes = {names: {m for m in members if len(m) == 2} for names, members in found.items()}
    assert codes == {names: set(text.split()) for names, text in DIVISIONS.items()}
    assert sum(map(len, codes.values())) == 51
    assert all(len(members) == 2 * len(codes[names]) for names, members in found.items())  # each code has its name


PROVINCES = {
    "Central": 5, "Coast": 6, "Eastern": 8, "Nairobi": 1, "North Eastern": 3, "Nyanza": 6, "Rift Valley": 14,
    "Western": 4,
}  # fmt: skip


def test_forty_seven_counties_are_in_eight_provinces():
    spelt = {
        names[0]: {"".join(filter(str.isalpha, fold(m.removesuffix(" County").removesuffix(" City")))) for m in members}
        for names, members in groups("kenya-counties").items()
    }
    assert {name: len(counties) for name, counties in spelt.items()} == PROVINCES
    assert sum(PROVINCES.values()) == 47


def test_occupations_have_the_ten_major_groups():
    assert sorted(names[0][5] for names in groups("occupations")) == list("0123456789")


def test_education_has_the_levels_0_to_8():
    found = [names[0].split(":")[0].removeprefix("ISCED ") for names in groups("education")]
    assert found == ["0-1", "2", "3", "4-5", "6", "7", "8"]


def test_icd_10_has_its_twenty_two_chapters_in_disjoint_ranges():
    ranges = [member for members in groups("icd-10").values() for member in members]
    assert len(groups("icd-10")) == len(ranges) == 22
    bounds = sorted(tuple(member.split("-")) for member in ranges)
    assert all(last < first for (_, last), (first, _) in pairwise(bounds))


@pytest.mark.parametrize(
    ("code", "chapter"),
    [("B99", "I"), ("C00", "II"), ("D48", "II"), ("D50", "III"), ("E90", "IV"), ("F00", "V"), ("G99", "VI"),
     ("H59", "VII"), ("H60", "VIII"), ("I10", "IX"), ("J18", "X"), ("K93", "XI"), ("L99", "XII"), ("M54", "XIII"),
     ("N99", "XIV"), ("O80", "XV"), ("P96", "XVI"), ("Q90", "XVII"), ("R51", "XVIII"), ("T98", "XIX"), ("V01", "XX"),
     ("Y98", "XX"), ("Z00", "XXI"), ("U07", "XXII")],
)  # fmt: skip
def test_codes_of_diseases_are_in_their_chapters(code, chapter):
    assert public_hierarchy("icd-10").path(code)[0].split()[0] == chapter


NUTS_1 = {
    "Austria": 3, "Belgium": 3, "Bulgaria": 2, "Croatia": 1, "Cyprus": 1, "Czechia": 1, "Denmark": 1, "Estonia": 1,
    "Finland": 2, "France": 14, "Germany": 16, "Greece": 4, "Hungary": 3, "Ireland": 1, "Italy": 5, "Latvia": 1,
    "Lithuania": 1, "Luxembourg": 1, "Malta": 1, "Netherlands": 4, "Poland": 7, "Portugal": 3, "Romania": 4,
    "Slovakia": 1, "Slovenia": 1, "Spain": 7, "Sweden": 3,
}  # fmt: skip
"""Regions of NUTS 1 of the 27 member states (92, Delegated Regulation (EU) 2023/674)."""


def test_the_27_member_states_have_their_92_regions_of_nuts_1():
    found = {names[1:] for names in groups("nuts")}
    assert {country: sum(names[1] == country for names in found) for country in NUTS_1} == NUTS_1
    assert len(found) == sum(NUTS_1.values()) == 92


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Bayern", ("Bayern", "Bayern", "Germany")), ("Oberbayern", ("Oberbayern", "Bayern", "Germany")),
        ("München", ("Oberbayern", "Bayern", "Germany")), ("Berlin", ("Berlin", "Berlin", "Germany")),
        ("Antwerpen", ("Prov. Antwerpen", "Vlaams Gewest", "Belgium")),
        ("Noord-Holland", ("Noord-Holland", "West-Nederland", "Netherlands")),
        ("Sicilia", ("Sicilia", "Isole", "Italy")), ("Nord-Est", None),
    ],
)  # fmt: skip
def test_a_region_is_in_its_larger_regions_and_an_ambiguous_name_in_none(name, path):
    assert public_hierarchy("nuts").path(name) == path


@pytest.mark.parametrize(
    ("label", "level"),
    [
        ("7th-8th", "0-1"), ("12th", "2"), ("some college", "3"), ("HS-grad", "3"), ("Assoc-voc", "4-5"),
        ("bachelor's degree", "6"), ("Prof-school", "7"), ("Doctorate", "8"), ("college", None), ("Graduate", None),
    ],
)  # fmt: skip
def test_a_label_of_education_is_the_highest_completed_level(label, level):
    path = public_hierarchy("education").path(label)
    assert (path and path[0].split(":")[0].removeprefix("ISCED ")) == level


@pytest.mark.parametrize(
    ("label", "code"),
    [("Sales Manager", 1221), ("Nurse", 2221), ("Healthcare Representative", 2433), ("Sales Representative", 3322),
     ("Chef", 3434), ("Receptionist", 4226), ("Cashier", 5230), ("Police officer", 5412), ("Gardener", 6113),
     ("Electrician", 7411), ("Bus driver", 8331), ("Porter", 9621)],
)  # fmt: skip
def test_an_occupation_is_in_the_major_group_of_its_isco_08_code(label, code):
    assert public_hierarchy("occupations").path(label)[0].split()[1] == f"{str(code)[0]}:"


def test_a_label_is_a_member_of_one_group():
    for name in ("countries", "us-states", "kenya-counties", "education", "occupations", "nuts"):
        listed = [fold(m) for _, members in public_hierarchy(name).groups for m in dict.fromkeys(map(fold, members))]
        assert len(listed) == len(set(listed)), name
