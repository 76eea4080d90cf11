"""Labelled sentences about invented people and places, and sentences about nobody: what text engines are scored on.

Templates in the manner of clinic, help-desk, claims and social notes, in English with names of ten countries. A label
is (entity, start, end); PERSON_NAME and PLACE are scored, a street counts as a place.
"""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

import detection_values as make


class Sentence(NamedTuple):
    """A text and its spans (entity, start, end)."""

    text: str
    spans: tuple[tuple[str, int, int], ...]


TEMPLATES = (
    "{P} called about the delayed parcel.",
    "Spoke with {P}, who confirmed the appointment.",
    "Please forward this to {P} before Friday.",
    "{G} said the pain started two days ago.",
    "Patient {P} was admitted with chest pain.",
    "Dr. {S} reviewed the scan and discharged the patient.",
    "Mr {S} asked for a refund of the second instalment.",
    "The claim was filed by {P} from {C}.",
    "{P} moved to {C} last summer.",
    "She lives in {C} with her husband {G}.",
    "Delivered to {T}, {C}.",
    "Address changed to {T}.",
    "Our driver met {G} at the corner of {T}.",
    "Meeting with {P} and {P} went well.",
    "My name is {P} and I would like to cancel my order.",
    "hi, this is {G} from {C}, my card was charged twice",
    "Signed by {P}, witnessed by {P}.",
    "According to {S}, the roof was already damaged.",
    "Teacher notes that {G} is often late.",
    "Next of kin: {P}",
    "Referred by {P} ({C} office).",
    "Flight from {C} to {C} was rebooked.",
    "The {C} branch is closed on Mondays.",
    "Complaint from {P}: wrong size delivered.",
    "Emergency contact is her brother {G} {S}.",
    "{S}, {G} - follow up in March",
    "Landlord {P} refuses to repair the heating at {T}.",
    "Tenant {P} paid the rent for June.",
    "Thanks, {G}",
    "Dear {P}, your request has been approved.",
)
EMPTY = (
    "The invoice was paid twice and refunded on Monday.",
    "Server restarted at noon after the update failed.",
    "Replaced the filter and checked the pressure valve.",
    "Customer reports a scratch on the left door.",
    "Order delivered late, discount of 10 % granted.",
    "Battery drains within an hour when idle.",
    "Blood pressure normal, temperature slightly raised.",
    "Reset the password and asked for a new login.",
    "The blue jacket is out of stock until spring.",
    "Meeting postponed, agenda to follow.",
    "No answer, left a voice message.",
    "Printer on the second floor is out of toner.",
    "Great product, would buy again!",
    "Shipping took too long and the box was damaged.",
    "Follow-up call scheduled for next week.",
    "Fever and cough for three days, prescribed rest.",
    "Roof leak above the kitchen, photos attached.",
    "Student improved a lot in mathematics this term.",
    "The app crashes when I open the settings.",
    "Wrong item received, return label sent.",
    "Policy renewed automatically at the end of the year.",
    "Excel export shows empty columns since the last release.",
    "Sales in the north went up by a fifth.",
    "Please update the ticket once Finance has approved it.",
    "Quarterly report due on Friday, Marketing to review.",
    "Bluetooth pairing fails with error code 43.",
    "Windows update installed, reboot pending.",
    "Vaccination given in the left arm, no reaction.",
    "Two Extra Large shirts missing from the parcel.",
    "Insurance covers hail and storm only.",
)
PRODUCTS = [
    "Garden Chair",
    "Water Bottle",
    "Running Shoes",
    "Desk Lamp",
    "Phone Case",
    "Winter Jacket",
    "Coffee Maker",
    "Gift Card",
    "Wireless Mouse",
    "Yoga Mat",
    "Steel Bolt",
    "Paper Towels",
    "Protein Bar",
    "Travel Mug",
    "Office Chair",
    "Toner Cartridge",
    "Safety Helmet",
    "Green Tea",
    "Solar Panel",
    "Cotton Shirt",
]
CATEGORIES = [
    "pending",
    "shipped",
    "delivered",
    "returned",
    "Gold",
    "Silver",
    "Bronze",
    "Monday",
    "Tuesday",
    "Friday",
    "January",
    "March",
    "Home & Garden",
    "Electronics",
    "Sports",
    "Full-time",
    "Part-time",
    "Married",
    "Single",
    "Human Resources",
    "Finance",
    "Sales",
    "Research & Development",
    "Engineering",
    "High",
    "Medium",
    "Low",
    "Yes",
    "No",
    "Unknown",
    "Mild asthma",
    "Hypertension",
    "Type 2 diabetes",
    "Fracture",
    "Bachelor",
    "Master",
    "Diesel",
    "Petrol",
    "Automatic",
    "Rejected by warehouse",
]
COMPANIES = [
    "Acme Logistics Ltd",
    "Northwind Traders",
    "Blue River Foods Inc",
    "Global Data GmbH",
    "Sunrise Bakery",
    "Delta Insurance plc",
    "Kilima Coffee Co",
    "Harbor Freight Services",
]


