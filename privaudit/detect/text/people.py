# ruff: noqa: E501 - an expression is read whole
"""Embedded facts about a person: social security, birth date, documents, addresses, positions."""

from __future__ import annotations

import re

from privaudit.detect.text.spec import (
    LEFT,
    NUM_RIGHT,
    RIGHT,
    Family,
    Reading,
    Spec,
    always,
    before,
    digits_of,
    labelled,
)

_I = re.IGNORECASE

_SSN = re.compile(r"(?<![0-9A-Za-z_#./-])[0-9]{3}(?P<sep>[ .-]?)[0-9]{2}(?P=sep)[0-9]{4}" + NUM_RIGHT)
_SSN_WORD = re.compile(
    r"(?<![a-z])(?:ssn|social[ -]?security|social|soc[. ]?sec|tax ?id|itin|tin)(?![a-z])", _I
)
_ITIN_GROUPS = {*range(50, 66), *range(70, 89), 90, 91, 92, *range(94, 100)}


def _ssn(match: re.Match[str]) -> Reading | None:
    digits = digits_of(match.group())
    dashed = match.group("sep") == "-"
    # Without its dashes a number belongs only to the word right before it.
    spoken = _SSN_WORD.search(before(match, 40 if dashed else 24)) is not None
    if (not spoken and not dashed) or len(set(digits)) == 1:
        return None
    reference = not spoken and labelled(match)
    area, group, serial = int(digits[:3]), int(digits[3:5]), int(digits[5:])
    if area in {0, 666} or not group or not serial:
        # Never issued, yet written as one and called one: test data, or a slip of the pen.
        if reference:
            return Reading("us.ssn", valid=False, labelled=True)
        return Reading("us.ssn") if dashed and _SSN_WORD.search(before(match, 16)) else None
    if area >= 900 and reference:
        return Reading("us.ssn", valid=False, labelled=True)
    if area >= 900 and group in _ITIN_GROUPS and not re.search("ssn|social", before(match), _I):
        return Reading("us.itin")
    if area < 900 or spoken:
        return Reading("us.ssn", labelled=reference)
    return None


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|fév|avr|juin|juil|août|déc)[a-zé]{0,9}\.?"
_DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?[ -](?:of |de )?{_MONTH},?[ -](?:de )?[0-9]{{4}}|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}})"
)
_BIRTH = re.compile(
    r"(?<![A-Za-z])(?:born|d\.?o\.?b\.?|date of birth|birth ?date|birthday|geb(?:oren)?\.?|geburtsdatum|né(?:e)? le|naissance|"
    r"nacid[oa]|nacimiento|nascid[oa]|nascimento|nat[oa] il|kuzaliwa|alizaliwa|urodzon[aey]|geboortedatum|födelsedatum)"
    r"(?:[ \t]{0,2}(?:[:=(-]|is|on|was|am|el|em|le|in)){0,2}[ \t]{0,2}(?:[A-Za-z]{2,9},? )?"
    + _DATE
    + r"(?![0-9])",
    _I,
)
_PASSPORT = re.compile(
    r"(?<![A-Za-z])(?:passport|reisepass|pasaporte|passeport|passaporto|passaporte|paspoort|pasipoti)[ ]?(?:no|nr|num|number|nummer|#|numéro|número|id)?"
    r"[ .:#]{1,4}(?:is |was )?(?P<value>[A-Z]{0,3}[ ]?[0-9]{4,9}[A-Z]?[0-9]{0,4})(?![A-Za-z0-9])",
    _I,
)
_LICENCE = re.compile(
    r"(?<![A-Za-z])(?:driver'?s?|driving)[ ]?(?:licen[cs]e|lic)[ ]?(?:no|num|number|#|id)?[ .:#]{1,4}(?:is |was )?(?P<value>[A-Z0-9][A-Z0-9 -]{4,18}[0-9])(?![A-Za-z0-9])",
    _I,
)
_LICENCE_SHORT = re.compile(
    r"(?<![A-Za-z])licen[cs]e (?:no\.?|number|#)[ :]{1,3}(?:is )?[A-Z]{1,3}[0-9]{5,8}(?![A-Za-z0-9])", _I
)
_RECORD = re.compile(
    r"(?<![A-Za-z])(?:mrn|medical record|patient id|hospital (?:no|number)|nhif|sha no)(?: ?(?:no|num|number|#|id))?[ .:#]{1,4}(?:is )?(?P<value>[A-Z]{0,4}-?[0-9]{4,12})(?![A-Za-z0-9])",
    _I,
)
_MBI = re.compile(
    LEFT
    + r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}"
    + RIGHT
)
_STREET = re.compile(
    r"(?<![0-9A-Za-z.,$€£-])[1-9][0-9]{0,4}[A-Za-z]?,? (?:[NSEW]\.? |North |South |East |West )?(?:[A-Z][a-zé'’-]{1,20}|[0-9]{1,3}(?:st|nd|rd|th))"
    r"(?: [A-Z][a-z'’-]{1,20}){0,2} (?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Way|Close|Crescent|Highway|Hwy|Parkway|Square|Sq)(?![A-Za-z])"
)
_STRASSE = re.compile(
    r"(?<![A-Za-z])(?:[A-ZÄÖÜ][a-zäöüß-]{2,24}(?:straße|strasse|str\.|weg|gasse|allee|platz)|(?:rue|avenue|boulevard|calle|via|viale|rua|avenida|paseo|piazza) (?:[a-zé'’]{1,4} ){0,2}[A-ZÀ-Ý][a-zà-ÿ'’-]{2,20}(?: [A-ZÀ-Ý][a-zà-ÿ'’-]{1,20}){0,2}),? [1-9][0-9]{0,3}(?![0-9A-Za-z])"
)
_POINT = re.compile(
    r"(?<![0-9A-Za-z.-])-?[0-9]{1,2}\.[0-9]{4,8},\s?-?[0-9]{1,3}\.[0-9]{4,8}(?![0-9A-Za-z]|\.[0-9])"
)


