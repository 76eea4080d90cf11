"""Is the first record a header or already data?

Question: may the first record be shown as column names?
Method: every column votes. For a header: the column below is of a type (number, date, e-mail, ...) that the first
cell is not; the first cell is a word that headers use, or never occurs below although few values do. Against: the
first cell is of the type of its column, or occurs again below. Without a vote for it, it is data. A series of one
word with a number that counts up is a header unless a record below is such a series too.
Limits: a first row of data must never be printed as names, so a doubtful header is read as data, and told.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

_NUM = r"\d+(?:\.\d+)?"
_TYPES = (
    ("number", re.compile(r"[-+]?[$€£]?\s?\d[\d\s,.']*(?:[eE][-+]?\d+)?\s?%?|[-+]?\.\d+")),
    (
        "date",
        re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2}.*)?"),
    ),
    ("mail", re.compile(r"\S+@\S+\.\S+")),
    ("address", re.compile(r"https?://\S+|\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")),
    ("uuid", re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32,}")),
    ("code", re.compile(r"(?=(?:[^\s\d]*\d){3})(?=\S*[A-Za-z])[A-Za-z0-9\-/]{5,}|\d+[A-Za-z]{1,2}")),
    ("phone", re.compile(r"\+?[\d\s().\-/]{7,}")),
    ("truth", re.compile(r"(?i:true|false)")),
    ("band", re.compile(rf"[\[(]?\s?{_NUM}\s?[-,–]\s?{_NUM}\s?[\])\[]?|\d*\*+|[<>]=?\s?\d+\S*|\d+\+")),
)
_MISSING = frozenset(
    ["na", "n/a", "nan", "null", "none", "nil", "?", "-", "--", ".", "*", "unknown", "missing", "n.a.", "nd"]
) | {""}
_WORDS = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-z])|\d+")
_NUMBERED = re.compile(r"([^\W\d](?:\w*[^\W\d])?[ .-]?)(\d{1,6})")
_YEAR = re.compile(r"(?:19|20)\d{2}")
MOSTLY = 0.8
ALL = 0.98
FEW = 5
FEW_ROWS = 20


def is_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Tell whether `first` names the columns of `body`.

    Parameters
    ----------
    first : sequence of str, length w
    body : sequence of records of length w
        The records after it; may be empty.
    """
    if not any(cell.strip() for cell in first):
        return False
    if _counts_up(first):
        return not _first_row_fits(first, body)
    numbered = _numbered(first)
    if numbered and not any(_numbered(row) for row in body[:50]):
        return True
    years = _years(first, body)
    others = [i for i in range(len(first)) if i not in years]
    votes = sum(_vote(first[i].strip(), [row[i].strip() for row in body]) for i in others)
    return votes > 0 and _shaped_like_names([first[i] for i in others])


def _vote(cell: str, below: Sequence[str]) -> float:
    """Return a vote above 0 for a header, below 0 against, 0 for none."""
    present = [value for value in below if value.lower() not in _MISSING]
    if cell.lower() in _MISSING:
        return 0
    own = type_of(cell)
    common, share = _common_type(present)
    if common is not None and share >= MOSTLY:
        if own == "code" and common == "number" and _lettered(cell) and share >= ALL and len(present) >= FEW:
            return 1
        if own == common or (
            own is not None and {own, common} <= {"number", "date", "code", "phone", "band"}
        ):
            return -1
        if own in ("mail", "uuid", "address"):
            return 0
        return 1 + (1 if header_words(cell) else 0)
    if own is not None:
        return -1
    return _text_vote(cell, present)


def _text_vote(cell: str, present: Sequence[str]) -> float:
    counts = Counter(present)
    if cell in counts:
        return -2
    if header_words(cell):
        return 1
    held_once = sum(count == 1 for count in counts.values())
    if len(present) >= FEW_ROWS and held_once <= 0.02 * len(present):
        return 1
    return 0.5 if "_" in cell and not any("_" in value for value in counts) else 0


def _counts_up(first: Sequence[str]) -> bool:
    """Tell whether the cells are consecutive whole numbers, as the columns of a matrix are numbered."""
    cells = [cell.strip() for cell in first]
    cells = cells[1:] if cells and not cells[0] else cells
    if len(cells) < 3 or not all(re.fullmatch(r"\d{1,4}", cell) for cell in cells):
        return False
    return [int(cell) - int(cells[0]) for cell in cells] == list(range(len(cells)))


def _numbered(cells: Sequence[str]) -> bool:
    """Tell whether nearly all cells are one word with a number that counts up: ``V1, V2, V3``, ``gene_001, ...``."""
    found = [_NUMBERED.fullmatch(cell.strip()) for cell in cells]
    named = [(match[1], int(match[2])) for match in found if match]
    if len(named) < 3 or len(named) < 0.9 * len(cells):
        return False
    steps = [b == a + 1 for (stem, a), (other, b) in itertools.pairwise(named) if stem == other]
    return len(steps) >= len(named) - 1 - len({stem for stem, _ in named}) and sum(steps) >= 0.9 * (
        len(named) - 1
    )


