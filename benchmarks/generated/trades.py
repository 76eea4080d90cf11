# ruff: noqa: E501, E731 - the columns of a table are read whole, and makers of values are written next to them
"""Twelve tables of twelve trades in eleven languages, each with a column of remarks that names people.

Question: what is found in trades and languages of which no table was written before, and in free text of these languages?
Method: as in `strangers.py`: words from short lists, names and addresses from Faker, official numbers with their check
digits, cells with other spellings, tokens for missing values, and several values. A remark is one of a few sentences of
the language; `remarks` keeps which people, telephone numbers, addresses and e-mail addresses are in it. Labels and
tables were written before any verdict on them was seen; `UNSEEN` were written after the rules were changed.
Limits: one author wrote the sentences and the forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from stdnum.mx import curp
from stdnum.pl import pesel
from stdnum.pt import nif
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.tr import tckimlik

from generated.everyday import Drawn
from generated.labelled import Labelled, Table, column, digits
from generated.strangers import UPPER, dirty, misspelt, valid

SEED = 20261201
Truth = dict[str, list[str]]  # the values of each kind in one remark
REMARKS: dict[tuple[str, str], list[Truth]] = {}


def remarks(
    d: Drawn, place: tuple[str, str], sentences: Sequence[str], makers: Mapping[str, Callable[[], str]]
) -> list[str]:
    """Return a remark for each row, a third of them empty; keep in `REMARKS` what is in each."""
    texts, truths = [], []
    for _ in range(d.rows):
        truth: Truth = {}
        text = "" if d.rng.random() < 1 / 3 else d.rng.choice(sentences)
        for slot in re.findall(r"\{(\w+)\}", text):
            value = makers[slot]()
            truth.setdefault(slot, []).append(value)
            text = text.replace("{" + slot + "}", value, 1)
        texts.append(text)
        truths.append(truth)
    REMARKS[place] = truths
    return texts


def mixed(d: Drawn, cells: Sequence[str], lower: float = 0.1, upper: float = 0.1) -> list[str]:
    """Return cells of which a share is in lower and a share in upper case."""
    drawn = ((cell, d.rng.random()) for cell in cells)
    return [c.lower() if r < lower else c.upper() if r < lower + upper else c for c, r in drawn]


def loans() -> dict[str, Labelled]:
    """Loans of a public library in Poland; readers come back."""
    d = Drawn("pl_PL", SEED, 420)
    rng, fake = d.rng, d.fake
    readers = [
        (f"{fake.last_name()} {fake.first_name()}", valid(rng, 11, pesel.is_valid), fake.date_of_birth(minimum_age=6, maximum_age=90), f"22{digits(rng, 6)}", rng.choice(["K", "M"]))
        for _ in range(180)
    ]  # fmt: skip
    rows = rng.choices(readers, k=d.rows)
    phone = lambda: f"{rng.choice('5678')}{digits(rng, 2)} {rng.randrange(1000):03} {rng.randrange(1000):03}"
    books = "Lalka|Pan Tadeusz|Quo vadis|Ferdydurke|Solaris|Krzyżacy|Bieguni|Wiedźmin. Krew elfów|Zły|Chłopi|Dżuma|Mistrz i Małgorzata"
    return {
        "Lp.": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "nr_karty": column((reader[3] for reader in rows), "PERSON_ID"),
        "czytelnik": column(dirty(rng, misspelt(rng, mixed(d, [reader[0] for reader in rows]))), "PERSON_NAME"),
        "PESEL": column(dirty(rng, [reader[1] for reader in rows], "", "brak"), "NATIONAL_ID"),
        "data_ur": column((f"{reader[2]:%d.%m.%Y}" for reader in rows), "DATE_OF_BIRTH"),
        "płeć": column((reader[4] for reader in rows), "GENDER"),
        "tytuł": column(d.many(books), "NONE", "none", "sensitive"),
        "sygnatura": column((f"{rng.choice(['82-3', '94', '159.9', '51', '004'])} {rng.choice(UPPER)}{rng.randrange(100, 999)}" for _ in rows), "NONE", "none", "quasi"),
        "data_wyp": column(d.days(2024, 2026, "%d.%m.%Y"), "DATE_EVENT"),
        "termin": column(d.days(2024, 2026, "%d.%m.%Y"), "DATE_EVENT"),
        "status": column(d.many("wypożyczona|zwrócona|przetrzymana|zagubiona", 30, 60, 8, 2), "NONE", "none", "sensitive"),
        "kara_zł": column(d.many("0,00|1,20|3,60|12,00|25,50", 80, 8, 6, 4, 2), "FINANCIAL"),
        "filia": column(d.many("Filia nr 1|Filia nr 4|Filia nr 7|Wypożyczalnia główna"), "ORGANISATION", "none", "quasi"),
        "uwagi": column(
            remarks(d, ("trade_loans", "uwagi"), [
                "Książkę odbierze {person}, tel. {phone}.", "Dzwonić do {person} po 17.", "Zgubiona karta, wydano duplikat.",
                "Zmiana adresu: {address}", "Prosi o przedłużenie, kontakt {email}", "Strony 12-14 zalane kawą.",
                "Upoważniona córka {person}.", "Nie odbiera telefonu.", "Zwrot bez opłaty, decyzja kierownika.",
            ], {"person": fake.name, "phone": phone, "address": lambda: f"{fake.street_address()}, {fake.postcode()} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def animals() -> dict[str, Labelled]:
    """Visits to a veterinary clinic in Sweden, with the owners of the animals."""
    d = Drawn("sv_SE", SEED + 1, 300)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["07{}-{} {} {}", "07{}{}{}{}"]).format(
        digits(rng, 1), digits(rng, 3), digits(rng, 2), digits(rng, 2)
    )
    owners = [fake.name() for _ in range(d.rows)]
    return {
        "Journalnr": column((f"J{i}" for i in rng.sample(range(24000, 26000), d.rows)), "RECORD_ID", "direct", "none"),
        "Djurägare": column(dirty(rng, misspelt(rng, owners)), "PERSON_NAME"),
        "Pnr": column(dirty(rng, [_swedish(d) for _ in owners], "", "saknas"), "NATIONAL_ID"),
        "Mobil": column(dirty(rng, [phone() for _ in owners], "", "-"), "PHONE"),
        "Gatuadress": column((fake.street_address() for _ in owners), "STREET_ADDRESS"),
        "Postnr Ort": column((f"{rng.randrange(100, 980)} {rng.randrange(10, 99)} {fake.city()}" for _ in owners), "CITY", "quasi"),
        "Djurets namn": column(d.many("Bella|Molly|Sigge|Ludde|Zorro|Misse|Bamse|Wilma|Doris|Kurre|Pluto|Selma|Findus|Tusse"), "NONE", "none", "quasi", "direct"),
        "Art": column(d.many("Hund|Katt|Kanin|Häst|Marsvin", 55, 33, 6, 3, 3), "NONE", "none", "quasi"),
        "Ras": column(d.many("Labrador|Tax|Schäfer|Huskatt|Perser|Norsk skogkatt|Blandras|Pudel"), "NONE", "none", "quasi"),
        "Kön": column(d.many("Hane|Hona|Kastrat|Tik", 40, 35, 15, 10), "NONE", "none", "quasi"),
        "Född": column(d.days(2010, 2025), "DATE_EVENT", "quasi", "none"),
        "Vikt kg": column((f"{rng.lognormvariate(2.3, 0.8):.1f}".replace(".", ",") for _ in owners), "NONE", "none", "quasi", "sensitive"),
        "Chipnr": column((f"7520980{digits(rng, 8)}" for _ in owners), "DEVICE_ID", "direct", "none"),
        "Diagnos": column(d.many("Öroninflammation|Hälta|Tandsten|Kräkning|Vaccination|Pälsätare|Juvertumör"), "NONE", "none", "sensitive"),
        "Belopp": column((f"{rng.randrange(450, 9800)} kr" for _ in owners), "FINANCIAL"),
        "Försäkring": column(d.many("Agria|Sveland|If|Ingen|Folksam", 40, 20, 10, 20, 10), "ORGANISATION", "none", "sensitive", "quasi"),
        "Anteckning": column(
            remarks(d, ("trade_animals", "Anteckning"), [
                "Ring {person} på {phone} när provsvaret kommit.", "Hunden morrar, använd munkorg.", "Hämtas av {person}.",
                "Ägaren har flyttat till {address}", "Återbesök om två veckor.", "Maila {email} med kvitto.",
                "Remitterad till djursjukhuset, kontaktperson {person}.", "Fått Rimadyl, ingen reaktion.", "Betalar nästa vecka.",
            ], {"person": fake.name, "phone": phone, "address": lambda: f"{fake.street_address()}, {rng.randrange(100, 980)} {rng.randrange(10, 99)} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _swedish(d: Drawn) -> str:
    born = d.fake.date_of_birth(minimum_age=18, maximum_age=88)
    while True:
        number = f"{born:%Y%m%d}-{d.rng.randrange(10000):04}"
        if personnummer.is_valid(number):
            return number if d.rng.random() < 0.7 else number[2:]


def court() -> dict[str, Labelled]:
    """Register of cases of a court in Portugal."""
    d = Drawn("pt_PT", SEED + 2, 260)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["9{}{} {} {}", "+351 9{}{} {} {}"]).format(
        rng.choice("1236"), digits(rng, 1), digits(rng, 3), digits(rng, 3)
    )
    whole = lambda: f"{fake.first_name()} {fake.last_name()} {rng.choice(['', 'da ', 'de '])}{fake.last_name()}"
    return {
        "N.º Processo": column((f"{rng.randrange(1, 4000)}/{rng.randrange(18, 26)}.{rng.randrange(10)}T8{rng.choice(['LSB', 'PRT', 'BRG', 'CBR'])}" for _ in range(d.rows)), "RECORD_ID", "direct", "none"),
        "Autor": column(dirty(rng, misspelt(rng, mixed(d, [whole() for _ in range(d.rows)]))), "PERSON_NAME"),
        "Réu": column(dirty(rng, [whole() if rng.random() < 0.7 else f"{fake.last_name()} & {fake.last_name()}, Lda." for _ in range(d.rows)], ""), "PERSON_NAME"),
        "NIF réu": column(dirty(rng, [valid(rng, 9, nif.is_valid) for _ in range(d.rows)], "", "n/d"), "TAX_ID"),
        "Mandatário": column((f"{rng.choice(['Dr.', 'Dra.'])} {whole()}" for _ in range(d.rows)), "PERSON_NAME"),
        "Céd. prof.": column((f"{rng.randrange(1000, 60000)}{rng.choice('LPCEFAM')}" for _ in range(d.rows)), "PERSON_ID", "direct", "quasi"),
        "Juízo": column(d.many("Juízo Local Cível|Juízo Central Criminal|Juízo de Família e Menores|Juízo do Trabalho"), "ORGANISATION", "none", "quasi"),
        "Espécie": column(d.many("Ação comum|Execução|Divórcio|Insolvência|Injunção|Inventário"), "NONE", "none", "sensitive"),
        "Crime": column(dirty(rng, d.many("Furto|Burla qualificada|Ofensa à integridade física|Condução sob efeito de álcool|—", 12, 10, 12, 16, 50), ""), "CRIMINAL", "sensitive"),
        "Estado": column(d.many("Pendente|Findo|Suspenso|Em recurso", 45, 40, 5, 10), "NONE", "none", "sensitive"),
        "Estado civil": column(d.many("casado|casada|solteiro|solteira|divorciado|divorciada|viúvo|viúva|união de facto"), "MARITAL_STATUS"),
        "Data entrada": column(d.days(2018, 2026, "%d-%m-%Y"), "DATE_EVENT"),
        "Valor (€)": column((f"{rng.lognormvariate(9, 1.2):,.2f}".translate(str.maketrans(",.", ".,")) for _ in range(d.rows)), "FINANCIAL"),
        "Morada": column((f"{fake.street_address()}, {fake.postcode()} {fake.city()}" for _ in range(d.rows)), "STREET_ADDRESS"),
        "Observações": column(
            remarks(d, ("trade_court", "Observações"), [
                "Notificar {person} na morada {address}.", "Testemunha: {person}, contacto {phone}.", "Aguarda junção de documentos.",
                "Audiência adiada por greve.", "O réu, {person}, não compareceu.", "Contestação enviada por {email}.",
                "Custas pagas pelo autor.", "Perito nomeado: Eng. {person}.", "Tel. {phone} desligado.",
            ], {"person": whole, "phone": phone, "address": lambda: f"{fake.street_address()}, {fake.postcode()} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def marks() -> dict[str, Labelled]:
    """Marks of a school in Korea."""
    d = Drawn("ko_KR", SEED + 3, 280)
    rng, fake = d.rng, d.fake
    phone = lambda: f"010-{digits(rng, 4)}-{digits(rng, 4)}"
    return {
        "학번": column((f"{rng.randrange(1, 4)}{rng.randrange(1, 9):02}{i % 35 + 1:02}-{i:03}" for i in range(d.rows)), "PERSON_ID"),
        "이름": column(dirty(rng, [fake.name() for _ in range(d.rows)]), "PERSON_NAME"),
        "성별": column(d.many("남|여"), "GENDER"),
        "생년월일": column(d.days(2008, 2011, "%Y.%m.%d"), "DATE_OF_BIRTH"),
        "학년": column(d.many("1|2|3"), "NONE", "none", "quasi"),
        "반": column(d.many("1|2|3|4|5|6|7|8"), "NONE", "none", "quasi"),
        "국어": column(d.numbers(35, 100), "NONE", "none", "sensitive"),
        "수학": column(dirty(rng, d.numbers(12, 100), "결시", ""), "NONE", "none", "sensitive"),
        "영어 등급": column(d.many("A|B|C|D|E"), "NONE", "none", "sensitive"),
        "결석일수": column(d.many("0|1|2|3|7", 70, 15, 8, 5, 2), "NONE", "none", "sensitive"),
        "보호자 성명": column(dirty(rng, [fake.name() for _ in range(d.rows)], "", "없음"), "PERSON_NAME"),
        "보호자 연락처": column(dirty(rng, [phone() for _ in range(d.rows)], ""), "PHONE"),
        "주소": column((fake.street_address() for _ in range(d.rows)), "STREET_ADDRESS"),
        "다문화 가정": column(d.many("예|아니오", 6, 94), "NONE", "none", "sensitive", "quasi"),
        "알레르기": column(d.many("없음|땅콩|우유|새우|복숭아|아토피", 80, 5, 5, 4, 3, 3), "MEDICAL"),
        "담임 의견": column(
            remarks(d, ("trade_marks", "담임 의견"), [
                "수업 태도가 좋고 발표를 잘함.", "어머니 {person} 님과 통화함 ({phone}).", "{person} 학생과 다툼이 있었음.",
                "이사 예정: {address}", "숙제를 자주 잊음.", "상담 신청은 {email} 로 보냄.", "체육 시간에 발목을 다침.",
                "전학생, 전 담임 {person} 선생님.",
            ], {"person": fake.name, "phone": phone, "address": fake.street_address, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def metering() -> dict[str, Labelled]:
    """Bills of a supplier of electricity in the United States, as its billing system exports them."""
    d = Drawn("en_US", SEED + 4, 450)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["({}) {}-{}", "{}-{}-{}", "{}.{}.{}"]).format(
        rng.choice("212 305 415 512 614 702 808".split()), digits(rng, 3), digits(rng, 4)
    )
    held = [
        f"{fake.last_name()}, {fake.first_name()}{rng.choice(['', ' ' + rng.choice(UPPER), ' ' + rng.choice(UPPER) + '.'])}"
        for _ in range(d.rows)
    ]
    return {
        "ACCT_NBR": column((digits(rng, 10) for _ in held), "PERSON_ID"),
        "CUST_NM": column(dirty(rng, [one.upper() for one in misspelt(rng, held)]), "PERSON_NAME"),
        "SVC_ADDR": column((fake.street_address().upper() for _ in held), "STREET_ADDRESS"),
        "SVC_CTY": column(d.many("COLUMBUS|DAYTON|TOLEDO|AKRON|LIMA|MANSFIELD"), "CITY"),
        "SVC_ST": column(["OH"] * d.rows, "STATE", "quasi", "none"),
        "SVC_ZIP": column((f"4{rng.randrange(3000, 5900):04}" + rng.choice(["", f"-{rng.randrange(10000):04}"]) for _ in held), "POSTAL_CODE"),
        "MTR_ID": column((f"{rng.choice(['GE', 'LG', 'EL'])}{digits(rng, 8)}" for _ in held), "DEVICE_ID", "direct", "none"),
        "RATE_CD": column(d.many("RS|RS-EV|GS-1|GS-2|RLI", 60, 10, 12, 6, 12), "NONE", "none", "sensitive"),
        "READ_DT": column(d.days(2025, 2026, "%m/%d/%Y"), "DATE_EVENT"),
        "READ_TYP": column(d.many("ACT|EST|CUST", 85, 12, 3), "NONE"),
        "KWH_USED": column((int(rng.lognormvariate(6.6, 0.5)) for _ in held), "BEHAVIOUR", "sensitive", "none"),
        "DMD_KW": column((f"{rng.uniform(0.4, 14):.3f}" for _ in held), "BEHAVIOUR", "sensitive", "none"),
        "AMT_DUE": column((f"${rng.lognormvariate(4.7, 0.5):,.2f}" for _ in held), "FINANCIAL"),
        "PAST_DUE_FLG": column(d.many("N|Y", 88, 12), "NONE", "none", "sensitive"),
        "LIFE_SUPPORT": column(d.many("N|Y", 98, 2), "MEDICAL", "sensitive", "none"),
        "PRIM_PH": column(dirty(rng, [phone() for _ in held], "", "000-000-0000"), "PHONE"),
        "EMAIL_ADDR": column(dirty(rng, [fake.email() for _ in held], "", "NONE ON FILE"), "EMAIL"),
        "RMKS": column(
            remarks(d, ("trade_metering", "RMKS"), [
                "CALL {person} BEFORE VISIT {phone}", "DOG IN YARD", "mail bill to {address}", "Spoke w/ {person}, will pay Fri",
                "gate code needed", "meter behind shed, key w/ neighbor {person}", "e-bill: {email}", "Estimated - snow",
                "medical equip in home",
            ], {"person": fake.name, "phone": phone, "address": lambda: fake.address().replace("\n", ", "), "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def guests() -> dict[str, Labelled]:
    """Guests of a hotel in Turkey."""
    d = Drawn("tr_TR", SEED + 5, 320)
    rng, fake = d.rng, d.fake
    streets = "Atatürk Caddesi|İnönü Bulvarı|Cumhuriyet Mah. Gül Sokak|Barbaros Mah. Çınar Sk.|Fevzi Çakmak Cd.|Yeni Mahalle Lale Sok."
    towns = "İstanbul|Ankara|İzmir|Bursa|Antalya|Kayseri|Samsun|Muğla|Trabzon|Eskişehir"
    address = lambda: (
        f"{rng.choice(streets.split('|'))} No: {rng.randrange(1, 180)}{rng.choice(['', '/3', ' D:5', '/12'])} {rng.choice(towns.split('|'))}"
    )
    phone = lambda: rng.choice(["05{}{} {} {} {}", "+90 5{}{} {} {} {}", "05{}{}{}{}{}"]).format(
        rng.choice("345"), digits(rng, 1), digits(rng, 3), digits(rng, 2), digits(rng, 2)
    )
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    return {
        "Rez. No": column((f"R26-{i:05}" for i in rng.sample(range(1000, 9000), d.rows)), "RECORD_ID", "direct", "none"),
        "Misafir Adı Soyadı": column(dirty(rng, mixed(d, [person() for _ in range(d.rows)], 0.05, 0.4)), "PERSON_NAME"),
        "TC Kimlik / Pasaport": column(dirty(rng, [valid(rng, 11, tckimlik.is_valid) if rng.random() < 0.75 else f"{rng.choice(UPPER)}{digits(rng, 8)}" for _ in range(d.rows)], ""), "NATIONAL_ID"),
        "Uyruk": column(d.many("T.C.|Almanya|Rusya|İngiltere|Hollanda|İran", 70, 10, 8, 6, 3, 3), "NATIONALITY"),
        "Doğum Yılı": column(d.numbers(1945, 2007), "BIRTH_YEAR"),
        "Cinsiyet": column(dirty(rng, d.many("Erkek|Kadın|E|K", 45, 40, 8, 7), ""), "GENDER"),
        "Telefon": column(dirty(rng, [phone() for _ in range(d.rows)], "", "yok"), "PHONE"),
        "E-posta": column(dirty(rng, [fake.email() for _ in range(d.rows)], "", "yok"), "EMAIL"),
        "Plaka": column(dirty(rng, [f"{rng.randrange(1, 82):02} {''.join(rng.choices(UPPER, k=rng.choice([2, 3])))} {digits(rng, 3)}" for _ in range(d.rows)], "", "-"), "VEHICLE_ID"),
        "Oda": column((f"{rng.randrange(1, 7)}{rng.randrange(1, 30):02}" for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Oda Tipi": column(d.many("Standart|Deluxe|Suit|Aile"), "NONE"),
        "Giriş": column(d.days(2026, 2026, "%d.%m.%Y"), "DATE_EVENT"),
        "Gece": column(d.many("1|2|3|4|7|10|14"), "NONE", "none", "quasi"),
        "Kişi": column(d.many("1|2|3|4", 25, 50, 15, 10), "HOUSEHOLD", "quasi", "none"),
        "Pansiyon": column(d.many("OK|YP|TP|HŞD", 40, 30, 10, 20), "NONE", "none", "sensitive"),
        "Tutar": column((f"{rng.lognormvariate(9.2, 0.5):,.2f} TL".translate(str.maketrans(",.", ".,")) for _ in range(d.rows)), "FINANCIAL"),
        "Notlar": column(
            remarks(d, ("trade_guests", "Notlar"), [
                "{person} adına fatura kesilecek.", "Geç giriş, tel {phone}", "Deniz manzaralı oda istiyor.", "Eşi {person} yarın gelecek.",
                "Fatura adresi: {address}", "Glutensiz yemek rica edildi.", "Havaalanı transferi için {person} aranacak: {phone}",
                "Bebek yatağı eklenecek.", "{email} adresine onay gönderildi.",
            ], {"person": person, "phone": phone, "address": address, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def donations() -> dict[str, Labelled]:
    """Gifts to a charity in the United Kingdom, with Gift Aid."""
    d = Drawn("en_GB", SEED + 6, 380)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["07{} {}", "01{} {}", "+44 7{} {}"]).format(digits(rng, 3), digits(rng, 6))
    first, last = d.each("first_name"), d.each("last_name")
    return {
        "Supporter URN": column((f"S{i:06}" for i in rng.sample(range(1000, 90000), d.rows)), "PERSON_ID"),
        "Title": column(dirty(rng, d.many("Mr|Mrs|Ms|Dr|Miss|Rev|Sir", 35, 30, 18, 5, 9, 2, 1), ""), "NAME_PREFIX"),
        "Initials": column((f"{one[0]}{rng.choice(['', rng.choice(UPPER)])}" for one in first), "NAME_PREFIX", "quasi", "none", "direct"),
        "Surname": column(dirty(rng, mixed(d, last, 0.05, 0.15)), "LAST_NAME"),
        "Salutation": column((rng.choice([f"Dear {a}", f"Dear Mr {b}", "Dear Friend", f"Dear {a}"]) for a, b in zip(first, last, strict=True)), "PERSON_NAME", "direct", "quasi"),
        "Addr1": column((fake.street_address().replace("\n", ", ") for _ in first), "STREET_ADDRESS"),
        "Town": column(dirty(rng, [fake.city() for _ in first], ""), "CITY"),
        "Postcode": column((rng.choice([one, one.lower(), one.replace(" ", "")]) for one in d.each("postcode")), "POSTAL_CODE"),
        "Tel (home)": column(dirty(rng, [phone() for _ in first], "", "ex-dir"), "PHONE"),
        "Amount": column((f"£{rng.choice([5, 10, 10, 15, 20, 25, 50, 100, 250])}.00" for _ in first), "FINANCIAL"),
        "Freq": column(d.many("One-off|Monthly|Annual|Legacy pledge", 50, 38, 10, 2), "NONE", "none", "sensitive"),
        "Gift Aid": column(d.many("Y|N|y|lapsed", 66, 28, 3, 3), "NONE", "none", "sensitive"),
        "Appeal": column(d.many("XMAS25|SPRING26|DRTV|Legacy|Ramadan26"), "NONE", "none", "sensitive"),
        "Sort code": column((f"{rng.randrange(10, 99)}-{rng.randrange(10, 99)}-{rng.randrange(10, 99)}" for _ in first), "BANK_CODE", "none", "quasi", "direct"),
        "Account": column((f"{rng.randrange(10**8):08}" for _ in first), "BANK_ACCOUNT"),
        "Deceased": column(dirty(rng, d.many("N|Y", 96, 4), ""), "NONE", "none", "sensitive", "quasi"),
        "Church": column(d.many("CofE|RC|Methodist|Baptist|none given", 30, 14, 9, 7, 40), "RELIGION"),
        "Notes": column(
            remarks(d, ("trade_donations", "Notes"), [
                "In memory of her husband {person}.", "Do not phone, prefers post.", "rang {phone}, left msg", "Moved to {address}",
                "met {person} at the spring fair", "Wants receipt to {email}", "Legacy enquiry - solicitor {person}.",
                "card declined Jan, retry", "Volunteer at the Bromley shop.",
            ], {"person": fake.name, "phone": phone, "address": lambda: fake.address().replace("\n", ", "), "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def club() -> dict[str, Labelled]:
    """Players of a football club in the Czech Republic."""
    d = Drawn("cs_CZ", SEED + 7, 240)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["{} {} {}", "+420 {} {} {}", "{}{}{}"]).format(
        f"{rng.choice('67')}{digits(rng, 2)}", digits(rng, 3), digits(rng, 3)
    )
    births = [fake.date_of_birth(minimum_age=6, maximum_age=38) for _ in range(d.rows)]
    return {
        "ID hráče": column((f"{born:%y%m}{rng.randrange(10000):04}" for born in births), "PERSON_ID"),
        "Příjmení": column(dirty(rng, mixed(d, d.each("last_name_male"), 0.03, 0.2)), "LAST_NAME"),
        "Jméno": column(misspelt(rng, d.each("first_name_male")), "FIRST_NAME"),
        "RČ": column(dirty(rng, [_czech(d, born) for born in births], "", "doplnit"), "NATIONAL_ID"),
        "Kategorie": column(d.many("U7|U9|U11|U13|U15|U19|A tým"), "NONE", "none", "quasi"),
        "Post": column(d.many("brankář|obránce|záložník|útočník"), "NONE", "none", "quasi"),
        "Číslo dresu": column(d.numbers(1, 99), "NONE", "none", "quasi"),
        "Výška": column((rng.randrange(115, 198) for _ in births), "BIOMETRIC", "sensitive", "quasi"),
        "Preferovaná noha": column(d.many("P|L|obě", 70, 22, 8), "NONE", "none", "quasi", "sensitive"),
        "Góly": column(d.many("0|1|2|3|5|8|14", 50, 15, 12, 9, 7, 4, 3), "NONE", "none", "sensitive"),
        "ŽK": column(d.many("0|1|2|4", 60, 25, 10, 5), "NONE", "none", "sensitive"),
        "Zranění": column(dirty(rng, d.many("-|kotník|koleno - vazy|otřes mozku|stehenní sval", 75, 9, 6, 3, 7), ""), "MEDICAL"),
        "Prohlídka do": column(d.days(2026, 2027, "%d.%m.%Y"), "DATE_EVENT"),
        "Zákonný zástupce": column(dirty(rng, [f"{fake.name()}" for _ in births], "", "plnoletý"), "PERSON_NAME"),
        "Kontakt": column(dirty(rng, [rng.choice([phone(), phone(), f"{phone()}, {fake.email()}"]) for _ in births], ""), "PHONE"),
        "Bydliště": column((f"{fake.street_address()}, {fake.postcode()} {fake.city()}" for _ in births), "STREET_ADDRESS"),
        "Příspěvky": column(d.many("zaplaceno|dluží 1 500 Kč|dluží 3 000 Kč|osvobozen", 80, 10, 5, 5), "FINANCIAL", "sensitive", "none"),
        "Poznámka": column(
            remarks(d, ("trade_club", "Poznámka"), [
                "Vyzvedává babička {person}.", "Volat {phone} (otec).", "Přestup ze Sparty, smlouva do června.", "Nový byt: {address}",
                "Alergie na vosy!", "Omluvenky posílá {person} na {email}", "Chybí dres.", "Trenér {person} doporučil přeřazení do U15.",
            ], {"person": fake.name, "phone": phone, "address": lambda: f"{fake.street_address()}, {fake.postcode()} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _czech(d: Drawn, born: Any) -> str:
    body = f"{born:%y%m%d}{d.rng.randrange(1000):03}"
    number = f"{body}{int(body) % 11 % 10}"
    return f"{number[:6]}/{number[6:]}" if d.rng.random() < 0.8 else number


def tenants() -> dict[str, Labelled]:
    """Tenants of a housing company in Romania."""
    d = Drawn("ro_RO", SEED + 8, 300)
    rng, fake = d.rng, d.fake

    def phone() -> str:
        return rng.choice(["07{} {} {}", "07{}{}{}", "+40 7{} {} {}"]).format(
            digits(rng, 2), digits(rng, 3), digits(rng, 3)
        )

    def address() -> str:
        street = rng.choice(["Str.", "Bd.", "Aleea", "Calea"])
        return f"{street} {fake.last_name()} nr. {rng.randrange(1, 180)}, bl. {rng.choice('ABCD')}{rng.randrange(1, 30)}, ap. {rng.randrange(1, 90)}"

    def person() -> str:
        return f"{fake.last_name()} {fake.first_name()}"

    return {
        "Nr. contract": column((f"{i}/{rng.randrange(2019, 2027)}" for i in rng.sample(range(100, 3000), d.rows)), "RECORD_ID", "direct", "none"),
        "Chiriaș": column(dirty(rng, misspelt(rng, mixed(d, [person() for _ in range(d.rows)]))), "PERSON_NAME"),
        "CNP": column(dirty(rng, [valid(rng, 13, cnp.is_valid) for _ in range(d.rows)], "", "lipsă"), "NATIONAL_ID"),
        "CI seria/nr": column((f"{rng.choice(['RX', 'DP', 'SB', 'KL', 'XT'])} {digits(rng, 6)}" for _ in range(d.rows)), "NATIONAL_ID"),
        "Adresa": column((address() for _ in range(d.rows)), "STREET_ADDRESS"),
        "Localitate": column(d.many("Cluj-Napoca|Iași|Brașov|Sibiu|Oradea|Târgu Mureș|Alba Iulia"), "CITY"),
        "Județ": column(d.many("CJ|IS|BV|SB|BH|MS|AB"), "COUNTY_REGION"),
        "Tel.": column(dirty(rng, [phone() for _ in range(d.rows)], "", "nu are"), "PHONE"),
        "Nr. persoane": column(d.many("1|2|3|4|5", 25, 35, 20, 15, 5), "HOUSEHOLD", "quasi", "none"),
        "Chirie (lei)": column((rng.randrange(300, 3200, 10) for _ in range(d.rows)), "FINANCIAL"),
        "Restanțe": column(dirty(rng, d.many("0|0|0|650|1.200|2.430,50"), ""), "FINANCIAL"),
        "Stare": column(d.many("activ|reziliat|în litigiu|expirat", 70, 10, 5, 15), "NONE", "none", "sensitive"),
        "Stare civilă": column(d.many("căsătorit|căsătorită|necăsătorit|necăsătorită|divorțat|divorțată|văduv"), "MARITAL_STATUS"),
        "Handicap": column(dirty(rng, d.many("nu|gr. I|gr. II", 90, 4, 6), ""), "MEDICAL", "sensitive", "none"),
        "Semnat la": column(d.days(2019, 2026, "%d.%m.%Y"), "DATE_EVENT"),
        "Obs.": column(
            remarks(d, ("trade_tenants", "Obs."), [
                "Plătește {person}, fiul.", "De sunat la {phone}.", "Mutat temporar la {address}", "Centrala defectă.",
                "Contract prelungit verbal.", "Facturile pe {email}", "Vecina {person} are cheia.", "Miroase a gaz, anunțat Distrigaz.",
            ], {"person": person, "phone": phone, "address": address, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def gym() -> dict[str, Labelled]:
    """Members of a gym in Mexico."""
    d = Drawn("es_MX", SEED + 9, 360)
    rng, fake = d.rng, d.fake

    def phone() -> str:
        return rng.choice(["{} {} {}", "{}-{}-{}", "+52 {} {} {}"]).format(
            rng.choice("55 33 81 222 998".split()), digits(rng, 4), digits(rng, 4)
        )

    def person() -> str:
        return f"{fake.first_name()} {fake.last_name()} {fake.last_name()}"

    births = [fake.date_of_birth(minimum_age=14, maximum_age=75) for _ in range(d.rows)]
    return {
        "no_socio": column((i + 20311 for i in rng.sample(range(4000), d.rows)), "PERSON_ID"),
        "nombre_completo": column(dirty(rng, mixed(d, [person() for _ in births])), "PERSON_NAME"),
        "curp": column(dirty(rng, [_curp(d, born) for born in births], "", "PENDIENTE"), "NATIONAL_ID"),
        "fec_nac": column((f"{born:%d/%m/%y}" for born in births), "DATE_OF_BIRTH"),
        "sexo": column(d.many("H|M"), "GENDER"),
        "col_y_calle": column((f"{fake.street_address()}, Col. {fake.last_name()}" for _ in births), "STREET_ADDRESS"),
        "cp": column((f"{rng.randrange(1000, 16900):05}" for _ in births), "POSTAL_CODE"),
        "estado": column(d.many("Activo|Baja|Congelado|Moroso", 70, 15, 10, 5), "NONE", "none", "sensitive"),
        "plan": column(d.many("Mensual|Anual|Estudiante|Pareja", 50, 25, 15, 10), "NONE", "none", "sensitive"),
        "mensualidad": column((f"${one}.00" for one in d.many("399|549|699|899")), "FINANCIAL"),
        "peso_kg": column((f"{rng.gauss(74, 13):.1f}" for _ in births), "BIOMETRIC", "sensitive", "quasi"),
        "imc": column((f"{rng.gauss(26, 4):.1f}" for _ in births), "MEDICAL", "sensitive", "quasi"),
        "padecimientos": column(dirty(rng, d.many("ninguno|asma|hipertensión|rodilla|diabetes", 75, 8, 8, 6, 3), ""), "MEDICAL"),
        "contacto_emerg": column((f"{fake.first_name()} ({rng.choice(['esposa', 'mamá', 'papá', 'hermano'])}) {phone()}" for _ in births), "PHONE", "direct"),
        "tel_cel": column(dirty(rng, [phone() for _ in births], "", "s/n"), "PHONE"),
        "correo": column(dirty(rng, [fake.email() for _ in births], "", "NO TIENE"), "EMAIL"),
        "entrenador": column(rng.choices([fake.first_name() for _ in range(9)], k=d.rows), "FIRST_NAME", "direct", "quasi"),
        "comentarios": column(
            remarks(d, ("trade_gym", "comentarios"), [
                "Viene con su esposa {person}.", "Llamar al {phone} por adeudo", "Cambio de domicilio: {address}", "Pide clase de spinning en la tarde.",
                "Lesión de hombro, evitar press.", "Factura a {email}", "Recomendado por {person}", "Perdió su locker.",
            ], {"person": person, "phone": phone, "address": lambda: f"Calle {fake.last_name()} {rng.randrange(1, 900)}, {rng.randrange(10000, 99999)} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _curp(d: Drawn, born: Any) -> str:
    letters = "".join(d.rng.choices("BCDFGHJKLMNPQRSTVWXYZ", k=3))
    head = f"{d.rng.choice(UPPER)}{d.rng.choice('AEIOU')}{d.rng.choice(UPPER)}{d.rng.choice(UPPER)}{born:%y%m%d}"
    body = f"{head}{d.rng.choice('HM')}{d.rng.choice(['DF', 'JC', 'NL', 'PL', 'QR'])}{letters}{d.rng.choice('0A')}"
    return body + curp.calc_check_digit(body)


def dentist() -> dict[str, Labelled]:
    """Appointments with a dentist in Denmark; patients come back."""
    d = Drawn("da_DK", SEED + 10, 400)
    rng, fake = d.rng, d.fake

    def phone() -> str:
        return rng.choice(["{} {} {} {}", "{}{}{}{}", "+45 {} {} {} {}"]).format(
            rng.randrange(20, 99), *(digits(rng, 2) for _ in range(3))
        )

    def person() -> str:
        return f"{fake.first_name()} {fake.last_name()}"

    def address() -> str:
        return f"{fake.street_name()} {rng.randrange(1, 200)}{rng.choice(['', ', 2. tv', ', st. th', 'B'])}, {rng.randrange(1000, 9990)} {fake.city()}"

    patients = [
        (f"P{digits(rng, 5)}", person(), f"{fake.date_of_birth(minimum_age=4, maximum_age=92):%d%m%y}-{rng.randrange(10000):04}", address(), phone())
        for _ in range(150)
    ]  # fmt: skip
    rows = rng.choices(patients, k=d.rows)
    return {
        "pt_nr": column((one[0] for one in rows), "PERSON_ID"),
        "Patient": column(dirty(rng, misspelt(rng, [one[1] for one in rows])), "PERSON_NAME"),
        "CPR": column(dirty(rng, [one[2] for one in rows], "", "ukendt"), "NATIONAL_ID"),
        "Adr.": column((one[3] for one in rows), "STREET_ADDRESS"),
        "Tlf": column(dirty(rng, [one[4] for one in rows], ""), "PHONE"),
        "Tid": column((f"{day} {rng.randrange(8, 16):02}:{rng.choice(['00', '15', '30', '45'])}" for day in d.days(2025, 2026, "%d-%m-%Y")), "DATE_EVENT"),
        "Tand": column(d.many("16|26|36|46|11|21|48"), "MEDICAL", "sensitive", "none"),
        "Ydelse": column(d.many("Undersøgelse|Tandrensning|Fyldning plast|Rodbehandling|Krone"), "MEDICAL", "sensitive", "none"),
        "Ydelseskode": column(d.many("1110|1301|1431|1511|1715"), "MEDICAL", "sensitive", "none"),
        "Pris": column((f"{rng.randrange(150, 7400)},{rng.choice(['00', '50'])}" for _ in rows), "FINANCIAL"),
        "Sygesikring": column(d.many("Gruppe 1|Gruppe 2|danmark gr. 5|Ingen"), "NONE", "none", "sensitive"),
        "Behandler": column(rng.choices([f"Tdl. {person()}" for _ in range(6)], k=d.rows), "PERSON_NAME"),
        "Status": column(d.many("Mødt|Udeblevet|Aflyst|Booket", 70, 6, 9, 15), "NONE", "none", "sensitive"),
        "Allergi": column(dirty(rng, d.many("Nej|Penicillin|Latex|Lokalbedøvelse", 88, 6, 4, 2), ""), "MEDICAL"),
        "Notat": column(
            remarks(d, ("trade_dentist", "Notat"), [
                "Nervøs, ønsker lattergas.", "Ringet til {person} på {phone}.", "Ny adresse: {address}", "Henvist til {person}.",
                "Regning sendes til {email}", "Blødning ved pochemåling.", "Kommer med sin mor {person}", "Glemte bideskinne.",
            ], {"person": person, "phone": phone, "address": address, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def parcels() -> dict[str, Labelled]:
    """Parcels of a courier in Vietnam."""
    d = Drawn("vi_VN", SEED + 11, 320)
    rng = d.rng
    family, middle = "Nguyễn|Trần|Lê|Phạm|Hoàng|Huỳnh|Phan|Vũ|Võ|Đặng|Bùi|Đỗ", "Văn|Thị|Minh|Thanh|Ngọc|Quốc|Hữu|Thu"
    given = "Anh|Bình|Châu|Dũng|Hà|Hải|Hạnh|Hùng|Lan|Linh|Long|Mai|Nam|Phương|Quân|Sơn|Thảo|Trang|Tuấn|Yến"
    streets = "Lê Lợi|Nguyễn Huệ|Trần Phú|Hai Bà Trưng|Điện Biên Phủ|Lý Thường Kiệt|Cách Mạng Tháng Tám|Võ Văn Tần"

    def pick(values: str) -> str:
        return rng.choice(values.split("|"))

    def person() -> str:
        return f"{pick(family)} {pick(middle)} {pick(given)}"

    def phone() -> str:
        return rng.choice(["0{}{} {} {}", "0{}{}{}{}", "+84 {}{} {} {}"]).format(
            rng.choice("3789"), digits(rng, 2), digits(rng, 3), digits(rng, 3)
        )

    def address() -> str:
        return f"{rng.randrange(1, 400)}{rng.choice(['', '/12', 'A'])} {pick(streets)}, P.{rng.randrange(1, 15)}, Q.{rng.randrange(1, 12)}"

    def email() -> str:
        return f"{d.token(8)}@{rng.choice(['gmail.com', 'yahoo.com.vn'])}"

    return {
        "Mã vận đơn": column((f"VN{digits(rng, 9)}{rng.choice('ABCDE')}" for _ in range(d.rows)), "RECORD_ID", "direct", "none"),
        "Người gửi": column(dirty(rng, [person() if rng.random() < 0.6 else f"Shop {pick(given)} {pick('Store|Mall|Boutique|Cosmetics')}" for _ in range(d.rows)]), "PERSON_NAME", "direct"),
        "Người nhận": column(dirty(rng, mixed(d, [person() for _ in range(d.rows)])), "PERSON_NAME"),
        "SĐT người nhận": column(dirty(rng, [phone() for _ in range(d.rows)], "", "không có"), "PHONE"),
        "Địa chỉ": column((address() for _ in range(d.rows)), "STREET_ADDRESS"),
        "Tỉnh/TP": column(d.many("TP.HCM|Hà Nội|Đà Nẵng|Cần Thơ|Bình Dương|Đồng Nai|Hải Phòng"), "CITY", "quasi"),
        "Khối lượng (g)": column(d.numbers(80, 9000), "NONE"),
        "Kích thước": column((f"{rng.randrange(10, 60)}x{rng.randrange(10, 50)}x{rng.randrange(2, 40)}" for _ in range(d.rows)), "NONE"),
        "Thu hộ (COD)": column((f"{rng.randrange(50, 2500)}.000đ" for _ in range(d.rows)), "FINANCIAL"),
        "Trạng thái": column(d.many("Đã giao|Đang giao|Hoàn hàng|Chờ lấy", 70, 15, 8, 7), "NONE"),
        "Ngày tạo": column(d.days(2026, 2026, "%d/%m/%Y"), "DATE_EVENT"),
        "Mã bưu tá": column(rng.choices([f"BT{i:03}" for i in range(40)], k=d.rows), "PERSON_ID", "direct", "quasi"),
        "CCCD": column(dirty(rng, [f"0{rng.randrange(1, 96):02}{rng.choice('0123')}{rng.randrange(100):02}{rng.randrange(10**6):06}" for _ in range(d.rows)], "", "-"), "NATIONAL_ID"),
        "Ghi chú": column(
            remarks(d, ("trade_parcels", "Ghi chú"), [
                "Gọi {phone} trước khi giao.", "Giao cho chị {person} nhận hộ", "Hàng dễ vỡ, xin nhẹ tay.", "Đổi địa chỉ sang {address}",
                "Không cho xem hàng.", "Gửi hoá đơn qua {email}", "Chỉ giao giờ hành chính.", "Anh {person} lấy tại kho",
            ], {"person": person, "phone": phone, "address": address, "email": email}),
            "FREE_TEXT"),
    }  # fmt: skip


READ = (loans, animals, court, marks, metering, guests, donations, club)
UNSEEN = (tenants, gym, dentist, parcels)


def tables(makers: Sequence[Callable[[], dict[str, Labelled]]] = READ) -> Iterator[Table]:
    """Yield the tables; each is a source of its own."""
    for make in makers:
        yield Table(f"trade_{make.__name__}", make.__name__, make())
