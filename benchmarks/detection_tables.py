# ruff: noqa: E501 - tables of words and templates are read whole
"""Forty labelled tables: ten countries x four styles of header, in several states of dirt, all invented and seeded.

Every table has eight personal columns, eight decoys that only look personal, and one column of notes in some cells of
which personal values are planted. The truth lists the entity type of each personal column (any name of the set counts), that a
decoy is not personal data, and which entities the notes hold.

    python benchmarks/detection_tables.py FOLDER     writes them as CSV with truth.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import detection_notes as notes
import detection_values as make
import text_sentences as sentences

N_ROWS = 300
STYLES = ("plain", "prefixed", "local", "opaque")


class Truth(NamedTuple):
    """What a column is: ``kind`` is personal, decoy or text; ``entities`` are the accepted or the planted names."""

    kind: str
    entities: frozenset[str]


@dataclass(frozen=True)
class Table:
    """A labelled table: columns of text cells, None where missing."""

    name: str
    columns: dict[str, list[str | None]]
    truth: dict[str, Truth]
    planted: dict[str, list[frozenset[str]]] = field(default_factory=dict)


class Personal(NamedTuple):
    """A personal column: header, accepted entities, maker by country."""

    header: str
    entities: frozenset[str]
    make: Callable[[Random, str], str]


def _personal(header: str, entities: str, maker: Callable[[Random, str], str]) -> Personal:
    return Personal(header, frozenset(entities.split()), maker)


_NATIONAL_OF = {
    "us": "ssn",
    "gb": "gb.nhs",
    "de": "de.idnr",
    "fr": "fr.nir",
    "es": "es.nie",
    "it": "it.cf",
    "ke": "ke.pin",
    "in": "in.aadhaar",
    "br": "br.cpf",
    "se": "se.personnummer",
}
_POSTAL = {
    "us": lambda r: f"{r.randint(10000, 99999)}", "gb": lambda r: f"{r.choice(('LS', 'BS', 'NR', 'CF'))}{r.randint(1, 20)} {r.randint(1, 9)}{r.choice('ABDEFGH')}{r.choice('JLNPQRS')}",
    "de": lambda r: f"{r.randint(10115, 99998)}", "fr": lambda r: f"{r.randint(10, 95)}{r.randint(0, 999):03d}", "es": lambda r: f"{r.randint(10, 52)}{r.randint(0, 999):03d}",
    "it": lambda r: f"{r.randint(10, 98)}{r.randint(0, 999):03d}", "ke": lambda r: f"{r.randint(10, 909):03d}00", "in": lambda r: f"{r.randint(110001, 799999)}",
    "br": lambda r: f"{r.randint(10000, 99999)}-{r.randint(0, 999):03d}", "se": lambda r: f"{r.randint(100, 984)} {r.randint(10, 99)}",
}  # fmt: skip


def _national(random: Random, locale: str) -> str:
    name = _NATIONAL_OF[locale]
    if name == "ssn":
        return make.ssn(random)
    return make.NATIONAL[name](random) if name in make.NATIONAL else make.SPOKEN[name][1](random)


def _one_or_two(part: Callable[[Random, str], str]) -> Callable[[Random, str], str]:
    """One name in ten is double, so that long columns have the many distinct names that people have."""
    return lambda r, c: "-".join(part(r, c) for _ in range(1 + (r.random() < 0.1)))


_given, _surname = _one_or_two(make.given), _one_or_two(make.surname)

PERSONAL = (
    _personal("full_name", "PERSON_NAME", lambda r, c: f"{_given(r, c)} {_surname(r, c)}"),
    _personal("first_name", "FIRST_NAME PERSON_NAME", _given),
    _personal("last_name", "LAST_NAME PERSON_NAME", _surname),
    _personal("email", "EMAIL", lambda r, c: make.email(r)),
    _personal("phone", "PHONE", lambda r, c: make.phone(r, c)),
    _personal("national_id", "SSN NATIONAL_ID TAX_ID HEALTH_ID", _national),
    _personal("birth_date", "DATE_OF_BIRTH", lambda r, c: make.birth_date(r)),
    _personal("street", "STREET_ADDRESS", lambda r, c: make.street(r, c)),
    _personal("city", "CITY", lambda r, c: make.city(r, c)),
    _personal("postal_code", "POSTAL_CODE", lambda r, c: _POSTAL[c](r)),
    _personal("card_number", "CREDIT_CARD", lambda r, c: make.card(r)),
    _personal("iban", "IBAN BANK_ACCOUNT", lambda r, c: make.iban(r)),
    _personal("ip_address", "IP_ADDRESS", lambda r, c: make.ipv4(r)),
    _personal("mac_address", "MAC_ADDRESS", lambda r, c: make.mac(r)),
)


def _counter(prefix: str) -> Callable[[Random, int], str]:
    return lambda random, row: f"{prefix}{100_000 + row * 7}"


DECOYS: dict[str, Callable[[Random, int], str]] = {
    "order_id": lambda r, i: make.digits(r, 10),
    "tracking_no": lambda r, i: f"{r.randint(1, 9)}{make.digits(r, 15)}",
    "app_version": lambda r, i: f"{r.randint(1, 20)}.{r.randint(0, 40)}.{r.randint(0, 99)}.{r.randint(0, 255)}",
    "session_uuid": lambda r, i: make.DECOYS["uuid"](r),
    "checksum": lambda r, i: make.DECOYS["digest"](r).partition(" ")[2],
    "created_at": lambda r, i: make.DECOYS["timestamp"](r),
    "amount": lambda r, i: f"{r.uniform(1, 5000):.2f}",
    "quantity": lambda r, i: str(r.randint(1, 40)),
    "product": lambda r, i: r.choice(sentences.PRODUCTS),
    "company": lambda r, i: r.choice(sentences.COMPANIES),
    "department": lambda r, i: r.choice(("Sales", "May Promo", "Finance", "Human Resources", "Logistics", "Legal")),
    "status": lambda r, i: r.choice(("pending", "shipped", "delivered", "returned")),
    "weekday": lambda r, i: r.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    "sku": _counter("SKU-"),
    "invoice": _counter("2024-"),
    "score": lambda r, i: f"{r.random():.16f}",
    "email_verified": lambda r, i: r.choice(("true", "false")),
    "epoch": lambda r, i: str(1_600_000_000 + r.randint(0, 10**8)),
    "part_no": lambda r, i: f"{make.digits(r, 3)}-{make.digits(r, 2)}-{make.digits(r, 5)}",
    "colour": lambda r, i: make.DECOYS["colour"](r),
}
_LOCAL = {
    "de": "Name Vorname Nachname E-Mail Telefon Ausweisnummer Geburtsdatum Straße Ort PLZ Kartennummer IBAN IP-Adresse MAC-Adresse",
    "fr": "Nom_complet Prénom Nom Courriel Téléphone Numéro_identité Date_de_naissance Adresse Ville Code_postal Carte_bancaire IBAN Adresse_IP Adresse_MAC",
    "es": "Nombre_completo Nombre Apellido Correo Teléfono DNI Fecha_de_nacimiento Dirección Ciudad Código_postal Tarjeta IBAN Dirección_IP Dirección_MAC",
    "it": "Nome_completo Nome Cognome Email Telefono Codice_fiscale Data_di_nascita Indirizzo Città CAP Carta_di_credito IBAN Indirizzo_IP Indirizzo_MAC",
    "br": "Nome_completo Nome Sobrenome Email Telefone CPF Data_de_nascimento Endereço Cidade CEP Cartão IBAN Endereço_IP Endereço_MAC",
    "se": "Namn Förnamn Efternamn E-post Telefon Personnummer Födelsedatum Gatuadress Ort Postnummer Kortnummer IBAN IP-adress MAC-adress",
    "ke": "Jina_kamili Jina_la_kwanza Jina_la_ukoo Barua_pepe Simu KRA_PIN Tarehe_ya_kuzaliwa Anwani Mji Posta Kadi IBAN Anwani_ya_IP MAC",
    "us": "FullName FirstName LastName EmailAddr PhoneNo SSN DOB StreetAddr City Zip CardNo IBAN IPAddr MACAddr",
    "gb": "FullName Forename Surname EmailAddress Telephone NHSNumber DateOfBirth AddressLine1 Town Postcode CardNumber IBAN IP MAC",
    "in": "FullName FirstName LastName EmailId MobileNo AadhaarNo DOB Address City PinCode CardNo IBAN IPAddress MACAddress",
}


def _header(style: str, locale: str, name: str, position: int) -> str:
    if style == "opaque":
        return f"c{position:02d}"
    if style == "prefixed":
        return f"cust_{name}_txt"
    if style == "local" and name in (known := [item.header for item in PERSONAL]):
        return _LOCAL[locale].split()[known.index(name)]
    return name


def _dirty(random: Random, dirt: int, text: str) -> str | None:
    """Make a cell as a careless export would: gaps, blanks around, case; never so that its meaning goes."""
    chance = random.random()
    if dirt >= 1 and chance < 0.08:
        return None
    if dirt >= 2 and chance < 0.15:
        return f" {text} "
    if dirt >= 3 and chance < 0.25:
        return random.choice((text.upper(), text.replace(" ", "\u00a0"), text.replace("-", "‑")))
    return text


def _notes(random: Random, share: float, n_rows: int) -> tuple[list[str], list[frozenset[str]]]:
    texts, planted = [], []
    kinds = random.sample(notes.KINDS, 4)
    for row in range(n_rows):
        chosen = (random.choice(kinds),) if random.random() < share else ()
        found = notes.note(random, chosen)
        text, entities = f"{found.text} ({row})", set(found.entities)
        if random.random() < share:
            text = (
                sentences.sentence(
                    random, random.choice(("{P} called about the delayed parcel.", "Spoke with {P}, who confirmed."))
                ).text
                + " "
                + text
            )
            entities.add("PERSON_NAME")
        texts.append(text)
        planted.append(frozenset(entities))
    return texts, planted


def build(seed: int, locale: str, style: str, dirt: int, n_rows: int = N_ROWS) -> Table:
    """Make one labelled table."""
    random = Random(f"{seed}-{locale}-{style}")
    columns: dict[str, list[str | None]] = {}
    truth: dict[str, Truth] = {}
    chosen: list[tuple[str, Truth, Callable[[int], str]]] = [
        (item.header, Truth("personal", item.entities), lambda _row, item=item: item.make(random, locale))
        for item in random.sample(PERSONAL, 8)
    ]
    chosen += [
        (name, Truth("decoy", frozenset()), lambda row, name=name: DECOYS[name](random, row))
        for name in random.sample(tuple(DECOYS), 8)
    ]
    random.shuffle(chosen)
    for position, (name, label, cell) in enumerate(chosen):
        header = _header(style, locale, name, position)
        columns[header] = [_dirty(random, dirt, cell(row)) for row in range(n_rows)]
        truth[header] = label
    header = _header(style, locale, "notes", len(chosen))
    columns[header], planted = _notes(random, share=random.choice((0.02, 0.1, 0.3)), n_rows=n_rows)  # type: ignore[assignment]
    truth[header] = Truth("text", frozenset().union(*planted))
    return Table(f"{locale}-{style}", columns, truth, {header: planted})


def tables(seed: int = 0, n_rows: int = N_ROWS) -> Iterator[Table]:
    """Yield the forty tables, each of `n_rows`."""
    for i, locale in enumerate(make.LOCALES):
        for j, style in enumerate(STYLES):
            yield build(seed, locale, style, dirt=(i + j) % 4, n_rows=n_rows)


def write(folder: Path) -> None:
    """Write every table as CSV, and the truth of all as truth.json."""
    import csv

    folder.mkdir(parents=True, exist_ok=True)
    labels = {}
    for table in tables():
        with (folder / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table.columns)
            writer.writerows(zip(*([cell or "" for cell in cells] for cells in table.columns.values()), strict=True))
        labels[table.name] = {
            name: {"kind": label.kind, "entities": sorted(label.entities)} for name, label in table.truth.items()
        }
    (folder / "truth.json").write_text(json.dumps(labels, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "detection-tables"))
