# ruff: noqa: E501 - a table is read whole
"""One generator for each kind of value that is looked for inside cells, and look-alikes of each.

Values with check digits are made by python-stdnum's own arithmetic, or by chance until it accepts them.
"""

from __future__ import annotations

import base64
import importlib
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple

Make = Callable[[Random], str]
_LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ"


class Planted(NamedTuple):
    """A kind of value: what it should be read as, how it is made, and the words it needs in front of it."""

    entity: str
    detail: str | None
    make: Make
    words: tuple[str, ...] = ()


def digits(r: Random, n: int) -> str:
    return "".join(r.choice("0123456789") for _ in range(n))


def fill(r: Random, template: str) -> str:
    """Return `template` with 9 for any digit, A for any letter, {d} {m} {y} {Y} for parts of a date."""
    date = {"d": f"{r.randint(1, 28):02d}", "m": f"{r.randint(1, 12):02d}", "y": f"{r.randint(50, 99):02d}"}
    date["Y"] = "19" + date["y"]
    text = template.format(**date)
    return "".join(r.choice("0123456789") if c == "9" else r.choice(_LETTERS) if c == "A" else c for c in text)


def proven(module: str, *templates: str) -> Make:
    """Return a maker of numbers of one of `templates` that python-stdnum accepts."""

    def make(r: Random) -> str:
        found = importlib.import_module(f"stdnum.{module}")
        while True:
            text = fill(r, r.choice(templates))
            if found.is_valid(text):
                return text

    return make


def shaped(*templates: str) -> Make:
    """Return a maker of anything of one of `templates`."""
    return lambda r: fill(r, r.choice(templates))


def au_medicare(r: Random) -> str:
    """Return an Australian Medicare number: the ninth digit is the weighted sum of the first eight, modulo ten."""
    body = r.choice("23456") + digits(r, 7)
    check = sum(int(digit) * weight for digit, weight in zip(body, (1, 3, 7, 9, 1, 3, 7, 9), strict=True)) % 10
    return r.choice((f"{body}{check}1", f"{body[:4]} {body[4:]}{check} 1"))


def it_cf(r: Random) -> str:
    from stdnum.it import codicefiscale

    while True:
        body = "".join(r.choice("BCDFGLMNPRSTV") for _ in range(6)) + f"{r.randint(30, 99)}{r.choice('ABCDEHLMPRST')}"
        body += f"{r.randint(1, 28):02d}{r.choice('ABCDEFGHL')}{r.randint(100, 999)}"
        text = body + codicefiscale.calc_check_digit(body)
        if codicefiscale.is_valid(text):
            return text


def fr_nir(r: Random) -> str:
    from stdnum.fr import nir

    body = f"{r.choice('12')}{r.randint(30, 99)}{r.randint(1, 12):02d}{r.randint(1, 95):02d}{digits(r, 6)}"
    number = body + nir.calc_check_digits(body)
    parts = (number[:1], number[1:3], number[3:5], number[5:7], number[7:10], number[10:13], number[13:])
    return r.choice((number, " ".join(parts)))


def cn_ric(r: Random) -> str:
    from stdnum.cn import ric

    while True:
        born = f"19{r.randint(50, 99)}{r.randint(1, 12):02d}{r.randint(1, 28):02d}"
        body = f"{r.choice(('110101', '310104', '440305', '510104'))}{born}{digits(r, 3)}"
        text = body + ric.calc_check_digit(body + "0")
        if ric.is_valid(text):
            return text


def mx_curp(r: Random) -> str:
    from stdnum.mx import curp

    while True:
        name = r.choice("BCDFGLMPRT") + r.choice("AEIOU") + r.choice("BCDFGLMPRT") + r.choice("BCDFGLMPRT")
        body = f"{name}{r.randint(50, 99)}{r.randint(1, 12):02d}{r.randint(1, 28):02d}{r.choice('HM')}DF"
        body += "".join(r.choice("BCDFGLMPRT") for _ in range(3)) + r.choice("0123456789")
        text = body + curp.calc_check_digit(body)
        if curp.is_valid(text):
            return text


