# ruff: noqa: E501, E731 - the columns of a table are read whole, and makers of values are written next to them
"""Six tables of six counters where the public is served, in trades and languages of which no table was written before.

Question: what is found where abbreviations and words with two meanings are column names, and cells are written by hand?
Method: as in `offices.py`. Labels and tables were written before any verdict on them was seen. `ASIDE` were not scanned
before the rules that they measure were finished.
Limits: one author wrote the sentences and the forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from stdnum.au import abn
from stdnum.dk import cpr
from stdnum.lt import asmens

from generated.everyday import Drawn
from generated.labelled import Labelled, Table, column, digits
from generated.strangers import UPPER, dirty, misspelt, valid
from generated.trades import _curp, mixed, remarks

SEED = 20270109


def glasses() -> dict[str, Labelled]:
    """Orders of an optician in Denmark; customers come back."""
    d = Drawn("da_DK", SEED, 360)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["{0} {1} {2} {3}", "{0}{1}{2}{3}", "+45 {0}{1} {2}{3}"]).format(
        rng.choice(["20", "26", "31", "40", "51", "61"]), *(f"{rng.randrange(100):02}" for _ in range(3))
    )
    place = lambda: f"{fake.street_name()} {rng.randrange(1, 190)}{rng.choice(['', ', 2. tv', ', st. th', ' B'])}"
    people = [
        (fake.first_name(), fake.last_name(), born := fake.date_of_birth(minimum_age=8, maximum_age=92), _danish(d, born), phone(), place(), f"{rng.randrange(1050, 9990)} {fake.city()}")
        for _ in range(230)
    ]  # fmt: skip
    rows = rng.choices(people, k=d.rows)
    lens = lambda: f"{rng.choice('+-')}{rng.randrange(0, 24) / 4:.2f}".replace(".", ",")
    return {
        "Ordrenr.": column((f"{i}" for i in rng.sample(range(41000, 49999), d.rows)), "RECORD_ID", "direct", "none"),
        "Kunde": column(dirty(rng, misspelt(rng, mixed(d, [f"{one[0]} {one[1]}" for one in rows], 0.06, 0.06))), "PERSON_NAME"),
        "CPR": column(dirty(rng, [rng.choice([f"{one[3][:6]}-{one[3][6:]}", one[3]]) for one in rows], "", "ønsker ikke"), "NATIONAL_ID"),
        "Fødsdag": column((f"{one[2]:%d.%m.%Y}" for one in rows), "DATE_OF_BIRTH"),
        "K/M": column(d.many("K|M|k|m", 50, 42, 5, 3), "GENDER"),
        "Tlf/mail": column(dirty(rng, [rng.choice([f"{one[4]} / {one[0].lower()}{rng.randrange(99)}@mail.dk", one[4]]) for one in rows], "", "-"), "PHONE", "direct"),
        "Adr.": column(dirty(rng, [one[5] for one in rows], ""), "STREET_ADDRESS"),
        "Postnr./by": column((one[6] for one in rows), "CITY", "quasi"),
        "Hø sfære": column(dirty(rng, [lens() for _ in rows], "", "plan"), "MEDICAL", "sensitive", "quasi"),
        "Ve sfære": column(dirty(rng, [lens() for _ in rows], "", "plan"), "MEDICAL", "sensitive", "quasi"),
        "PD": column(d.numbers(54, 72), "BIOMETRIC", "sensitive", "quasi"),
        "Stel": column((f"{rng.choice(['Lindberg', 'Ray-Ban', 'Fleye', 'Silhouette'])} {rng.randrange(1000, 9999)} {rng.choice(['sort', 'guld', 'havana'])}" for _ in rows), "NONE", "none", "quasi"),
        "Optiker": column(rng.choices(["MKJ", "LHN", "PBS", "ATR", "SØN"], k=d.rows), "PERSON_NAME", "direct", "quasi", "none"),
        "Bestilt": column(d.days(2025, 2026, "%d-%m-%y"), "DATE_EVENT"),
        "Pris": column((f"{rng.randrange(9, 120)}.{rng.choice(['000', '500', '995'])},-" if rng.random() < 0.3 else f"{rng.randrange(400, 9999)},-" for _ in rows), "FINANCIAL"),
        "danmark grp.": column(dirty(rng, d.many("1|2|5|S|nej"), ""), "NONE", "sensitive", "none", "quasi"),
        "Stand": column(d.many("bestilt|klar|afhentet|rykket", 20, 15, 60, 5), "NONE", "none", "sensitive"),
        "Bemærkn.": column(
            remarks(d, ("counter_glasses", "Bemærkn."), [
                "Ring til {person} på {phone} når klar.", "Kommune betaler, sagsbeh. {person}", "Sendes til {address}", "Grøn stær i familien.", "Glas ridset ved levering",
                "Faktura: {email}", "Datter {person} henter.", "tlf {phone} efter kl. 16",
            ], {"person": lambda: f"{fake.first_name()} {fake.last_name()}", "phone": phone, "address": lambda: f"{place()}, {rng.randrange(1050, 9990)} {fake.city()}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _danish(d: Drawn, born: date) -> str:
    while True:
        century = d.rng.choice("0123" if born.year < 2000 else "4567")
        number = f"{born:%d%m%y}{century}{d.rng.randrange(1000):03}"
        if cpr.is_valid(number) and cpr.get_birth_date(number) == born:
            return number


def strata() -> dict[str, Labelled]:
    """Roll of the owners of flats that a strata manager in Australia keeps."""
    d = Drawn("en_AU", SEED + 1, 330)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["04{} {} {}", "04{}{}{}", "(02) 9{}{}{}", "+61 4{} {} {}"]).format(
        digits(rng, 2), digits(rng, 3), digits(rng, 3)
    )
    streets = [f"{rng.randrange(1, 180)} {fake.last_name()} {rng.choice(['St', 'Rd', 'Pde', 'Ave', 'Cres'])}" for _ in range(11)]  # fmt: skip
    towns = "PARRAMATTA|Marrickville|Dee Why|CHATSWOOD|Ryde|Coogee|Newtown"
    person = lambda: f"{rng.choice(['Mr', 'Ms', 'Mrs', 'Dr', ''])} {fake.first_name()} {fake.last_name()}".strip()
    return {
        "SP": column((f"SP{rng.choice([41223, 60871, 77350, 90112])}" for _ in range(d.rows)), "NONE", "none", "quasi"),
        "Lot/Unit": column((f"{rng.randrange(1, 120)}/{rng.choice(['', 'G0', 'L'])}{rng.randrange(1, 99)}" for _ in range(d.rows)), "ADDRESS_PART", "quasi", "none"),
        "Owner(s)": column(dirty(rng, misspelt(rng, [rng.choice([person(), f"{person()} & {person()}", f"{fake.last_name()} Super P/L", person().upper()]) for _ in range(d.rows)])), "PERSON_NAME"),
        "Site": column(rng.choices(streets, k=d.rows), "STREET_ADDRESS", "direct", "quasi"),
        "Suburb": column(d.many(towns), "CITY"),
        "State": column(d.many("NSW|nsw|ACT", 90, 6, 4), "STATE", "quasi", "none"),
        "Pcode": column((f"2{rng.randrange(0, 800):03}" for _ in range(d.rows)), "POSTAL_CODE"),
        "Svc addr (notices)": column(dirty(rng, [f"{rng.choice(['PO Box ', ''])}{rng.randrange(1, 900)} {fake.last_name()} {rng.choice(['St', 'Rd', 'Lane'])}, {fake.city()} NSW {rng.randrange(2000, 2999)}" for _ in range(d.rows)], "", "as above"), "STREET_ADDRESS"),
        "Ph (M/H)": column(dirty(rng, [" ".join([phone(), "(M)"]) if rng.random() < 0.7 else f"{phone()} / {phone()}" for _ in range(d.rows)], "", "n/a"), "PHONE"),
        "E": column(dirty(rng, [fake.email() for _ in range(d.rows)], "", "no email"), "EMAIL"),
        "ABN": column(dirty(rng, [_abn(d) if rng.random() < 0.2 else "" for _ in range(d.rows)]), "TAX_ID", "direct", "quasi", "none"),
        "UE": column(d.numbers(5, 140), "NONE", "none", "quasi"),
        "Levy": column((f"${rng.gauss(1240, 300):,.2f}" for _ in range(d.rows)), "FINANCIAL"),
        "Bal": column((rng.choice(["0.00", f"-{rng.randrange(1, 900)}.{rng.randrange(100):02}", f"{rng.randrange(1, 4000)}.{rng.randrange(100):02} CR"]) for _ in range(d.rows)), "FINANCIAL"),
        "Occ": column(d.many("O/O|Tenanted|Holiday|Vacant|o/o", 50, 34, 8, 4, 4), "NONE", "none", "quasi"),
        "Pet": column(dirty(rng, d.many("Y - dog|N|Y - cat|n", 12, 70, 8, 10), ""), "NONE", "none", "sensitive"),
        "Key": column((rng.choice([f"K{rng.randrange(1, 400):03}", f"FOB {digits(rng, 5)}"]) for _ in range(d.rows)), "NONE", "none", "direct", "quasi"),
        "Settled": column(d.days(1999, 2026, "%d/%m/%Y"), "DATE_EVENT"),
        "Notes": column(
            remarks(d, ("counter_strata", "Notes"), [
                "Agent {person} {phone}", "Do not cut lock, call {person} first", "deceased estate, exec {person}", "Levies to {email}", "Mail returned; now {address}",
                "NCAT matter re noise", "smokes on balcony - complaint u12", "prefers txt {phone}",
            ], {"person": person, "phone": phone, "address": lambda: f"{rng.randrange(1, 300)} {fake.last_name()} St, {fake.city()} NSW {rng.randrange(2000, 2999)}", "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _abn(d: Drawn) -> str:
    number = valid(d.rng, 11, abn.is_valid)
    return f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"


def hearings() -> dict[str, Labelled]:
    """List of the hearings of a court in Slovakia."""
    d = Drawn("sk_SK", SEED + 2, 290)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["09{} {} {}", "+421 9{} {} {}", "09{}/{}{}"]).format(
        digits(rng, 2), digits(rng, 3), digits(rng, 3)
    )
    person = lambda: (
        f"{rng.choice(['', '', '', 'Ing. ', 'Mgr. '])}{rng.choice([fake.first_name_male() + ' ' + fake.last_name_male(), fake.first_name_female() + ' ' + fake.last_name_female()])}"
    )
    place = lambda: f"{fake.street_name()} {rng.randrange(1, 3000)}/{rng.randrange(1, 90)}, {rng.randrange(80, 99)}{rng.randrange(1, 10)} {rng.randrange(10, 99)} {fake.city()}"  # fmt: skip
    born = [fake.date_of_birth(minimum_age=18, maximum_age=85) for _ in range(d.rows)]
    judges = [f"JUDr. {fake.first_name()} {fake.last_name()}" for _ in range(8)]
    return {
        "P.č.": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "Sp. zn.": column((f"{rng.randrange(1, 40)}{rng.choice(['C', 'P', 'T', 'Cb'])}/{i}/{rng.choice([2024, 2025, 2026])}" for i in rng.sample(range(1, 999), d.rows)), "RECORD_ID", "direct", "none"),
        "Účastník (nar.)": column(dirty(rng, [f"{person()} ({day.day}.{day.month}.{day.year})" for day in born]), "PERSON_NAME"),
        "r. č.": column(dirty(rng, [_slovak(d, day) for day in born], "", "neuv."), "NATIONAL_ID"),
        "Bydlisko": column(dirty(rng, [place() for _ in born], "", "neznáme"), "STREET_ADDRESS"),
        "Protistrana": column(dirty(rng, [person() if rng.random() < 0.6 else f"{fake.last_name()} s.r.o." for _ in born], "", "-"), "PERSON_NAME", "direct", "quasi"),
        "Kontakt": column(dirty(rng, [rng.choice([phone(), f"{phone()}, {fake.email()}", fake.email()]) for _ in born], ""), "PHONE", "direct"),
        "Pohl.": column(d.many("muž|žena|M|Ž", 40, 40, 10, 10), "GENDER"),
        "Št. prísl.": column(d.many("SR|ČR|Ukrajina|Maďarsko|SR ", 80, 6, 5, 4, 5), "NATIONALITY"),
        "Sudca": column(rng.choices(judges, k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Predmet": column(d.many("rozvod|výživné|zaplatenie 1 250 EUR|§ 212 krádež|§ 348 marenie|ochrana osobnosti"), "NONE", "sensitive", "none", "quasi"),
        "Stav": column(d.many("vytýčené|odročené|skončené|prerušené"), "NONE", "none", "sensitive"),
        "Pojednáv.": column((f"{day} o {rng.randrange(8, 15)}:{rng.choice(['00', '30'])}" for day in d.days(2026, 2026, "%d.%m.%Y")), "DATE_EVENT"),
        "Miest.": column(d.many("12|14|A-203|105|Veľká sála"), "NONE", "none"),
        "Trov. (€)": column((f"{rng.lognormvariate(5, 0.7):.2f}".replace(".", ",") for _ in born), "FINANCIAL"),
        "Tlmočník": column(dirty(rng, d.many("nie|HU|UA|posunk.", 88, 5, 5, 2), ""), "LANGUAGE", "quasi", "none", "sensitive"),
        "Advokát": column(dirty(rng, [f"{rng.choice(['JUDr.', 'Mgr.'])} {fake.first_name()} {fake.last_name()}, tel. {phone()}" if rng.random() < 0.5 else "" for _ in born], "bez zastúpenia"), "PHONE", "direct"),
        "Pozn.": column(
            remarks(d, ("counter_hearings", "Pozn."), [
                "Predvolať svedka {person}, tel. {phone}.", "Ospravedlnený, PN.", "Zásielku prevzala matka {person}", "Doručiť na {address}", "Vyžiadať spis OR PZ.",
                "Sken poslať na {email}", "Kolízny opatrovník: {person}", "volať {phone} poobede",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _slovak(d: Drawn, born: date) -> str:
    month = born.month + d.rng.choice([0, 50])
    head = f"{born:%y}{month:02}{born:%d}"
    while True:
        tail = f"{d.rng.randrange(10000):04}"
        if int(head + tail) % 11 == 0:
            return f"{head}{d.rng.choice(['/', '/', ''])}{tail}"


def consultations() -> dict[str, Labelled]:
    """Consultations of a clinic in Mexico."""
    d = Drawn("es_MX", SEED + 3, 400)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["55 {} {}", "81 {} {}", "(33) {}-{}", "+52 55 {} {}", "55{}{}"]).format(
        digits(rng, 4), digits(rng, 4)
    )
    patients = [
        (f"{fake.last_name()} {fake.last_name()} {fake.first_name()}", born := fake.date_of_birth(minimum_age=0, maximum_age=90), _curp(d, born), phone())
        for _ in range(260)
    ]  # fmt: skip
    rows = rng.choices(patients, k=d.rows)
    place = lambda: f"{rng.choice(['Calle', 'Av.', 'Priv.', 'C.'])} {fake.last_name()} #{rng.randrange(1, 900)}{rng.choice(['', ' int. 3', '-B'])}, Col. {fake.last_name()}"  # fmt: skip
    doctors = [f"{rng.choice(['Dr.', 'Dra.'])} {fake.last_name()} {fake.last_name()[0]}." for _ in range(9)]
    return {
        "Folio": column((f"{i:06}" for i in rng.sample(range(1000, 99999), d.rows)), "RECORD_ID", "direct", "none"),
        "Exp.": column((f"{hash_of:05}-{rng.choice('ABX')}" for hash_of in (abs(sum(map(ord, one[0])) * 37) % 99999 for one in rows)), "PERSON_ID"),
        "Px": column(dirty(rng, misspelt(rng, mixed(d, [one[0] for one in rows], 0.04, 0.5))), "PERSON_NAME"),
        "CURP": column(dirty(rng, [one[2] for one in rows], "", "NO TIENE"), "NATIONAL_ID"),
        "F. Nac.": column((f"{one[1]:%d/%m/%Y}" for one in rows), "DATE_OF_BIRTH"),
        "Edad": column((f"{2026 - one[1].year} {rng.choice(['a', 'años', 'AÑOS'])}" for one in rows), "AGE"),
        "Sx": column(d.many("F|M|fem|masc|H", 45, 30, 10, 10, 5), "GENDER"),
        "Dom.": column(dirty(rng, [place() for _ in rows], "", "S/D"), "STREET_ADDRESS"),
        "Mpio./Edo.": column((f"{fake.city()}, {rng.choice(['NL', 'Jal.', 'CDMX', 'Méx.', 'Pue.'])}" for _ in rows), "CITY"),
        "Tel. / Cel.": column(dirty(rng, [rng.choice([one[3], f"{one[3]} / {phone()}"]) for one in rows], "", "s/n"), "PHONE"),
        "Derechohab.": column(d.many("IMSS|ISSSTE|Ninguna|Bienestar|PARTICULAR"), "NONE", "sensitive", "none", "quasi"),
        "Dx": column(dirty(rng, d.many("HAS|DM2|DM2 + HAS|IVU|Rinofaringitis|Gastroenteritis|E11.9|Embarazo 20 SDG|Lumbalgia"), ""), "MEDICAL"),
        "Tx": column(d.many("Metformina 850 c/12|Losartán 50|Paracetamol 500 PRN|Ciprofloxacino 500|Ac. fólico|ninguno"), "MEDICAL"),
        "TA": column((f"{rng.randrange(95, 170)}/{rng.randrange(55, 105)}" for _ in rows), "MEDICAL"),
        "Peso/Talla": column((f"{rng.uniform(8, 110):.1f} kg / {rng.uniform(0.6, 1.85):.2f} m" for _ in rows), "BIOMETRIC", "sensitive", "quasi"),
        "Médico": column(rng.choices(doctors, k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Fecha/Hora": column((f"{day} {rng.randrange(8, 19)}:{rng.randrange(60):02} h" for day in d.days(2026, 2026, "%d-%m-%Y")), "DATE_EVENT"),
        "Cuota": column((f"$ {one}" for one in d.many("0|50|120|180|350")), "FINANCIAL"),
        "Obs.": column(
            remarks(d, ("counter_consultations", "Obs."), [
                "Acude con su madre {person}", "Avisar a {person} al {phone}", "Alérgico a penicilina", "Vive en {address}", "Ref. a 2o nivel, Dr. {person}",
                "Resultados a {email}", "No acudió a cita.", "cel {phone} de su hija",
            ], {"person": lambda: f"{fake.first_name()} {fake.last_name()}", "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def prizes() -> dict[str, Labelled]:
    """Prizes that a lottery in Vietnam paid."""
    d = Drawn("vi_VN", SEED + 4, 260)
    rng = d.rng
    families = "Nguyễn|Trần|Lê|Phạm|Hoàng|Huỳnh|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Hồ|Ngô|Dương".split("|")
    middle = "Văn|Thị|Hữu|Đức|Ngọc|Minh|Thanh|Quốc|Thu|Kim".split("|")
    given = "Anh|Bình|Cường|Dũng|Hà|Hạnh|Hùng|Hương|Lan|Linh|Long|Mai|Nam|Nga|Phúc|Quân|Sơn|Tâm|Thảo|Tuấn|Vy|Yến".split(
        "|"
    )
    person = lambda: f"{rng.choice(families)} {rng.choice(middle)} {rng.choice(given)}"
    phone = lambda: rng.choice(["09{} {} {}", "03{}{}{}", "+84 9{} {} {}", "07{}.{}.{}"]).format(
        digits(rng, 2), digits(rng, 3), digits(rng, 3)
    )
    streets = "Lê Lợi|Trần Hưng Đạo|Nguyễn Trãi|Hai Bà Trưng|Cách Mạng Tháng 8|Lý Thường Kiệt|Phan Chu Trinh".split("|")
    towns = (
        "Q. 1, TP.HCM|Q. Bình Thạnh, TP.HCM|TP. Cần Thơ|TP. Mỹ Tho, Tiền Giang|TX. Tân Châu, An Giang|TP. Đà Lạt".split(
            "|"
        )
    )
    place = lambda: f"{rng.choice(['', 'Số '])}{rng.randrange(1, 600)}{rng.choice(['', '/12', 'A'])} {rng.choice(streets)}, P. {rng.randrange(1, 15)}, {rng.choice(towns)}"  # fmt: skip
    mail = lambda: (
        f"{rng.choice(['tuan', 'lan', 'hung', 'mai', 'thao'])}{rng.randrange(1000)}@{rng.choice(['gmail.com', 'yahoo.com.vn'])}"
    )
    born = d.numbers(1948, 2005)
    return {
        "STT": column(range(1, d.rows + 1), "ROW_NUMBER"),
        "Số vé": column((f"{rng.randrange(10**6):06}" for _ in born), "RECORD_ID", "direct", "none"),
        "Ký hiệu": column((f"{rng.randrange(1, 13)}{rng.choice('ABCD')}{rng.randrange(1, 5)}" for _ in born), "NONE", "none"),
        "Người lĩnh thưởng": column(dirty(rng, misspelt(rng, mixed(d, [person() for _ in born], 0.04, 0.35))), "PERSON_NAME"),
        "NS": column(born, "BIRTH_YEAR"),
        "GT": column(d.many("Nam|Nữ|nam|nữ"), "GENDER"),
        "CCCD/CMND": column(dirty(rng, [rng.choice([f"0{rng.randrange(1, 97):02}{rng.randrange(4)}{year % 100:02}{digits(rng, 6)}", digits(rng, 9)]) for year in born], "", "quên"), "NATIONAL_ID"),
        "Ngày cấp - nơi cấp": column((f"{day} - {rng.choice(['CA TP.HCM', 'Cục CSQLHC', 'CA Cần Thơ'])}" for day in d.days(2008, 2025, "%d/%m/%Y")), "DATE_EVENT"),
        "Đ/c": column(dirty(rng, [place() for _ in born], ""), "STREET_ADDRESS"),
        "ĐT liên hệ": column(dirty(rng, [rng.choice([phone(), f"{phone()} (vợ)", f"{phone()} - {phone()}"]) for _ in born], "", "không"), "PHONE"),
        "Đài": column(d.many("TP.HCM|Cần Thơ|An Giang|Tiền Giang|Đà Lạt"), "ORGANISATION", "none", "quasi"),
        "Giải": column(d.many("ĐB|Nhất|Nhì|Ba|KK|Phụ ĐB"), "NONE", "none", "sensitive", "quasi"),
        "Số tiền (đ)": column((f"{rng.choice([2000, 1500, 50, 30, 15, 10, 6])}.000.000" for _ in born), "FINANCIAL"),
        "Thuế TNCN": column((f"{rng.choice([0, 1, 4, 199])}.{rng.choice(['000', '500'])}.000" for _ in born), "FINANCIAL"),
        "TK nhận": column(dirty(rng, [f"{rng.choice(['VCB', 'ACB', 'Agribank', 'BIDV'])} {digits(rng, rng.choice([10, 12, 13]))}" if rng.random() < 0.6 else "tiền mặt" for _ in born], ""), "BANK_ACCOUNT"),
        "Ngày trả": column(d.days(2026, 2026, "%d/%m/%Y"), "DATE_EVENT"),
        "NV chi trả": column(rng.choices([f"{rng.choice(given)} ({rng.choice('ABC')}{rng.randrange(1, 9)})" for _ in range(7)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Ghi chú": column(
            remarks(d, ("counter_prizes", "Ghi chú"), [
                "Nhận thay: {person}, SĐT {phone}", "Vé rách góc, đã đối chiếu.", "Chuyển khoản cho vợ {person}", "Nhà ở {address}", "Không chụp hình.",
                "Gửi biên nhận qua {email}", "gọi {phone} trước khi đến", "Đại lý {person} đi cùng",
            ], {"person": person, "phone": phone, "address": place, "email": mail}),
            "FREE_TEXT"),
    }  # fmt: skip


def inspections() -> dict[str, Labelled]:
    """Inspections of vehicles in Lithuania; owners have several vehicles."""
    d = Drawn("lt_LT", SEED + 5, 340)
    rng, fake = d.rng, d.fake
    phone = lambda: rng.choice(["+370 6{} {}", "86{} {}", "86{}{}", "(8-6{}) {}"]).format(
        digits(rng, 2), digits(rng, 5)
    )
    person = lambda: f"{fake.first_name()} {fake.last_name()}"
    place = lambda: f"{fake.last_name()[:-2]}ų g. {rng.randrange(1, 140)}{rng.choice(['', '-12', 'A', '-3'])}, {rng.choice(['Vilnius', 'Kaunas', 'Klaipėda', 'Šiauliai', 'Alytus'])}"  # fmt: skip
    owners = [
        (person(), _lithuanian(d), phone(), place(), f"{rng.choice(['', 'LT-'])}{rng.randrange(1000, 99999):05}")
        for _ in range(240)
    ]
    rows = rng.choices(owners, k=d.rows)
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    return {
        "Prot. Nr.": column((f"TA-{i}" for i in rng.sample(range(100000, 199999), d.rows)), "RECORD_ID", "direct", "none"),
        "Savininkas / įm.": column(dirty(rng, misspelt(rng, [one[0] if rng.random() < 0.85 else f"UAB „{fake.last_name()}“" for one in rows])), "PERSON_NAME"),
        "A.k.": column(dirty(rng, [one[1] for one in rows], "", "nepateikta"), "NATIONAL_ID"),
        "Valst. Nr.": column((f"{''.join(rng.choices(UPPER[:22], k=3))}{rng.choice([' ', '', ':'])}{rng.randrange(1000):03}" for _ in rows), "VEHICLE_ID"),
        "VIN": column(("".join(rng.choices(letters, k=17)) for _ in rows), "VEHICLE_ID"),
        "Markė, modelis": column(d.many("VW Golf|Audi A6|BMW 320|Toyota Avensis|Volvo V70|Opel Astra|Škoda Octavia"), "NONE", "none", "quasi"),
        "Pag. m.": column(d.numbers(1994, 2024), "NONE", "none", "quasi"),
        "Rida": column((f"{rng.randrange(20, 420)} {rng.randrange(1000):03}" for _ in rows), "NONE", "none", "quasi", "sensitive"),
        "Kuras": column(d.many("D|B|B/D|E|D ", 50, 35, 6, 5, 4), "NONE"),
        "Gyv. vieta": column(dirty(rng, [one[3] for one in rows], ""), "STREET_ADDRESS"),
        "Pašto k.": column(dirty(rng, [one[4] for one in rows], ""), "POSTAL_CODE"),
        "Tel./el. p.": column(dirty(rng, [rng.choice([one[2], f"{one[2]}; {fake.email()}"]) for one in rows], "", "nėra"), "PHONE", "direct"),
        "Draudimas iki": column(d.days(2026, 2027, "%Y-%m-%d"), "DATE_EVENT"),
        "Data": column((f"{day} {rng.randrange(8, 18):02}.{rng.randrange(60):02}" for day in d.days(2026, 2026, "%Y.%m.%d")), "DATE_EVENT"),
        "Rezult.": column(d.many("tinkama|netinkama|tinkama su past.", 65, 25, 10), "NONE", "none", "sensitive"),
        "Trūk.": column(dirty(rng, d.many("1.1.2|4.5.1 (žibintai)|8.2.2 CO|nėra|5.2.3 padangos"), ""), "NONE", "none"),
        "Kaina": column((f"{one} Eur" for one in d.many("14,37|18,11|7,20|21,00")), "FINANCIAL"),
        "Kontrol.": column(rng.choices([f"{rng.choice(UPPER)}. {fake.last_name_male()}" for _ in range(9)], k=d.rows), "PERSON_NAME", "direct", "quasi"),
        "Pastabos": column(
            remarks(d, ("counter_inspections", "Pastabos"), [
                "Pristatė {person}, tel. {phone}", "Kreiptis į {person}", "Sąskaita: {email}", "Pakartotinė patikra.", "Neįgaliojo automobilis", "Adresas pasikeitė: {address}",
                "Paskambinti {phone} kai bus paruošta", "Įgaliotas sūnus {person}",
            ], {"person": person, "phone": phone, "address": place, "email": fake.email}),
            "FREE_TEXT"),
    }  # fmt: skip


def _lithuanian(d: Drawn) -> str:
    while True:
        born = d.fake.date_of_birth(minimum_age=19, maximum_age=88)
        first = d.rng.choice("34" if born.year < 2000 else "56")
        number = f"{first}{born:%y%m%d}{digits(d.rng, 4)}"
        if asmens.is_valid(number):
            return number


READ = (glasses, strata)
ASIDE = (hearings, consultations, prizes, inspections)


def tables(makers: Sequence[Callable[[], dict[str, Labelled]]] = READ) -> Iterator[Table]:
    """Yield the tables; each is a source of its own."""
    for make in makers:
        yield Table(f"counter_{make.__name__}", make.__name__, make())
