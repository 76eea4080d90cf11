"""Embedded national, tax and health numbers: in context or in an unmistakable form.

Check digits are python-stdnum's and those of checks.py. A number with one weak check digit counts only next to a
word that names it. A form with a date, letters and check characters needs no such word.
"""

from __future__ import annotations

import re

from privaudit.detect.text.spec import (
    LEFT,
    NUM_LEFT,
    NUM_RIGHT,
    RIGHT,
    Check,
    Family,
    Reading,
    Spec,
    accepts,
    before,
    labelled,
    loosely,
)

_I = re.IGNORECASE


def _proven(module: str, detail: str, *, context: str | None = None, strong: bool = True) -> Check:
    """Return a check of digits, and where `context` is given of a word in front of the number."""
    word = None if context is None else re.compile(rf"(?<![A-Za-z])(?:{context})[^\n]{{0,20}}$", _I)

    def check(match: re.Match[str]) -> Reading | None:
        if word is not None and not word.search(before(match, 48)):
            return None
        reference = word is None and labelled(match)
        return Reading(detail, strong=strong, valid=accepts(module, match.group()), labelled=reference)

    return check


def _worded(detail: str, context: str) -> Check:
    """Return a check for numbers that have no check digit: the word in front decides."""
    word = re.compile(
        rf"(?<![A-Za-z])(?:{context})[ ]?(?:card)?[ ]?(?:no|nr|num|number|#|id)?[ .:#-]{{0,4}}(?:is |was )?$",
        _I,
    )
    return lambda match: Reading(detail) if word.search(before(match, 48)) else None


def _digits(n: int, separators: str = "[ .-]?") -> str:
    return NUM_LEFT + "[0-9]" + f"(?:{separators}[0-9]){{{n - 1}}}" + NUM_RIGHT