def card(prefixes: tuple[str, ...], length: int) -> Make:
    from stdnum import luhn

    def make(r: Random) -> str:
        prefix = r.choice(prefixes)
        body = prefix + digits(r, length - 1 - len(prefix))
        number = body + luhn.calc_check_digit(body)
        if length == 15:
            return r.choice((number, f"{number[:4]} {number[4:10]} {number[10:]}"))
        groups = [number[i : i + 4] for i in range(0, len(number), 4)]
        return r.choice((" ".join(groups), "-".join(groups)))

    return make


_IBANS = {
    "de": "DE" + "9" * 18, "fr": "FR" + "9" * 23, "es": "ES" + "9" * 20, "nl": "NLABNA" + "9" * 10, "gb": "GBNWBK" + "9" * 14,
    "it": "ITX" + "9" * 22, "pl": "PL" + "9" * 24, "ch": "CH" + "9" * 17, "at": "AT" + "9" * 16, "pt": "PT" + "9" * 21,
    "se": "SE" + "9" * 20, "ie": "IEAIBK" + "9" * 14, "tr": "TR" + "9" * 22, "ae": "AE" + "9" * 19, "dk": "DK" + "9" * 14,
}  # fmt: skip


def iban(country: str) -> Make:
    from stdnum import iban as module

    def make(r: Random) -> str:
        template = _IBANS[country]
        while True:
            body = "".join(r.choice("0123456789") if c == "9" else c for c in template[2:])
            text = template[:2] + module.calc_check_digits(template[:2] + "00" + body) + body
            if module.is_valid(text):
                return r.choice((text, " ".join(text[i : i + 4] for i in range(0, len(text), 4))))

    return make


