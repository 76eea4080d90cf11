# ruff: noqa: E501 - tables of words and templates are read whole
"""Values that mean somebody, and values that only look like it: all invented, all from one seeded generator.

Every maker takes a `random.Random` and returns one text. Numbers with check digits are drawn until python-stdnum
accepts them, so what is planted is what it claims to be.
"""

from __future__ import annotations

import importlib
import string
import uuid
from collections.abc import Callable
from itertools import pairwise
from random import Random

Maker = Callable[[Random], str]

GIVEN = {
    "us": "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Kevin Emily",
    "gb": "Oliver Amelia George Isla Harry Ava Jack Freya Leo Poppy Alfie Evie Archie Charlotte Theo Florence Rhys Sian Callum Imogen",
    "de": "Lukas Anna Jürgen Sabine Stefan Heike Matthias Katharina Jonas Lena Wolfgang Ursula Björn Greta Dieter Renate Felix Marlene Uwe Jana",
    "fr": "Pierre Camille Julien Élodie Mathieu Chloé Antoine Manon Thierry Nathalie Rémi Océane Guillaume Aurélie Benoît Sylvie Luc Inès Hugo Léa",
    "es": "Alejandro Lucía Javier Carmen Miguel Sofía Carlos Paula Fernando Elena Andrés Marta Rafael Pilar Diego Inés Pablo Rocío Sergio Nuria",
    "it": "Giuseppe Giulia Marco Chiara Luca Francesca Antonio Sara Matteo Elisa Paolo Martina Davide Valentina Stefano Silvia Lorenzo Alessia Pietro Ilaria",
    "ke": "Wanjiku Otieno Achieng Kamau Njeri Kiprono Akinyi Mwangi Wambui Ochieng Chebet Mutua Nyambura Kipchoge Atieno Kariuki Moraa Baraka Zawadi Juma",
    "in": "Priya Rahul Ananya Arjun Deepika Vikram Kavya Sanjay Lakshmi Rohan Meera Aditya Pooja Suresh Nisha Amit Divya Rajesh Sneha Karthik",
    "br": "João Maria José Ana Francisco Adriana Luiz Juliana Paulo Márcia Gabriel Fernanda Thiago Camila Rodrigo Beatriz Gustavo Larissa Marcelo Tatiana",
    "se": "Erik Maja Lars Ebba Anders Elsa Mikael Astrid Johan Saga Oskar Linnéa Gustav Ingrid Nils Freja Axel Tuva Karl Signe",
}
FAMILY = {
    "us": "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Jackson Thompson Harris Clark Lewis Robinson Walker Hall Nelson",
    "gb": "Hughes Patel Edwards Turner Cooper Ward Bennett Ashworth Whitaker Llewellyn Pritchard Fletcher Hargreaves Sutcliffe Barlow Greenwood Kirby Thorne Blackwood Mercer",
    "de": "Müller Schmidt Schneider Fischer Weber Becker Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Zimmermann Krüger Lange Vogel Brandt",
    "fr": "Martin Bernard Dubois Lefebvre Moreau Laurent Girard Rousseau Fontaine Chevalier Gauthier Perrin Marchand Dufour Blanchard Renard Mercier Leclerc Barbier Colin",
    "es": "García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Ruiz Díaz Álvarez Moreno Muñoz Romero Navarro Torres Ramos Vega Castro",
    "it": "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti De Luca Costa Giordano Mancini Rizzo Lombardi Moretti",
    "ke": "Mwangi Odhiambo Wekesa Kimani Cheruiyot Njoroge Omondi Barasa Maina Koech Waweru Nyong'o Karanja Ruto Githinji Onyango Muthoni Kiplagat Simiyu Ndungu",
    "in": "Sharma Patel Reddy Iyer Gupta Nair Singh Kumar Desai Menon Banerjee Joshi Rao Mehta Chatterjee Kulkarni Pillai Verma Bhat Agarwal",
    "br": "Silva Santos Oliveira Souza Lima Pereira Ferreira Alves Ribeiro Carvalho Gomes Martins Araújo Barbosa Rocha Almeida Nascimento Dias Teixeira Cardoso",
    "se": "Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Lindberg Lindqvist Sandberg Nyström Holmgren Ekström Sjöberg Wallin Åberg Blom",
}
CITIES = {
    "us": "Chicago,Houston,Phoenix,Denver,Seattle,Boston,Nashville,Portland,Austin,Tampa",
    "gb": "Leeds,Bristol,Sheffield,Cardiff,Norwich,Glasgow,Liverpool,Brighton,Plymouth,Exeter",
    "de": "Hamburg,München,Köln,Leipzig,Dresden,Bremen,Hannover,Nürnberg,Bonn,Münster",
    "fr": "Lyon,Marseille,Toulouse,Nantes,Strasbourg,Bordeaux,Lille,Rennes,Grenoble,Dijon",
    "es": "Madrid,Sevilla,Valencia,Bilbao,Málaga,Zaragoza,Granada,Murcia,Alicante,Córdoba",
    "it": "Milano,Napoli,Torino,Palermo,Genova,Bologna,Firenze,Bari,Catania,Verona",
    "ke": "Nairobi,Mombasa,Kisumu,Nakuru,Eldoret,Thika,Malindi,Kitale,Garissa,Nyeri",
    "in": "Mumbai,Bengaluru,Chennai,Hyderabad,Pune,Jaipur,Kochi,Lucknow,Indore,Nagpur",
    "br": "Recife,Salvador,Curitiba,Fortaleza,Manaus,Belém,Goiânia,Porto Alegre,Natal,Maceió",
    "se": "Stockholm,Göteborg,Malmö,Uppsala,Lund,Umeå,Västerås,Örebro,Linköping,Helsingborg",
}
STREETS = {
    "us": "{n} {w} Street|{n} {w} Ave|{n} N {w} Blvd|{n} {w} Lane",
    "gb": "{n} {w} Road|{n} {w} Close|{n} {w} Crescent",
    "de": "{w}straße {n}|{w}weg {n}",
    "fr": "{n} rue {w}|{n} avenue {w}",
    "es": "Calle {w} {n}|Avenida {w} {n}",
    "it": "Via {w} {n}|Viale {w} {n}",
    "ke": "{n} {w} Road|{n} {w} Avenue",
    "in": "{n} {w} Road|{n} {w} Nagar",
    "br": "Rua {w} {n}|Avenida {w} {n}",
    "se": "{w}gatan {n}|{w}vägen {n}",
}
_STREET_WORDS = "Oak Maple Cedar Park Lake Hill River Church Station Garden Mill Victoria Garibaldi Linden Rosa Central"
STREET_WORDS = _STREET_WORDS.split()
LOCALES = tuple(GIVEN)


