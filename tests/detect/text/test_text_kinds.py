# ruff: noqa: E501 - tables of sentences are read whole
"""Every kind of embedded value is found at its position, look-alikes are not, and disguise hides nothing."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.detect.catalogue import boundaries, detectors
from privaudit.detect.catalogue.cases import sentence_of, values_of
from privaudit.detect.catalogue.forms import specs
from privaudit.detect.catalogue.normalise import plain_text
from privaudit.detect.text.embedded import find_embedded, find_spans, second_reading, undisguised
from tests.helpers.planted_values import KINDS, Planted

CARRIERS = (
    "Number on file: {}.", "Nummer {} notiert.", "Il a donné {} hier", "véase {}, gracias", "({})", "- {};", "noted\n{}\nok",
    "записано {} сегодня", "号码{}已登记", "تم تسجيل {} اليوم", "नंबर {} दर्ज", "Ilipokelewa {} jana.", "“{}”", "{}", "Note:\t{}\t(done)",
    "dodano {}!", "ver {} abaixo", "gesehen um 14:30, {}, danach geschlossen",
)  # fmt: skip
# Kinds that a version or a section looks like have carriers that say so.
_NEAR_VERSION = {"ipv4"}
N = 50


def placed(r: Random, name: str) -> str:
    kind = KINDS[name]
    carriers = [c for c in CARRIERS if not (name in _NEAR_VERSION and "ver " in c)]
    word = f"{r.choice(kind.words)} " if kind.words else ""
    return r.choice(carriers).format(word + kind.make(r))


def entities_in(text: str) -> set[tuple[str, str | None]]:
    return {(entity, detail) for _, _, entity, detail in find_spans(plain_text(text))}


def contained(texts: list[str]) -> dict[str, int]:
    cells = find_embedded(pa.array(texts, pa.string()), np.ones(len(texts), dtype=np.int64))
    return {entity: max(c.n_cells for c in cells if c.entity == entity) for entity in {c.entity for c in cells}}


@pytest.mark.parametrize("name", KINDS)
def test_recall_and_precision_by_kind(name: str) -> None:
    """Of values in sentences of many languages at least 95 % are found, and 95 % of what is found was planted."""
    r = Random(name)
    hits = details = others = 0
    for _ in range(N):
        seen = entities_in(placed(r, name))
        hits += KINDS[name].entity in {entity for entity, _ in seen}
        details += (KINDS[name].entity, KINDS[name].detail) in seen
        others += len({entity for entity, _ in seen} - {KINDS[name].entity} - _ALONG.get(name, set()))
    assert hits >= 0.95 * N
    assert details >= 0.9 * N
    assert hits / (hits + others) >= 0.95


# What really occurs in the same value.
_ALONG = {"connection": {"URL"}, "query": {"EMAIL"}}


def test_every_form_inside_text_has_a_generator_or_cases() -> None:
    """A form with a check digit is tested by the cases of its detector, in a sentence and with look-alikes."""
    made = {(kind.entity, kind.detail) for kind in KINDS.values()}
    for spec in specs():
        tested = (spec.entity, spec.detector.detail) in made or spec.text.match or any(values_of(spec))
        assert tested, spec.detector.label


def test_every_number_with_a_check_digit_is_sought_inside_text() -> None:
    sought = {spec.detector for spec in specs()}
    things = ("PRODUCT_CODE", "RECORD_ID")  # numbers of goods and payments
    for detector in detectors.load():
        if detector.validator and detector.pack == "national" and detector.entity not in things:
            assert detector in sought, detector.label


SPECS = specs()


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("place", range(len(SPECS)))
def test_no_check_raises_on_anything_of_its_form(place: int) -> None:
    """python-stdnum's tables have gaps: whatever an expression lets through ends in a reading or none."""
    spec = SPECS[place]
    forms = [re.compile(boundaries.scoped(form), re.ASCII) for form in spec.forms]

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(st.one_of([st.from_regex(form, fullmatch=True) for form in forms]))
    def run(text: str) -> None:
        sentence = sentence_of(spec, text)
        assert all(0 <= start < end <= len(sentence) for start, end, _ in spec.readings(sentence))

    run()