def bitcoin(r: Random) -> str:
    import hashlib

    data = b"\x00" + r.randbytes(20)
    data += hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4]
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, place = divmod(number, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[place] + text
    return "1" + text


def email(r: Random) -> str:
    user = "".join(r.choice(string.ascii_lowercase) for _ in range(r.randint(2, 9)))
    tag = r.choice(("", f".{user[::-1]}", "+news", f"_{r.randint(1, 99)}", "-x"))
    return f"{user}{tag}@{r.choice(('mail', 'web-post', 'a.b', 'uni'))}.{r.choice(('example.org', 'co.ke', 'de', 'com.br', 'museum'))}"


def ipv4(r: Random) -> str:
    return f"{r.choice((10, 41, 81, 102, 172, 192, 196, 203))}.{r.randint(20, 255)}.{r.randint(0, 255)}.{r.randint(1, 254)}"


def ipv6(r: Random) -> str:
    import ipaddress

    address = ipaddress.IPv6Address(0x20010DB8 << 96 | r.getrandbits(96))
    return r.choice((address.compressed, address.exploded, address.exploded.upper()))


def mac(r: Random) -> str:
    octets = [f"{r.randrange(256):02x}" for _ in range(6)]
    plain = "".join(octets)
    return r.choice((":".join(octets), "-".join(octets).upper(), ".".join(plain[i : i + 4] for i in (0, 4, 8))))


def imei(r: Random) -> str:
    from stdnum import luhn

    body = "35" + digits(r, 12)
    return body + luhn.calc_check_digit(body)


def vehicle(r: Random) -> str:
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    text = "".join(r.choice(_LETTERS.replace("I", "").replace("O", "")) for _ in range(3)) + digits(r, 2)
    text = f"{text}{r.choice('ABCDEFG')}{digits(r, 2)}0{r.choice('ABCDEFG')}{r.choice('ABCDEFG')}{digits(r, 6)}"
    total = sum(w * int(values.get(c, c)) for w, c in zip(weights, text, strict=True))
    return text[:8] + "0123456789X"[total % 11] + text[9:]


def pick(alphabet: str, n: int) -> Make:
    return lambda r: "".join(r.choice(alphabet) for _ in range(n))


_WORD = string.ascii_letters + string.digits


def joined(*parts: str | Make) -> Make:
    return lambda r: "".join(part if isinstance(part, str) else part(r) for part in parts)


def jwt(r: Random) -> str:
    parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d"}' % r.getrandbits(40), r.randbytes(32))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def ssn(r: Random) -> str:
    area = r.choice([n for n in (*range(1, 666), *range(667, 900)) if n])
    return f"{area:03d}-{r.randint(1, 99):02d}-{r.randint(1, 9999):04d}"


def birth(r: Random) -> str:
    day, month, year = r.randint(1, 28), r.randint(1, 12), r.randint(1930, 2008)
    name = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()[month - 1]
    return r.choice(
        (
            f"{day:02d}/{month:02d}/{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day}.{month}.{year}",
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
        )
    )


def mbi(r: Random) -> str:
    letters, either = "ACDEFGHJKMNPQRTUVWXY", "ACDEFGHJKMNPQRTUVWXY0123456789"
    parts = (
        "123456789",
        letters,
        either,
        "0123456789",
        letters,
        either,
        "0123456789",
        letters,
        letters,
        "0123456789",
        "0123456789",
    )
    text = "".join(r.choice(part) for part in parts)
    return r.choice((text, f"{text[:4]}-{text[4:7]}-{text[7:]}"))


def street(r: Random) -> str:
    name = r.choice(("Baker", "Moi", "Elm", "Oxford", "Kenyatta", "Mission"))
    return f"{r.randint(1, 999)} {name} {r.choice(('Street', 'Avenue', 'Road', 'Lane', 'Drive'))}"


def continental(r: Random) -> str:
    return r.choice(("Hauptstraße {}", "Lindenallee {}", "Bergweg {}", "rue de Rivoli {}", "calle de Alcalá {}", "via Roma {}")).format(r.randint(1, 200))  # fmt: skip


def point(r: Random) -> str:
    return f"{r.uniform(-60, 60):.5f}, {r.uniform(-170, 170):.5f}"


def phone(region: str, style: int) -> Make:
    import phonenumbers
    from phonenumbers import PhoneNumberFormat as Format

    example = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)

    def make(r: Random) -> str:
        while True:
            national = str(example.national_number)
            changed = national[:-4] + digits(r, 4)
            number = phonenumbers.PhoneNumber(country_code=example.country_code, national_number=int(changed))
            if phonenumbers.is_valid_number(number):
                return phonenumbers.format_number(number, (Format.INTERNATIONAL, Format.E164)[style])

    return make


