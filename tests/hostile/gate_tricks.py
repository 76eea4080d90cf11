"""Ways to carry personal data past the gate in the cells of a table, each with the outcome that is expected.

Question: which disguises of names, numbers, dates and places does the gate notice?
Method: a table of people that passes the gate gets one or two more columns. Each trick is a function of a random
generator that returns these columns; `expected` states whether the gate must fail or the scan be incomplete
("noticed"), or whether the disguise is contrived and documented as not found ("contrived").
Limits: made data; `test_hostile_gate` runs the scans.
"""

from __future__ import annotations

import base64
import codecs
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

N = 300
Columns = dict[str, list[object]]
Expected = Literal["noticed", "contrived"]

GIVEN = (
    "Anna Peter Grace John Mary James Linda Robert Susan Michael Karen David Nancy Thomas Julia Mark Laura Paul Emma "
    "Daniel Alice Brian Diana Kevin Helen"
).split()
FAMILY = (
    "Smith Johnson Brown Miller Davis Wilson Moore Taylor Clark Lewis Walker Young Allen King Wright Scott Green Baker "
    "Adams Nelson Carter Mitchell Roberts Turner Phillips"
).split()
UNKNOWN = [a + b for a in "bdklmrt" for b in "aeiou"]
AREAS = "202 205 206 212 213 214 216 303 305 312 404 415 503 512 602 617 702 713 808 917".split()
"""Area codes of the North American Numbering Plan."""
EARLY = "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217".split()
"""Area codes whose numbers are seconds of the years 2033 to 2038."""


TOPICS = {
    "reversed": "letters or digits in reverse order",
    "plus 1": "numbers with a constant added",
    "base 36": "numbers in another base",
    "around parts": "markup between the parts of a number",
    "milliseconds": "telephone numbers as milliseconds",
    "digits for letters": "digits in place of letters",
    "initials": "initials",
    "rot13": "letters replaced by others (ROT13)",
    "base85": "Base85",
    "compressed": "compressed text",
    "base64 twice": "one encoding inside another",
    "modified": "modified Julian days",
    "100,000ths": "coordinates in 100,000ths of a degree under names that mean nothing",
}
"""The contrived tricks, as `docs/threat-model.md` calls them, by a part of their names."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A disguise: its family and name, the columns it adds, and what is expected."""

    family: str
    name: str
    columns: Columns
    expected: Expected = "noticed"

    @property
    def topic(self) -> str:
        """What `docs/threat-model.md` calls a contrived trick."""
        return next(topic for part, topic in TOPICS.items() if part in self.name)


def people(rng: random.Random) -> Columns:
    """Return the columns of a table of people that passes the gate."""
    return {
        "sex": [rng.choice("FM") for _ in range(N)],
        "age_group": [rng.choice(("18-39", "40-64", "65+")) for _ in range(N)],
    }


def ssn(rng: random.Random) -> str:
    """Return a valid social security number without hyphens."""
    area = rng.choice([a for a in range(1, 900) if a != 666])
    return f"{area:03d}{rng.randrange(1, 100):02d}{rng.randrange(1, 10_000):04d}"


def phone(rng: random.Random) -> str:
    """Return a telephone number of ten digits."""
    return f"{rng.choice(AREAS)}{rng.randrange(2, 10)}{rng.randrange(100):02d}{rng.randrange(10_000):04d}"


def full_name(rng: random.Random) -> str:
    """Return a listed given name and surname."""
    return f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"


def unknown_name(rng: random.Random, syllables: int = 3) -> str:
    """Return a capitalised word that no list contains."""
    return "".join(rng.choice(UNKNOWN) for _ in range(syllables)).title()


def address(rng: random.Random) -> str:
    """Return an e-mail address."""
    return f"{rng.choice(GIVEN)}.{rng.choice(FAMILY)}{rng.randrange(100)}@example.org".lower()


def birth(rng: random.Random) -> date:
    """Return a date of birth."""
    return date(1930, 1, 1) + timedelta(days=rng.randrange(27_000))


def each(make: Callable[[random.Random], object], rng: random.Random) -> list[object]:
    """Return `N` cells."""
    return [make(rng) for _ in range(N)]


def distinct(make: Callable[[random.Random], str], rng: random.Random) -> list[str]:
    """Return `N` different values."""
    found: dict[str, None] = {}
    while len(found) < N:
        found[make(rng)] = None
    return list(found)


HEADERS_OF_AMOUNTS = ("amount", "total", "value", "balance", "x")