def test_numbers_of_places_that_no_table_knows_are_not_numbers() -> None:
    r = Random(3)
    texts = [
        f"Nummer {r.randrange(10, 83)}{r.randrange(10**4):04d}19{r.randrange(10, 99)}0101{r.randrange(1000):03d}X"
        for _ in range(2000)
    ]
    assert contained(texts).keys() <= {"NATIONAL_ID"}


LOOKALIKES = {
    "order numbers": lambda r: f"order {r.randrange(10**15, 10**16)} sent",
    "invoice numbers": lambda r: f"Invoice no. {r.randrange(10**8, 10**9)} paid",
    "tracking numbers": lambda r: f"tracking 1Z{r.randrange(10**15, 10**16)}",
    "part numbers": lambda r: f"part {r.randrange(100, 999)}-{r.randrange(10, 99)}-{r.randrange(1000, 9999)}",
    "timestamps": lambda r: f"at 2024-0{r.randint(1, 9)}-1{r.randint(0, 9)}T1{r.randint(0, 9)}:15:3{r.randint(0, 9)}.123Z done",
    "epochs": lambda r: f"epoch {r.randrange(1_600_000_000, 1_700_000_000)}",
    "versions": lambda r: f"updated to version {r.randint(1, 9)}.{r.randint(0, 99)}.{r.randint(0, 99)}.{r.randint(0, 999)}",
    "sections": lambda r: f"see section {r.randint(1, 9)}.{r.randint(1, 9)}.{r.randint(1, 9)}.{r.randint(1, 9)}",
    "amounts": lambda r: f"total 1 {r.randrange(100, 999)} {r.randrange(100, 999)}.00 paid",
    "ratios": lambda r: f"ratio {r.random():.16f}",
    "uuids": lambda r: f"id {r.getrandbits(32):08x}-{r.getrandbits(16):04x}-4{r.getrandbits(12):03x}-a{r.getrandbits(12):03x}-{r.getrandbits(48):012x}",
    "digests": lambda r: f"sha256 {r.getrandbits(256):064x}",
    "books": lambda r: f"ISBN 978-3-16-{r.randrange(100000, 999999)}-{r.randrange(10)}",
    "years": lambda r: f"from {r.randint(1990, 2010)}-{r.randint(2011, 2024)}",
    "times": lambda r: f"open {r.randint(8, 9)}:30-{r.randint(16, 18)}:00",
    "sizes": lambda r: f"{r.randint(100, 999)} x {r.randint(100, 999)} x {r.randint(10, 99)} mm",
    "scores": lambda r: "rated " + " ".join(str(r.randint(0, 9)) for _ in range(10)),
    "at a place": lambda r: f"meet at {r.choice(['gate', 'door'])} {r.randint(1, 9)} on the dot please",
    "percent": lambda r: f"grew {r.randint(10, 40)}%25 or {r.randint(1, 9)}% in all",
    "entities": lambda r: f"profit &amp; loss &gt; {r.randint(100, 999)}",
    "password talk": lambda r: r.choice(["password required", "the password policy", "token expired", "forgot password: reset"]),
    "wrong cards": lambda r: f"4111 1111 1111 111{r.choice([2, 3, 4, 5, 6])}",
    "wrong ibans": lambda r: "DE00 3704 0044 0532 01" + f"{r.randrange(100):02d}",
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKALIKES)
def test_lookalikes_by_kind(name: str) -> None:
    r = Random(name)
    texts = sorted({f"{LOOKALIKES[name](r)} (entry {i})" for i in range(200)})
    assert sum(contained(texts).values()) <= 0.02 * len(texts)