SPOKEN = ("is", ":", "", "no.", "#")
KINDS: dict[str, Planted] = {
    "email": Planted("EMAIL", None, email),
    "ipv4": Planted("IP_ADDRESS", "ipv4", ipv4),
    "ipv6": Planted("IP_ADDRESS", "ipv6", ipv6),
    "mac": Planted("MAC_ADDRESS", None, mac),
    "imei": Planted("DEVICE_ID", "imei", imei, ("IMEI", "device id")),
    "vin": Planted("VEHICLE_ID", "vin", vehicle, ("VIN", "chassis")),
    "linkedin": Planted("URL", "personal part", joined("https://www.linkedin.com/in/", pick(string.ascii_lowercase, 9))),
    "profile": Planted("URL", "personal part", joined("https://example.org/users/", pick(string.ascii_lowercase, 8))),
    "query": Planted("URL", "personal part", joined("https://shop.example.com/p?email=", pick(string.ascii_lowercase, 8))),
    "private key": Planted("SECRET", "private key", lambda r: r.choice(("-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"))),
    "aws": Planted("SECRET", "aws key", joined("AKIA", pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16))),
    "github": Planted("SECRET", "token", joined("ghp_", pick(_WORD, 36))),
    "slack": Planted("SECRET", "token", joined("xoxb-", pick("0123456789", 12), "-", pick(_WORD, 24))),
    "stripe": Planted("SECRET", "token", joined("sk_live_", pick(_WORD, 24))),
    "google": Planted("SECRET", "token", joined("AIza", pick(_WORD, 35))),
    "npm": Planted("SECRET", "token", joined("npm_", pick(_WORD, 36))),
    "hugging face": Planted("SECRET", "token", joined("hf_", pick(_WORD, 34))),
    "gitlab": Planted("SECRET", "token", joined("glpat-", pick(_WORD, 20))),
    "jwt": Planted("SECRET", "jwt", jwt),
    "connection": Planted("SECRET", "connection string", joined("postgres://app:", pick(_WORD, 10), "@db.example.com/x")),
    "password": Planted("SECRET", "password", joined(pick(string.ascii_letters, 6), pick("0123456789", 3), "!"), ("password:", "pwd =", "Passwort:", "senha:")),
    "api key": Planted("SECRET", "token", joined("a1", pick(_WORD, 26)), ("api_key =", "api key:", "Bearer", "access token:")),
    **{f"iban {c}": Planted("IBAN", c, iban(c)) for c in _IBANS},
    "visa": Planted("CREDIT_CARD", "visa", card(("4",), 16)),
    "mastercard": Planted("CREDIT_CARD", "mastercard", card(("51", "53", "55", "2221", "2600", "2720"), 16)),
    "amex": Planted("CREDIT_CARD", "amex", card(("34", "37"), 15), ("card", "amex")),
    "discover": Planted("CREDIT_CARD", "discover", card(("6011", "65", "644"), 16)),
    "jcb": Planted("CREDIT_CARD", "jcb", card(("3530", "3588"), 16)),
    "unionpay": Planted("CREDIT_CARD", "unionpay", card(("62",), 16)),
    "bitcoin": Planted("BANK_ACCOUNT", "bitcoin", bitcoin),
    "account": Planted("BANK_ACCOUNT", None, pick("0123456789", 10), ("account no", "Konto", "cuenta", "bank account number:")),
    "routing": Planted("BANK_CODE", "us.rtn", proven("us.rtn", "099999999", "199999999", "299999999"), ("routing number", "ABA")),
    "bic": Planted("BANK_CODE", "bic", joined(pick(string.ascii_uppercase, 4), "DE", pick(string.ascii_uppercase, 2)), ("SWIFT", "BIC:")),
    "ssn": Planted("SSN", "us.ssn", ssn),
    "itin": Planted("TAX_ID", "us.itin", joined("9", pick("0123456789", 2), "-7", pick("0123456", 1), "-", pick("0123456789", 3), "1")),
    "birth": Planted("DATE_OF_BIRTH", "in context", birth, ("DOB", "born on", "date of birth:", "geboren am", "né le", "nacido el", "alizaliwa")),
    "passport": Planted("PASSPORT", None, shaped("A9999999", "999999999", "AA9999999"), ("passport no", "Reisepass", "pasaporte")),
    "licence": Planted("DRIVER_LICENSE", None, shaped("A9999999", "AA99999"), ("driver's license", "driving licence no")),
    "mrn": Planted("HEALTH_ID", "record number", pick("0123456789", 8), ("MRN", "medical record no", "patient id:")),
    "mbi": Planted("HEALTH_ID", "us.mbi", mbi),
    "street": Planted("STREET_ADDRESS", None, street),
    "continental street": Planted("STREET_ADDRESS", None, continental),
    "point": Planted("GEO_CODE", "latitude, longitude", point),
    **{f"phone {c} {s}": Planted("PHONE", "international", phone(c, s)) for s in (0, 1)
       for c in "US GB DE FR ES IT NL PL SE KE TZ NG ZA IN CN JP BR MX AU TR".split()},
    # National numbers in an unmistakable form.
    "br.cpf": Planted("TAX_ID", "br.cpf", proven("br.cpf", "999.999.999-99")),
    "it.cf": Planted("NATIONAL_ID", "it.codicefiscale", it_cf),
    "fr.nir": Planted("SSN", "fr.nir", fr_nir),
    "be.nn": Planted("NATIONAL_ID", "be.nn", proven("be.nn", "{y}.{m}.{d}-999.99")),
    "se.personnummer": Planted("NATIONAL_ID", "se.personnummer", proven("se.personnummer", "{y}{m}{d}-9999", "{Y}{m}{d}-9999")),
    "fi.hetu": Planted("NATIONAL_ID", "fi.hetu", proven("fi.hetu", "{d}{m}{y}-999A", "{d}{m}{y}-9999")),
    "ch.ssn": Planted("SSN", "ch.ssn", proven("ch.ssn", "756.9999.9999.99")),
    "cn.ric": Planted("NATIONAL_ID", "cn.ric", cn_ric),
    "mx.curp": Planted("NATIONAL_ID", "mx.curp", mx_curp),
    "kr.rrn": Planted("NATIONAL_ID", "kr.rrn", proven("kr.rrn", "{y}{m}{d}-1999999", "{y}{m}{d}-2999999")),
    "cl.rut": Planted("NATIONAL_ID", "cl.rut", proven("cl.rut", "99.999.999-9", "9.999.999-9")),
    "lv.pk": Planted("NATIONAL_ID", "lv.pk", proven("lv.pvn", "{d}{m}{y}-19999")),
    "cz.rc": Planted("NATIONAL_ID", "cz.rc", proven("cz.rc", "{y}{m}{d}/9999")),
    "ar.cuit": Planted("TAX_ID", "ar.cuit", proven("ar.cuit", "20-99999999-9", "27-99999999-9")),
    "es.nie": Planted("NATIONAL_ID", "es.nie", proven("es.nie", "X9999999A", "Y9999999A")),
    "ke.pin": Planted("TAX_ID", "ke.pin", joined("A", pick("0123456789", 9), pick(_LETTERS, 1))),
    "gb.nino form": Planted("NATIONAL_ID", "gb.nino", joined("AB ", pick("0123456789", 2), " ", pick("0123456789", 2), " ", pick("0123456789", 2), " C")),
    # Bare digits that hold a date or two check digits.
    "pl.pesel": Planted("NATIONAL_ID", "pl.pesel", proven("pl.pesel", "{y}{m}{d}99999")),
    "no.fodselsnummer": Planted("NATIONAL_ID", "no.fodselsnummer", proven("no.fodselsnummer", "{d}{m}{y}99999")),
    "za.idnr": Planted("NATIONAL_ID", "za.idnr", proven("za.idnr", "{y}{m}{d}9999089", "{y}{m}{d}9999189")),
    "ro.cnp": Planted("NATIONAL_ID", "ro.cnp", proven("ro.cnp", "1{y}{m}{d}129999", "2{y}{m}{d}129999")),
    "es.dni": Planted("NATIONAL_ID", "es.dni", proven("es.dni", "99999999A")),
    "in.aadhaar": Planted("NATIONAL_ID", "in.aadhaar", proven("in_.aadhaar", "2999 9999 9999", "7999 9999 9999")),
    # One check digit, or none: after a word that names the number.
    "gb.nhs": Planted("HEALTH_ID", "gb.nhs", proven("gb.nhs", "999 999 9999", "9999999999"), ("NHS", "NHS number")),
    "ca.sin": Planted("SSN", "ca.sin", proven("ca.sin", "199 999 999", "599-999-999"), ("SIN", "social insurance number")),
    "au.tfn": Planted("TAX_ID", "au.tfn", proven("au.tfn", "999 999 999"), ("TFN", "tax file number")),
    "au.medicare": Planted("HEALTH_ID", "au.medicare", au_medicare, ("Medicare",)),
    "cpf digits": Planted("TAX_ID", "br.cpf", proven("br.cpf", "99999999999"), ("CPF", "cpf:")),
    "aadhaar digits": Planted("NATIONAL_ID", "in.aadhaar", proven("in_.aadhaar", "299999999999", "7999-9999-9999"), ("Aadhaar", "aadhar no")),
    "de.idnr": Planted("TAX_ID", "de.idnr", proven("de.idnr", "99999999999"), ("Steuer-ID", "Steuernummer")),
    "nl.bsn": Planted("NATIONAL_ID", "nl.bsn", proven("nl.bsn", "199999999"), ("BSN", "burgerservicenummer")),
    "be.nn digits": Planted("NATIONAL_ID", "be.nn", proven("be.nn", "{y}{m}{d}99999"), ("rijksregisternummer", "registre national")),
    "dk.cpr": Planted("NATIONAL_ID", "dk.cpr", proven("dk.cpr", "{d}{m}{y}-1999", "{d}{m}{y}3999"), ("CPR", "cpr-nr")),
    "se digits": Planted("NATIONAL_ID", "se.personnummer", proven("se.personnummer", "{y}{m}{d}9999"), ("personnummer", "pnr")),
    "ie.pps": Planted("NATIONAL_ID", "ie.pps", proven("ie.pps", "9999999A"), ("PPS", "PPS number")),
    "tr.tckimlik": Planted("NATIONAL_ID", "tr.tckimlik", proven("tr.tckimlik", "19999999999", "49999999999"), ("T.C. kimlik no", "TC kimlik")),
    "pt.nif": Planted("TAX_ID", "pt.nif", proven("pt.nif", "299999999", "199999999"), ("NIF", "contribuinte")),
    "bg.egn": Planted("NATIONAL_ID", "bg.egn", proven("bg.egn", "{y}{m}{d}9999"), ("EGN", "ЕГН")),
    "lt.asmens": Planted("NATIONAL_ID", "lt.asmens", proven("lt.asmens", "3{y}{m}{d}9999", "4{y}{m}{d}9999"), ("asmens kodas",)),
    "gr.amka": Planted("SSN", "gr.amka", proven("gr.amka", "{d}{m}{y}99999"), ("AMKA",)),
    "il.idnr": Planted("NATIONAL_ID", "il.idnr", proven("il.idnr", "999999999"), ("teudat zehut", "mispar zehut")),
    "th.pin": Planted("NATIONAL_ID", "th.pin", proven("th.pin", "1999999999999", "1-9999-99999-99-9"), ("Thai id", "citizen id")),
    "my.nric": Planted("NATIONAL_ID", "my.nric", proven("my.nric", "{y}{m}{d}-01-9999"), ("NRIC", "MyKad")),
    "ke.pin word": Planted("TAX_ID", "ke.pin", joined(pick("BCDEF", 1), pick("0123456789", 9), pick(_LETTERS, 1)), ("KRA PIN", "PIN")),
    "ke.id": Planted("NATIONAL_ID", "ke.id", joined(pick("123", 1), pick("0123456789", 7)), ("National ID", "ID no.", "Kitambulisho")),
    "gb.nino": Planted("NATIONAL_ID", "gb.nino", joined("AB", pick("0123456789", 6), "C"), ("NI number", "national insurance no")),
    "in.pan": Planted("TAX_ID", "in.pan", joined(pick(string.ascii_uppercase, 3), "P", pick(string.ascii_uppercase, 1), pick("0123456789", 4), pick(string.ascii_uppercase, 1)), ("PAN", "PAN card")),
    "ng.nin": Planted("NATIONAL_ID", "ng.nin", joined("2", pick("0123456789", 10)), ("NIN", "BVN")),
    "sg.nric": Planted("NATIONAL_ID", "sg.nric", joined("S", pick("0123456789", 7), pick(_LETTERS, 1)), ("NRIC", "FIN")),
    "us.npi": Planted("HEALTH_ID", "us.npi", joined("1", pick("0123456789", 9)), ("NPI",)),
    "voter": Planted("VOTER_ID", "in context", joined("AB", pick("0123456789", 7)), ("voter id", "electoral no")),
}  # fmt: skip