def _point(match: re.Match[str]) -> Reading | None:
    latitude, longitude = (abs(float(part.strip())) for part in match.group().split(","))
    return Reading("latitude, longitude") if latitude <= 90 and longitude <= 180 else None


_BIRTH_WORDS = r"(?i)born|d\.?o\.?b|birth|geb|naissance|n[ée]e? le|nac|nasc|nat[oa] il|kuzaliwa|alizaliwa|urodzon|geboorte|födelse"

PEOPLE = (
    Family(
        "ssn",
        r"[0-9]{3}[ .-]?[0-9]{2}[ .-]?[0-9]{4}",
        (Spec("SSN", _SSN, _ssn, "pattern", "ssn"),),
    ),
    Family(
        "birth",
        _BIRTH_WORDS,
        (Spec("DATE_OF_BIRTH", _BIRTH, always("in context"), "pattern", "birth_date"),),
        digits=False,
    ),
    Family(
        "document",
        r"(?i)passport|reisepass|pasaporte|passeport|passaport|paspoort|pasipoti|driv|licen[cs]e|mrn|medical record|patient id|hospital n|nhif|sha no|"
        r"[1-9][A-Z][A-Z0-9][0-9]-?[A-Z][A-Z0-9][0-9]-?[A-Z]{2}[0-9]{2}",
        (
            Spec("PASSPORT", _PASSPORT, always(), "pattern", "passport"),
            Spec("DRIVER_LICENSE", _LICENCE, always(), "pattern", "driving_licence"),
            Spec("DRIVER_LICENSE", _LICENCE_SHORT, always(), "pattern", "licence"),
            Spec(
                "HEALTH_ID",
                _RECORD,
                always("record number"),
                "pattern",
                "medical_record",
            ),
            Spec("HEALTH_ID", _MBI, always("us.mbi"), "pattern", "medicare"),
        ),
    ),
)
PLACES = (
    Family(
        "street",
        r"[0-9][A-Za-z]?,? ([NSEW]\.? )?([A-Z]|[0-9])|(stra(ß|ss)e|str\.|weg|gasse|allee|platz),? [0-9]|(rue|avenue|boulevard|calle|via|viale|rua|avenida|paseo|piazza) ",
        tuple(Spec("STREET_ADDRESS", find, always(), "pattern", "street") for find in (_STREET, _STRASSE)),
        digits=False,
    ),
    Family(
        "point",
        r"[0-9]\.[0-9]{4,8},\s?-?[0-9]{1,3}\.[0-9]{4}",
        (Spec("GEO_CODE", _POINT, _point, "pattern", "coordinates"),),
    ),
)