# Forms that need no word next to them. (entity, module, detail, expression)
_FORMED = (
    ("TAX_ID", "br.cpf", "br.cpf", NUM_LEFT + r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}" + NUM_RIGHT),
    (
        "TAX_ID",
        "it.codicefiscale",
        "it.cf",
        LEFT + r"(?i:[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPR-T][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z])" + RIGHT,
    ),
    (
        "NATIONAL_ID",
        "fr.nir",
        "fr.nir",
        NUM_LEFT
        + r"[12][ ]?[0-9]{2}[ ]?[0-9]{2}[ ]?[0-9][0-9AB][ ]?[0-9]{3}[ ]?[0-9]{3}[ ]?[0-9]{2}"
        + NUM_RIGHT,
    ),
    (
        "NATIONAL_ID",
        "be.nn",
        "be.nn",
        NUM_LEFT + r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}" + NUM_RIGHT,
    ),
    (
        "NATIONAL_ID",
        "se.personnummer",
        "se.personnummer",
        NUM_LEFT + r"(?:[0-9]{2})?[0-9]{6}[-+][0-9]{4}" + NUM_RIGHT,
    ),
    (
        "NATIONAL_ID",
        "fi.hetu",
        "fi.hetu",
        LEFT + r"[0-3][0-9][01][0-9][0-9]{2}[-+ABCDEFYXWVU][0-9]{3}[0-9A-Y]" + RIGHT,
    ),
    ("NATIONAL_ID", "ch.ssn", "ch.ssn", NUM_LEFT + r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}" + NUM_RIGHT),
    ("NATIONAL_ID", "cn.ric", "cn.ric", LEFT + r"[1-9][0-9]{5}(?:19|20)[0-9]{9}[0-9Xx]" + RIGHT),
    ("NATIONAL_ID", "mx.curp", "mx.curp", LEFT + r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]" + RIGHT),
    ("NATIONAL_ID", "kr.rrn", "kr.rrn", NUM_LEFT + r"[0-9]{6}-[1-8][0-9]{6}" + NUM_RIGHT),
    ("NATIONAL_ID", "cl.rut", "cl.rut", NUM_LEFT + r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]" + RIGHT),
    ("NATIONAL_ID", "lv.pvn", "lv.pk", NUM_LEFT + r"[0-3][0-9][01][0-9]{3}-[0-2][0-9]{4}" + NUM_RIGHT),
    ("NATIONAL_ID", "cz.rc", "cz.rc", NUM_LEFT + r"[0-9]{6}/[0-9]{4}" + NUM_RIGHT),
    ("TAX_ID", "ar.cuit", "ar.cuit", NUM_LEFT + r"(?:2[03457]|30|33)-[0-9]{8}-[0-9]" + NUM_RIGHT),
    ("NATIONAL_ID", "es.nie", "es.nie", LEFT + r"[XYZ]-?[0-9]{7}-?[A-Z]" + RIGHT),
)
# Bare digits with a date or two check digits inside: believed when the column does better than chance.
_BARE = (
    ("NATIONAL_ID", "pl.pesel", "pl.pesel", NUM_LEFT + r"[0-9]{2}[0-3][0-9][0-3][0-9]{6}" + NUM_RIGHT),
    ("NATIONAL_ID", "no.fodselsnummer", "no.fodselsnummer", NUM_LEFT + r"[0-3][0-9][01][0-9]{8}" + NUM_RIGHT),
    (
        "NATIONAL_ID",
        "za.idnr",
        "za.idnr",
        NUM_LEFT + r"[0-9]{2}[01][0-9][0-3][0-9]{5}[01][0-9]{2}" + NUM_RIGHT,
    ),
    ("NATIONAL_ID", "ro.cnp", "ro.cnp", NUM_LEFT + r"[1-8][0-9]{2}[01][0-9][0-3][0-9]{7}" + NUM_RIGHT),
    ("NATIONAL_ID", "es.dni", "es.dni", LEFT + r"[0-9]{8}-?[A-HJ-NP-TV-Z]" + RIGHT),
    ("NATIONAL_ID", "in_.aadhaar", "in.aadhaar", NUM_LEFT + r"[2-9][0-9]{3} [0-9]{4} [0-9]{4}" + NUM_RIGHT),
)
# One check digit: only next to the word. (entity, module, detail, expression, words)
_SPOKEN = (
    ("HEALTH_ID", "gb.nhs", "gb.nhs", _digits(10), "nhs"),
    ("NATIONAL_ID", "ca.sin", "ca.sin", _digits(9), "sin(?![a-z])|social insurance"),
    (
        "TAX_ID",
        "au.tfn",
        "au.tfn",
        NUM_LEFT + r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{2,3}" + NUM_RIGHT,
        "tfn|tax file",
    ),
    ("HEALTH_ID", "au.medicare", "au.medicare", _digits(10), "medicare"),
    ("TAX_ID", "br.cpf", "br.cpf", _digits(11), "cpf"),
    ("NATIONAL_ID", "in_.aadhaar", "in.aadhaar", _digits(12), "aadhaar|aadhar|uid(?:ai)?(?![a-z])"),
    ("TAX_ID", "de.idnr", "de.idnr", _digits(11), "steuer|tax|idnr|tin(?![a-z])"),
    ("NATIONAL_ID", "nl.bsn", "nl.bsn", _digits(9), "bsn|burgerservice|sofi"),
    ("NATIONAL_ID", "be.nn", "be.nn", _digits(11), "rijksregister|registre national|national"),
    (
        "NATIONAL_ID",
        "dk.cpr",
        "dk.cpr",
        NUM_LEFT + r"[0-3][0-9][01][0-9]{3}-?[0-9]{4}" + NUM_RIGHT,
        "cpr|personnummer",
    ),
    ("NATIONAL_ID", "se.personnummer", "se.personnummer", _digits(10, "-?"), "personnummer|pnr"),
    ("NATIONAL_ID", "ie.pps", "ie.pps", LEFT + r"[0-9]{7}[A-W][ABHWTX]?" + RIGHT, "pps"),
    ("NATIONAL_ID", "tr.tckimlik", "tr.tckimlik", _digits(11), "t\\.?c\\.?|kimlik"),
    ("TAX_ID", "pt.nif", "pt.nif", _digits(9), "nif|contribuinte"),
    ("NATIONAL_ID", "bg.egn", "bg.egn", _digits(10), "egn|егн"),
    ("NATIONAL_ID", "lt.asmens", "lt.asmens", _digits(11), "asmens|isikukood"),
    ("NATIONAL_ID", "gr.amka", "gr.amka", _digits(11), "amka"),
    ("NATIONAL_ID", "il.idnr", "il.idnr", _digits(9), "teudat|mispar|israeli id|id number"),
    ("NATIONAL_ID", "th.pin", "th.pin", _digits(13), "thai|citizen"),
    (
        "NATIONAL_ID",
        "my.nric",
        "my.nric",
        NUM_LEFT + r"[0-9]{6}-?[0-9]{2}-?[0-9]{4}" + NUM_RIGHT,
        "nric|mykad|kad pengenalan",
    ),
)
# No check digit at all: the word decides. (entity, detail, expression, words)
_WORDED = (
    ("TAX_ID", "ke.pin", LEFT + r"[A-Za-z][0-9]{9}[A-Za-z]" + RIGHT, "kra|pin|tax pin|kra pin"),
    (
        "NATIONAL_ID",
        "ke.id",
        NUM_LEFT + r"[0-9]{7,9}" + NUM_RIGHT,
        "national id|id|id/no|kitambulisho|nambari ya kitambulisho|huduma (?:card|namba|no)",
    ),
    (
        "NATIONAL_ID",
        "gb.nino",
        LEFT + r"(?i:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D])" + RIGHT,
        "ni|nino|national insurance|insurance",
    ),
    ("TAX_ID", "in.pan", LEFT + r"[A-Z]{3}[ABCFGHLJPT][A-Z][0-9]{4}[A-Z]" + RIGHT, "pan|pan card|income tax"),
    ("NATIONAL_ID", "ng.nin", NUM_LEFT + r"[0-9]{11}" + NUM_RIGHT, "nin|bvn"),
    ("NATIONAL_ID", "sg.nric", LEFT + r"[STFGM][0-9]{7}[A-Z]" + RIGHT, "nric|fin"),
    (
        "NATIONAL_ID",
        None,
        LEFT + r"[A-Z]{0,3}[0-9]{6,12}[A-Z]?" + RIGHT,
        "national identity|identity card|id card|ausweis|dni|cédula|cedula|ktp|nik",
    ),
    ("HEALTH_ID", "us.npi", NUM_LEFT + r"[12][0-9]{9}" + NUM_RIGHT, "npi"),
    (
        "VOTER_ID",
        None,
        LEFT + r"[A-Z]{0,3}[0-9]{6,12}" + RIGHT,
        "voter|voter id|electoral|voter registration",
    ),
)


