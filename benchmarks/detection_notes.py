# ruff: noqa: E501 - tables of words and templates are read whole
"""Notes with planted personal values and as many with look-alikes only, with the truth of each."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import detection_values as make


class Note(NamedTuple):
    """One text and the entities planted in it."""

    text: str
    entities: frozenset[str]


_FILLER = (
    "Handled by the evening shift, no further action.",
    "Escalated to the second line, waiting for a reply.",
    "The parcel was damaged and has been replaced.",
    "Follow-up in two weeks, see the earlier entry.",
    "Paid in full, balance is zero.",
    "Kunde ist zufrieden, Vorgang abgeschlossen.",
    "Le dossier est complet, rien à signaler.",
    "Mteja ameridhika na huduma.",
    "Tudo certo com a entrega de ontem.",
    "Reading taken at noon, all values normal.",
    "Reset the device and checked the cabling.",
    "Discount of 15 % applied, 3 items returned.",
)
# Entity -> sentences around the value. Types that need context get it; formatted and proven ones often do not.
PLANTED: dict[str, tuple[str, ...]] = {
    "EMAIL": (
        "Send the receipt to {} please.",
        "Contact: {}",
        "New address is {}, old one bounces.",
        "cc'd {} on the thread",
        "<{}> wrote again",
    ),
    "PHONE": (
        "Call back on {} after lunch.",
        "Tel: {}",
        "Reached the client at {}.",
        "WhatsApp {} works best",
        "mobile {} (evenings)",
        "Rang {} 14/05 and again at noon.",
    ),
    "CREDIT_CARD": (
        "Charged to {} twice.",
        "Card {} expires soon.",
        "Customer read out {} over the line.",
        "paid with visa {}",
    ),
    "IBAN": ("Refund to {} requested.", "IBAN {}", "Überweisung an {} erfolgt.", "Transfer from {} arrived."),
    "SSN": (
        "SSN {} was given over the line.",
        "Verified with {}.",
        "Social security number: {}",
        "Identity check: {} matched.",
    ),
    "IP_ADDRESS": ("Login from {} blocked.", "Last seen at {}.", "client ip {} banned"),
    "MAC_ADDRESS": ("Device {} joined the network.", "Wi-Fi card {} registered."),
    "DATE_OF_BIRTH": (
        "DOB: {}",
        "Patient born {} at the county hospital.",
        "date of birth {} confirmed",
        "geboren am {}",
    ),
    "SECRET": ("Temporary {} sent.", "Found {} in the log.", "config has {}"),
    "URL": ("Profile: {}", "see {} for more", "He posted on {} yesterday."),
}
NATIONAL_SENTENCES = ("Number on file: {}.", "Provided {} for the form.", "Document {} copied.", "{} checked")
SPOKEN_ENTITY = {
    "gb.nhs": "HEALTH_ID", "ca.sin": "SSN", "au.tfn": "TAX_ID", "in.aadhaar": "NATIONAL_ID", "nl.bsn": "NATIONAL_ID",
    "de.idnr": "TAX_ID", "pt.nif": "TAX_ID", "ke.id": "NATIONAL_ID", "gb.nino": "NATIONAL_ID", "imei": "DEVICE_ID", "passport": "PASSPORT",
}  # fmt: skip
FORMED_ENTITY = {
    name: {"ke.pin": "TAX_ID", "br.cpf": "TAX_ID", "ch.ssn": "SSN", "fr.nir": "SSN"}.get(name, "NATIONAL_ID")
    for name in make.NATIONAL
}
_MAKERS = {
    "EMAIL": make.email, "PHONE": make.phone, "CREDIT_CARD": make.card, "IBAN": make.iban, "SSN": make.ssn, "IP_ADDRESS": make.ipv4,
    "MAC_ADDRESS": make.mac, "DATE_OF_BIRTH": make.birth_date, "SECRET": make.secret, "URL": make.profile,
}  # fmt: skip
KINDS = (*_MAKERS, "NATIONAL", "SPOKEN")


def sentence(random: Random, kind: str) -> tuple[str, str]:
    """Return a sentence with one planted value of `kind`, and its entity."""
    if kind == "NATIONAL":
        name = random.choice(tuple(make.NATIONAL))
        return random.choice(NATIONAL_SENTENCES).format(make.NATIONAL[name](random)), FORMED_ENTITY[name]
    if kind == "SPOKEN":
        name = random.choice(tuple(make.SPOKEN))
        word, maker = make.SPOKEN[name]
        return f"{word} {maker(random)} noted.", SPOKEN_ENTITY[name]
    return random.choice(PLANTED[kind]).format(_MAKERS[kind](random)), kind


def note(random: Random, kinds: tuple[str, ...]) -> Note:
    """Return a note with one planted value of each kind, look-alikes and filler around it, in random order."""
    planted = [sentence(random, kind) for kind in kinds]
    parts = [text for text, _ in planted]
    parts += [
        f"{make.decoy(random).capitalize() if random.random() < 0.3 else make.decoy(random)}."
        for _ in range(random.randint(0, 2))
    ]
    parts += random.sample(_FILLER, random.randint(1, 2))
    random.shuffle(parts)
    return Note(" ".join(parts), frozenset(entity for _, entity in planted))


def notes(seed: int, n: int, *, share: float = 0.5, kinds: tuple[str, ...] = KINDS) -> list[Note]:
    """Return `n` notes, a `share` of them with one or two planted values."""
    random = Random(seed)
    found = []
    for _ in range(n):
        chosen = tuple(random.sample(kinds, min(len(kinds), random.randint(1, 2)))) if random.random() < share else ()
        found.append(note(random, chosen))
    return found
