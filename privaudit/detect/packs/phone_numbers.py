"""Validators of telephone numbers inside text.

Question: is this part of a sentence a telephone number?
Method: numbers with a country code by the numbering plan of the country; numbers with a trunk zero and separators by
the plans of the countries in `_REGIONS`; any other number by its length only, because a word named it.
Limits: a possible number need not be in use.
"""

from __future__ import annotations

import re

_NOT_PHONE = re.compile(
    r"(?:19|20)[0-9]{2}[-/. ](?:0?[1-9]|1[0-2])[-/. ][0-3]?[0-9].*"
    r"|[0-3]?[0-9][-/. ][0-3]?[0-9][-/. ](?:19|20)[0-9]{2}.*"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,3}(?: [0-9]{3})+|(?:19|20)[0-9]{2}[-/ ](?:19|20)[0-9]{2}|[0-9]+\.[0-9]+"
    r"|[0-9]{4}(?:[ -][0-9]{4}){2,3}|97[89][- ]?[0-9-]{10,14}"
)
_SEPARATED = re.compile(r"[ .\-/()]+[0-9]+$")
_REGIONS_TEXT = "GB KE DE FR IT ES NL BE AU ZA NG IN JP CH AT SE BR TZ UG NZ IE PL"
_REGIONS = tuple(_REGIONS_TEXT.split())


def has_length(text: str) -> bool:
    """Whether `text` has 7 to 15 digits (ITU-T E.164), at least three of them different."""
    digits = [char for char in text if char.isdigit()]
    return 7 <= len(digits) <= 15 and len(set(digits)) >= 3


def is_international(text: str) -> bool:
    """Whether `text` is a possible number of the country whose code it begins with."""
    return has_length(text) and _parses(text, None)


def is_national(text: str) -> bool:
    """Whether `text`, with a trunk zero and separators, is a valid number of any of the countries."""
    if ")" not in text:
        text = text.replace("(", "")  # a bracket around the whole number is not part of it
    grouped = _SEPARATED.search(text) is not None and re.search("[0-9]{2}", text) is not None
    if not has_length(text) or not grouped or _NOT_PHONE.fullmatch(text):
        return False  # single digits in a row are scores, not a number
    return text.startswith(("0", "(0")) and any(_parses(text, region) for region in _REGIONS)


def _parses(text: str, region: str | None) -> bool:
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(number) if region is None else phonenumbers.is_valid_number(number)