def digits(random: Random, n: int) -> str:
    """Return `n` digits."""
    return f"{random.randrange(10**n):0{n}d}" if n else ""


def proven(module: str, make: Maker) -> Maker:
    """Return a maker that draws until ``stdnum.<module>`` accepts."""

    def draw(random: Random) -> str:
        accepts = importlib.import_module(f"stdnum.{module}").is_valid
        while not accepts(text := make(random)):
            pass
        return text

    return draw


def _cpf(random: Random) -> str:
    """Return a Brazilian number with the two check digits worked out, in its usual form."""
    body = [int(digit) for digit in digits(random, 9)]
    for first in (10, 11):
        rest = sum(weight * digit for weight, digit in zip(range(first, 1, -1), body, strict=True)) % 11
        body.append(0 if rest < 2 else 11 - rest)
    text = "".join(map(str, body))
    return f"{text[:3]}.{text[3:6]}.{text[6:9]}-{text[9:]}"


def _nir(random: Random) -> str:
    """Return a French number of somebody born in Paris, with its key."""
    body = f"{random.randint(1, 2)}{random.randint(40, 99)}{random.randint(1, 12):02d}75{digits(random, 6)}"
    return f"{body}{97 - int(body) % 97:02d}"


def _belgian(random: Random) -> str:
    """Return a Belgian number of somebody born before 2000, with its key."""
    date, serial = _six_date(random), digits(random, 3)
    key = 97 - int(date + serial) % 97
    return f"{date[:2]}.{date[2:4]}.{date[4:]}-{serial}.{key:02d}"


