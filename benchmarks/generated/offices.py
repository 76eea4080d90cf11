# ruff: noqa: E501, E731 - the columns of a table are read whole, and makers of values are written next to them
"""Six tables of six offices, in which several values share a cell and official numbers are written in several ways.

Question: what is found in trades, languages and cells that were not consulted while rules were changed?
Method: as in `trades.py`. Labels and tables were written before any verdict on them was seen. `ASIDE` were not scanned
before the rules that they measure were finished.
Limits: one author wrote the sentences and the forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from stdnum.fi import hetu
from stdnum.gr import amka, vat
from stdnum.in_ import aadhaar
from stdnum.nl import bsn
from stdnum.ua import rntrc

from generated.everyday import Drawn
from generated.labelled import Labelled, Table, column, digits
from generated.strangers import UPPER, dirty, iban, misspelt, valid
from generated.trades import mixed, remarks

SEED = 20261215


def lessons() -> dict[str, Labelled]:
    """Bookings of a ski school in Finland; families book several children."""
    d = Drawn("fi_FI", SEED, 360)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["04{} {} {}", "04{}{}{}", "+358 4{} {} {}"]).format(
        rng.randrange(10), digits(rng, 3), digits(rng, 4)
    )
    families = [
        (fake.last_name(), phone(), fake.email(), fake.street_address(), f"{rng.randrange(10, 99999):05}", fake.city())
        for _ in range(210)
    ]
    rows = rng.choices(families, k=d.rows)
    born = [fake.date_of_birth(minimum_age=4, maximum_age=16) for _ in rows]
    return {
        "varausnro": column((f"HS-{i}" for i in rng.sample(range(10000, 99999), d.rows)), "RECORD_ID", "direct", "none"),
        "oppilas (synt.)": column(dirty(rng, [f"{fake.first_name()} {one[0]} ({day.day}.{day.month}.{day.year})" for one, day in zip(rows, born, strict=True)]), "PERSON_NAME"),
        "ikä": column((2026 - day.year for day in born), "AGE"),
        "huoltaja": column(dirty(rng, misspelt(rng, mixed(d, [f"{one[0]} {fake.first_name()}" for one in rows]))), "PERSON_NAME"),
        "yhteystiedot": column(dirty(rng, [rng.choice([f"{one[1]} / {one[2]}", f"{one[1]}, {one[2]}", f"{one[2]} / {one[1]}"]) for one in rows], "", "ei tiedossa"), "PHONE", "direct"),
        "hetu (maksaja)": column(dirty(rng, [_finnish(d) for _ in rows], "", "-"), "NATIONAL_ID"),
        "lähiosoite": column(dirty(rng, [one[3] for one in rows], ""), "STREET_ADDRESS"),
        "postitoimipaikka": column((f"{one[4]} {one[5].upper()}" for one in rows), "CITY", "quasi"),
        "taso": column(d.many("1|2|3|4|vapaa|?", 30, 25, 20, 10, 10, 5), "NONE", "none", "quasi"),
        "laji": column(d.many("lasku|lumilauta|murtomaa|Lasku", 60, 25, 10, 5), "NONE", "none", "quasi"),
        "pituus cm": column(dirty(rng, d.numbers(98, 182), "", "?"), "BIOMETRIC", "sensitive", "quasi"),
        "opettaja": column(rng.choices([f"{fake.first_name()} {rng.choice(UPPER)}." for _ in range(14)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "alkaa": column((f"{day} klo {rng.randrange(9, 16)}.{rng.choice(['00', '30'])}" for day in d.days(2026, 2026, "%d.%m.%Y")), "DATE_EVENT"),
        "hinta": column((f"{one} €" for one in d.many("39,00|52,00|78,00|145,00")), "FINANCIAL"),
        "maksettu": column(d.many("kyllä|ei|osittain", 80, 15, 5), "NONE", "none", "sensitive"),
        "allergiat/sairaudet": column(dirty(rng, d.many("ei|pähkinä|astma|laktoosi|epilepsia|diabetes 1", 80, 6, 6, 4, 2, 2), ""), "MEDICAL"),
        "viite": column((f"{rng.randrange(10**6, 10**9)}" for _ in rows), "RECORD_ID", "direct", "none"),
        "lisätiedot": column(
            remarks(d, ("office_lessons", "lisätiedot"), [
                "Hakee {person}, p. {phone}", "Lapsi pelkää hissiä.", "Isoäiti {person} saattaa.", "Uusi osoite {address}", "Kuitti osoitteeseen {email}",
                "Vuokrasukset 130 cm, monot 35.", "Siirretty lumipyryn takia.", "Soita {phone} jos myöhässä.",
            ], {"person": fake.name, "phone": phone, "address": lambda: f"{fake.street_address()}, {fake.postcode()} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _finnish(d: Drawn) -> str:
    born = d.fake.date_of_birth(minimum_age=26, maximum_age=60)
    head = f"{born:%d%m%y}{'-' if born.year < 2000 else 'A'}{d.rng.randrange(2, 900):03}"
    return next(head + sign for sign in "0123456789ABCDEFHJKLMNPRSTUVWXY" if hetu.is_valid(head + sign))


def admissions() -> dict[str, Labelled]:
    """Admissions to a school in India, in English."""
    d = Drawn("en_IN", SEED + 1, 320)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["{}{}", "+91 {} {}", "0{}{}", "{}-{}"]).format(
        f"{rng.choice('6789')}{digits(rng, 4)}", digits(rng, 5)
    )
    names = [f"{fake.first_name()} {fake.last_name()}" for _ in range(d.rows)]
    numbers = [valid(rng, 12, aadhaar.is_valid) for _ in names]
    person = lambda: f"{rng.choice(['Mr. ', 'Mrs. ', 'Smt. ', 'Shri ', ''])}{fake.first_name()} {fake.last_name()}"
    return {
        "Sl No": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "Adm No": column((f"{rng.choice(['2024', '2025', '2026'])}/{i:04}" for i in rng.sample(range(9999), d.rows)), "PERSON_ID"),
        "Name of Pupil": column(dirty(rng, misspelt(rng, mixed(d, names, 0.05, 0.4))), "PERSON_NAME"),
        "Class & Sec": column((f"{rng.choice(['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'])}-{rng.choice('ABC')}" for _ in names), "NONE", "none", "quasi"),
        "DOB": column(d.days(2009, 2020, "%d-%m-%Y"), "DATE_OF_BIRTH"),
        "Gen": column(d.many("M|F|m|f", 48, 44, 4, 4), "GENDER"),
        "Category": column(d.many("GEN|OBC|SC|ST|EWS", 40, 35, 12, 6, 7), "RACE_ETHNICITY", "quasi", "sensitive"),
        "Religion": column(dirty(rng, d.many("Hindu|Muslim|Christian|Sikh|Jain", 70, 16, 8, 4, 2), ""), "RELIGION"),
        "Mother Tongue": column(d.many("Hindi|Tamil|Kannada|Telugu|Marathi|Urdu"), "LANGUAGE"),
        "Father/Guardian & Occupation": column(dirty(rng, [f"{person()} - {rng.choice(['Farmer', 'Business', 'Teacher', 'Driver', 'Govt. service', 'Tailor'])}" for _ in names]), "PERSON_NAME"),
        "Annual Income": column(dirty(rng, [f"{rng.choice([60, 84, 96, 120, 180, 250, 420])}000" for _ in names], "", "NA"), "INCOME"),
        "Contact": column(dirty(rng, [" / ".join(phone() for _ in range(rng.choice([1, 1, 2]))) for _ in names], "", "NIL"), "PHONE"),
        "Aadhaar": column(dirty(rng, [rng.choice([f"{n[:4]} {n[4:8]} {n[8:]}", n]) for n in numbers], "", "Not submitted"), "NATIONAL_ID"),
        "Residence": column((f"{fake.street_address()}, {fake.city()} - {rng.randrange(110000, 799999)}" for _ in names), "STREET_ADDRESS"),
        "TC No. & Date": column((f"{rng.randrange(1, 900)} dt. {day}" for day in d.days(2024, 2026, "%d/%m/%y")), "RECORD_ID", "direct", "none"),
        "House": column(d.many("Red|Blue|Green|Yellow"), "NONE", "none", "quasi"),
        "Bus Stop": column(dirty(rng, d.many("Gandhi Chowk|Old Bus Stand|Railway Gate|Own conveyance|Temple Road"), ""), "ADDRESS_PART", "quasi", "none"),
        "Fee Concession": column(d.many("Nil|50%|RTE|Staff ward|Sibling 10%", 75, 5, 12, 3, 5), "NONE", "none", "sensitive"),
        "Blood Grp": column(dirty(rng, d.many("O+|B+|A+|AB+|O-|B-"), ""), "MEDICAL"),
        "Remarks": column(
            remarks(d, ("office_admissions", "Remarks"), [
                "Call uncle {person} on {phone}", "TC awaited.", "Sibling {person} studies in IV.", "Shifted to {address}",
                "Fees paid upto June", "Receipt sent to {email}", "Weak eyesight, seat in front.", "Parents separated; only {person} may collect.",
            ], {"person": person, "phone": phone, "address": lambda: f"{fake.street_address()}, {fake.city()} {rng.randrange(110000, 799999)}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def water() -> dict[str, Labelled]:
    """Bills of a supplier of water in Greece."""
    d = Drawn("el_GR", SEED + 2, 300)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["69{}{}{}", "69{} {} {}", "2{}{}{}", "+30 69{} {} {}"]).format(
        digits(rng, 2), digits(rng, 3), digits(rng, 3)
    )
    names = [f"{fake.last_name()} {fake.first_name()}" for _ in range(d.rows)]
    place = lambda: f"{fake.street_address()}, Τ.Κ. {rng.randrange(100, 860):03} {rng.randrange(10, 99)} {fake.city()}"
    return {
        "Αρ. Παροχής": column((f"{rng.randrange(1, 9)}-{digits(rng, 6)}-{rng.randrange(10)}" for _ in names), "PERSON_ID", "direct", "none"),
        "Ονοματεπώνυμο": column(dirty(rng, misspelt(rng, mixed(d, names, 0.02, 0.5))), "PERSON_NAME"),
        "ΑΦΜ": column(dirty(rng, [valid(rng, 9, vat.is_valid) for _ in names], "", "-"), "TAX_ID"),
        "ΑΜΚΑ": column(dirty(rng, [_greek(d) for _ in names], "", "δεν δόθηκε"), "SSN"),
        "Στοιχεία επικοινωνίας": column(dirty(rng, [rng.choice([f"{phone()} - {fake.email()}", f"{phone()} - {phone()}", phone()]) for _ in names], ""), "PHONE", "direct"),
        "Διεύθυνση": column((place() for _ in names), "STREET_ADDRESS"),
        "ΤΚ/Πόλη": column((f"{rng.randrange(100, 860):03} {rng.randrange(10, 99)} {fake.city()}" for _ in names), "CITY", "quasi"),
        "Ένδειξη (m3)": column(d.numbers(10, 9800), "BEHAVIOUR", "sensitive", "none"),
        "Προηγ. ένδειξη": column(d.numbers(10, 9800), "BEHAVIOUR", "sensitive", "none"),
        "Ημ/νία έκδοσης": column(d.days(2025, 2026, "%d/%m/%Y"), "DATE_EVENT"),
        "Ποσό": column((f"{rng.lognormvariate(3.7, 0.6):.2f} €".replace(".", ",") for _ in names), "FINANCIAL"),
        "Κατάσταση": column(d.many("Εξοφλημένος|Ανεξόφλητος|Ρύθμιση|Διακοπή", 70, 18, 8, 4), "NONE", "none", "sensitive"),
        "Τύπος": column(d.many("Οικιακό|Επαγγελματικό|Αρδευτικό", 80, 15, 5), "NONE", "none", "quasi"),
        "Κοινωνικό τιμολόγιο": column(d.many("ΝΑΙ|ΟΧΙ", 10, 90), "NONE", "none", "sensitive"),
        "IBAN": column(dirty(rng, [iban("GR", digits(rng, 23)) if rng.random() < 0.4 else "" for _ in names]), "IBAN"),
        "Καταμετρητής": column(rng.choices([f"{fake.last_name()} {fake.first_name()[0]}." for _ in range(9)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Παρατηρήσεις": column(
            remarks(d, ("office_water", "Παρατηρήσεις"), [
                "Να ειδοποιηθεί ο {person}, τηλ {phone}", "Σκύλος στην αυλή.", "Μετακόμισε: {address}", "Ενοικιαστής {person}", "Λογαριασμός στο {email}",
                "Χαλασμένο ρολόι", "Διαρροή, έκπτωση 30%.", "Κιν. {phone}",
            ], {"person": fake.name, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _greek(d: Drawn) -> str:
    born = d.fake.date_of_birth(minimum_age=20, maximum_age=90)
    while True:
        number = f"{born:%d%m%y}{d.rng.randrange(10**5):05}"
        if amka.is_valid(number):
            return number


def medicines() -> dict[str, Labelled]:
    """Prescriptions of a pharmacy in Hungary; patients come back."""
    d = Drawn("hu_HU", SEED + 3, 420)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["+36 {} {} {}", "06-{}/{}-{}", "06 {} {} {}", "06{}{}{}"]).format(
        rng.choice(["20", "30", "70"]), digits(rng, 3), digits(rng, 4)
    )
    person = lambda: f"{rng.choice(['', '', '', 'Dr. ', 'özv. '])}{fake.last_name()} {fake.first_name()}"
    place = lambda: (
        f"{rng.randrange(1011, 9990)} {fake.city()}, {fake.street_name()} {rng.randrange(1, 140)}{rng.choice(['.', '/a', '. II. em. 4.'])}"
    )
    patients = [
        (
            person(),
            _taj(d),
            fake.date_of_birth(minimum_age=2, maximum_age=95),
            f"{fake.last_name()} {fake.first_name()}",
            place(),
            phone(),
            rng.choice(["férfi", "nő"]),
        )
        for _ in range(190)
    ]
    rows = rng.choices(patients, k=d.rows)
    return {
        "vényszám": column((f"{rng.choice(['EV', 'PV'])}{digits(rng, 9)}" for _ in rows), "RECORD_ID", "direct", "none"),
        "beteg": column(dirty(rng, misspelt(rng, mixed(d, [one[0] for one in rows]))), "PERSON_NAME"),
        "TAJ": column(dirty(rng, [rng.choice([f"{one[1][:3]} {one[1][3:6]} {one[1][6:]}", one[1], f"{one[1][:3]}-{one[1][3:6]}-{one[1][6:]}"]) for one in rows], "", "nincs"), "SSN"),
        "szül.": column((f"{one[2]:%Y.%m.%d.}" for one in rows), "DATE_OF_BIRTH"),
        "anyja neve": column(dirty(rng, [one[3] for one in rows], ""), "PERSON_NAME"),
        "nem": column((one[6] for one in rows), "GENDER"),
        "lakcím": column(dirty(rng, [one[4] for one in rows], ""), "STREET_ADDRESS"),
        "elérhetőség": column(dirty(rng, [rng.choice([one[5], f"{one[5]} ({one[0].split()[-1].lower()}{rng.randrange(99)}@freemail.hu)"]) for one in rows], "", "nincs megadva"), "PHONE", "direct"),
        "BNO": column(d.many("I10|E11.9|J45.0|M54.5|F32.1|K21.9|E78.5"), "MEDICAL"),
        "készítmény": column(d.many("Algoflex 400 mg|Concor 5 mg|Merckformin 1000|Xanax 0,5 mg|Controloc 20|Frontin 0,25"), "MEDICAL"),
        "db": column(d.many("1|2|3", 80, 15, 5), "NONE"),
        "orvos (pecsétszám)": column(rng.choices([f"Dr. {fake.last_name()} {fake.first_name()} ({digits(rng, 5)})" for _ in range(24)], k=d.rows), "PERSON_NAME"),
        "kiadva": column((f"{day} {rng.randrange(8, 19):02}:{rng.randrange(60):02}" for day in d.days(2026, 2026, "%Y.%m.%d.")), "DATE_EVENT"),
        "térítési díj": column((f"{rng.randrange(0, 9900)} Ft" for _ in rows), "FINANCIAL"),
        "jogcím": column(d.many("általános|közgyógy|EÜ 90|teljes ár", 60, 15, 15, 10), "NONE", "none", "sensitive"),
        "kiváltotta": column(d.many("beteg|hozzátartozó|gondozó", 70, 22, 8), "NONE", "none", "sensitive"),
        "megjegyzés": column(
            remarks(d, ("office_medicines", "megjegyzés"), [
                "Kiváltja a lánya, {person}.", "Visszahívni: {phone}", "Házhoz: {address}", "Helyettesíthető.", "Számla: {email}", "Interakció egyeztetve {person} orvossal.",
                "Hűtőben tárolandó.", "tel.: {phone}, este",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _taj(d: Drawn) -> str:
    body = digits(d.rng, 8)
    return f"{body}{sum(int(sign) * (3 if i % 2 == 0 else 7) for i, sign in enumerate(body)) % 10}"


def deeds() -> dict[str, Labelled]:
    """Register of the deeds of a notary in Ukraine."""
    d = Drawn("uk_UA", SEED + 4, 280)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["+380{}{}", "0{}{}", "(0{}) {}", "0{} {}"]).format(
        rng.choice(["67", "50", "63", "95"]), digits(rng, 7)
    )
    fathers = (
        "Іванович|Петрович|Олександрович|Миколайович|Володимирович|Іванівна|Петрівна|Олександрівна|Миколаївна|Василівна"
    )
    person = lambda: f"{fake.last_name()} {fake.first_name()} {rng.choice(fathers.split('|'))}"
    born = [fake.date_of_birth(minimum_age=18, maximum_age=90) for _ in range(d.rows)]
    place = lambda: (
        f"м. {fake.city_name()}, вул. {fake.last_name()}а, буд. {rng.randrange(1, 200)}, кв. {rng.randrange(1, 190)}"
    )
    return {
        "№ з/п": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "Реєстр. №": column((f"{rng.randrange(1, 4)}-{i}" for i in rng.sample(range(100, 3000), d.rows)), "RECORD_ID", "direct", "none"),
        "ПІБ, дата народження": column(dirty(rng, [f"{person()}, {day:%d.%m.%Y} р.н." for day in born]), "PERSON_NAME"),
        "РНОКПП": column(dirty(rng, [valid(rng, 10, rntrc.is_valid) for _ in born], "", "відмова"), "TAX_ID"),
        "Паспорт": column(dirty(rng, [rng.choice([f"{rng.choice('АВЕКМНСТ')}{rng.choice('АВЕКМНСТ')} {digits(rng, 6)}", f"{digits(rng, 9)}"]) for _ in born], ""), "PASSPORT"),
        "Адреса реєстрації": column((place() for _ in born), "STREET_ADDRESS"),
        "Телефон/E-mail": column(dirty(rng, [rng.choice([phone(), f"{phone()}; {fake.email()}", fake.email()]) for _ in born], "", "немає"), "PHONE", "direct"),
        "Друга сторона": column(dirty(rng, [person() if rng.random() < 0.65 else f"ТОВ «{fake.last_name()}»" for _ in born], ""), "PERSON_NAME"),
        "Вид дії": column(d.many("Договір купівлі-продажу|Довіреність|Заповіт|Спадщина|Шлюбний договір|Засвідчення підпису"), "NONE", "none", "sensitive"),
        "Стать": column(d.many("ч|ж|чол.|жін.", 40, 40, 10, 10), "GENDER"),
        "Сім. стан": column(d.many("одружений|заміжня|неодружений|розлучена|вдова|вдівець"), "MARITAL_STATUS"),
        "Дата": column(d.days(2024, 2026, "%d.%m.%Y"), "DATE_EVENT"),
        "Сума, грн": column((f"{rng.lognormvariate(13, 1):,.2f}".replace(",", " ").replace(".", ",") for _ in born), "FINANCIAL"),
        "Держмито": column((f"{rng.choice(['17,00', '34,00', '51,00', '0'])}" for _ in born), "FINANCIAL"),
        "Пільга": column(dirty(rng, d.many("немає|УБД|інвалід II гр.|пенсіонер", 80, 8, 4, 8), ""), "NONE", "sensitive", "none"),
        "Помічник": column(rng.choices([f"{fake.last_name()} {rng.choice('АВГДОС')}.{rng.choice('АВІМП')}." for _ in range(6)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Примітки": column(
            remarks(d, ("office_deeds", "Примітки"), [
                "Перекладач {person}.", "Передзвонити {phone}", "Фактично проживає: {address}", "Витяг надіслано на {email}", "Оригінал видано.", "Представник {person}, тел. {phone}",
                "Очікуємо оцінку майна.", "Дублікат.",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def lettings() -> dict[str, Labelled]:
    """Tenants of a housing corporation in the Netherlands."""
    d = Drawn("nl_NL", SEED + 5, 340)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["06-{}{}", "06 {} {}", "06{}{}", "+31 6 {}{}"]).format(digits(rng, 4), digits(rng, 4))
    last = lambda: rng.choice(
        [
            "de Vries",
            "Jansen",
            "van den Berg",
            "Bakker",
            "van Dijk",
            "Visser",
            "Smit",
            "Meijer",
            "de Boer",
            "Mulder",
            "El Amrani",
            "Yılmaz",
            "Bos",
            "Vos",
            "Peters",
            "Hendriks",
            "van Leeuwen",
            "Dekker",
            "Brouwer",
            "de Wit",
        ]
    )
    holder = lambda: (
        f"{rng.choice(['Dhr.', 'Mevr.', 'dhr', 'Fam.'])} {rng.choice(UPPER)}.{rng.choice(['', rng.choice(UPPER) + '.'])} {last()}"
    )
    code = lambda: f"{rng.randrange(1011, 9999)}{rng.choice([' ', ''])}{rng.choice(UPPER)}{rng.choice(UPPER)}"
    place = lambda: (
        f"{fake.street_name()} {rng.randrange(1, 300)}{rng.choice(['', ' A', '-2', ' hs'])}, {code()} {fake.city()}"
    )
    return {
        "Contractnr": column((f"{rng.randrange(10**5):05}.{rng.randrange(1, 4)}" for _ in range(d.rows)), "PERSON_ID", "direct"),
        "Hoofdhuurder": column(dirty(rng, misspelt(rng, [holder() for _ in range(d.rows)])), "PERSON_NAME"),
        "Medehuurder (geb.dat.)": column(dirty(rng, [f"{fake.first_name()} {last()} ({day})" if rng.random() < 0.5 else "" for day in d.days(1940, 2006, "%d-%m-%Y")], "n.v.t."), "PERSON_NAME"),
        "BSN": column(dirty(rng, [valid(rng, 9, bsn.is_valid) for _ in range(d.rows)], "", "onbekend"), "NATIONAL_ID"),
        "Adres complex": column((place() for _ in range(d.rows)), "STREET_ADDRESS"),
        "PC+plaats": column((f"{code()} {fake.city().upper()}" for _ in range(d.rows)), "CITY", "quasi"),
        "Telefoon / mail": column(dirty(rng, [f"{phone()} / {fake.email()}" if rng.random() < 0.8 else phone() for _ in range(d.rows)], "", "geen"), "PHONE", "direct"),
        "IBAN": column(dirty(rng, [iban("NL", f"{rng.choice(['INGB', 'RABO', 'ABNA'])}0{digits(rng, 9)}") for _ in range(d.rows)], ""), "IBAN"),
        "Huurprijs": column((f"€ {rng.gauss(640, 90):.2f}".replace(".", ",") for _ in range(d.rows)), "FINANCIAL"),
        "Inkomen 2025": column(dirty(rng, [f"{rng.randrange(14, 62)}.{rng.randrange(1000):03}" for _ in range(d.rows)], "", "onbekend"), "INCOME"),
        "Huishouden": column(d.many("1p|2p|1-ouder|gezin 2k|gezin 3+"), "HOUSEHOLD"),
        "Huurtoeslag": column(d.many("J|N", 45, 55), "NONE", "none", "sensitive"),
        "Ingang": column(d.days(1998, 2026, "%d-%m-%Y"), "DATE_EVENT"),
        "Woningtype": column(d.many("Portiek|Galerij|Eengezins|Seniorenwoning|Studio"), "NONE", "none", "quasi"),
        "Achterstand": column((f"{one}" for one in d.many("0|0|0|1 mnd|2 mnd|>3 mnd")), "FINANCIAL", "sensitive", "none"),
        "Wijkbeheerder": column(rng.choices([f"{fake.first_name()} ({phone()})" for _ in range(7)], k=d.rows), "PHONE", "direct", "quasi"),
        "Urgentie": column(dirty(rng, d.many("geen|medisch|mantelzorg|statushouder|echtscheiding", 80, 7, 4, 5, 4), ""), "MEDICAL", "sensitive"),
        "Opmerkingen": column(
            remarks(d, ("office_lettings", "Opmerkingen"), [
                "Bellen met bewindvoerder {person}, {phone}.", "Sleutel bij buurvrouw {person}", "Post naar {address}", "Factuur naar {email}", "Lekkage keuken gemeld.",
                "Hond in woning, eerst bellen.", "Contactpersoon GGZ: {person}", "tel {phone} na 18u",
            ], {"person": lambda: f"{fake.first_name()} {last()}", "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


READ = (lessons, admissions)
ASIDE = (water, medicines, deeds, lettings)


def tables(makers: Sequence[Callable[[], dict[str, Labelled]]] = READ) -> Iterator[Table]:
    """Yield the tables; each is a source of its own."""
    for make in makers:
        yield Table(f"office_{make.__name__}", make.__name__, make())
