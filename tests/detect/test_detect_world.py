"""Column names and values of the whole world: every name of the matrix is read for what it means."""

from __future__ import annotations

import random
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from privaudit.model.headers import PLAIN, languages, phrases, read_header
from tests.helpers.detection import judge

MATRIX = tomllib.loads(Path(__file__).with_name("world_headers.toml").read_text(encoding="utf-8"))
IDS = "NATIONAL_ID SSN TAX_ID"
MEANINGS = {
    "first": "FIRST_NAME",
    "last": "LAST_NAME MAIDEN_NAME",
    "full": "PERSON_NAME",
    "birth": "DATE_OF_BIRTH",
    "birth_year": "BIRTH_YEAR",
    "age": "AGE",
    "sex": "GENDER",
    "marital": "MARITAL_STATUS",
    "nationality": "NATIONALITY",
    "ethnicity": "RACE_ETHNICITY",
    "religion": "RELIGION",
    "email": "EMAIL",
    "phone": "PHONE",
    "mobile": "PHONE",
    "street": "STREET_ADDRESS ADDRESS_PART",
    "house": "ADDRESS_PART STREET_ADDRESS",
    "zip": "POSTAL_CODE",
    "city": "CITY",
    "state": "STATE COUNTY_REGION GEO_CODE",
    "country": "COUNTRY",
    "id": IDS + " HEALTH_ID",
    "tax": IDS,
    "passport": "PASSPORT",
    "licence": "DRIVER_LICENSE",
    "account": "BANK_ACCOUNT IBAN",
    "income": "INCOME",
    "job": "OCCUPATION",
    "employer": "EMPLOYER ORGANISATION",
    "education": "EDUCATION",
    "illness": "MEDICAL",
    "smoking": "MEDICAL",
    "pregnancy": "MEDICAL",
    "illnesses": "MEDICAL",
    "blood": "MEDICAL",
    "party": "POLITICS",
    "union": "UNION",
    "insurance": "HEALTH_ID NATIONAL_ID SSN",
    "notes": "FREE_TEXT",
    "order": "RECORD_ID",
}
# Columns of things: a name may say that they are ordinary, or nothing, but never that they are about a person.
THINGS = {
    "amount": {PLAIN, "FINANCIAL", "CATEGORY"},
    "status": {PLAIN, "CATEGORY", "RECORD_ID"},
    "product": {PLAIN, "CATEGORY", "RECORD_ID"},
}


def _spellings(text: str) -> Iterator[str]:
    """Yield a name unchanged, in snake case, in capitals and, in Latin letters, without accents."""
    yield text
    words = re.split(r"[\s\-.'’]+", text.strip("."))
    snake = "_".join(words)
    yield snake
    yield snake.upper()
    plain = "".join(c for c in unicodedata.normalize("NFKD", snake) if not unicodedata.combining(c))
    plain = plain.replace("đ", "d").replace("ł", "l").replace("ı", "i").replace("ø", "o").replace("ß", "ss")
    if plain.isascii():
        yield plain.lower()
        yield "".join(word.capitalize() for word in plain.split("_"))
        if len(plain) > 5:
            yield f"tbl_{plain.lower()}"


def _cases() -> Iterator[tuple[str, str, str]]:
    for language, meanings in MATRIX.items():
        for meaning, names in meanings.items():
            yield from ((language, meaning, name) for name in names.split("|"))


def _wrong(meaning: str, name: str) -> list[str]:
    """Say which ways of writing `name` are misread. Where one word means two things both are right: values decide."""
    wrong = []
    for written in _spellings(name):
        hints = read_header(written).hints
        clear = hints[0] if hints else None
        if meaning in THINGS:
            if clear is not None and clear.strength > 0.5 and clear.entity not in THINGS[meaning]:
                wrong.append(f"{written} -> {clear.entity} ({clear.language})")
        elif not {h.entity for h in hints if h.phrase == hints[0].phrase} & {*MEANINGS[meaning].split()}:
            wrong.append(f"{written} -> {clear and (clear.entity, clear.language)}")
    return wrong


def test_the_matrix_covers_the_world() -> None:
    assert len(MATRIX) >= 25
    assert all(len(meanings) >= 20 for meanings in MATRIX.values())