_FULL = str.maketrans("0123456789@.-+", "０１２３４５６７８９＠．－＋")
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")
_PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
VALUES = {
    "EMAIL": "jane.doe@example.org",
    "CREDIT_CARD": "4111-1111-1111-1111",
    "PHONE": "+254 712 345 678",
    "SSN": "536-22-1234",
    "IBAN": "DE89 3704 0044 0532 0130 00",
}
EVASIONS = {
    "fullwidth": lambda t: t.translate(_FULL),
    "zero-width space": lambda t: "\u200b".join(t),
    "zero-width joiner": lambda t: "\u200d".join(t),
    "word joiner": lambda t: "\u2060".join(t),
    "soft hyphens": lambda t: "\u00ad".join(t),
    "no-break spaces": lambda t: t.replace(" ", "\u00a0"),
    "thin spaces": lambda t: t.replace(" ", "\u2009"),
    "ideographic spaces": lambda t: t.replace(" ", "\u3000"),
    "en dashes": lambda t: t.replace("-", "\u2013"),
    "minus signs": lambda t: t.replace("-", "\u2212"),
    "non-breaking hyphens": lambda t: t.replace("-", "\u2011"),
    "figure dashes": lambda t: t.replace("-", "\u2012"),
    "arabic-indic digits": lambda t: t.translate(_ARABIC),
    "persian digits": lambda t: t.translate(_PERSIAN),
    "devanagari digits": lambda t: t.translate(_DEVANAGARI),
    "bold digits": lambda t: "".join(chr(0x1D7CE + int(c)) if c.isdigit() else c for c in t),
    "cyrillic letters": lambda t: t.translate(str.maketrans("aeopcx", "аеорсх")),
    "greek letters": lambda t: t.translate(str.maketrans("o", "ο")),
    "right-to-left marks": lambda t: "\u200f" + t + "\u200e",
    "html decimal entities": lambda t: "".join(f"&#{ord(c)};" if not c.isalnum() else c for c in t),
    "html hexadecimal entities": lambda t: "".join(f"&#x{ord(c):x};" if not c.isalnum() else c for c in t),
    "html entities of everything": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "html entities twice": lambda t: "".join(f"&amp;#{ord(c)};" if not c.isalnum() else c for c in t),
    "html named entities": lambda t: t.replace("@", "&commat;").replace(".", "&period;").replace(" ", "&nbsp;").replace("+", "&plus;"),
    "percent encoding": lambda t: "".join(f"%{ord(c):02X}" if not c.isalnum() else c for c in t),
    "json escapes": lambda t: "".join(f"\\u{ord(c):04x}" if not c.isalnum() else c for c in t),
    "quoted-printable": lambda t: t.replace("@", "=40"),
    "at and dot in brackets": lambda t: t.replace("@", " [at] ").replace(".", " [dot] "),
    "at and dot in parentheses": lambda t: t.replace("@", "(at)").replace(".", "(dot)"),
    "at in words": lambda t: t.replace("doe@", "doe at ").replace("example.", "example dot "),
    "arroba": lambda t: t.replace("doe@", "doe arroba ").replace("example.", "example punto "),
    "characters apart": lambda t: " ".join(t),
    "digits with dots between": lambda t: ".".join(c for c in t if c.isdigit()) if t.startswith("4111") else t,
    "line breaks for blanks": lambda t: t.replace(" ", "\n"),
    "line breaks after dashes": lambda t: t.replace("-", "-\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("entity", VALUES)
@pytest.mark.parametrize("name", EVASIONS)
def test_evasions_hide_nothing(name: str, entity: str) -> None:
    disguised = EVASIONS[name](VALUES[entity])
    word = {"CREDIT_CARD": "card ", "SSN": "ssn ", "PHONE": "call "}.get(entity, "")
    for text in (f"see {word}{disguised} thanks", f"{word}{disguised}"):
        assert entity in contained([text, "nothing else"]), ascii(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "at the gate, on the dot",
        "1 2 3",
        "profit & loss",
        "100 % sure",
        "a\nb",
        "x=4",
        "look at this (a) and (b)",
    ],
)
def test_plain_text_has_no_second_reading(text: str) -> None:
    assert undisguised(text) in (text, text.replace("(a)", "@"), "look at this@and (b)")
    assert contained([text]) == {}


def test_the_first_reading_stays() -> None:
    text = "https://x.example.com/p?email=a%40b.org"
    assert second_reading(pa.array([text]))[0].as_py().startswith(text)
    assert {"URL", "EMAIL"} <= set(contained([text]))


def test_kinds_are_planted_as_they_say() -> None:
    """The same seed gives the same values, and words are separate from values."""
    for name, kind in KINDS.items():
        assert isinstance(kind, Planted)
        assert kind.make(Random(1)) == kind.make(Random(1)) != "", name