def _years(first: Sequence[str], body: Sequence[Sequence[str]]) -> set[int]:
    """Return the positions of years that follow each other in `first` and in no record of the body: a time series."""
    places = [i for i, cell in enumerate(first) if _YEAR.fullmatch(cell.strip())]
    years = [int(first[i]) for i in places]
    steps = {b - a for a, b in itertools.pairwise(years)}
    if len(places) < 2 or len(steps) != 1 or 0 in steps:
        return set()
    also = any(all(_YEAR.fullmatch(row[i].strip()) for i in places) for row in body[:50])
    return set() if also or not body else set(places)


def _first_row_fits(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    return any(_counts_up(row) for row in body[:50])


def _shaped_like_names(first: Sequence[str]) -> bool:
    """Refuse a record of numbers and dates, and one with an address of a person or machine among other data."""
    cells = [cell.strip() for cell in first if cell.strip()]
    kinds = [type_of(cell) for cell in cells]
    addresses = sum(kind in ("mail", "uuid", "address") for kind in kinds)
    if addresses and 2 * sum(map(header_words, cells)) < len(cells) - addresses:
        return False
    typed = [
        kind
        for cell, kind in zip(cells, kinds, strict=True)
        if kind and not (kind == "code" and _lettered(cell))
    ]
    return len(typed) <= len(first) * 0.9


def _lettered(cell: str) -> bool:
    """Tell whether a cell is a code that letters begin, as ``DB020``: no number of the column below."""
    return re.fullmatch(r"[A-Za-z]\w{1,20}", cell) is not None


def type_of(cell: str) -> str | None:
    """Return the name of the type a cell is written in, None for text."""
    for name, pattern in _TYPES:
        if pattern.fullmatch(cell):
            return name
    return None


def _common_type(present: Sequence[str]) -> tuple[str | None, float]:
    counts = Counter(type_of(value) for value in present[:500])
    if not counts:
        return None, 0.0
    name, count = counts.most_common(1)[0]
    return name, count / sum(counts.values())


def header_words(cell: str) -> bool:
    """Tell whether a cell is made of words that headers use."""
    words = [word.lower() for word in _WORDS.findall(cell)]
    known = sum(word in _vocabulary() for word in words)
    return len(words) <= 8 and known > 0 and known * 2 >= sum(not word.isdigit() for word in words)


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(_HEADER_WORDS.split())


# Words of headers in the languages tables most often come in.
_HEADER_WORDS = """
id ids uid uuid guid key code codes no nr num number nummer numero row index idx ref reference serial
record account customer client user member patient person employee student teacher subject respondent
participant household family hh first last middle given full name names surname forename lastname
firstname fullname username nickname maiden initials title prefix suffix salutation sex gender age birth
birthday birthdate dob date dates day month year week hour minute time timestamp datetime created updated
modified start end from to expiry death deceased email mail phone telephone tel mobile cell fax contact
address addr street road house building unit apartment city town village suburb county district region
province state country nation nationality zip zipcode postcode postal area location latitude longitude
lat lon lng long geo place site marital status married race ethnicity ethnic religion language education
degree qualification school university college grade class level job occupation profession role position
department dept company employer organisation organization org business industry sector workclass income
salary wage pay amount price cost total balance credit debit limit loan premium payment currency tax pin
ssn nin nino passport licence license plate vehicle insurance policy claim card iban bic swift bank
diagnosis disease illness condition symptom treatment drug medication dose blood pressure height weight
bmi glucose cholesterol hospital doctor physician nurse clinic visit admission discharge result test
score rating rank value val count quantity qty percent share rate ratio mean min max sum type category
kind group segment tier label tag flag description desc comment comments note notes text message remark
reason url link website web ip mac device browser session login password secret token hash file path
version product item sku order invoice transaction shipping delivery store supplier vendor brand model
color colour size target outcome response observation reading instrument parent child children dependents
relation relationship smoking smoker attribute variable field column data info hobby hobbies skills
vorname nachname geburtsdatum geschlecht ort strasse straße plz land telefon beruf gehalt datum betrag
alter familienstand staat wohnort nom prénom prenom naissance sexe ville adresse rue pays métier salaire
âge date_naissance courriel nombre apellido apellidos fecha nacimiento sexo edad ciudad calle dirección
direccion país pais teléfono telefono correo provincia nome cognome nascita città citta indirizzo via età
eta cap comune sobrenome idade cidade endereço rua estado jina umri jinsia kaunti simu anwani tarehe kazi
"""