def test_the_table_of_languages_in_the_docs_is_that_of_the_lexicon() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "detectors.md").read_text(encoding="utf-8")
    reported = re.findall(r"^\| `([a-z]{2})` \| .+ \| ([0-9]+) \|$", text, re.MULTILINE)
    groups = ("strong", "weak", "alone")
    has = [(c, str(len({e for group in groups for e in phrases(c, group)}))) for c in languages()]
    assert reported == has, "write the table of languages in docs/detectors.md anew"


@pytest.mark.parametrize("language", list(MATRIX))
def test_every_name_is_read_for_what_it_means(language: str) -> None:
    wrong = [w for lang, meaning, name in _cases() if lang == language for w in _wrong(meaning, name)]
    assert not wrong


def _opaque(**columns: list[str]) -> dict[str, str]:
    """Return the entity of each column of a table whose column names are uninformative, with sex and e-mail."""
    n = len(next(iter(columns.values())))
    filled = {
        **columns,
        "mail": [f"user{i}.no@example.org" for i in range(n)],
        "sex": [("female", "male")[i % 2] for i in range(n)],
    }
    found = judge({f"c{i:02d}": cells for i, cells in enumerate(filled.values())})
    verdicts = [found[f"c{i:02d}"].is_ for i in range(len(filled))]
    return {name: v.entity if v else "NONE" for name, v in zip(filled, verdicts, strict=True)}


def _pairs(given: str, family: str, form: str = "{0} {1}") -> list[str]:
    """Return 120 names put together from words."""
    draw = random.Random(7)
    first, last = given.split(), family.split()
    return [form.format(draw.choice(first), draw.choice(last)) for _ in range(120)]


