"""Embedded numbers of people: cards, accounts, phones, social security, birth dates, documents, places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from privaudit.detect.text_spec import (
    LEFT,
    NUM_LEFT,
    NUM_RIGHT,
    RIGHT,
    Family,
    Reading,
    Spec,
    always,
    before,
    digits_of,
    labelled,
    luhn,
    stdnum_module,
)

_I = re.IGNORECASE

# ---------------------------------------------------------------- cards
_CARD = re.compile(NUM_LEFT + r"[2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}" + NUM_RIGHT)
_AMEX = re.compile(NUM_LEFT + r"3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5}" + NUM_RIGHT)
_CARD_WORD = re.compile(r"card|visa|master|amex|american express|discover|credit|debit|\bcc\b|kadi|tarjeta|carte|karte|cartão|carta", _I)
_ISSUERS = (
    ("visa", re.compile(r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})")),
    ("mastercard", re.compile(r"(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}")),
    ("amex", re.compile(r"3[47][0-9]{13}")),
    ("diners", re.compile(r"3(?:0[0-5]|[689][0-9])[0-9]{11}")),
    ("discover", re.compile(r"6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}")),
    ("jcb", re.compile(r"35(?:2[89]|[3-8][0-9])[0-9]{12}")),
    ("unionpay", re.compile(r"62[0-9]{14,17}")),
    ("maestro", re.compile(r"(?:5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{8,15}")),
)


def _card(match: re.Match[str]) -> Reading | None:
    text = match.group()
    digits = digits_of(text)
    issuer = next((name for name, shape in _ISSUERS if shape.fullmatch(digits)), None)
    spoken = _CARD_WORD.search(before(match)) is not None
    if issuer is None or len(set(digits)) < 2 or (labelled(match) and not spoken):
        return None
    return Reading(issuer, strong=spoken or len(text) > len(digits), valid=luhn(digits))


# ---------------------------------------------------------------- bank accounts
_IBAN = re.compile(LEFT + r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?" + RIGHT)
_ACCOUNT = re.compile(
    r"(?<![A-Za-z])(?:bank[ _-]?account|account|acct|a/c|konto|cuenta|compte|conta|akaunti)[ ]?(?:no|nr|num|number|nummer|#|numéro|número)?"
    r"[ .:#]{1,4}(?:is )?(?P<value>[0-9][0-9 -]{6,22}[0-9])" + NUM_RIGHT,
    _I,
)
_ROUTING = re.compile(r"(?:routing|aba|transit)(?: (?:no|number|code))?[ .:#]{1,4}(?:is )?(?P<value>[0-9]{9})(?![0-9])", _I)
_BIC = re.compile(r"(?:swift|bic)(?:[ /](?:code|bic))?[ .:#]{1,4}(?:is )?(?P<value>[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?![A-Za-z0-9])", _I)
_WALLET = re.compile(LEFT + r"(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71})" + RIGHT)


def _iban(match: re.Match[str]) -> Reading | None:
    text = match.group().replace(" ", "").replace("-", "").upper()
    module = stdnum_module("iban")
    # A word after the number may have been taken along: try the lengths the groups allow.
    for length in range(len(text), 14, -1):
        if module.is_valid(text[:length]):
            return Reading(text[:2].lower())
    return None


def _account(match: re.Match[str]) -> Reading | None:
    return Reading(None) if 7 <= len(digits_of(match.group("value"))) <= 18 else None


def _routing(match: re.Match[str]) -> Reading | None:
    return Reading("us.rtn") if stdnum_module("us.rtn").is_valid(match.group("value")) else None


def _wallet(match: re.Match[str]) -> Reading | None:
    return Reading("bitcoin") if stdnum_module("bitcoin").is_valid(match.group()) else None


# ---------------------------------------------------------------- social security, United States
_SSN = re.compile(r"(?<![0-9A-Za-z_#./-])[0-9]{3}(?P<sep>[ .-]?)[0-9]{2}(?P=sep)[0-9]{4}" + NUM_RIGHT)
_SSN_WORD = re.compile(r"(?<![a-z])(?:ssn|social[ -]?security|social|soc[. ]?sec|tax ?id|itin|tin)(?![a-z])", _I)
_ITIN_GROUPS = {*range(50, 66), *range(70, 89), 90, 91, 92, *range(94, 100)}


def _ssn(match: re.Match[str]) -> Reading | None:
    digits = digits_of(match.group())
    # Without its dashes a number belongs only to the word right before it.
    spoken = _SSN_WORD.search(before(match, 40 if match.group("sep") == "-" else 24)) is not None
    if not spoken and (match.group("sep") != "-" or labelled(match)):
        return None
    area, group, serial = int(digits[:3]), int(digits[3:5]), int(digits[5:])
    if area in {0, 666} or not group or not serial or len(set(digits)) == 1:
        return None
    if area >= 900 and group in _ITIN_GROUPS and not re.search("ssn|social", before(match), _I):
        return Reading("us.itin")
    return Reading("us.ssn") if area < 900 or spoken else None


# ---------------------------------------------------------------- phones
_PHONE_LEFT = r"(?<![0-9A-Za-z_@#$€£])(?<![0-9][.,:/-])"
_PHONE_RIGHT = r"(?![0-9A-Za-wyz_@%])(?![:,/-][0-9])"
_PHONE_GAP = r"(?:[ .\-/]|\)[ -]?|[ -]\(| - )"
_PHONE_BODY = rf"(?:[0-9]|{_PHONE_GAP}(?=[0-9(])){{5,20}}[0-9]"
_INTERNATIONAL = re.compile(_PHONE_LEFT + r"\+\(?[0-9]" + _PHONE_BODY + _PHONE_RIGHT)
# Not the tail of a grouped number, a path or a range.
_FORMATTED = re.compile(_PHONE_LEFT + r"(?<![ -][0-9]{3}[ -])(?<![ -][0-9]{4}[ -])(?<![-/:.])(?:\([0-9]|0|[2-9][0-9]{2}[.-]|1[ .-])" + _PHONE_BODY + _PHONE_RIGHT)
_BARE = re.compile(_PHONE_LEFT + r"\(?[0-9]" + _PHONE_BODY + _PHONE_RIGHT)
_PHONE_WORDS = (
    r"phone|\btel(?:[.:]|\b)|mobile|\bmob\b|\bcell|\bcall(?:ed|ing|s|back)?\b|whats ?app|\bfax|\bsms\b|\btext(?:ed)?\b|contact|reach|telefon|teléfono|"
    r"téléphone|handy|móvil|movil|celular|rufnummer|\bsimu\b|telepon|\bdial|m-?pesa|тел|звон|هاتف|फोन|电话|手机|電話|携帯"
)
_PHONE_WORD = re.compile(_PHONE_WORDS, _I)
_NANP = re.compile(r"(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[.-])[2-9][0-9]{2}[.-][0-9]{4}")
_NOT_PHONE = re.compile(
    r"(?:19|20)[0-9]{2}[-/. ](?:0?[1-9]|1[0-2])[-/. ][0-3]?[0-9].*|[0-3]?[0-9][-/. ][0-3]?[0-9][-/. ](?:19|20)[0-9]{2}.*"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,3}(?: [0-9]{3})+|(?:19|20)[0-9]{2}[-/ ](?:19|20)[0-9]{2}|[0-9]+\.[0-9]+|[0-9]{4}(?:[ -][0-9]{4}){2,3}"
    r"|97[89][- ]?[0-9-]{10,14}"
)
_DATED = re.compile(r"(?:19|20)[0-9]{2}[-/.]|[0-3]?[0-9][-/.][0-3]?[0-9][-/.](?:19|20)?[0-9]{2}")
_HOME_REGIONS = ("GB", "KE", "DE", "FR", "IT", "ES", "NL", "BE", "AU", "ZA", "NG", "IN", "JP", "CH", "AT", "SE", "BR", "TZ", "UG", "NZ", "IE", "PL")


_LAST_GROUP = re.compile(r"[ .\-/()]+[0-9]+$")


def _numbers(match: re.Match[str]) -> Iterator[str]:
    """Yield what may be a phone number in a candidate: all of it, then without groups at its end.

    A date or an amount that follows a number looks like more groups of it.
    """
    text = match.group()
    for _ in range(4):
        digits = digits_of(text)
        if 7 <= len(digits) <= 15 and len(set(digits)) >= 3:
            yield text
        shorter = _LAST_GROUP.sub("", text)
        if shorter == text:
            return
        text = shorter


def _international(match: re.Match[str]) -> Reading | None:
    import phonenumbers

    for text in _numbers(match):
        try:
            number = phonenumbers.parse(text, None)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_possible_number(number):
            return Reading("international")
    return None


def _formatted(match: re.Match[str]) -> Reading | None:
    if labelled(match):
        return None
    for text in _numbers(match):
        if _NANP.fullmatch(text):
            return Reading("us")
        if not _NOT_PHONE.fullmatch(text) and _home(text):
            return Reading("national")
    return None


def _spoken(match: re.Match[str]) -> Reading | None:
    words = _PHONE_WORD.search(before(match, 28))
    if words is None or labelled(match):
        return None
    long_enough = any(len(digits_of(text)) >= 8 and not _DATED.match(text) for text in _numbers(match))
    return Reading("national") if long_enough else None


def _home(text: str) -> bool:
    """Read a number with a trunk zero and separators by the plans of many countries."""
    import phonenumbers

    if not text.startswith(("0", "(0")) or _LAST_GROUP.search(text) is None:
        return False
    for region in _HOME_REGIONS:
        try:
            number = phonenumbers.parse(text, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return True
    return False


# ---------------------------------------------------------------- birth dates, documents, places
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|ene|abr|ago|dic|fév|avr|juin|juil|août|déc)[a-zé]{0,9}\.?"
_DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2})"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?[ -](?:of |de )?{_MONTH},?[ -](?:de )?[0-9]{{4}}|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}})"
)
_BIRTH = re.compile(
    r"(?<![A-Za-z])(?:born|d\.?o\.?b\.?|date of birth|birth ?date|birthday|geb(?:oren)?\.?|geburtsdatum|né(?:e)? le|naissance|"
    r"nacid[oa]|nacimiento|nascid[oa]|nascimento|nat[oa] il|kuzaliwa|alizaliwa|urodzon[aey]|geboortedatum|födelsedatum)"
    r"(?:[ \t]{0,2}(?:[:=(-]|is|on|was|am|el|em|le|in)){0,2}[ \t]{0,2}(?:[A-Za-z]{2,9},? )?" + _DATE + r"(?![0-9])",
    _I,
)
_PASSPORT = re.compile(
    r"(?<![A-Za-z])(?:passport|reisepass|pasaporte|passeport|passaporto|passaporte|paspoort|pasipoti)[ ]?(?:no|nr|num|number|nummer|#|numéro|número|id)?"
    r"[ .:#]{1,4}(?:is |was )?(?P<value>[A-Z]{0,3}[ ]?[0-9]{5,9}[A-Z]?)(?![A-Za-z0-9])",
    _I,
)
_LICENCE = re.compile(
    r"(?<![A-Za-z])(?:driver'?s?|driving)[ ]?(?:licen[cs]e|lic)[ ]?(?:no|num|number|#|id)?[ .:#]{1,4}(?:is |was )?(?P<value>[A-Z0-9][A-Z0-9 -]{4,18}[0-9])(?![A-Za-z0-9])",
    _I,
)
_RECORD = re.compile(
    r"(?<![A-Za-z])(?:mrn|medical record|patient id|hospital (?:no|number)|nhif|sha no)(?: ?(?:no|num|number|#|id))?[ .:#]{1,4}(?:is )?(?P<value>[A-Z]{0,4}-?[0-9]{4,12})(?![A-Za-z0-9])",
    _I,
)
_MBI = re.compile(LEFT + r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}" + RIGHT)
_STREET = re.compile(
    r"(?<![0-9A-Za-z.,$€£-])[1-9][0-9]{0,4}[A-Za-z]?,? (?:[NSEW]\.? |North |South |East |West )?(?:[A-Z][a-zé'’-]{1,20}|[0-9]{1,3}(?:st|nd|rd|th))"
    r"(?: [A-Z][a-z'’-]{1,20}){0,2} (?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Way|Close|Crescent|Highway|Hwy|Parkway|Square|Sq)(?![A-Za-z])"
)
_STRASSE = re.compile(
    r"(?<![A-Za-z])(?:[A-ZÄÖÜ][a-zäöüß-]{2,24}(?:straße|strasse|str\.|weg|gasse|allee|platz)|(?:rue|avenue|boulevard|calle|via|viale|rua|avenida|paseo|piazza) (?:[a-zé'’]{1,4} ){0,2}[A-ZÀ-Ý][a-zà-ÿ'’-]{2,20}(?: [A-ZÀ-Ý][a-zà-ÿ'’-]{1,20}){0,2}),? [1-9][0-9]{0,3}(?![0-9A-Za-z])"
)
_POINT = re.compile(r"(?<![0-9A-Za-z.-])-?[0-9]{1,2}\.[0-9]{4,8},\s?-?[0-9]{1,3}\.[0-9]{4,8}(?![0-9A-Za-z.])")


def _point(match: re.Match[str]) -> Reading | None:
    latitude, longitude = (abs(float(part)) for part in match.group().split(","))
    return Reading("latitude, longitude") if latitude <= 90 and longitude <= 180 else None


_BIRTH_WORDS = r"(?i)born|d\.?o\.?b|birth|geb|naissance|n[ée]e? le|nac|nasc|nat[oa] il|kuzaliwa|alizaliwa|urodzon|geboorte|födelse"

NUMBERS = (
    Family("iban", r"(?i)[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}[ -]?[A-Z0-9]{4}", (Spec("IBAN", _IBAN, _iban, "check-digit", "account numbers whose check digits hold"),)),
    Family(
        "card",
        r"[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}|3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4}",
        tuple(Spec("CREDIT_CARD", find, _card, "check-digit", "issuer prefix, length and Luhn check hold") for find in (_AMEX, _CARD)),
    ),
    Family("wallet", r"[13][1-9A-HJ-NP-Za-km-z]{25}|bc1[02-9ac-hj-np-z]{11}", (Spec("BANK_ACCOUNT", _WALLET, _wallet, "check-digit", "wallet addresses whose checksum holds"),), digits=False),
    Family("ssn", r"[0-9]{3}[ .-]?[0-9]{2}[ .-]?[0-9]{4}", (Spec("SSN", _SSN, _ssn, "pattern", "issued areas, groups and serials in the written form"),)),
    Family("birth", _BIRTH_WORDS, (Spec("DATE_OF_BIRTH", _BIRTH, always("in context"), "pattern", "dates beside a word for birth"),), digits=False),
    Family(
        "document",
        r"(?i)passport|reisepass|pasaporte|passeport|passaport|paspoort|pasipoti|driv|mrn|medical record|patient id|hospital n|nhif|sha no|"
        r"acc(oun)?t|a/c|konto|cuenta|compte|conta|akaunti|routing|aba|transit|swift|bic|[1-9][A-Z][A-Z0-9][0-9]-?[A-Z][A-Z0-9][0-9]-?[A-Z]{2}[0-9]{2}",
        (
            Spec("PASSPORT", _PASSPORT, always(), "pattern", "document numbers beside the word passport"),
            Spec("DRIVER_LICENSE", _LICENCE, always(), "pattern", "document numbers beside words for a driving licence"),
            Spec("HEALTH_ID", _RECORD, always("record number"), "pattern", "numbers beside words for a medical record"),
            Spec("HEALTH_ID", _MBI, always("us.mbi"), "pattern", "the written form of Medicare numbers"),
            Spec("BANK_ACCOUNT", _ROUTING, _routing, "check-digit", "routing numbers whose check digit holds, beside the word"),
            Spec("BANK_CODE", _BIC, always("bic"), "pattern", "bank codes beside the word"),
            Spec("BANK_ACCOUNT", _ACCOUNT, _account, "pattern", "numbers beside words for an account"),
        ),
    ),
)
PLACES = (
    Family(
        "street",
        r"[0-9][A-Za-z]?,? ([NSEW]\.? )?([A-Z]|[0-9])|(stra(ß|ss)e|str\.|weg|gasse|allee|platz),? [0-9]|(rue|avenue|boulevard|calle|via|viale|rua|avenida|paseo|piazza) ",
        tuple(Spec("STREET_ADDRESS", find, always(), "pattern", "house number and a word for a street") for find in (_STREET, _STRASSE)),
        digits=False,
    ),
    Family("point", r"[0-9]\.[0-9]{4,8},\s?-?[0-9]{1,3}\.[0-9]{4}", (Spec("GEO_CODE", _POINT, _point, "pattern", "coordinates in pairs with four decimals or more"),)),
)
_FORM = "numbers of a numbering plan in a written form"
PHONES = (
    Family("phone", r"\+\(?[0-9][0-9 ().\-/]{6}", (Spec("PHONE", _INTERNATIONAL, _international, "pattern", _FORM),)),
    Family(
        "phone",
        r"(?:^|[^0-9A-Za-z_])(?:\([0-9]|0[0-9]{0,5}[ ().\-/]|[2-9][0-9]{2}[.-]|1[ .-])[0-9 ().\-/]{6}",
        (Spec("PHONE", _FORMATTED, _formatted, "pattern", _FORM),),
    ),
    Family(
        "phone",
        rf"(?i)(?:{_PHONE_WORDS})[^\n]*[0-9][0-9 ().\-/]{{6}}",
        (Spec("PHONE", _BARE, _spoken, "pattern", "numbers beside a word for calling"),),
    ),
)