def social_security_numbers(rng: random.Random) -> Iterator[Trick]:
    """Social security numbers in other forms, under names of amounts."""
    numbers = distinct(ssn, rng)
    forms: dict[str, Callable[[str], object]] = {
        "integer": int,
        "float": lambda s: float(int(s)),
        "text": str,
        "thousands": lambda s: f"{int(s):,}",
        "scientific": lambda s: f"{int(s) / 10 ** (len(str(int(s))) - 1):.8f}E{len(str(int(s))) - 1:02d}",
        "thousands with points": lambda s: f"{int(s):,}".replace(",", "."),
    }
    for header in HEADERS_OF_AMOUNTS:
        for name, form in forms.items():
            yield Trick("ssn", f"{name} under {header}", {header: [form(s) for s in numbers]})
    hyphens = [f"{s[:3]}-{s[3:5]}-{s[5:]}" for s in numbers]
    marks = {
        "soft hyphens": "\u00ad", "zero-width spaces": "\u200b", "word joiners": "\u2060", "no-break spaces": "\u00a0",
        "points": ".", "slashes": "/", "figure dashes": "\u2012", "minus signs": "\u2212",
    }  # fmt: skip
    for name, mark in marks.items():
        yield Trick("ssn", f"joined by {name}", {"ref": [h.replace("-", mark) for h in hyphens]})
    yield Trick("ssn", "soft hyphens inside", {"ref": [f"{h[:5]}\u00ad{h[5:]}" for h in hyphens]})
    yield Trick("ssn", "markup", {"ref": [f"<b>{h}</b>" for h in hyphens]})
    yield Trick("ssn", "markup inside", {"ref": [f"{h[:3]}<b></b>{h[3:]}" for h in hyphens]})
    yield Trick(
        "ssn", "markup around parts", {"ref": [f"<td>{h[:3]}</td>-<td>{h[4:]}</td>" for h in hyphens]}, "contrived"
    )
    yield Trick("ssn", "entities", {"ref": [h.replace("-", "&#45;") for h in hyphens]})
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    yield Trick("ssn", "full-width digits", {"ref": [h.translate(wide) for h in hyphens]})
    arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    yield Trick("ssn", "Arabic digits", {"ref": [h.translate(arabic) for h in hyphens]})
    yield Trick(
        "ssn",
        "three columns",
        {"a": [s[:3] for s in numbers], "b": [s[3:5] for s in numbers], "c": [s[5:] for s in numbers]},
    )
    yield Trick("ssn", "two columns, 3 and 6", {"a": [s[:3] for s in numbers], "b": [s[3:] for s in numbers]})
    yield Trick("ssn", "two columns, 5 and 4", {"a": [s[:5] for s in numbers], "b": [s[5:] for s in numbers]})
    yield Trick("ssn", "label in front", {"ref": [f"no. {h}" for h in hyphens]})
    yield Trick("ssn", "quotes around", {"ref": [f'"{h}"' for h in hyphens]})
    yield Trick("ssn", "spaces between digits", {"ref": [" ".join(s) for s in numbers]})
    for name, decoy in (
        ("reversed", lambda s: s[::-1]),
        ("plus 1", lambda s: f"{int(s) + 1:09d}x"),
        ("base 36", lambda s: _base36(int(s))),
    ):
        yield Trick("ssn", name, {"ref": [decoy(s) for s in numbers]}, "contrived")