NAMES = {
    "Cyrillic": ("Иван Анна Пётр Ольга Сергей Мария Олег", "Кравцов Белова Шульга Дорошенко Ковач Юрчук Тищенко Зуев"),
    "Greek": ("Μαρία Γιώργος Ελένη Νίκος Άννα Πέτρος", "Κατσαρός Μητσάκης Βαλσαμίδης Ρούσσος Τριανταφύλλου"),
    "Arabic": ("محمد فاطمة خالد ليلى يوسف مريم", "الكعبي الزعابي الراشد البلوشي الشحي المنصوري"),
    "Hebrew": ("דוד שרה יעל משה רותם נועם", "אשכנזי ברגר סויסה חזן אוחנה"),
    "Devanagari": ("राम सीता मोहन गीता विजय पूजा", "शर्मा बघेल नेगी रावत चौहान"),
    "Bengali": ("রহিম ফাতেমা কামাল সালমা রবি", "হোসেন খান চৌধুরী সরদার প্রামানিক"),
    "Tamil": ("முருகன் மீனா ரவி கவிதா குமார்", "செல்வம் கண்ணன் ராமன் முத்து"),
    "Thai": ("สมชาย มานี วิชัย สุดา อนันต์", "ใจดี รักไทย ทองคำ แสงสว่าง"),
    "Georgian": ("გიორგი ნინო დავით ანა ლევან", "ჯაფარიძე ხვედელიძე კიკნაძე ბერიძე"),
    "Armenian": ("Արամ Աննա Տիգրան Մարիամ", "Պողոսյան Ավետիսյան Մկրտչյան Դանիելյան"),
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("script", list(NAMES))
@pytest.mark.parametrize("form", ["{0} {1}", "{1}, {0}"])
def test_names_of_every_script_are_names_without_a_column_name(script: str, form: str) -> None:
    given, family = NAMES[script]
    assert _opaque(who=_pairs(given, family, form))["who"] == "PERSON_NAME"
    assert _opaque(who=_pairs(given.upper(), family.upper(), form))["who"] == "PERSON_NAME"


@pytest.mark.parametrize(
    ("given", "family"),
    [
        ("小明 美丽 建国 淑芬 伟强", "王 李 陈 欧阳"),
        ("민준 서연 지우 영희 은정", "김 이 박 최 정"),
        ("太郎 花子 美咲 健太", "佐藤 鈴木 高橋"),
    ],
)
@pytest.mark.parametrize("form", ["{1}{0}", "{1} {0}", "{0} {1}", "{1}, {0}"])
def test_names_without_blanks_are_names(given: str, family: str, form: str) -> None:
    assert _opaque(who=_pairs(given, family, form))["who"] == "PERSON_NAME"


@pytest.mark.parametrize(
    "cells",
    [
        "Müller GmbH|Rossi S.r.l.|Nowak Sp. z o.o.|Dupont SARL|Silva Ltda|Yılmaz A.Ş.|Smith Ltd|Weber & Söhne KG",
        "ООО Ромашка|ООО Сокол|ЗАО Вектор|ОАО Маяк|ООО Берёзка|ПАО Заря|ООО Радуга|АО Рубин",
        "株式会社山田商店|株式会社東京電機|有限会社鈴木工業|株式会社大阪製作所|合同会社緑|株式会社未来",
        "โครงการหนึ่ง ใหม่|ห้องประชุม สอง|สินค้า ตัวอย่าง|แผนก บัญชี|ฝ่าย ขาย",
    ],
)
def test_companies_and_things_of_any_country_are_not_people(cells: str) -> None:
    some = cells.split("|")
    got = _opaque(what=[f"{some[i % len(some)]}" for i in range(120)])
    assert got["what"] not in ("PERSON_NAME", "FIRST_NAME", "LAST_NAME")


@pytest.mark.parametrize(
    ("entity", "cells"),
    [
        ("STATE", "栃木県|兵庫県|東京都|神奈川県|千葉県|埼玉県"),
        ("STATE", "Волгоградская область|Тверская область|Псковская область|Пермский край"),
        ("STATE", "Wielkopolskie|Mazowieckie|Podkarpackie|Opolskie|Lubelskie"),
        ("STATE", "충청남도|대전광역시|제주특별자치도|서울특별시"),
        ("CITY", "横須賀市|茨木市|大和市|目黒区|利島村|品川区|北九州市"),
        ("CITY", "Москва|Казань|Самара|Омск|Уфа|Пермь|Томск|Сочи"),
        ("COUNTRY", "Германия|Франция|Испания|Италия|Китай|Япония|Индия"),
        ("COUNTRY", "ألمانيا|فرنسا|مصر|الصين|اليابان|الهند"),
        ("MARITAL_STATUS", "żonaty|mężatka|panna|kawaler|rozwiedziony"),
        ("MARITAL_STATUS", "미혼|기혼|이혼|사별"),
        ("RELIGION", "православие|ислам|католицизм|буддизм"),
        ("EDUCATION", "podstawowe|średnie|wyższe|zasadnicze zawodowe"),
        ("NATIONALITY", "Deutscher|Französin|Türke|Pole|Italienerin|Österreicher|Schweizer"),
        ("GENDER", "чоловік|жінка"),
        ("STREET_ADDRESS", "пер. Речной 4|ул. Мира 18|бульвар Победы 7|пл. Труда 2|наб. Фонтанки 31"),
        ("STREET_ADDRESS", "вул. Лісова 3|провулок Тихий 8|площа Ринок 1|узвіз Старий 14"),
        ("STREET_ADDRESS", "봉은사로 539|압구정로 61|테헤란로 152|세종대로 110"),
        ("GENDER", "férfi|nő"),
        ("DATE_EVENT", "понедельник|вторник|среда|четверг|пятница"),
    ],
)
def test_properties_are_known_in_the_words_of_their_country(entity: str, cells: str) -> None:
    draw = random.Random(7)
    some = cells.split("|")
    assert _opaque(what=[draw.choice(some) for _ in range(140)])["what"] == entity


@pytest.mark.parametrize(
    "form",
    [
        "{y}年{m}月{d}日",
        "{y}년 {m}월 {d}일",
        "{d:02d}.{m:02d}.{y}",
        "{d}. {m}. {y}",
        "{d} {fr} {y}",
        "{d:02d}/{m:02d}/{thai}",
    ],
)
def test_births_are_dates_in_the_forms_of_their_country(form: str) -> None:
    months = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
    cells = []
    for i in range(200):
        y, m, d = 1935 + (i * 17) % 70, 1 + (i * 5) % 12, 1 + (i * 11) % 28
        cells.append(form.format(y=y, m=m, d=d, thai=y + 543, fr=months[m - 1]))
    assert _opaque(born=cells)["born"] == "DATE_OF_BIRTH"


@pytest.mark.parametrize("name", ["klient_id", "id_pasien", "Öğrenci ID", "ID Élève", "clienteId", "id клиента"])
def test_an_id_behind_or_before_a_word_for_people_is_theirs(name: str) -> None:
    assert read_header(name).hints[0].entity == "PERSON_ID"
