"""Customer tables of 22 locales with Faker, with column names in the language of the locale.

Question: are people found in the writing, the names and the identifiers of many countries?
Method: one table for each locale; the column names are those that a registry in the country would use, and each column
has its label. Locales differ in their columns, so that no two tables have the same form.
Limits: names and addresses are as good as the word lists of Faker.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from faker import Faker

from generated.labelled import ROWS, Labelled, Table, column

# locale: column names for id, first name, last name, full name, birth date, e-mail, phone, street, postal code, city,
# occupation, company, national number with its entity type; "" leaves a column out.
PLANS: dict[str, str] = {
    "en_US": "customer_no|first_name|last_name||dob|email|phone|street|zip|city|job_title|company|ssn:SSN",
    "en_GB": "ref|forename|surname||date_of_birth|email_address|telephone|address_line_1|postcode|town|occupation||"
    "ni_number:NATIONAL_ID",
    "de_DE": "Kundennummer|Vorname|Nachname||Geburtsdatum|E-Mail|Telefon|Strasse|PLZ|Ort|Beruf|Firma|"
    "Sozialversicherungsnummer:SSN",
    "fr_FR": "identifiant|prenom|nom||date_naissance|courriel|telephone|adresse|code_postal|ville|profession|"
    "entreprise|nir:SSN",
    "es_ES": "id_cliente|nombre|apellidos||fecha_nacimiento|correo|telefono|direccion|cp|ciudad|profesion|empresa|"
    "nif:NATIONAL_ID",
    "it_IT": "codice_cliente|nome|cognome||data_di_nascita|email|telefono|indirizzo|cap|comune|professione||"
    "codice_fiscale:TAX_ID",
    "pt_BR": "matricula|||nome_completo|data_nascimento|email|celular|endereco|cep|cidade|profissao|empresa|"
    "cpf:NATIONAL_ID",
    "nl_NL": "klantnummer|voornaam|achternaam||geboortedatum|email|telefoonnummer|straat|postcode|woonplaats|beroep||"
    "bsn:NATIONAL_ID",
    "pl_PL": "nr_klienta|imie|nazwisko||data_urodzenia|e_mail|telefon|ulica|kod_pocztowy|miasto|zawod|firma|"
    "pesel:NATIONAL_ID",
    "sv_SE": "kundnr|fornamn|efternamn||fodelsedatum|epost|telefon|gatuadress|postnummer|ort|yrke||"
    "personnummer:NATIONAL_ID",
    "fi_FI": "asiakasnumero|etunimi|sukunimi||syntymaaika|sahkoposti|puhelin|katuosoite|postinumero|kaupunki|ammatti||"
    "henkilotunnus:NATIONAL_ID",
    "tr_TR": "musteri_no|ad|soyad||dogum_tarihi|eposta|telefon|adres|posta_kodu|il|meslek||tc_kimlik_no:NATIONAL_ID",
    "ru_RU": "номер|||ФИО|дата_рождения|почта|телефон|адрес|индекс|город|должность|организация|инн:TAX_ID",
    "uk_UA": "номер|||ПІБ|дата_народження|пошта|телефон|вулиця|індекс|місто|посада||",
    "el_GR": "κωδικός|όνομα|επώνυμο||ημερομηνία_γέννησης|email|τηλέφωνο|διεύθυνση|ΤΚ|πόλη|επάγγελμα||ΑΦΜ:TAX_ID",
    "ja_JP": "会員番号|||氏名|生年月日|メールアドレス|電話番号|住所|郵便番号|市区町村|職業|会社名|",
    "zh_CN": "编号|||姓名|出生日期|邮箱|手机号|地址|邮编|城市|职业|公司|身份证号:NATIONAL_ID",
    "ko_KR": "회원번호|||이름|생년월일|이메일|전화번호|주소|우편번호|도시|직업|회사|주민등록번호:NATIONAL_ID",
    "ar_SA": "الرقم|||الاسم|تاريخ_الميلاد|البريد|الهاتف|العنوان|الرمز_البريدي|المدينة|الوظيفة||",
    "hi_IN": "क्रमांक|||नाम|जन्म_तिथि|ईमेल|फोन|पता|पिन_कोड|शहर|||",
    "en_IN": "cust_id|||Customer Name|DOB|Email ID|Mobile No|Address|Pincode|City|Occupation||Aadhaar:NATIONAL_ID",
    "en_NG": "member|given_name|family_name|||mail|gsm|residential_address||||employer|",
}
KINDS = (
    "PERSON_ID FIRST_NAME LAST_NAME PERSON_NAME DATE_OF_BIRTH EMAIL PHONE STREET_ADDRESS POSTAL_CODE CITY OCCUPATION "
    "EMPLOYER"
).split()


def tables() -> Iterator[Table]:
    """Yield one table for each locale."""
    for locale in PLANS:
        yield _table(locale)


def _table(locale: str) -> Table:
    fake = Faker(locale)
    fake.seed_instance(f"privaudit {locale}")
    random.seed(f"privaudit {locale}")  # some providers draw from the module
    rng = random.Random(f"privaudit {locale}")
    makers = _makers(fake, rng)
    *names, number = PLANS[locale].split("|")
    columns: dict[str, Labelled] = {}
    for name, kind in zip(names, KINDS, strict=True):
        if name:
            columns[name] = column((makers[kind]() for _ in range(ROWS)), kind)
    if number:
        name, _, kind = number.partition(":")
        columns[name] = column((_national(fake, locale)() for _ in range(ROWS)), kind)
    columns |= _extras(locale, rng)
    return Table(f"faker_{locale}", "faker", columns)


def _makers(fake: Any, rng: random.Random) -> dict[str, Callable[[], Any]]:
    ids = iter(rng.sample(range(10_000, 99_999), ROWS))
    return {
        "PERSON_ID": lambda: next(ids),
        "FIRST_NAME": fake.first_name,
        "LAST_NAME": fake.last_name,
        "PERSON_NAME": fake.name,
        "DATE_OF_BIRTH": lambda: f"{rng.randrange(1935, 2007)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
        "EMAIL": fake.email,
        "PHONE": fake.phone_number,
        "STREET_ADDRESS": fake.street_address if hasattr(fake, "street_address") else fake.address,
        "POSTAL_CODE": fake.postcode,
        "CITY": fake.city,
        "OCCUPATION": fake.job,
        "EMPLOYER": fake.company,
    }


def _national(fake: Any, locale: str) -> Callable[[], Any]:
    special = {"es_ES": "nif", "pt_BR": "cpf", "ru_RU": "individuals_inn", "el_GR": "tin", "en_IN": "aadhaar_id"}
    return getattr(fake, special.get(locale, "ssn"), None) or fake.ssn


def _extras(locale: str, rng: random.Random) -> dict[str, Labelled]:
    """Return columns that are not about the identity of a person, different ones for each locale."""
    pool = {
        "en_US": {"orders": column(rng.randrange(40) for _ in range(ROWS))},
        "en_GB": {"marketing_opt_in": column(rng.choice("YN") for _ in range(ROWS))},
        "de_DE": {
            "Umsatz": column((f"{rng.uniform(1, 9000):.2f}" for _ in range(ROWS)), "FINANCIAL"),
            "Anrede": column((rng.choice(["Herr", "Frau"]) for _ in range(ROWS)), "NAME_PREFIX"),
        },
        "fr_FR": {
            "sexe": column((rng.choice("HF") for _ in range(ROWS)), "GENDER"),
            "nb_enfants": column((rng.randrange(5) for _ in range(ROWS)), "HOUSEHOLD"),
        },
        "es_ES": {"sexo": column((rng.choice(["Hombre", "Mujer"]) for _ in range(ROWS)), "GENDER")},
        "it_IT": {
            "stato_civile": column(
                (rng.choice(["celibe", "nubile", "coniugato", "coniugata", "vedovo"]) for _ in range(ROWS)),
                "MARITAL_STATUS",
            )
        },
        "pt_BR": {
            "sexo": column((rng.choice(["M", "F"]) for _ in range(ROWS)), "GENDER"),
            "escolaridade": column(
                (rng.choice(["Fundamental", "Médio", "Superior"]) for _ in range(ROWS)), "EDUCATION"
            ),
        },
        "nl_NL": {"nieuwsbrief": column(rng.choice(["ja", "nee"]) for _ in range(ROWS))},
        "pl_PL": {"plec": column((rng.choice(["K", "M"]) for _ in range(ROWS)), "GENDER")},
        "sv_SE": {"alder": column((rng.randrange(18, 90) for _ in range(ROWS)), "AGE")},
        "ru_RU": {"пол": column((rng.choice(["М", "Ж"]) for _ in range(ROWS)), "GENDER")},
        "ja_JP": {
            "性別": column((rng.choice(["男", "女"]) for _ in range(ROWS)), "GENDER"),
            "年齢": column((rng.randrange(18, 90) for _ in range(ROWS)), "AGE"),
        },
        "zh_CN": {
            "性别": column((rng.choice(["男", "女"]) for _ in range(ROWS)), "GENDER"),
            "民族": column((rng.choice(["汉族", "回族", "满族", "壮族"]) for _ in range(ROWS)), "RACE_ETHNICITY"),
        },
        "ko_KR": {"성별": column((rng.choice(["남", "여"]) for _ in range(ROWS)), "GENDER")},
        "ar_SA": {"الجنس": column((rng.choice(["ذكر", "أنثى"]) for _ in range(ROWS)), "GENDER")},
        "hi_IN": {"लिंग": column((rng.choice(["पुरुष", "महिला"]) for _ in range(ROWS)), "GENDER")},
        "en_IN": {
            "Religion": column(
                (rng.choice(["Hindu", "Muslim", "Christian", "Sikh", "Jain"]) for _ in range(ROWS)), "RELIGION"
            )
        },
    }
    return pool.get(locale, {})
