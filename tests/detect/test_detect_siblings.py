"""What columns of a table tell of each other, and what a few repeated values say: invented values only."""

from __future__ import annotations

import hashlib
import random
import uuid

import pytest

from privaudit.detect.catalogue.wordlists import listed_words
from privaudit.model.headers import read_header
from tests.helpers.detection import judge

R = random.Random(7)
N = 300


def ages(low: int = 18, high: int = 90, middle: int = 44, spread: int = 15) -> list[str]:
    return [str(int(min(high, max(low, R.gauss(middle, spread))))) for _ in range(N)]


def some(values: str, weights: list[int] | None = None) -> list[str]:
    return R.choices(values.split("|"), weights, k=N)


def entity(found: object) -> str:
    verdict = getattr(found, "is_", None)
    return verdict.entity if verdict else ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("male", "GENDER"),
        ("is_female", "GENDER"),
        ("nonwhite", "RACE_ETHNICITY"),
        ("black_male", "RACE_ETHNICITY"),
        ("hisp", "RACE_ETHNICITY"),
        ("married", "MARITAL_STATUS"),
        ("marr", "MARITAL_STATUS"),
        ("catholic", "RELIGION"),
        ("union", "UNION"),
    ],
)
@pytest.mark.parametrize("values", ["0|1", "no|yes", "TRUE|FALSE"])
def test_a_column_of_two_values_is_what_its_name_means_for_a_person(name: str, expected: str, values: str) -> None:
    assert entity(judge({"age": ages(), name: some(values)})[name]) == expected


@pytest.mark.parametrize("name", ["male", "black"])
def test_counts_under_the_name_of_a_flag_stay_plain(name: str) -> None:
    counts = [str(R.randint(0, 4000)) for _ in range(N)]
    assert entity(judge({"district_no": some("1|2|3"), name: counts})[name]) == ""


def test_one_unnamed_column_is_the_age_and_codes_that_count_are_not() -> None:
    table = {
        "c0": some("Female|Male"),
        "c1": [str(1 + i % 75) for i in range(N)],
        "c2": ages(21, 64, 33, 9),
        "c3": [str(int(R.expovariate(0.09))) for _ in range(N)],
    }
    found = judge(table)
    assert [entity(found[c]) for c in table] == ["GENDER", "", "AGE", ""]


def test_a_code_of_two_values_next_to_the_age_is_a_guess_and_reported_as_one() -> None:
    found = judge({"c0": some("1|2"), "c1": ages()})["c0"]
    assert found.is_ is not None and found.is_.entity == "GENDER" and found.is_.confidence < 0.6
    assert entity(judge({"c0": some("1|2"), "c1": [f"{R.uniform(0, 1):.3f}" for _ in range(N)]})["c0"]) == ""


def test_a_bare_key_next_to_the_keys_of_people_is_the_records() -> None:
    key = [str(R.randint(10**6, 10**8)) for _ in range(N)]
    hosts = R.choices([str(R.randint(10**5, 10**7)) for _ in range(90)], k=N)
    names = some("Anna|Bruno|Carla|David|Elena|Felix|Greta|Hugo|Irene|Jonas|Karin|Lukas")
    found = judge({"id": key, "customer_id": hosts, "customer_name": names})
    assert entity(found["id"]) == "RECORD_ID" and entity(found["customer_id"]) == "PERSON_ID"
    assert entity(judge({"id": key, "volume": [f"{R.uniform(0, 9):.3f}" for _ in range(N)]})["id"]) == "RECORD_ID"


def test_a_key_of_records_that_contains_that_of_the_person_is_direct() -> None:
    people = [f"Q{R.randint(10**5, 10**7)}" for _ in range(90)]
    hosts = [people[i % 90] for i in range(N)]
    names = some("Anna|Bruno|Carla|David|Elena|Felix|Greta|Hugo|Irene|Jonas|Karin|Lukas")
    found = judge({"id": [f"{host}-{i}" for i, host in enumerate(hosts)], "customer_id": hosts, "first_name": names})
    assert entity(found["id"]) == entity(found["customer_id"]) == "PERSON_ID"