def _ke_pin(match: re.Match[str]) -> Reading | None:
    """Read a Kenyan tax number: first letter A (people) or P (companies); other letters only next to the word."""
    text = match.group().upper()
    return Reading("ke.pin") if text[0] in "AP" and not labelled(match) else None


def _nino(match: re.Match[str]) -> Reading | None:
    return None if labelled(match) else Reading("gb.nino")


_NINO = LEFT + r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: [0-9]{2}){3} ?[A-D]" + RIGHT

# What all families of one kind need, so that most cells are turned away by one pass.
_SHAPES = "|".join(
    [r"(?:^|[^0-9A-Za-z_])[A-Z]{1,2} ?[0-9]{2}", *(loosely(shape) for *_, shape in (*_FORMED, *_BARE))]
)
_WORDS = rf"(?i)(?:^|[^a-z])(?:{'|'.join(loosely(words) for *_, words in (*_SPOKEN, *_WORDED))})"


def _family(
    entity: str,
    shape: str,
    check: Check,
    because: str,
    words: str | None = None,
    *,
    kind: str = "check-digit",
) -> Family:
    prefilter = loosely(shape)
    if words is not None:
        prefilter = rf"(?i)(?:^|[^a-z])(?:{loosely(words)})[^\n]*{prefilter}"
    gate = _SHAPES if words is None else _WORDS
    return Family(
        entity.lower(),
        prefilter,
        (Spec(entity, re.compile(shape), check, kind, because),),
        gate=gate,
    )


NATIONAL = (
    _family(
        "TAX_ID",
        LEFT + r"[AP][0-9]{9}[A-Z]" + RIGHT,
        _ke_pin,
        "kenyan_pin",
        kind="pattern",
    ),
    _family("NATIONAL_ID", _NINO, _nino, "national_insurance", kind="pattern"),
    *(
        _family(
            entity,
            shape,
            _proven(module, detail),
            "checked_tax_number" if entity == "TAX_ID" else "checked_number",
        )
        for entity, module, detail, shape in _FORMED
    ),
    *(
        _family(entity, shape, _proven(module, detail, context=words), "checked_number_after_word", words)
        for entity, module, detail, shape, words in _SPOKEN
    ),
    *(
        _family(
            entity,
            shape,
            _worded(detail or "in context", words),
            "worded_number",
            words,
            kind="pattern",
        )
        for entity, detail, shape, words in _WORDED
    ),
    *(
        _family(entity, shape, _proven(module, detail, strong=False), "checked_number")
        for entity, module, detail, shape in _BARE
    ),
)