def sentence(random: Random, template: str) -> Sentence:
    """Fill one template; all names of a sentence come from one country."""
    locale = random.choice(make.LOCALES)
    makers = {
        "P": ("PERSON_NAME", make.person), "G": ("PERSON_NAME", make.given), "S": ("PERSON_NAME", make.surname),
        "C": ("PLACE", make.city), "T": ("PLACE", make.street),
    }  # fmt: skip
    text, spans, last = "", [], 0
    for slot in re.finditer(r"\{([A-Z])\}", template):
        text += template[last : slot.start()]
        entity, maker = makers[slot.group(1)]
        value = maker(random, locale)
        spans.append((entity, len(text), len(text) + len(value)))
        text += value
        last = slot.end()
    return Sentence(text + template[last:], tuple(spans))


def sentences(seed: int, n: int) -> list[Sentence]:
    """Return `n` sentences, two thirds of them with somebody in them."""
    random = Random(seed)
    return [
        sentence(random, random.choice(TEMPLATES)) if random.random() < 2 / 3 else Sentence(random.choice(EMPTY), ())
        for _ in range(n)
    ]


def notes(seed: int, n: int) -> list[Sentence]:
    """Return `n` notes of one to six sentences in random order, up to three of them with somebody in them."""
    random = Random(seed)
    found = []
    for _ in range(n):
        parts = [sentence(random, random.choice(TEMPLATES)) for _ in range(random.choice((0, 0, 1, 1, 2, 3)))]
        parts += [Sentence(text, ()) for text in random.sample(EMPTY, random.randint(1, 3))]
        random.shuffle(parts)
        text, spans = "", []
        for part in parts:
            at = len(text)
            spans += [(entity, start + at, end + at) for entity, start, end in part.spans]
            text += part.text.rstrip(".") + ". "
        found.append(Sentence(text.rstrip(), tuple(spans)))
    return found


def short_cells(seed: int, n: int) -> dict[str, list[str]]:
    """Return columns of `n` short cells each: names, places, streets, and three kinds that are none of these."""
    random = Random(seed)
    return {
        "full names": [make.person(random) for _ in range(n)],
        "given names": [make.given(random, random.choice(make.LOCALES)) for _ in range(n)],
        "surnames": [make.surname(random, random.choice(make.LOCALES)) for _ in range(n)],
        "full names, capitals": [make.person(random).upper() for _ in range(n)],
        "cities": [make.city(random) for _ in range(n)],
        "streets": [make.street(random) for _ in range(n)],
        "products": [random.choice(PRODUCTS) for _ in range(n)],
        "categories": [random.choice(CATEGORIES) for _ in range(n)],
        "companies": [random.choice(COMPANIES) for _ in range(n)],
    }