def test_a_key_of_records_stays_one_next_to_the_tokens_that_replaced_the_key_of_people() -> None:
    key = [str(R.randint(10**6, 10**8)) for _ in range(N)]
    tokens = [str(uuid.UUID(int=R.getrandbits(128), version=4)) for _ in range(90)]
    people = {"pseudonym": [tokens[i % 90] for i in range(N)], "age": ages(), "sex": some("female|male")}
    assert entity(judge({"id": key, **people})["id"]) == "RECORD_ID"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("start", [0, 1])
def test_a_bare_key_that_only_numbers_the_rows_is_not_a_person_id_in_any_order(start: int) -> None:
    keys = [str(start + i) for i in range(N)]
    people = {"name": some("Anna Weber|Bruno Rossi|Carla Novak|David Silva"), "age": ages()}
    assert entity(judge({"id": keys, **people})["id"]) == "ROW_NUMBER"
    assert entity(judge({"id": R.sample(keys, N), **people})["id"]) == "ROW_NUMBER"
    gaps = [str(start + 3 * i + R.randint(0, 2)) for i in range(N)]
    assert entity(judge({"id": R.sample(gaps, N), **people})["id"]) == "PERSON_ID"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fatheduc", "EDUCATION"),
        ("educyr", "EDUCATION"),
        ("meduc", "EDUCATION"),
        ("hhninc", "INCOME"),
        ("loginc", "INCOME"),
        ("lwage", "INCOME"),
        ("famincome", "INCOME"),
        ("yearborn", "BIRTH_YEAR"),
        ("husage", "AGE"),
        ("patient_nbr", "HEALTH_ID"),
        ("phone_nr", "PHONE"),
    ],
)
def test_words_run_together_and_numbers_cut_short(name: str, expected: str) -> None:
    assert read_header(name).strength(expected) >= 0.5


@pytest.mark.parametrize("name", ["image", "stage", "voltage", "zinc", "since", "mileage", "package", "page"])
def test_whole_words_are_not_cut(name: str) -> None:
    assert not read_header(name).strength("AGE") and not read_header(name).strength("INCOME")


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_positive_decimals_that_spread_further_than_their_distance_from_zero_are_not_points(scale: float) -> None:
    def spread(low: float, high: float) -> list[str]:
        return [f"{scale * R.uniform(low, high):.5f}" for _ in range(N)]

    found = judge({"c0": spread(2, 90), "c1": spread(1, 60)})  # percentages
    assert [entity(one) for one in found.values()] == ["", ""]
    for placed in (spread(92, 150), spread(-90, -2)):  # far from zero, and below it
        found = judge({"c0": placed, "c1": spread(1, 60)})
        assert {entity(one) for one in found.values()} == {"LATITUDE", "LONGITUDE"}


def test_postal_codes_next_to_a_place_and_keys_that_follow_each_other() -> None:
    states = some("TX|CA|NY|WA|IL|GA|OH|PA|MA|FL")
    codes = [f"{R.randint(1001, 99950):05d}" for _ in range(N)]
    assert entity(judge({"c0": states, "c1": codes, "c2": some("Female|Male")})["c1"]) == "POSTAL_CODE"
    keys = [str(12_000 + 7 * i + R.randint(0, 5)) for i in range(N)]
    assert entity(judge({"c0": states, "c1": keys, "c2": some("Female|Male")})["c1"]) != "POSTAL_CODE"


@pytest.mark.parametrize("first", [True, False])
def test_of_numbers_with_the_form_of_postal_codes_those_near_the_town_are(first: bool) -> None:
    customers = [f"{number:05d}" for number in R.sample(range(10_000, 99_999), N)]
    codes = [f"{R.randint(10_000, 99_999)}" for _ in range(N)]
    person = {"name": some("Anna Weber|Bruno Rossi|Carla Novak|David Silva"), "sex": some("Female|Male"), "age": ages()}
    address = {"code": codes, "town": some("Leeds|Bradford|Hull|York|Sheffield|Lincoln|Derby|Nottingham")}
    key = {"customer": customers}
    table = key | person | address if first else address | person | key
    unnamed = {f"c{place}": cells for place, cells in enumerate(table.values())}
    found = dict(zip(table, map(entity, judge(unnamed).values()), strict=True))
    assert found["code"] == "POSTAL_CODE" and found["customer"] == "UNRESOLVED_ID"


