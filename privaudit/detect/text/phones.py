# ruff: noqa: E501 - an expression is read whole
"""Embedded phone numbers: international, in a country's written form, or next to a word for calling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from privaudit.detect.text.spec import Family, Reading, Spec, before, digits_of, labelled

_I = re.IGNORECASE

_PHONE_LEFT = r"(?<![0-9A-Za-z_@#$€£])(?<![0-9][.,:/-])"
_PHONE_RIGHT = r"(?![0-9A-Za-wyz_@%])(?![:,/-][0-9])"
_PHONE_GAP = r"(?:[ .\-/]|\)[ -]?|[ -]\(| - )"
_PHONE_BODY = rf"(?:[0-9]|{_PHONE_GAP}(?=[0-9(])){{5,20}}[0-9]"
_INTERNATIONAL = re.compile(_PHONE_LEFT + r"\+\(?[0-9]" + _PHONE_BODY + _PHONE_RIGHT)
# Not the tail of a grouped number, a path or a range.
_FORMATTED = re.compile(
    _PHONE_LEFT
    + r"(?<![ -][0-9]{3}[ -])(?<![ -][0-9]{4}[ -])(?<![-/:.])(?:\([0-9]|0|[2-9][0-9]{2}[.-]|1[ .-])"
    + _PHONE_BODY
    + _PHONE_RIGHT
)
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
_HOME_REGIONS = (
    "GB",
    "KE",
    "DE",
    "FR",
    "IT",
    "ES",
    "NL",
    "BE",
    "AU",
    "ZA",
    "NG",
    "IN",
    "JP",
    "CH",
    "AT",
    "SE",
    "BR",
    "TZ",
    "UG",
    "NZ",
    "IE",
    "PL",
)


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

    if ")" not in text:
        text = text.replace("(", "")  # a bracket around the whole is none of the number
    if not text.startswith(("0", "(0")) or _LAST_GROUP.search(text) is None:
        return False
    if re.search("[0-9]{2}", text) is None:
        return False  # single figures in a row: scores, not a number
    for region in _HOME_REGIONS:
        try:
            number = phonenumbers.parse(text, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return True
    return False


PHONES = (
    Family(
        "phone",
        r"\+\(?[0-9][0-9 ().\-/]{6}",
        (Spec("PHONE", _INTERNATIONAL, _international, "pattern", "phone_form"),),
    ),
    Family(
        "phone",
        r"(?:^|[^0-9A-Za-z_])(?:\([0-9]|0[0-9]{0,5}[ ().\-/]|[2-9][0-9]{2}[.-]|1[ .-])[0-9 ().\-/]{6}",
        (Spec("PHONE", _FORMATTED, _formatted, "pattern", "phone_form"),),
    ),
    Family(
        "phone",
        rf"(?i)(?:{_PHONE_WORDS})[^\n]*[0-9][0-9 ().\-/]{{6}}",
        (Spec("PHONE", _BARE, _spoken, "pattern", "phone_word"),),
    ),
)
