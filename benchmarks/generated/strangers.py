# ruff: noqa: E501 - the columns of a table are read whole
"""Twelve tables of twelve organisations, as they leave the systems that wrote them: with typing errors and masked values.

Question: what is found in tables of systems, countries and fields that no rule was written for?
Method: each table is another field, language and style of column names. Words are drawn from short lists, names and
addresses from Faker, official numbers with their check digits. Cells have blanks at their ends, tokens for missing
values, other spellings, several values. Labels follow from the construction; they and the tables were written before
any verdict on them was seen.
Limits: one author wrote the forms; the errors are independent of each other, which those of people are not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from stdnum import ean, luhn
from stdnum.br import cpf as br_cpf
from stdnum.de import idnr
from stdnum.iso7064 import mod_97_10
from stdnum.nl import bsn

from generated.everyday import Drawn
from generated.labelled import Labelled, Table, column, digits

SEED = 20261128
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIAGNOSES = "E11.9|I10|J45.909|M54.5|F32.9|E78.5|K21.9|N39.0|Z00.00|F41.1"
PROCEDURES = "99213|99214|80053|85025|93000|36415|97110|G0439|J1885"


def dirty(rng: random.Random, cells: Iterable[Any], *missing: str, blanks: float = 0.02) -> list[str]:
    """Return cells of which 5 % are missing where `missing` has the tokens for it, and some end with a blank."""
    texts = ["" if cell is None else str(cell) for cell in cells]
    return [
        rng.choice(missing) if missing and rng.random() < 0.05 else text + " " * (rng.random() < blanks)
        for text in texts
    ]


def misspelt(rng: random.Random, cells: Sequence[str], share: float = 0.02) -> list[str]:
    """Return cells of which a share has two neighbouring characters in the wrong order."""
    swapped = []
    for text in cells:
        if len(text) > 3 and rng.random() < share:
            i = rng.randrange(1, len(text) - 2)
            text = text[:i] + text[i + 1] + text[i] + text[i + 2 :]
        swapped.append(text)
    return swapped


def valid(rng: random.Random, length: int, is_valid: Callable[[str], bool]) -> str:
    """Return random digits that pass a check."""
    while True:
        number = digits(rng, length)
        if is_valid(number):
            return number


def iban(country: str, body: str) -> str:
    """Return an IBAN with its check digits."""
    return f"{country}{mod_97_10.calc_check_digits(body + country)}{body}"


def pension_number(rng: random.Random, born: date, initial: str) -> str:
    """Return a German number of social insurance with its check digit."""
    area, serial = rng.choice(["12", "53", "65", "14", "28"]), rng.randrange(100)
    letter = initial if initial in UPPER else "O"
    spelt = f"{area}{born:%d%m%y}{UPPER.index(letter) + 1:02}{serial:02}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    total = sum(sum(divmod(int(digit) * weight, 10)) for digit, weight in zip(spelt, weights, strict=True))
    return f"{area}{born:%d%m%y}{letter}{serial:02}{total % 10}"


def payroll() -> dict[str, Labelled]:
    """A month of wages of a firm in Germany, as its accountants export it."""
    d = Drawn("de_DE", SEED, 420)
    rng, fake = d.rng, d.fake
    names = [f"{last}, {first}" for last, first in zip(d.each("last_name"), d.each("first_name"), strict=True)]
    births = [fake.date_of_birth(minimum_age=17, maximum_age=66) for _ in names]
    insured = [pension_number(rng, born, name[0]) for born, name in zip(births, names, strict=True)]
    gross = [rng.lognormvariate(8.1, 0.35) for _ in names]
    money = [f"{amount:,.2f}".translate(str.maketrans(",.", ".,")) for amount in gross]
    return {
        "PersNr": column((f"{i:05}" for i in rng.sample(range(10000, 19999), d.rows)), "PERSON_ID"),
        "Name, Vorname": column(dirty(rng, misspelt(rng, names)), "PERSON_NAME"),
        "Geb.-Dat.": column((f"{born:%d.%m.%Y}" for born in births), "DATE_OF_BIRTH"),
        "SV-Nummer": column(dirty(rng, insured, "", "liegt nicht vor"), "SSN"),
        "IdNr": column((valid(rng, 11, idnr.is_valid) for _ in names), "TAX_ID"),
        "StKl": column(d.many("1|2|3|4|5|6", 40, 8, 18, 22, 9, 3), "NONE", "none", "sensitive", "quasi"),
        "Konf.": column(d.many("rk|ev|--", 30, 28, 42), "RELIGION"),
        "KiFB": column(d.many("0,0|0,5|1,0|1,5|2,0", 60, 12, 14, 4, 10), "NONE", "none", "quasi"),
        "Krankenkasse": column(d.many("AOK Bayern|TK|Barmer|DAK-Gesundheit|BKK Mobil Oil|IKK classic"), "ORGANISATION", "none", "sensitive", "quasi"),
        "Kst": column(d.many("4100|4110|4200|4210|4300|9000"), "DEPARTMENT", "quasi", "none"),
        "Eintritt": column(d.days(1995, 2025, "%d.%m.%Y"), "DATE_EVENT"),
        "Gesamtbrutto": column(money, "INCOME"),
        "Lohnart": column(d.many("Gehalt|Stundenlohn|Ausbildungsverg.|Minijob", 60, 25, 8, 7), "NONE", "none", "quasi"),
        "IBAN": column((iban("DE", digits(rng, 18)) for _ in names), "IBAN"),
    }  # fmt: skip


def members() -> dict[str, Labelled]:
    """Members of an association in France, a sheet that volunteers type."""
    d = Drawn("fr_FR", SEED + 1, 260)
    rng = d.rng
    first, last = d.each("first_name"), d.each("last_name")
    written = [
        rng.choice([f"{a.upper()} {b}", f"{a.upper()} {b}", f"{a} {b}"]) for a, b in zip(last, first, strict=True)
    ]
    phones = [
        rng.choice(["{} {} {} {} {}", "{}.{}.{}.{}.{}", "{}{}{}{}{}"]).format(
            rng.choice(["06", "07"]), *(f"{rng.randrange(100):02}" for _ in range(4))
        )
        for _ in first
    ]
    mails = [
        f"{b.lower().split()[0]}.{a.lower().replace(' ', '')}@{rng.choice(['orange.fr', 'free.fr', 'gmail.com', 'laposte.net'])}"
        for a, b in zip(last, first, strict=True)
    ]
    births = [
        f"{d.fake.date_of_birth(minimum_age=8, maximum_age=85):{rng.choice(['%d/%m/%Y', '%d/%m/%Y', '%d-%m-%y'])}}"
        for _ in first
    ]
    return {
        "N° Adhérent": column((f"A{i:04}" for i in rng.sample(range(1, 2000), d.rows)), "PERSON_ID"),
        "Civilité": column(dirty(rng, d.many("M.|Mme|Mlle|M", 45, 44, 3, 8), ""), "NAME_PREFIX", "quasi", "none"),
        "NOM Prénom": column(dirty(rng, written), "PERSON_NAME"),
        "Date de Naissance": column(dirty(rng, births, "", "?"), "DATE_OF_BIRTH"),
        "Adresse": column(d.each("street_address"), "STREET_ADDRESS"),
        "CP": column(d.each("postcode"), "POSTAL_CODE"),
        "Ville": column(dirty(rng, [rng.choice([town, town.upper()]) for town in d.each("city")]), "CITY"),
        "Tél. Portable": column(dirty(rng, phones, "", "néant"), "PHONE"),
        "Courriel": column(dirty(rng, mails, "", "pas de mail"), "EMAIL"),
        "Activité(s)": column((" / ".join(rng.sample("Yoga|Chorale|Randonnée|Poterie|Théâtre|Échecs".split("|"), rng.choice([1, 1, 2]))) for _ in first), "NONE", "none", "sensitive", "quasi"),
        "Cotisation": column(d.many("45 €|60 €|25 €|gratuit", 50, 30, 15, 5), "NONE", "none", "sensitive"),
        "Réglé par": column(d.many("Chèque|Espèces|CB|Virement"), "NONE", "none", "sensitive"),
        "Bénévole O/N": column(d.many("O|N|o|n", 20, 70, 3, 7), "NONE", "none", "quasi"),
        "Certif. médical": column(dirty(rng, d.many("oui|non|en attente", 70, 20, 10), ""), "NONE", "none", "sensitive"),
    }  # fmt: skip


def claims() -> dict[str, Labelled]:
    """Claims of a health insurer in the United States, in an extract with short column names."""
    d = Drawn("en_US", SEED + 2, 1500)
    rng, fake = d.rng, d.fake
    people = [
        (
            f"W{digits(rng, 9)}",
            f"{fake.date_of_birth(minimum_age=1, maximum_age=90):%Y%m%d}",
            rng.choice("FMFMU"),
            f"{fake.postcode()}",
            fake.ssn(),
        )
        for _ in range(400)
    ]
    rows = [rng.choice(people) for _ in range(d.rows)]
    providers = [luhn_of("80840", digits(rng, 9)) for _ in range(60)]
    paid = [rng.lognormvariate(4.6, 0.9) for _ in rows]
    return {
        "CLM_NBR": column((f"{26000000000 + i * 13}" for i in range(d.rows)), "RECORD_ID", "none", "direct"),
        "MBR_ID": column((one[0] for one in rows), "PERSON_ID"),
        "SBSCR_SSN": column((f"XXX-XX-{one[4][-4:]}" for one in rows), "SSN", "direct", "quasi"),
        "MBR_DOB": column((one[1] for one in rows), "DATE_OF_BIRTH"),
        "MBR_SEX": column((one[2] for one in rows), "GENDER"),
        "MBR_ZIP": column((one[3] for one in rows), "POSTAL_CODE"),
        "LOB": column(d.many("COMM|MCARE|MCAID", 60, 25, 15), "NONE", "none", "sensitive", "quasi"),
        "SVC_DT": column(d.days(2024, 2025, "%Y%m%d"), "DATE_EVENT"),
        "POS": column(d.many("11|22|21|23|81|02", 50, 15, 8, 8, 12, 7), "NONE", "none", "sensitive"),
        "DX1": column(d.many(DIAGNOSES), "MEDICAL"),
        "DX2": column(d.many(DIAGNOSES + "|||||", *([1] * 10), *([4] * 5)), "MEDICAL"),
        "CPT_CD": column(d.many(PROCEDURES), "MEDICAL"),
        "RNDRG_NPI": column(rng.choices(providers, k=d.rows), "PERSON_ID", "direct", "none", "quasi"),
        "BILL_AMT": column((f"{amount * rng.uniform(1.2, 3):.2f}" for amount in paid), "FINANCIAL", "sensitive", "none"),
        "PD_AMT": column((f"{amount:.2f}" for amount in paid), "FINANCIAL", "sensitive", "none"),
        "ADJ_RSN": column(d.many("45|97|PR1|CO16|", 30, 10, 10, 5, 45), "NONE"),
    }  # fmt: skip


def luhn_of(prefix: str, body: str) -> str:
    """Return `body` with the check digit that it has behind `prefix`."""
    return body + luhn.calc_check_digit(prefix + body)


def pupils() -> dict[str, Labelled]:
    """Pupils of a state school in Brazil."""
    d = Drawn("pt_BR", SEED + 3, 340)
    rng, fake = d.rng, d.fake
    numbers = [valid(rng, 11, br_cpf.is_valid) for _ in range(d.rows)]
    written = [rng.choice([br_cpf.format(number), br_cpf.format(number), number]) for number in numbers]
    return {
        "matricula": column((f"2026{i:05}" for i in rng.sample(range(20000), d.rows)), "PERSON_ID"),
        "nome_aluno": column(dirty(rng, (f"{fake.first_name()} {fake.last_name()} {fake.last_name()}".upper() for _ in numbers)), "PERSON_NAME"),
        "dt_nasc": column(d.days(2010, 2019, "%d/%m/%Y"), "DATE_OF_BIRTH"),
        "cpf": column(dirty(rng, written, "", "NÃO INFORMADO"), "NATIONAL_ID"),
        "rg": column(dirty(rng, (f"{rng.randrange(10, 60)}.{rng.randrange(1000):03}.{rng.randrange(1000):03}-{rng.choice('0123456789X')}" for _ in numbers), ""), "NATIONAL_ID"),
        "cor_raca": column(d.many("Parda|Branca|Preta|Indígena|Amarela|Não declarada", 42, 38, 11, 1, 1, 7), "RACE_ETHNICITY", "quasi", "sensitive"),
        "filiacao_1": column((fake.name_female() for _ in numbers), "PERSON_NAME"),
        "responsavel_tel": column((f"({rng.choice(['11', '21', '31', '71'])}) 9{digits(rng, 4)}-{rng.randrange(10000):04}" for _ in numbers), "PHONE"),
        "logradouro": column(d.each("street_address"), "STREET_ADDRESS"),
        "bairro": column(d.many("Centro|Vila Nova|Jardim América|Santa Luzia|Boa Vista|São José"), "CITY", "quasi", "none"),
        "cep": column((f"{rng.randrange(1000, 9999):05}-{rng.randrange(1000):03}" for _ in numbers), "POSTAL_CODE"),
        "uf": column(d.many("SP|RJ|MG|BA", 80, 6, 8, 6), "STATE"),
        "serie": column(d.many("1º ano|2º ano|3º ano|4º ano|5º ano"), "NONE", "none", "quasi"),
        "turno": column(d.many("Manhã|Tarde|Integral"), "NONE", "none", "quasi"),
        "bolsa_familia": column(d.many("Sim|Não", 35, 65), "NONE", "none", "sensitive", "quasi"),
        "deficiencia": column(d.many("Nenhuma|TEA|Baixa visão|Deficiência auditiva|TDAH", 90, 4, 2, 1, 3), "MEDICAL"),
        "situacao": column(d.many("Cursando|Transferido|Evadido", 90, 7, 3), "NONE", "none", "sensitive"),
    }  # fmt: skip


def kyc() -> dict[str, Labelled]:
    """What a bank in India knows of its customers."""
    d = Drawn("en_IN", SEED + 4, 500)
    rng, fake = d.rng, d.fake
    names = [
        f"{rng.choice(['Shri', 'Smt', 'Mr', 'Ms', ''])} {fake.first_name()} {fake.last_name()}".strip()
        for _ in range(d.rows)
    ]
    taxed = [
        "".join(rng.choices(UPPER, k=3))
        + "P"
        + name.split()[-1][0].upper()
        + f"{rng.randrange(1, 10000):04}"
        + rng.choice(UPPER)
        for name in names
    ]
    return {
        "CIF No": column((digits(rng, 11) for _ in names), "PERSON_ID"),
        "Customer Name": column(dirty(rng, misspelt(rng, names)), "PERSON_NAME"),
        "Father/Spouse Name": column((fake.name_male() for _ in names), "PERSON_NAME"),
        "DOB": column(d.days(1940, 2006, "%d-%b-%Y"), "DATE_OF_BIRTH"),
        "PAN": column(dirty(rng, taxed, "FORM 60", "NA"), "TAX_ID"),
        "Aadhaar (masked)": column((f"XXXX-XXXX-{rng.randrange(10000):04}" for _ in names), "NATIONAL_ID", "quasi", "direct"),
        "Mobile": column((f"{rng.choice(['+91 ', '', '0'])}{rng.choice('6789')}{digits(rng, 9)}" for _ in names), "PHONE"),
        "E-mail ID": column(dirty(rng, d.each("email"), "", "NA"), "EMAIL"),
        "Address Line 1": column((f"Flat {rng.randrange(1, 900)}, {fake.last_name()} {rng.choice(['Nagar', 'Colony', 'Apartments', 'Marg'])}" for _ in names), "STREET_ADDRESS"),
        "City": column(d.many("Mumbai|Pune|Bengaluru|Hyderabad|Chennai|Kolkata|Jaipur|Lucknow"), "CITY"),
        "PIN": column((f"{rng.choice([400, 411, 560, 500, 600, 700, 302, 226])}{rng.randrange(1, 100):03}" for _ in names), "POSTAL_CODE"),
        "Occupation": column(d.many("Salaried|Self-employed|Retired|Student|Housewife|Agriculture"), "OCCUPATION"),
        "Annual Income": column(d.many("< 1 Lakh|1-5 Lakh|5-10 Lakh|10-25 Lakh|> 25 Lakh"), "INCOME"),
        "Risk Cat": column(d.many("Low|Medium|High", 80, 15, 5), "NONE", "none", "sensitive"),
        "PEP": column(d.many("N|Y", 98, 2), "NONE", "none", "sensitive", "quasi"),
        "IFSC": column(rng.choices([f"{bank}0{rng.randrange(10**6):06}" for bank in "SBIN HDFC ICIC UTIB".split()], k=d.rows), "BANK_CODE", "none", "quasi"),
        "A/c No": column((digits(rng, rng.choice([11, 14])) for _ in names), "BANK_ACCOUNT"),
    }  # fmt: skip


def customers() -> dict[str, Labelled]:
    """Customers of a shop in Japan."""
    d = Drawn("ja_JP", SEED + 5, 380)
    rng, fake = d.rng, d.fake
    pairs = [(fake.last_name_pair(), fake.first_name_pair()) for _ in range(d.rows)]
    streets = [f"{fake.town()}{rng.randrange(1, 9)}-{rng.randrange(1, 30)}-{rng.randrange(1, 20)}" for _ in pairs]
    notes = "電話は午前中を希望|配達時に不在のことが多い|誕生日クーポン送付済|メール不可|領収書の宛名に注意|"
    return {
        "顧客番号": column((f"C{digits(rng, 7)}" for _ in pairs), "PERSON_ID"),
        "氏名": column(dirty(rng, (f"{last[0]}　{first[0]}" for last, first in pairs)), "PERSON_NAME"),
        "フリガナ": column((f"{last[1]} {first[1]}" for last, first in pairs), "PERSON_NAME"),
        "性別": column(d.many("男性|女性|未回答", 44, 50, 6), "GENDER"),
        "生年月日": column(d.days(1945, 2006, "%Y年%m月%d日"), "DATE_OF_BIRTH"),
        "電話番号": column((rng.choice([f"090-{digits(rng, 4)}-{digits(rng, 4)}", f"03-{digits(rng, 4)}-{digits(rng, 4)}", f"080{digits(rng, 8)}"]) for _ in pairs), "PHONE"),
        "郵便番号": column((f"{rng.randrange(100, 999)}-{rng.randrange(10000):04}" for _ in pairs), "POSTAL_CODE"),
        "都道府県": column(d.many("東京都|神奈川県|千葉県|埼玉県|大阪府", 5, 2, 1, 1, 2), "STATE"),
        "市区町村": column(d.each("city"), "CITY"),
        "番地": column(streets, "STREET_ADDRESS"),
        "メールアドレス": column(dirty(rng, d.each("email"), "", "なし"), "EMAIL"),
        "会員ランク": column(d.many("ゴールド|シルバー|ブロンズ"), "NONE", "none", "quasi"),
        "最終購入日": column(d.days(2024, 2026, "%Y/%m/%d"), "DATE_EVENT"),
        "累計金額": column((f"{rng.randrange(1000, 300000):,}" for _ in pairs), "NONE", "none", "sensitive"),
        "備考": column(d.many(notes, 1, 1, 1, 1, 1, 10), "FREE_TEXT", "sensitive", "none"),
    }  # fmt: skip


def leads() -> dict[str, Labelled]:
    """Leads of a software firm, exported from its system for sales."""
    d = Drawn("en_US", SEED + 6, 600)
    rng, fake = d.rng, d.fake
    first, last = d.each("first_name"), d.each("last_name")
    firms = [fake.company() for _ in range(220)]
    domains = [f"{firm.split()[0].strip(',').lower()}.{rng.choice(['com', 'io', 'co'])}" for firm in firms]
    chosen = rng.choices(range(len(firms)), k=d.rows)
    mails = [f"{a[0].lower()}{b.lower()}@{domains[i]}" for a, b, i in zip(first, last, chosen, strict=True)]
    owners = [fake.name() for _ in range(9)]
    return {
        "Lead ID": column(("00Q" + d.token(15, UPPER + UPPER.lower() + "0123456789") for _ in first), "RECORD_ID", "none", "direct"),
        "First Name": column(dirty(rng, first), "FIRST_NAME"),
        "Last Name": column(dirty(rng, last, "[not provided]"), "LAST_NAME"),
        "Title": column(dirty(rng, d.each("job"), "", "n/a"), "OCCUPATION"),
        "Company / Account": column((firms[i] for i in chosen), "EMPLOYER", "quasi", "none"),
        "Email": column(mails, "EMAIL"),
        "Phone": column(dirty(rng, d.each("phone_number"), "", "-"), "PHONE"),
        "Lead Source": column(d.many("Web|Webinar|Partner|Trade Show|Cold Call|Referral"), "NONE"),
        "Lead Owner": column(rng.choices(owners, k=d.rows), "PERSON_NAME"),
        "Rating": column(d.many("Hot|Warm|Cold|", 2, 4, 3, 1), "NONE"),
        "utm_campaign": column(d.many("spring_launch|brand_search|retargeting_q3|"), "NONE"),
        "gclid": column((f"Cj0KCQ{d.token(40, UPPER + UPPER.lower() + '0123456789-_')}" if rng.random() < 0.6 else "" for _ in first), "DEVICE_ID", "direct", "none"),
        "First Touch IP": column((fake.ipv4_public() for _ in first), "IP_ADDRESS"),
        "User Agent": column(d.each("user_agent"), "USER_AGENT", "quasi", "none"),
        "Annual Revenue": column((f"${rng.choice([0.5, 1, 2, 5, 10, 25])}M" for _ in first), "NONE", "none", "sensitive"),
        "Do Not Call": column(d.many("0|1", 9, 1), "NONE"),
        "Created Date": column(d.days(2024, 2026, "%-m/%-d/%Y"), "DATE_EVENT"),
    }  # fmt: skip


def tickets() -> dict[str, Labelled]:
    """Tickets of a help desk, with what customers wrote."""
    d = Drawn("en_GB", SEED + 7, 700)
    rng, fake = d.rng, d.fake
    agents = [fake.user_name() for _ in range(14)]
    phrases = (
        "The parcel arrived damaged and I would like a refund.",
        "I cannot log in since the last update.",
        "Please cancel my subscription at the end of the month.",
        "Your invoice has the wrong VAT number.",
    )
    ends = (
        lambda: "",
        lambda: f" You can reach me on {fake.phone_number()}.",
        lambda: f" Regards, {fake.name()}",
        lambda: f" My email is {fake.email()}.",
    )
    return {
        "ticket": column((f"#{48000 + i}" for i in range(d.rows)), "RECORD_ID", "none"),
        "opened_at": column((f"{fake.date_time_between(datetime(2025, 1, 1), datetime(2026, 6, 1)):%Y-%m-%dT%H:%M:%SZ}" for _ in range(d.rows)), "DATE_EVENT"),
        "channel": column(d.many("email|chat|phone|web form"), "NONE"),
        "requester": column(d.each("email"), "EMAIL"),
        "subject": column(d.many("Refund|Login problem|Cancel subscription|Invoice question|Delivery"), "NONE", "none", "sensitive"),
        "message": column((rng.choice(phrases) + rng.choice(ends)() for _ in range(d.rows)), "FREE_TEXT"),
        "assigned_to": column(dirty(rng, rng.choices(agents, k=d.rows), "unassigned"), "USERNAME"),
        "team": column(d.many("Tier 1|Tier 2|Billing|Logistics"), "DEPARTMENT", "quasi", "none"),
        "tags": column((",".join(rng.sample("refund,vip,bug,delivery,gdpr,legal".split(","), rng.choice([1, 2, 3]))) for _ in range(d.rows)), "NONE", "none", "sensitive"),
        "csat": column(d.many("1|2|3|4|5|", 1, 1, 2, 4, 5, 9), "NONE", "none", "sensitive", "quasi"),
        "first_response_min": column(d.numbers(1, 900), "NONE"),
        "breached": column(d.many("TRUE|FALSE", 1, 9), "NONE"),
        "order_ref": column((f"GB{digits(rng, 8)}" if rng.random() < 0.7 else "" for _ in range(d.rows)), "RECORD_ID", "none", "direct"),
    }  # fmt: skip


def sensors() -> dict[str, Labelled]:
    """Readings of sensors in buildings; no person is described."""
    d = Drawn("en_US", SEED + 8, 2000)
    rng = d.rng
    nodes = [f"a8{d.token(10, '0123456789abcdef')}" for _ in range(24)]
    places = [f"B{rng.randrange(1, 5)}-{rng.randrange(1, 6)}.{rng.randrange(1, 30):02}" for _ in nodes]
    chosen = [rng.randrange(len(nodes)) for _ in range(d.rows)]
    start = datetime(2026, 3, 1)
    return {
        "ts": column(((start + timedelta(minutes=5 * (i // 24), seconds=rng.randrange(40))).isoformat() for i in range(d.rows)), "DATE_EVENT", "none", "quasi"),
        "dev_eui": column((nodes[i] for i in chosen), "NONE", "none", "direct", "quasi"),
        "room": column((places[i] for i in chosen), "NONE", "none", "quasi"),
        "temp_c": column((f"{rng.gauss(21, 2):.2f}" for _ in chosen), "NONE"),
        "rh_pct": column((f"{rng.gauss(45, 8):.1f}" for _ in chosen), "NONE"),
        "co2_ppm": column((round(rng.gauss(700, 160)) for _ in chosen), "NONE"),
        "lux": column((max(0, round(rng.gauss(300, 200))) for _ in chosen), "NONE"),
        "vbat_mv": column(d.numbers(2900, 3650), "NONE"),
        "rssi": column(d.numbers(-119, -60), "NONE"),
        "fw": column(d.many("1.4.2|1.4.3|1.5.0"), "VERSION"),
        "fcnt": column(d.numbers(1, 65535), "NONE"),
        "state": column(d.many("ok|low_batt|no_link|calib", 94, 2, 2, 2), "NONE"),
        "occupied": column(d.many("0|1"), "NONE"),
        "payload": column((d.token(16, "0123456789ABCDEF") for _ in chosen), "NONE", "none", "direct"),
    }  # fmt: skip


def products() -> dict[str, Labelled]:
    """Articles of a wholesaler of household goods in Italy; no person is described."""
    d = Drawn("it_IT", SEED + 9, 900)
    rng = d.rng
    brands = "Rossi Casa|Bianchi|Lavazza|Alessi|De Longhi|Smeg|Guzzini|Bialetti".split("|")
    goods = "Caffettiera|Tostapane|Bilancia|Pentola|Padella|Frullatore|Bollitore|Teglia".split("|")
    return {
        "Cod. Art.": column((f"{rng.choice(['CA', 'TP', 'PZ'])}{rng.randrange(1000, 9999)}/{rng.choice('ABC')}" for _ in range(d.rows)), "NONE", "none", "direct"),
        "EAN": column((ean_of("80" + digits(rng, 10)) for _ in range(d.rows)), "PRODUCT_CODE", "none", "direct"),
        "Descrizione": column((f"{rng.choice(goods)} {rng.choice(brands)} {rng.choice(['rosso', 'nero', 'acciaio', '6 tazze', '24 cm'])}" for _ in range(d.rows)), "NONE", "none", "sensitive"),
        "Marca": column(d.many(brands), "ORGANISATION", "none"),
        "Reparto": column(d.many("Cucina|Elettrodomestici|Tavola|Bagno"), "NONE", "none", "quasi"),
        "Prezzo": column((f"{rng.uniform(5, 300):.2f}".replace(".", ",") for _ in range(d.rows)), "NONE"),
        "IVA": column(d.many("22|10|4", 90, 8, 2), "NONE"),
        "UM": column(d.many("PZ|CF|KG", 80, 15, 5), "NONE"),
        "Giacenza": column(d.numbers(-2, 800), "NONE"),
        "Peso (g)": column(d.numbers(80, 6000), "NONE"),
        "Misure": column((f"{rng.randrange(5, 60)}x{rng.randrange(5, 60)}x{rng.randrange(5, 60)}" for _ in range(d.rows)), "NONE"),
        "Colore": column(d.many("rosso|nero|bianco|rosa|viola"), "NONE"),
        "Fornitore": column(rng.choices([f"F{digits(rng, 5)}" for _ in range(30)], k=d.rows), "NONE", "none", "direct"),
        "Ult. Agg.": column(d.days(2024, 2026, "%d/%m/%Y"), "DATE_EVENT", "none", "quasi"),
        "Foto": column((f"https://cdn.example.it/img/{d.token(10)}.jpg" for _ in range(d.rows)), "URL", "none"),
    }  # fmt: skip


def ean_of(body: str) -> str:
    """Return digits with the check digit of an article number."""
    return body + ean.calc_check_digit(body)


def survey() -> dict[str, Labelled]:
    """Answers to a survey, coded, as the platform exports them."""
    d = Drawn("en_US", SEED + 10, 450)
    rng, fake = d.rng, d.fake
    starts = [fake.date_time_between(datetime(2026, 2, 1), datetime(2026, 3, 1)) for _ in range(d.rows)]
    lasted = [rng.randrange(60, 1500) for _ in starts]
    comments = (
        "Too many questions about the canteen",
        "My manager never listens",
        "Nothing to add",
        "More flexible hours would help me as a single parent",
    )
    return {
        "StartDate": column((f"{start:%Y-%m-%d %H:%M:%S}" for start in starts), "DATE_EVENT"),
        "EndDate": column((f"{start + timedelta(seconds=n):%Y-%m-%d %H:%M:%S}" for start, n in zip(starts, lasted, strict=True)), "DATE_EVENT"),
        "IPAddress": column((fake.ipv4_public() for _ in starts), "IP_ADDRESS"),
        "Progress": column(d.many("100|62|38", 90, 6, 4), "NONE"),
        "Duration (in seconds)": column(lasted, "NONE"),
        "Finished": column(d.many("1|0", 90, 10), "NONE"),
        "ResponseId": column((f"R_{d.token(15, UPPER + UPPER.lower() + '0123456789')}" for _ in starts), "RECORD_ID", "none", "direct"),
        "RecipientEmail": column((fake.email() if rng.random() < 0.8 else "" for _ in starts), "EMAIL"),
        "LocationLatitude": column((f"{rng.uniform(30, 47):.4f}" for _ in starts), "LATITUDE", "quasi", "direct"),
        "LocationLongitude": column((f"{rng.uniform(-120, -72):.4f}" for _ in starts), "LONGITUDE", "quasi", "direct"),
        "UserLanguage": column(d.many("EN|ES-ES|FR", 90, 7, 3), "LANGUAGE", "quasi", "none"),
        "Q1_1": column(d.many("1|2|3|4|5|"), "NONE", "none", "sensitive", "quasi"),
        "Q1_2": column(d.many("1|2|3|4|5|"), "NONE", "none", "sensitive", "quasi"),
        "Q2": column(d.many("18-24|25-34|35-44|45-54|55-64|65+"), "AGE"),
        "Q3": column(d.many("1|2|3|99", 48, 48, 2, 2), "GENDER", "quasi", "none"),
        "Q4": column(d.many("White|Black or African American|Hispanic or Latino|Asian|Prefer not to say", 55, 12, 18, 7, 8), "RACE_ETHNICITY", "quasi", "sensitive"),
        "Q5_4_TEXT": column((rng.choice(comments) if rng.random() < 0.4 else "" for _ in starts), "FREE_TEXT"),
        "SC0": column(d.numbers(0, 40), "NONE", "none", "sensitive"),
    }  # fmt: skip


def meters() -> dict[str, Labelled]:
    """Connections of a supplier of energy in the Netherlands."""
    d = Drawn("nl_NL", SEED + 11, 550)
    rng = d.rng
    codes = [f"{rng.randrange(1000, 9999)} {''.join(rng.choices('ABCDEGHJKLNPRSTVWXZ', k=2))}" for _ in range(d.rows)]
    postal = [rng.choice([code, code, code.replace(" ", ""), code.lower()]) for code in codes]
    return {
        "klantnr": column(rng.sample(range(200000, 299999), d.rows), "PERSON_ID"),
        "vrl": column(("".join(f"{letter}." for letter in rng.sample(UPPER, rng.choice([1, 2, 2, 3]))) for _ in codes), "FIRST_NAME", "direct", "quasi"),
        "tussenv": column(d.many("|van|de|van der|van den", 70, 10, 10, 6, 4), "LAST_NAME", "direct", "quasi", "none"),
        "achternaam": column(dirty(rng, d.each("last_name")), "LAST_NAME"),
        "gebdat": column(d.days(1935, 2005, "%d-%m-%Y"), "DATE_OF_BIRTH"),
        "bsn": column(dirty(rng, (valid(rng, 9, bsn.is_valid) for _ in codes), "", "onbekend"), "NATIONAL_ID"),
        "pc": column(dirty(rng, postal), "POSTAL_CODE"),
        "huisnr": column((rng.randrange(1, 300) for _ in codes), "ADDRESS_PART"),
        "toev": column(d.many("|A|B|bis|hs|2", 80, 6, 5, 3, 3, 3), "ADDRESS_PART", "quasi", "none"),
        "plaats": column([town.upper() for town in d.each("city")], "CITY"),
        "ean_aansluiting": column((ean_of(f"87168{digits(rng, 12)}") for _ in codes), "NONE", "direct", "none", "quasi"),
        "meternr": column((f"E00{digits(rng, 8)}" for _ in codes), "DEVICE_ID", "direct", "none", "quasi"),
        "soort": column(d.many("elektra|gas"), "NONE"),
        "stand_hoog": column(d.numbers(100, 60000), "NONE", "none", "sensitive"),
        "jaarverbruik": column(d.numbers(800, 6500), "NONE", "none", "sensitive", "quasi"),
        "incasso_iban": column(dirty(rng, (iban("NL", f"{rng.choice(['INGB', 'RABO', 'ABNA'])}0{digits(rng, 9)}") for _ in codes), "", "factuur"), "IBAN"),
        "betaalmoraal": column(d.many("goed|traag|incasso", 85, 10, 5), "NONE", "none", "sensitive"),
    }  # fmt: skip


def tables() -> Iterator[Table]:
    """Yield the tables."""
    for make in (payroll, members, claims, pupils, kyc, customers, leads, tickets, sensors, products, survey, meters):
        yield Table(f"stranger_{make.__name__}", make.__name__, make())