SURNAMES = some("Kask|Tamm|Saar|Sepp|Mägi|Kukk|Rebane|Ilves|Pärn|Koppel|Luik|Lepik")


KEY_NAMES = ["number", "номер", "编号", "κωδικός", "numéro", "رقم", "번호", "codice", "číslo"]


@pytest.mark.parametrize("name", [*KEY_NAMES, "मोबाइल"])
def test_a_number_of_every_person_is_a_person_id_whatever_the_language(name: str) -> None:
    """A word that means something else is not a word for keys."""
    numbers = [str(number) for number in R.sample(range(10_000, 99_999), N)]
    births = [f"19{R.randint(40, 99)}-0{R.randint(1, 9)}-11" for _ in range(N)]
    found = judge({name: numbers, "surname": SURNAMES, "birth_date": births})
    assert (entity(found[name]) == "PERSON_ID") is (name in KEY_NAMES)


def test_a_name_next_to_surnames_is_a_given_name_though_no_list_has_it() -> None:
    """Lists have one word in four."""
    syllables = ["Vi", "Tii", "Er", "La", "Oi", "Val", "No", "Al", "Ha", "Mi", "Jaa", "Kai"]
    endings = "ra le vo nik mar du sti ne rik las min to".split()
    given = [f"{R.choice(syllables)}{R.choice(endings)}{R.choice(['', 'n', 's', 'a'])}" for _ in range(N)]
    given[::4] = [R.choice(["Sergei", "Elvira", "Donald", "Tanja", "Herman"]) for _ in given[::4]]
    found = judge({"Surname": SURNAMES, "Name": given, "age": ages(), "sex": some("F|M")})
    assert entity(found["Name"]) == "FIRST_NAME"


@pytest.mark.parametrize(
    "form", ["동작구 개포{a}거리 {b}-55", "{b} 정왕{a}길", "{a}丁目{b}番8号", "蓝街{b}号", "长沙市建设路{b}号"]
)
def test_addresses_in_scripts_without_blanks_need_no_name(form: str) -> None:
    cells = [form.format(a=R.randint(1, 40), b=R.randint(1, 900)) for _ in range(N)]
    assert entity(judge({"c0": cells, "c1": ages(), "c2": some("F|M")})["c0"]) == "STREET_ADDRESS"


CHOLESTEROL = [str(R.randint(120, 400)) for _ in range(N)]
TRIAL = {"age": ages(), "sex": some("F|M"), "diagnosis": some("asthma|diabetes|anaemia")}


def test_two_columns_of_health_data_about_people_make_a_table_of_clinical_measures() -> None:
    """A trial has few clear names among many: they are a small share of its columns."""
    short = {f"{one}q{two}": some("0|1|2|3") for one in "bdfgk" for two in "xz"}
    found = judge({**TRIAL, "cholesterol": CHOLESTEROL, **short, "horth": some("pre|post")})
    assert {entity(found[name]) for name in (*short, "horth")} == {"MEDICAL"}
    one = judge({**TRIAL, **short})
    assert {entity(one[name]) for name in short} == {""}, "one diagnosis is not a subject"


