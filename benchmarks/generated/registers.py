# ruff: noqa: E501, E731 - the columns of a table are read whole, and makers of values are written next to them
"""Six registers that associations and small firms keep, in countries and trades of which no table was written before.

Question: what is found where names have titles that no list has, people and firms are in one column, amounts have a
currency, and dates have an hour?
Method: as in `offices.py`. Labels and tables were written before any verdict on them was seen. `ASIDE` were not scanned
before the rules that they measure were finished.
Limits: one author wrote the sentences and the forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from stdnum.ch import ssn
from stdnum.hr import oib
from stdnum.th import pin

from generated.everyday import Drawn
from generated.labelled import Labelled, Table, column, digits
from generated.strangers import UPPER, dirty, iban, misspelt, valid
from generated.trades import mixed, remarks

SEED = 20270310


def co_owners() -> dict[str, Labelled]:
    """List of the co-owners of buildings in Belgium, as a property manager keeps it."""
    d = Drawn("nl_BE", SEED, 310)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["04{0} {1} {2} {3}", "04{0}/{1}.{2}.{3}", "+32 4{0} {1}{2}{3}", "02 5{1} {2} {3}"]).format(
        rng.randrange(68, 99), *(f"{rng.randrange(10, 99)}" for _ in range(3))
    )  # fmt: skip
    person = lambda: f"{rng.choice(['Dhr.', 'Mevr.', 'M.', 'Mme', ''])} {fake.first_name()} {fake.last_name()}".strip()
    firm = lambda: f"{fake.last_name()} {rng.choice(['BV', 'NV', 'SRL', 'Immo NV'])}"
    place = lambda: f"{fake.street_name()} {rng.randrange(1, 240)}{rng.choice(['', ' bus 3', ' bte 12', '/0201'])}"
    owner = lambda: rng.choice([person, person, lambda: f"{person()} - {person()}", firm])()
    account = lambda: iban("BE", digits(rng, 12))
    return {
        "VME": column(d.many("0873.442.120|0765.310.884|0651.002.317"), "NONE", "none", "quasi"),
        "Kavel": column((f"{rng.choice('ABC')}{rng.randrange(0, 9)}.{rng.randrange(1, 9)}" for _ in range(d.rows)), "ADDRESS_PART", "quasi", "none"),
        "Eigenaar / Propriétaire": column(dirty(rng, misspelt(rng, mixed(d, [owner() for _ in range(d.rows)], 0.02, 0.15))), "PERSON_NAME"),
        "Rijksreg./Ond.nr.": column(dirty(rng, [_belgian(d) if rng.random() < 0.7 else f"0{digits(rng, 3)}.{digits(rng, 3)}.{digits(rng, 3)}" for _ in range(d.rows)], "", "?"), "NATIONAL_ID"),
        "Briefadres": column(dirty(rng, [place() for _ in range(d.rows)], "idem"), "STREET_ADDRESS"),
        "PC Gemeente": column((f"{rng.randrange(1000, 9990)} {fake.city()}" for _ in range(d.rows)), "CITY", "quasi"),
        "Taal": column(d.many("N|F|NL|FR|E", 50, 30, 8, 8, 4), "LANGUAGE", "quasi", "none"),
        "GSM": column(dirty(rng, [phone() for _ in range(d.rows)], "", "geen"), "PHONE"),
        "Mail(s)": column(dirty(rng, [rng.choice([fake.email(), f"{fake.email()}; {fake.email()}"]) for _ in range(d.rows)], "", "per post"), "EMAIL"),
        "Aandelen": column((f"{rng.randrange(12, 220)}/10.000" for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Rek.nr.": column(dirty(rng, [" ".join(one[i : i + 4] for i in range(0, 16, 4)) for one in (account() for _ in range(d.rows))], ""), "IBAN"),
        "Saldo": column((f"€ {rng.choice(['', '-'])}{rng.choice(['', '1.', '2.'])}{rng.randrange(100, 1000)},{rng.randrange(100):02}" for _ in range(d.rows)), "FINANCIAL"),
        "Prov. kwart.": column((f"{rng.randrange(80, 690)},{rng.choice(['00', '50'])} €" for _ in range(d.rows)), "FINANCIAL"),
        "Bewoner": column(dirty(rng, [rng.choice(["eigenaar", person(), person(), "leegstand"]) for _ in range(d.rows)], ""), "PERSON_NAME", "direct"),
        "Volmacht AV": column(d.many("ja|nee|neen|J|"), "NONE"),
        "Akte": column(d.days(1994, 2026, "%d/%m/%y"), "DATE_EVENT"),
        "Opm.": column(
            remarks(d, ("register_co_owners", "Opm."), [
                "Sleutel bij {person}, {phone}", "Stuur alles naar {email}", "Overleden, zoon {person} regelt erfenis", "Verhuisd naar {address}", "Lekkage dak, expert komt.",
                "Afbetaling 3 x afgesproken", "bellen na 18u op {phone}", "Schuldbemiddelaar mr. {person}",
            ], {"person": lambda: f"{fake.first_name()} {fake.last_name()}", "phone": phone, "address": lambda: f"{place()}, {rng.randrange(1000, 9990)} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _belgian(d: Drawn) -> str:
    born = d.fake.date_of_birth(minimum_age=22, maximum_age=90)
    serial = d.rng.randrange(1, 998)
    body = f"{born:%y%m%d}{serial:03}"
    check = 97 - int(("2" if born.year >= 2000 else "") + body) % 97
    return f"{born:%y.%m.%d}-{serial:03}.{check:02}"


def savings() -> dict[str, Labelled]:
    """Contributions to a savings group in Kenya; members come back."""
    d = Drawn("en_KE", SEED + 1, 380)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["07{0} {1} {2}", "07{0}{1}{2}", "+254 7{0} {1}{2}", "2547{0}{1}{2}"]).format(
        digits(rng, 2), digits(rng, 3), digits(rng, 3)
    )
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    members = [
        (f"{rng.choice(['Mama ', 'Mzee ', 'Bi. ', 'Eng. ', '', '', '', ''])}{person()}", digits(rng, 8), phone(), f"{rng.choice(['A', 'B'])}0{digits(rng, 8)}{rng.choice(UPPER)}", rng.randrange(1, 60))
        for _ in range(140)
    ]  # fmt: skip
    rows = rng.choices(members, k=d.rows)
    amount = lambda: f"{rng.randrange(1, 40) * 500:,}"
    return {
        "M/No": column((f"M{one[4]:03}" for one in rows), "PERSON_ID", "direct", "quasi"),
        "Member": column(dirty(rng, misspelt(rng, mixed(d, [one[0] for one in rows], 0.05, 0.2))), "PERSON_NAME"),
        "ID No.": column(dirty(rng, [one[1] for one in rows], "", "lost", "alien"), "NATIONAL_ID"),
        "KRA": column(dirty(rng, [one[3] for one in rows], "", "-"), "TAX_ID"),
        "M-Pesa": column(dirty(rng, [one[2] for one in rows], "", "none"), "PHONE"),
        "Txn": column((f"{rng.choice('QRST')}{''.join(rng.choices(UPPER + '0123456789', k=9))}" for _ in rows), "RECORD_ID", "direct", "none"),
        "When": column((f"{day} {rng.randrange(1, 12)}:{rng.randrange(60):02} {rng.choice(['AM', 'PM'])}" for day in d.days(2026, 2026, "%d/%m/%y")), "DATE_EVENT"),
        "Shares": column((f"KES {amount()}" if rng.random() < 0.6 else f"{amount()}/=" for _ in rows), "FINANCIAL"),
        "Welfare": column((f"Ksh. {rng.choice([100, 200, 300])}" for _ in rows), "FINANCIAL"),
        "Loan bal": column(dirty(rng, [f"KSh {amount()}.00" if rng.random() < 0.5 else "nil" for _ in rows], ""), "FINANCIAL"),
        "Fine": column(d.many("0|50|100|late 50|absent 200", 70, 10, 8, 7, 5), "FINANCIAL", "sensitive", "none"),
        "Guarantor(s)": column(dirty(rng, [rng.choice([f"{person()} & {person()}", person(), f"{person()} ({phone()})"]) for _ in rows], "", "n/a"), "PERSON_NAME"),
        "Next of kin": column(dirty(rng, [f"{person()} - {rng.choice(['wife', 'husband', 'son', 'Daughter', 'sister'])}" for _ in rows], ""), "PERSON_NAME"),
        "County/Ward": column((f"{rng.choice(['Kiambu', 'NAIROBI', 'Nakuru', 'Machakos', 'Kisumu'])}/{rng.choice(['Ndumberi', 'Kasarani', 'Bahati', 'Mua', 'Kolwa'])}" for _ in rows), "CITY", "quasi"),
        "Occup.": column(d.many("boda|Mama mboga|teacher|tailor|Jua kali|farmer|salonist|hawker"), "OCCUPATION"),
        "Sex/Age": column((f"{rng.choice(['F', 'M', 'f'])}/{rng.randrange(19, 74)}" for _ in rows), "AGE", "quasi"),
        "Bank a/c": column(dirty(rng, [f"{rng.choice(['KCB', 'Equity', 'Coop'])} {digits(rng, rng.choice([10, 13]))}" if rng.random() < 0.5 else "" for _ in rows], "none"), "BANK_ACCOUNT", "direct"),
        "Rmks": column(
            remarks(d, ("register_savings", "Rmks"), [
                "Paid by {person} on her behalf", "Sick, admitted at KNH", "Call {phone} b4 meeting", "Loan for school fees, guaranteed by {person}", "Statement to {email}",
                "Defaulter!! talk to chief", "moved to {address}", "sent wrong no. {phone}",
            ], {"person": person, "phone": phone, "address": lambda: f"Plot {rng.randrange(1, 400)}, {fake.last_name()} Rd, Nakuru", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def school_bus() -> dict[str, Labelled]:
    """Pupils who ride the bus of a school in Thailand."""
    d = Drawn("th_TH", SEED + 2, 270)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["08{0}-{1}-{2}", "09{0}{1}{2}", "06{0} {1} {2}", "+66 8{0} {1} {2}"]).format(
        rng.randrange(10), digits(rng, 3), digits(rng, 4)
    )
    boys = [rng.random() < 0.5 for _ in range(d.rows)]
    first = [fake.first_name_male() if boy else fake.first_name_female() for boy in boys]
    person = lambda: f"{rng.choice(['นาย', 'นาง', 'น.ส.', 'คุณ'])}{fake.first_name()} {fake.last_name()}"
    place = lambda: f"{rng.randrange(1, 400)}/{rng.randrange(1, 90)} {rng.choice(['ม.', 'หมู่ '])}{rng.randrange(1, 12)} {rng.choice(['ซ.', 'ถ.'])}{rng.choice(['สุขุมวิท 71', 'ลาดพร้าว 15', 'รามอินทรา', 'งามวงศ์วาน', 'เพชรเกษม 48'])} {rng.choice(['แขวงจันทรเกษม เขตจตุจักร', 'ต.บางกระสอ อ.เมือง จ.นนทบุรี', 'แขวงบางแค เขตบางแค', 'ต.คลองหนึ่ง อ.คลองหลวง จ.ปทุมธานี'])}"  # fmt: skip
    nick = "ต้น|ฝน|แบงค์|มายด์|ออย|ปอ|แนน|ไอซ์|เจมส์|พลอย|บีม|น้ำ".split("|")
    born = [fake.date_of_birth(minimum_age=5, maximum_age=16) for _ in boys]
    drivers = [f"{rng.choice(['ลุง', 'พี่', 'น้า'])}{fake.first_name()}" for _ in range(6)]
    return {
        "ลำดับ": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "รหัส นร.": column((f"{i}" for i in rng.sample(range(20000, 29999), d.rows)), "PERSON_ID"),
        "ชื่อ-สกุล": column(dirty(rng, misspelt(rng, [f"{'ด.ช.' if boy else 'ด.ญ.'}{rng.choice(['', ' '])}{name} {fake.last_name()}" for boy, name in zip(boys, first, strict=True)])), "PERSON_NAME"),
        "ชื่อเล่น": column(rng.choices(nick, k=d.rows), "FIRST_NAME", "direct", "quasi"),
        "เลข ปชช.": column(dirty(rng, [_thai(d) for _ in boys], "", "ยังไม่ส่ง"), "NATIONAL_ID"),
        "วดป.เกิด": column((f"{day.day}/{day.month}/{day.year + 543}" for day in born), "DATE_OF_BIRTH"),
        "ชั้น": column((f"{rng.choice(['ป.', 'ม.'])}{rng.randrange(1, 7)}/{rng.randrange(1, 5)}" for _ in boys), "NONE", "quasi", "none"),
        "เพศ": column((rng.choice(["ช", "ชาย"]) if boy else rng.choice(["ญ", "หญิง"]) for boy in boys), "GENDER"),
        "ผู้ปกครอง (โทร)": column(dirty(rng, [f"{person()} ({phone()})" if rng.random() < 0.7 else person() for _ in boys], ""), "PERSON_NAME"),
        "เบอร์โทร": column(dirty(rng, [rng.choice([phone(), f"{phone()}, {phone()}"]) for _ in boys], "", "ไม่มี"), "PHONE"),
        "Line ID": column(dirty(rng, [f"{rng.choice(['nong', 'mae', 'baan', 'kru'])}{rng.choice(['_', '.', ''])}{fake.user_name()[:7]}{rng.randrange(99)}" for _ in boys], "-"), "USERNAME", "direct"),
        "จุดรับ": column(dirty(rng, [place() for _ in boys], ""), "STREET_ADDRESS"),
        "สาย": column(d.many("1|2|3|4A|4B|5"), "NONE", "none", "quasi"),
        "คนขับ": column(rng.choices(drivers, k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "ทะเบียนรถ": column(rng.choices([f"{rng.choice(['ฮก', 'นข', '1นค', 'อร'])} {rng.randrange(1000, 9999)}" for _ in range(6)], k=d.rows), "VEHICLE_ID", "direct", "quasi", "none"),
        "ค่ารถ/เทอม": column((f"{rng.choice([4500, 5200, 6000, 7800]):,} บาท" for _ in boys), "FINANCIAL"),
        "ชำระ": column(dirty(rng, [f"{day} {rng.randrange(7, 19):02}.{rng.randrange(60):02} น." for day in d.days(2026, 2026, "%d/%m/%Y")], "ค้าง"), "DATE_EVENT"),
        "โรคประจำตัว": column(d.many("ไม่มี|หอบหืด|แพ้ถั่ว|แพ้นม|ลมชัก|G6PD|-", 60, 12, 8, 6, 3, 4, 7), "MEDICAL"),
        "หมายเหตุ": column(
            remarks(d, ("register_school_bus", "หมายเหตุ"), [
                "ถ้าสายโทรหา {phone}", "ยายมารับแทน ชื่อ {person}", "ลงที่บ้านป้า {address}", "เมารถ นั่งหน้า", "วันศุกร์ไม่ขึ้นรถ",
                "ส่งใบเสร็จ {email}", "พ่อแม่แยกกันอยู่ ห้ามให้ {person} รับ", "โทร {phone} ก่อนถึง",
            ], {"person": person, "phone": phone, "address": place, "email": lambda: f"{fake.user_name()}@gmail.com"}),
            "FREE_TEXT"),
    }  # fmt: skip


def _thai(d: Drawn) -> str:
    number = valid(d.rng, 13, pin.is_valid)
    if d.rng.random() < 0.5:
        return number
    return f"{number[0]}-{number[1:5]}-{number[5:10]}-{number[10:12]}-{number[12]}"


def apprentices() -> dict[str, Labelled]:
    """Register of apprenticeship contracts that a canton of Switzerland keeps."""
    d = Drawn("de_CH", SEED + 3, 340)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["07{0} {1} {2} {3}", "+41 7{0} {1} {2} {3}", "07{0}/{1} {2} {3}", "044 {1} {2} {3}"]).format(
        rng.choice("6789"), digits(rng, 3), digits(rng, 2), digits(rng, 2)
    )  # fmt: skip
    firm = lambda: f"{fake.last_name()} {rng.choice(['AG', 'GmbH', 'Holzbau AG', '& Söhne', 'Elektro GmbH'])}"
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    place = lambda: (
        f"{fake.last_name()}{rng.choice(['strasse', 'weg', 'gasse', 'rain'])} {rng.randrange(1, 140)}{rng.choice(['', '', 'a', 'b'])}"
    )
    born = [fake.date_of_birth(minimum_age=15, maximum_age=24) for _ in range(d.rows)]
    heads = [f"{rng.choice(['Dipl. Ing.', 'Dr.', 'lic. iur.', 'Mag.', ''])} {person()}".strip() for _ in range(9)]
    amount = lambda: (
        f"{rng.choice(['CHF ', 'Fr. ', ''])}{rng.randrange(6, 19) * 100 + rng.choice([0, 50])}{rng.choice(['.-', '.00', '.--'])}"
    )
    return {
        "LV-Nr.": column((f"{rng.choice([24, 25, 26])}-{i:05}" for i in rng.sample(range(100, 90000), d.rows)), "RECORD_ID", "direct", "none"),
        "Lernende/r": column(dirty(rng, misspelt(rng, mixed(d, [f"{fake.last_name()} {fake.first_name()}" for _ in born], 0.02, 0.1))), "PERSON_NAME"),
        "AHV-Nr": column(dirty(rng, [_swiss(d) for _ in born], "", "folgt"), "SSN"),
        "geb.": column((f"{day.day}.{day.month}.{day:%y}" for day in born), "DATE_OF_BIRTH"),
        "Alter b. Beginn": column((f"{rng.randrange(15, 22)} {rng.choice(['J.', 'Jahre', 'J'])}" for _ in born), "AGE"),
        "G": column(d.many("m|w|M|W|d", 45, 42, 6, 6, 1), "GENDER"),
        "Heimatort / Nat.": column((rng.choice([f"{fake.city()} {rng.choice(['ZH', 'BE', 'SG', 'AG'])}", fake.city(), "Portugal", "Kosovo", "Eritrea (F)"]) for _ in born), "CITY", "quasi"),
        "Strasse": column(dirty(rng, [place() for _ in born], ""), "STREET_ADDRESS"),
        "PLZ/Ort": column((f"{rng.choice(['', 'CH-'])}{rng.randrange(8000, 9658)} {fake.city()}" for _ in born), "CITY", "quasi"),
        "Natel": column(dirty(rng, [phone() for _ in born], "", "keins"), "PHONE"),
        "gesetzl. Vertr.": column(dirty(rng, [rng.choice([f"{person()}, {phone()}", person(), f"Beistand: {person()}"]) for _ in born], "", "volljährig"), "PERSON_NAME"),
        "Lehrbetrieb / Berufsbildner": column((rng.choice([firm(), person(), f"{firm()}, {person()}"]) for _ in born), "PERSON_NAME", "direct", "quasi"),
        "Beruf": column(d.many("Kaufmann/-frau EFZ|Elektroinstallateur EFZ|Fachmann Gesundheit EFZ|Coiffeuse EBA|Schreiner EFZ|Koch EFZ|Informatiker EFZ"), "OCCUPATION", "quasi"),
        "Lohn 1. Lj.": column((amount() for _ in born), "INCOME", "sensitive"),
        "Beginn": column(d.many("1.8.24|1.8.25|01.08.2026|1.9.25"), "DATE_EVENT"),
        "Nachteilsausgleich": column(dirty(rng, d.many("nein|Legasthenie|ADHS|ja|Hörbeeintr.", 80, 9, 5, 4, 2), ""), "MEDICAL", "sensitive"),
        "zust. Inspektor/in": column(rng.choices(heads, k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Stand": column(d.many("genehmigt|aufgelöst|pendent|sistiert"), "NONE", "none", "sensitive"),
        "letzte Mut.": column((f"{day}, {rng.randrange(7, 18):02}:{rng.randrange(60):02} Uhr" for day in d.days(2024, 2026, "%d.%m.%Y")), "DATE_EVENT"),
        "Bem.": column(
            remarks(d, ("register_apprentices", "Bem."), [
                "Lehrabbruch wegen psych. Problemen", "Mutter {person} angerufen, {phone}", "Post an {address}", "Neuer Betrieb ab 1.2., Kontakt {person}", "Zeugnis per Mail an {email}",
                "Lehrlingslohn nicht bezahlt!", "erreichbar {phone} nur abends", "Fall an KESB, Hr. {person}",
            ], {"person": person, "phone": phone, "address": lambda: f"{place()}, {rng.randrange(8000, 9658)} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _swiss(d: Drawn) -> str:
    while True:
        number = f"756{digits(d.rng, 10)}"
        if ssn.is_valid(number):
            return d.rng.choice([number, f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11:]}"])


def deliveries() -> dict[str, Labelled]:
    """Deliveries of a company in Colombia."""
    d = Drawn("es_CO", SEED + 4, 420)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["3{0} {1} {2}", "3{0}{1}{2}", "+57 3{0} {1}{2}", "3{0}-{1}-{2}"]).format(
        rng.choice(["00", "10", "15", "20", "18"]), digits(rng, 3), digits(rng, 4)
    )
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    place = lambda: f"{rng.choice(['Cra', 'Cl', 'Calle', 'KR', 'Dg', 'Tv'])} {rng.randrange(1, 170)}{rng.choice(['', 'A', ' bis', 'B'])} {rng.choice(['#', 'No. ', '# '])}{rng.randrange(1, 130)}-{rng.randrange(1, 99):02}{rng.choice(['', ' apto 301', ' int 4', ' T2 Ap 504'])}"  # fmt: skip
    clients = [
        (rng.choice([f"{person()}", f"Sra. {person()}", f"Don {person()}", f"{fake.last_name()} S.A.S.", f"Droguería {fake.last_name()}"]), f"{rng.choice(['CC ', 'C.C. ', ''])}{rng.randrange(10, 80)}.{digits(rng, 3)}.{digits(rng, 3)}", phone(), place())
        for _ in range(250)
    ]  # fmt: skip
    rows = rng.choices(clients, k=d.rows)
    couriers = [f"{fake.first_name()} {fake.last_name()[0]}." for _ in range(11)]
    money = lambda low, high: f"{rng.randrange(low, high) * 100:,}".replace(",", ".")
    return {
        "Guía": column((f"{i}" for i in rng.sample(range(700000000, 700999999), d.rows)), "RECORD_ID", "direct", "none"),
        "Destinatario": column(dirty(rng, misspelt(rng, mixed(d, [one[0] for one in rows], 0.08, 0.25))), "PERSON_NAME"),
        "Doc.": column(dirty(rng, [one[1] for one in rows], "", "no da"), "NATIONAL_ID"),
        "Cel": column(dirty(rng, [one[2] for one in rows], "", "x"), "PHONE"),
        "Dir": column(dirty(rng, [one[3] for one in rows], ""), "STREET_ADDRESS"),
        "Barrio": column(d.many("Chapinero|Suba|El Poblado|laureles|Kennedy|Cabecera|Usaquén|Bosa"), "CITY", "quasi"),
        "Mpio": column(d.many("Bogotá D.C.|Medellín|BOGOTA|Bucaramanga|Envigado|Soacha"), "CITY"),
        "Estr.": column(d.numbers(1, 6), "NONE", "quasi", "sensitive", "none"),
        "Vlr declarado": column((f"$ {money(150, 9800)}" for _ in rows), "FINANCIAL", "sensitive", "none"),
        "Flete": column((f"{money(60, 320)} COP" for _ in rows), "FINANCIAL"),
        "Recaudo": column((rng.choice([f"${money(200, 4000)},00", "0", "Nequi", "pagado"]) for _ in rows), "FINANCIAL"),
        "Peso (kg)": column((f"{rng.lognormvariate(0.4, 0.8):.1f}".replace(".", ",") for _ in rows), "NONE", "none", "quasi"),
        "Mensajero": column(rng.choices(couriers, k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Placa": column(rng.choices([f"{''.join(rng.choices(UPPER, k=3))}{rng.randrange(10, 99)}{rng.choice(UPPER)}" for _ in range(11)], k=d.rows), "VEHICLE_ID", "direct", "quasi", "none"),
        "F. entrega": column((f"{rng.randrange(7, 19):02}:{rng.randrange(60):02} {day}" for day in d.days(2026, 2026, "%d/%m/%Y")), "DATE_EVENT"),
        "Recibió": column(dirty(rng, [rng.choice([person(), fake.first_name(), "portería", f"{person()} (vecina)", "titular"]) for _ in rows], ""), "PERSON_NAME"),
        "Est.": column(d.many("ENT|DEV|NOV|ent", 78, 9, 8, 5), "NONE"),
        "GPS": column((f"{rng.uniform(4.5, 4.8):.5f}, {rng.uniform(-74.2, -74.0):.5f}" for _ in rows), "LATITUDE", "quasi", "direct"),
        "Novedad": column(
            remarks(d, ("register_deliveries", "Novedad"), [
                "Dejar con el vigilante {person}", "Llamar al {phone} antes", "No estaba, cambia a {address}", "Paquete mojado.", "Cliente en silla de ruedas, subir",
                "Enviar soporte a {email}", "autoriza la hija {person}", "whatsapp {phone}",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def berths() -> dict[str, Labelled]:
    """Berths of a marina in Croatia, and who rents them."""
    d = Drawn("hr_HR", SEED + 5, 290)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["09{0} {1} {2}", "09{0}/{1}-{2}", "+385 9{0} {1} {2}", "09{0}{1}{2}"]).format(
        rng.choice("1289"), digits(rng, 3), digits(rng, rng.choice([3, 4]))
    )
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    place = lambda: (
        f"{fake.street_name()} {rng.randrange(1, 130)}{rng.choice(['', 'a', '/II'])}, {rng.choice(['', 'HR-'])}{rng.randrange(10000, 53290)} {fake.city()}"
    )
    titled = lambda: f"{rng.choice(['', '', 'dr. sc. ', 'Kap. ', 'mr. ', 'prof. ', 'g. '])}{person()}"
    renter = lambda: rng.choice(
        [titled, titled, titled, lambda: f"{fake.last_name()} d.o.o.", lambda: f"Charter {fake.last_name()}"]
    )()
    return {
        "Vez": column((f"{rng.choice('ABCDEF')}-{rng.randrange(1, 80)}" for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Korisnik": column(dirty(rng, misspelt(rng, mixed(d, [renter() for _ in range(d.rows)], 0.03, 0.2))), "PERSON_NAME"),
        "OIB": column(dirty(rng, [valid(rng, 11, oib.is_valid) for _ in range(d.rows)], "", "stranac"), "NATIONAL_ID"),
        "Rođ.": column((f"{day:%d.%m.%Y}." for day in (_adult(d) for _ in range(d.rows))), "DATE_OF_BIRTH"),
        "Adr. (pošta)": column(dirty(rng, [place() for _ in range(d.rows)], ""), "STREET_ADDRESS"),
        "Drž.": column(d.many("HR|A|D|SLO|I|HR ", 55, 12, 14, 12, 5, 2), "NATIONALITY", "quasi", "none"),
        "Mob": column(dirty(rng, [rng.choice([phone(), f"{phone()} ({rng.choice(['žena', 'skiper'])})"]) for _ in range(d.rows)], "", "nema"), "PHONE"),
        "e-pošta": column(dirty(rng, [fake.email() for _ in range(d.rows)], "", "/"), "EMAIL"),
        "Plovilo": column((f"{rng.choice(['m/b', 's/y', 'm/y', ''])} {rng.choice(['Marija', 'Galeb', 'Lanterna', 'Ana M', 'Maestral', 'Bura', 'Nika'])}".strip() for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Reg. oznaka": column((f"{rng.choice(['ST', 'ZD', 'RI', 'ŠB', 'PU'])}-{digits(rng, rng.choice([3, 4, 5]))}" for _ in range(d.rows)), "VEHICLE_ID"),
        "LOA": column((f"{rng.uniform(5, 19):.2f} m".replace(".", ",") for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Polica": column((f"{rng.choice(['CO', 'AZ', 'TG'])} {digits(rng, 9)}" for _ in range(d.rows)), "NONE", "direct", "none"),
        "Ugovor od-do": column((f"{day} - 31.12.2026." for day in d.days(2026, 2026, "%d.%m.%Y.")), "DATE_EVENT"),
        "God. naknada": column((f"{rng.randrange(1, 9)}.{rng.randrange(1000):03},00 EUR" for _ in range(d.rows)), "FINANCIAL"),
        "Dug": column(dirty(rng, [rng.choice(["0,00", f"{rng.randrange(100, 999)},{rng.randrange(100):02} €", f"EUR {rng.randrange(1, 5)}.{digits(rng, 3)},00"]) for _ in range(d.rows)], ""), "FINANCIAL"),
        "Račun": column(dirty(rng, [iban("HR", digits(rng, 17)) if rng.random() < 0.6 else "gotovina" for _ in range(d.rows)], ""), "IBAN"),
        "Dolazak": column((f"{day} u {rng.randrange(6, 22)}h" for day in d.days(2026, 2026, "%d.%m.%y")), "DATE_EVENT"),
        "Mornar": column(rng.choices([f"{fake.first_name_male()} {rng.choice(UPPER[:20])}." for _ in range(8)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Napomena": column(
            remarks(d, ("register_berths", "Napomena"), [
                "Ključ kod {person}", "Zvati {phone} kod bure", "Račun slati na {address}", "Vlasnik preminuo, nasljednik {person}", "Ne plaća, ovrha u tijeku",
                "Ponuda na {email}", "skiper {person}, mob {phone}", "Priključak 32A",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _adult(d: Drawn) -> date:
    return d.fake.date_of_birth(minimum_age=24, maximum_age=84)


READ = (co_owners, savings)
ASIDE = (school_bus, apprentices, deliveries, berths)


def tables(makers: Sequence[Callable[[], dict[str, Labelled]]] = READ) -> Iterator[Table]:
    """Yield the tables; each is a source of its own."""
    for make in makers:
        yield Table(f"register_{make.__name__}", make.__name__, make())