def _idnr(random: Random) -> str:
    """Return ten digits of which one occurs twice or three times, as German tax numbers have, and the check digit."""
    from stdnum.iso7064 import mod_11_10

    times = random.randint(2, 3)
    chosen = random.sample("0123456789", 11 - times)
    body = chosen + [chosen[0]] * (times - 1)
    random.shuffle(body)
    if body[0] == "0":
        return _idnr(random)
    return "".join(body) + mod_11_10.calc_check_digit("".join(body))


def _codice_fiscale(random: Random) -> str:
    """Return an Italian code of somebody born in Rome, with its last letter."""
    from stdnum.it import codicefiscale

    body = (
        f"{_letters(random, 6, 'BCDFGLMNPRST')}{random.randint(40, 99)}{random.choice('ABCDEHLMPRST')}"
        f"{random.randint(1, 28):02d}H501"
    )
    return body + codicefiscale.calc_check_digit(body)


def _nie(random: Random) -> str:
    """Return the number of a foreigner in Spain, with its letter."""
    from stdnum.es import nie

    body = random.choice("XYZ") + digits(random, 7)
    return body + nie.calc_check_digit(body)


def given(random: Random, locale: str) -> str:
    """Return a given name."""
    return random.choice(GIVEN[locale].split())


def surname(random: Random, locale: str) -> str:
    """Return a surname."""
    return random.choice(FAMILY[locale].split())


def person(random: Random, locale: str | None = None) -> str:
    """Return a full name."""
    locale = locale or random.choice(LOCALES)
    return f"{given(random, locale)} {surname(random, locale)}"


def city(random: Random, locale: str | None = None) -> str:
    """Return a city."""
    return random.choice(CITIES[locale or random.choice(LOCALES)].split(","))


def street(random: Random, locale: str | None = None) -> str:
    """Return a street with its number."""
    pattern = random.choice(STREETS[locale or random.choice(LOCALES)].split("|"))
    return pattern.format(n=random.randint(1, 980), w=random.choice(STREET_WORDS))


def email(random: Random) -> str:
    """Return an e-mail address."""
    import unicodedata

    name = person(random).lower().replace(" ", random.choice("._-")).replace("'", "")
    name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    host = random.choice(("example.com", "mail.example.org", "gmail.com", "outlook.com", "acme.co.ke", "web.de"))
    return f"{name}{random.choice(('', digits(random, 2)))}@{host}"


def phone(random: Random, locale: str | None = None) -> str:
    """Return a phone number in a written form of its country, or international."""
    d = digits(random, 10)
    us = (
        f"{random.randint(2, 9)}{random.randint(0, 8)}{random.randint(2, 9)}",
        f"{random.randint(2, 9)}{d[:2]}",
        d[2:6],
    )
    forms = {
        "us": ("({}) {}-{}".format(*us), "{}-{}-{}".format(*us), "+1 {} {} {}".format(*us), "{}.{}.{}".format(*us)),
        "gb": (
            f"07{random.choice('4578')}{d[:2]} {d[2:8]}",
            f"+44 7{random.choice('4578')}{d[:2]} {d[2:8]}",
            f"020 7{d[:3]} {d[3:7]}",
        ),
        "de": (f"+49 151 {d[:8]}", f"0151 {d[:8]}", f"+49 30 {d[:7]}"),
        "fr": (f"06 {d[:2]} {d[2:4]} {d[4:6]} {d[6:8]}", f"+33 6 {d[:2]} {d[2:4]} {d[4:6]} {d[6:8]}"),
        "es": (f"+34 6{d[:2]} {d[2:5]} {d[5:8]}",),
        "it": (f"+39 34{random.choice('0789')} {d[:3]} {d[3:7]}",),
        "ke": (
            f"07{random.choice('012')}{d[0]} {d[1:4]} {d[4:7]}",
            f"+254 7{random.choice('012')}{d[0]} {d[1:7]}",
            f"+2547{random.choice('012')}{d[:7]}",
        ),
        "in": (f"+91 9{d[:4]} {d[4:9]}", f"+91-9{d[:9]}"),
        "br": (f"+55 11 9{d[:4]}-{d[4:8]}",),
        "se": (f"+46 70 {d[:3]} {d[3:5]} {d[5:7]}", f"070-{d[:3]} {d[3:5]} {d[5:7]}"),
    }
    return random.choice(forms[locale or random.choice(tuple(forms))])