def test_subjects_of_a_trial_keep_their_ids() -> None:
    subjects = [str(1 + i // 4) for i in range(N)]
    found = judge({**TRIAL, "cholesterol": CHOLESTEROL, "subject": subjects})
    assert entity(found["subject"]) == "PERSON_ID"


def test_numbers_that_never_repeat_are_not_a_clinical_measure() -> None:
    clinical = {name: [f"{R.uniform(2, 9):.1f}" for _ in range(N)] for name in ("albumin", "bilirubin", "cholesterol")}
    lines = [str(number) for number in R.sample(range(1, 9 * N), N)]
    found = judge({"age": ages(), **clinical, "lineno": lines, "spl": [str(R.randrange(99)) for _ in range(N)]})
    assert entity(found["lineno"]) != "MEDICAL" and entity(found["spl"]) == "MEDICAL"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["password", "password_hash", "passwort", "device_id"])
def test_a_hash_that_the_column_name_explains_is_the_same_next_to_people_and_next_to_things(name: str) -> None:
    cells = [hashlib.sha256(str(R.random()).encode()).hexdigest() for _ in range(N)]
    things = {"volume": [f"{R.uniform(0, 9):.3f}" for _ in range(N)]}
    explained = entity(judge({name: cells, **things})[name])
    assert explained in ("PASSWORD", "DEVICE_ID")
    assert entity(judge({name: cells, "c0": ages(), "c1": some("Female|Male")})[name]) == explained


@pytest.mark.parametrize("name", ["ageyr", "agecat", "matage"])
def test_an_attribute_and_its_form_are_read_as_two_words(name: str) -> None:
    assert read_header(name).hints[0].entity == "AGE"
    assert not read_header("mating").hints and not read_header("incode").hints


def test_names_of_schools_and_airports_are_those_of_organisations() -> None:
    surnames = R.sample(sorted(listed_words("surnames")), N)
    places = [f"{name.title()} {R.choice(['Elementary', 'High', 'Academy', 'Airport'])}" for name in surnames]
    assert entity(judge({"name": places})["name"]) == "ORGANISATION"


def test_a_few_given_names_next_to_family_names_are_given_names() -> None:
    surnames = [name.title() for name in R.sample(sorted(listed_words("surnames")), N)]
    found = judge({"nombre": some("Ana|Luis|Carmen|Pedro|Juan|Lucia"), "apellido": surnames})
    assert entity(found["nombre"]) == "FIRST_NAME"
    found = judge({"name": some("Chair|Table|Lamp|Sofa|Desk|Bench"), "surname": surnames})
    assert entity(found["name"]) == ""


def people(n: int, form: str) -> list[str]:
    given = [name.title() for name in R.sample(sorted(listed_words("given_names")), n)]
    surnames = [name.title() for name in R.sample(sorted(listed_words("surnames")), n)]
    return [form.format(given=one, surname=two) for one, two in zip(given, surnames, strict=True)]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("form", ["{surname}, {given}", "{surname} {given}", "{given} {surname}"])
@pytest.mark.parametrize("name", ["category", "Kategorie", "class"])
def test_full_names_under_the_name_of_a_category_are_names(name: str, form: str) -> None:
    assert entity(judge({name: people(N, form), "c1": some("a|b")})[name]) == "PERSON_NAME"


@pytest.mark.parametrize("form", ["Dr. {surname}", "{given} {surname}", "lek. {given} {surname}"])
def test_the_names_of_a_few_staff_are_names(form: str) -> None:
    doctors = people(4, form)
    found = judge({"prov": R.choices(doctors, k=N), "age": ages(), "sex": some("f|m")})
    assert entity(found["prov"]) == "PERSON_NAME"


@pytest.mark.parametrize("marker", ["unknown", "not stated", "*", "9999"])
def test_markers_of_missing_values_do_not_contradict_a_name(marker: str) -> None:
    born = [f"{R.randint(1940, 2004)}-{R.randint(1, 12):02d}-{R.randint(1, 28):02d}" for _ in range(N)]
    marked = [R.random() < 0.4 for _ in range(N)]
    columns = {"age": ages(), "dob": born}
    found = judge({k: [marker if m else v for v, m in zip(c, marked, strict=True)] for k, c in columns.items()})
    assert entity(found["age"]) == "AGE"
    assert entity(found["dob"]) == "DATE_OF_BIRTH"


def test_a_date_of_birth_in_six_digits_is_found_and_other_digits_are_not_assessed() -> None:
    cells = [f"{R.randint(1, 28):02d}{R.randint(1, 12):02d}{R.randint(30, 99)}" for _ in range(N)]
    assert entity(judge({"dob": cells, "region": some("North|South")})["dob"]) == "DATE_OF_BIRTH"
    other = [f"{R.randint(32, 99)}{R.randint(13, 99)}{R.randint(30, 99)}" for _ in range(N)]
    found = judge({"dob": other, "region": some("North|South")})["dob"]
    assert found.unassessed is not None and entity(found) != "RECORD_ID"


def test_two_long_numbers_with_a_point_are_not_a_measurement() -> None:
    """IDs of web analytics: a random number and the time of the first visit."""
    cells = [f"{R.randint(10**9, 2**31)}.{R.randint(16 * 10**8, 17 * 10**8)}" for _ in range(N)]
    assert judge({"client_id": cells, "age": ages()})["client_id"].unassessed is not None