def _base36(n: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while n:
        n, rest = divmod(n, 36)
        text = digits[rest] + text
    return text or "0"


def telephone_numbers(rng: random.Random) -> Iterator[Trick]:
    """Telephone numbers as numbers, times and amounts."""
    numbers = distinct(phone, rng)
    early = distinct(lambda r: f"{r.choice(EARLY)}{r.randrange(2, 10)}{r.randrange(10**6):06d}", rng)
    for header in ("contact", "phone", "tel", "mobile_no", "x", "value"):
        yield Trick("phone", f"begins with 201 to 217 under {header}", {header: [int(n) for n in early]})
    forms: dict[str, Callable[[str], object]] = {
        "integer": int, "float": float, "thousands": lambda s: f"{int(s):,}",
        "scientific": lambda s: f"{int(s) / 1e9:.9f}E+09",
    }  # fmt: skip
    for header in HEADERS_OF_AMOUNTS:
        for name, form in forms.items():
            yield Trick("phone", f"{name} under {header}", {header: [form(s) for s in numbers]})
    for name, mark in (("soft hyphens", "\u00ad"), ("points", "."), ("slashes", "/"), ("zero-width spaces", "\u200b")):
        yield Trick("phone", f"joined by {name}", {"ref": [f"{s[:3]}{mark}{s[3:6]}{mark}{s[6:]}" for s in numbers]})
    yield Trick("phone", "markup", {"ref": [f'<a href="#">({s[:3]}) {s[3:6]}-{s[6:]}</a>' for s in numbers]})
    yield Trick("phone", "markup inside", {"ref": [f"({s[:3]}) {s[3:6]}<wbr>-{s[6:]}" for s in numbers]})
    yield Trick(
        "phone",
        "three columns",
        {"p1": [s[:3] for s in numbers], "p2": [s[3:6] for s in numbers], "p3": [s[6:] for s in numbers]},
    )
    yield Trick("phone", "two columns", {"p1": [s[:3] for s in numbers], "p2": [s[3:] for s in numbers]})
    yield Trick("phone", "as milliseconds under seen", {"seen": [int(n) * 1000 for n in early]}, "contrived")


def names_of_people(rng: random.Random) -> Iterator[Trick]:
    """Names in columns of categories, in paths, under names that lists do not contain, and as user names."""
    full = distinct(full_name, rng)
    for header in ("status", "category", "type", "comment", "result", "state_of_case"):
        cells = [
            rng.choice(full) if rng.random() < 0.2 else rng.choice(("open", "closed", "waiting", "sent"))
            for _ in range(N)
        ]
        yield Trick("name", f"in a fifth of the cells of {header}", {header: cells})
        few = full[:6]
        cells = [
            rng.choice(few) if rng.random() < 0.2 else rng.choice(("open", "closed", "waiting", "sent"))
            for _ in range(N)
        ]
        yield Trick("name", f"six names in a fifth of the cells of {header}", {header: cells})
    paths = {
        "Windows": lambda g, f, i: f"C:\\Users\\{g}.{f}\\Documents\\plan{i}.docx",
        "scan": lambda g, f, i: f"/scans/{g}_{f}_MRI_{i}.pdf",
        "home": lambda g, f, i: f"/home/{g.lower()}.{f.lower()}/data/{i}.csv",
        "address of a page": lambda g, f, i: f"https://intranet.example.org/people/{g.lower()}-{f.lower()}?v={i}",
        "share": lambda g, f, i: f"\\\\server\\share\\{f}, {g}\\scan{i}.tif",
    }
    for header in ("file", "path", "document", "x"):
        for name, path in paths.items():
            cells = [path(*full[i].split(" "), i) for i in range(N)]
            yield Trick("name", f"{name} path under {header}", {header: cells})
    unknown = distinct(unknown_name, rng)
    two = [f"{name} {unknown_name(rng)}" for name in unknown]
    for header in ("name", "patient_name", "full_name", "customer", "nombre", "surname", "first_name", "last_name"):
        cells = unknown if header in ("surname", "first_name", "last_name") else two
        yield Trick("name", f"on no list under {header}", {header: cells})
    yield Trick("name", "one word on no list under name", {"name": unknown})
    users = [
        f"{name.split(' ')[0][0]}{name.split(' ')[1]}".lower() + (str(i) if i % 3 else "")
        for i, name in enumerate(full)
    ]
    for header in ("owner", "user", "login", "created_by", "account"):
        yield Trick("name", f"user names under {header}", {header: users})
    yield Trick("name", "with points under name", {"name": [name.replace(" ", ".") for name in full]})
    yield Trick("name", "with underscores under key", {"key": [name.replace(" ", "_") for name in full]})
    yield Trick("name", "in capitals under title", {"title": [name.upper() for name in full]})
    yield Trick("name", "surname first under entry", {"entry": [", ".join(reversed(name.split(" "))) for name in full]})
    yield Trick("name", "with a title under entry", {"entry": [f"Dr. {name}" for name in full]})
    yield Trick("name", "with soft hyphens under entry", {"entry": [name.replace(" ", "\u00ad ") for name in full]})
    yield Trick("name", "with markup under entry", {"entry": [f"<b>{name}</b>" for name in full]})
    yield Trick("name", "in braces under data", {"data": [f'{{"n": "{name}"}}' for name in full]})
    yield Trick("name", "in CamelCase under tag", {"tag": [name.replace(" ", "") for name in full]})
    yield Trick(
        "name",
        "with Cyrillic letters under name",
        {"name": [name.replace("a", "а").replace("e", "е") for name in full]},
    )
    yield Trick(
        "name",
        "with digits for letters under name",
        {"name": [name.replace("a", "4").replace("e", "3") for name in full]},
        "contrived",
    )
    yield Trick("name", "letters reversed under entry", {"entry": [name[::-1] for name in full]}, "contrived")
    yield Trick(
        "name", "initials under entry", {"entry": ["".join(w[0] for w in name.split()) for name in full]}, "contrived"
    )


def encodings(rng: random.Random) -> Iterator[Trick]:
    """Addresses and names behind an encoding."""
    values = {
        "e-mail": distinct(address, rng),
        "name": distinct(full_name, rng),
        "ssn": [f"{s[:3]}-{s[3:5]}-{s[5:]}" for s in distinct(ssn, rng)],
    }
    forms: dict[str, tuple[Callable[[str], object], Expected]] = {
        "base64": (lambda v: base64.b64encode(v.encode()).decode(), "noticed"),
        "base64 without padding": (lambda v: base64.urlsafe_b64encode(v.encode()).decode().rstrip("="), "noticed"),
        "base32": (lambda v: base64.b32encode(v.encode()).decode(), "noticed"),
        "hex": (lambda v: v.encode().hex(), "noticed"),
        "hex in capitals": (lambda v: v.encode().hex().upper(), "noticed"),
        "hex with 0x": (lambda v: "0x" + v.encode().hex(), "noticed"),
        "percent": (lambda v: "".join(f"%{b:02X}" for b in v.encode()), "noticed"),
        "entities": (lambda v: "".join(f"&#{ord(c)};" for c in v), "noticed"),
        "codes": (lambda v: " ".join(str(ord(c)) for c in v), "noticed"),
        "escapes": (lambda v: "".join(f"\\u{ord(c):04x}" for c in v), "noticed"),
        "rot13": (lambda v: codecs.encode(v, "rot13"), "contrived"),
        "base85": (lambda v: base64.b85encode(v.encode()).decode(), "contrived"),
        "reversed": (lambda v: v[::-1], "contrived"),
        "compressed": (lambda v: base64.b64encode(zlib.compress(v.encode())).decode(), "contrived"),
        "base64 twice": (lambda v: base64.b64encode(base64.b64encode(v.encode())).decode(), "contrived"),
    }  # fmt: skip
    for kind, cells in values.items():
        for name, (form, expected) in forms.items():
            yield Trick("encoding", f"{kind} in {name}", {"token": [form(v) for v in cells]}, expected)


def dates_and_places(rng: random.Random) -> Iterator[Trick]:
    """Dates of birth and places as numbers."""
    births = [birth(rng) for _ in range(N)]
    days = {
        "Excel days": lambda d: (d - date(1899, 12, 30)).days,
        "Julian day numbers": lambda d: d.toordinal() + 1_721_425,
        "modified Julian days": lambda d: d.toordinal() - 678_576,
        "ordinals": lambda d: d.toordinal(),
        "year, month, day": lambda d: int(d.strftime("%Y%m%d")),
        "seconds": lambda d: (d - date(1970, 1, 1)).days * 86_400,
        "milliseconds": lambda d: (d - date(1970, 1, 1)).days * 86_400_000,
        "year and day": lambda d: int(d.strftime("%Y%j")),
        "day, month, year": lambda d: int(d.strftime("%d%m%Y")),
    }
    for header in ("x", "v1", "day", "dob"):
        for name, number in days.items():
            expected: Expected = "contrived" if name.startswith("modified") else "noticed"
            yield Trick("date", f"{name} under {header}", {header: [number(d) for d in births]}, expected)
    points = [(40 + rng.random() * 2, -75 + rng.random() * 2) for _ in range(N)]
    for name, scale in (("millionths of degrees", 10**6), ("ten-millionths of degrees", 10**7), ("100,000ths", 10**5)):
        for headers in (("x", "y"), ("lat", "lon"), ("px", "py")):
            a, b = headers
            lat, lon = ([round(p[i] * scale) for p in points] for i in (0, 1))
            expected = "contrived" if name == "100,000ths" and a != "lat" else "noticed"
            yield Trick("place", f"{name} under {a} and {b}", {a: lat, b: lon}, expected)


FAMILIES = (social_security_numbers, telephone_numbers, names_of_people, encodings, dates_and_places)


def tricks(seed: int = 33) -> list[Trick]:
    """Return every trick; the same seed gives the same cells."""
    return [trick for family in FAMILIES for trick in family(random.Random(f"{seed} {family.__name__}"))]


def table(trick: Trick, seed: int = 33) -> Columns:
    """Return the table of people with the columns of a trick."""
    return people(random.Random(seed)) | trick.columns