def _card(random: Random) -> str:
    prefix = random.choice(("4", "51", "52", "55", "2221", "6011", "65", "34", "37"))
    return prefix + digits(random, (15 if prefix in {"34", "37"} else 16) - len(prefix))


card_number = proven("luhn", _card)


def card(random: Random) -> str:
    """Return a card number, grouped or not."""
    text = card_number(random)
    separator = random.choice(("", " ", "-"))
    cuts = (0, 4, 10, 15) if len(text) == 15 else (0, 4, 8, 12, 16)
    return separator.join(text[a:b] for a, b in pairwise(cuts))


def _iban(random: Random) -> str:
    country, n = random.choice(
        (("DE", 18), ("NL", 0), ("ES", 20), ("GB", 0), ("BE", 12), ("AT", 16), ("CH", 17), ("SE", 20))
    )
    body = {"NL": "INGB" + digits(random, 10), "GB": "NWBK" + digits(random, 14)}.get(country, digits(random, n))
    from stdnum import iban

    return country + iban.calc_check_digits(f"{country}00{body}") + body


_iban_number = proven("iban", _iban)


def iban(random: Random) -> str:
    """Return an IBAN in groups of four or in one piece."""
    text = _iban_number(random)
    return random.choice((text, " ".join(text[i : i + 4] for i in range(0, len(text), 4))))


def ssn(random: Random) -> str:
    """Return a social security number of an issued area."""
    area = random.randint(1, 898)
    return f"{area + (area >= 666):03d}-{random.randint(1, 99):02d}-{random.randint(1, 9999):04d}"


def ipv4(random: Random) -> str:
    """Return a public IPv4 address."""
    return f"{random.choice((41, 63, 81, 102, 154, 185, 197))}.{random.randint(20, 254)}.{random.randint(1, 254)}.{random.randint(1, 254)}"


def mac(random: Random) -> str:
    """Return a MAC address."""
    return random.choice(":-").join(f"{random.randint(0, 255):02x}" for _ in range(6))


def birth_date(random: Random) -> str:
    """Return a birth date in one of four forms."""
    y, m, d = random.randint(1935, 2008), random.randint(1, 12), random.randint(1, 28)
    return random.choice(
        (
            f"{y}-{m:02d}-{d:02d}",
            f"{d:02d}/{m:02d}/{y}",
            f"{d}.{m}.{y}",
            f"{d} {['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][m - 1]} {y}",
        )
    )


def _six_date(random: Random) -> str:
    return f"{random.randint(40, 99)}{random.randint(1, 12):02d}{random.randint(1, 28):02d}"


def _letters(random: Random, n: int, alphabet: str = string.ascii_uppercase) -> str:
    return "".join(random.choices(alphabet, k=n))


NATIONAL: dict[str, Maker] = {
    "ke.pin": lambda r: f"{r.choice('AP')}{digits(r, 9)}{_letters(r, 1)}",
    "br.cpf": proven("br.cpf", _cpf),
    "it.cf": proven("it.codicefiscale", _codice_fiscale),
    "fr.nir": proven("fr.nir", _nir),
    "be.nn": proven("be.nn", _belgian),
    "se.personnummer": proven("se.personnummer", lambda r: f"{_six_date(r)}-{digits(r, 4)}"),
    "fi.hetu": proven(
        "fi.hetu",
        lambda r: (
            f"{r.randint(1, 28):02d}{r.randint(1, 12):02d}{r.randint(40, 99)}-{r.randint(2, 899):03d}{_letters(r, 1, '0123456789ABCDEFHJKLMNPRSTUVWXY')}"
        ),
    ),
    "ch.ssn": proven("ch.ssn", lambda r: f"756.{digits(r, 4)}.{digits(r, 4)}.{digits(r, 2)}"),
    "cn.ric": proven("cn.ric", lambda r: f"11010519{_six_date(r)}{digits(r, 3)}{r.choice('0123456789X')}"),
    "es.nie": proven("es.nie", _nie),
    "mx.curp": proven(
        "mx.curp",
        lambda r: (
            f"{_letters(r, 1, 'GLMR')}{r.choice('AEIOU')}{_letters(r, 2, 'BCDFGLMR')}{_six_date(r)}{r.choice('HM')}DF{_letters(r, 3, 'BCDFGLMR')}0{digits(r, 1)}"
        ),
    ),
}
SPOKEN: dict[str, tuple[str, Maker]] = {
    "gb.nhs": ("NHS number", proven("gb.nhs", lambda r: f"{digits(r, 3)} {digits(r, 3)} {digits(r, 4)}")),
    "ca.sin": ("SIN", proven("ca.sin", lambda r: f"{r.choice('1234567')}{digits(r, 2)} {digits(r, 3)} {digits(r, 3)}")),
    "au.tfn": ("TFN", proven("au.tfn", lambda r: f"{digits(r, 3)} {digits(r, 3)} {digits(r, 3)}")),
    "in.aadhaar": (
        "Aadhaar no.",
        proven("in_.aadhaar", lambda r: f"{r.randint(2, 9)}{digits(r, 3)} {digits(r, 4)} {digits(r, 4)}"),
    ),
    "nl.bsn": ("BSN", proven("nl.bsn", lambda r: digits(r, 9))),
    "de.idnr": ("Steuer-ID", proven("de.idnr", _idnr)),
    "pt.nif": ("NIF", proven("pt.nif", lambda r: f"2{digits(r, 8)}")),
    "ke.id": ("National ID", lambda r: f"{r.randint(10_000_000, 39_999_999)}"),
    "gb.nino": (
        "NI number",
        lambda r: (
            f"{r.choice('ABCEGHJ')}{r.choice('ABCEGHJ')} {digits(r, 2)} {digits(r, 2)} {digits(r, 2)} {r.choice('ABCD')}"
        ),
    ),
    "imei": ("IMEI", proven("imei", lambda r: f"35{digits(r, 13)}")),
    "passport": ("passport no.", lambda r: f"{_letters(r, 1, 'ABCK')}{digits(r, 8)}"),
}
SECRETS: tuple[Maker, ...] = (
    lambda r: "AKIA" + _letters(r, 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    lambda r: "ghp_" + _letters(r, 36, string.ascii_letters + string.digits),
    lambda r: f"password: {_letters(r, 5, string.ascii_letters)}{digits(r, 3)}!",
    lambda r: f"api_key={_letters(r, 20, string.ascii_lowercase)}{digits(r, 12)}",
)


def secret(random: Random) -> str:
    """Return a credential."""
    return random.choice(SECRETS)(random)


def profile(random: Random) -> str:
    """Return a link to the profile of a person."""
    name = email(random).partition("@")[0]
    return random.choice(
        ("https://www.linkedin.com/in/{}", "https://github.com/{}", "https://portal.example.com/users/{}")
    ).format(name)


DECOYS: dict[str, Maker] = {
    "order": lambda r: f"order {digits(r, 16)}",
    "invoice": lambda r: f"invoice no. {digits(r, 10)}",
    "version": lambda r: f"version {r.randint(1, 20)}.{r.randint(0, 40)}.{r.randint(0, 99)}.{r.randint(0, 999)}",
    "app": lambda r: f"app v{r.randint(1, 9)}.{r.randint(0, 255)}.{r.randint(0, 255)}.{r.randint(0, 255)}",
    "digest": lambda r: f"checksum {_letters(r, 40, '0123456789abcdef')}",
    "md5": lambda r: _letters(r, 32, "0123456789abcdef"),
    "uuid": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)),
    "timestamp": lambda r: (
        f"2024-{r.randint(1, 12):02d}-{r.randint(1, 28):02d} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}:{r.randint(0, 59):02d}"
    ),
    "iso": lambda r: (
        f"2023-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}T{r.randint(0, 23):02d}:{r.randint(0, 59):02d}:00Z"
    ),
    "part": lambda r: f"part no. {digits(r, 3)}-{digits(r, 2)}-{digits(r, 4)}",
    "sku": lambda r: f"SKU {_letters(r, 2)}-{digits(r, 6)}",
    "tracking": lambda r: f"tracking 1Z{_letters(r, 3)}{digits(r, 11)}",
    "amount": lambda r: f"${r.randint(1, 999)},{digits(r, 3)}.{digits(r, 2)}",
    "epoch": lambda r: f"epoch 17{digits(r, 8)}",
    "isbn": lambda r: f"ISBN 978-{digits(r, 1)}-{digits(r, 5)}-{digits(r, 3)}-{digits(r, 1)}",
    "size": lambda r: f"{digits(r, 7)} bytes in {r.randint(2, 900)} ms",
    "ticket": lambda r: f"ticket #{digits(r, 9)}",
    "years": lambda r: f"from {r.randint(1990, 2010)}-{r.randint(2011, 2024)}",
    "room": lambda r: f"room {r.randint(100, 999)}, {r.randint(1, 12)}:{r.randint(10, 59)} pm",
    "measure": lambda r: f"{r.randint(100, 200)}x{r.randint(20, 80)}x{r.randint(10, 40)} cm",
    "due": lambda r: f"due {r.randint(1, 28):02d}/{r.randint(1, 12):02d}/2025",
    "serial": lambda r: f"serial SN{digits(r, 12)}",
    "meeting": lambda r: f"meeting ID {digits(r, 3)} {digits(r, 4)} {digits(r, 4)}",
    "policy": lambda r: f"policy number {digits(r, 10)}",
    "claim": lambda r: f"claim no. 2023-{digits(r, 7)}",
    "ref": lambda r: f"ref {r.randint(201, 989)}-{r.randint(201, 989)}-{digits(r, 4)}",
    "range": lambda r: f"rows {digits(r, 6)}-{digits(r, 6)}",
    "section": lambda r: f"section {r.randint(2, 9)}.{r.randint(1, 30)}.{r.randint(1, 30)}.{r.randint(1, 30)}",
    "colour": lambda r: f"#{_letters(r, 6, '0123456789abcdef')}",
    "agent": lambda r: f"Chrome/{r.randint(90, 130)}.0.{digits(r, 4)}.{r.randint(10, 200)} Safari/537.36",
    "score": lambda r: f"score {r.random():.16f}",
    "grouped": lambda r: f"{r.randint(1, 99)} {digits(r, 3)} {digits(r, 3)} units",
    "error": lambda r: f"error 0x{_letters(r, 8, '0123456789ABCDEF')}",
    "path": lambda r: f"/var/log/app-{digits(r, 8)}/{digits(r, 3)}.gz",
    "handle": lambda r: f"logo@2x.png and photo{digits(r, 2)}@3x.jpg",
    "long": lambda r: f"id {digits(r, 18)}",
}


def decoy(random: Random) -> str:
    """Return something technical that means nobody."""
    return DECOYS[random.choice(tuple(DECOYS))](random)
