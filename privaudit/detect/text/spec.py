"""Records of the patterns for values inside text: specifications, readings, and the words around a match.

A specification finds candidates with a bounded expression and checks each one. Every quantifier is bounded, so the time
for a long cell is proportional to its length. Boundaries are ASCII classes: a number next to a Han or Cyrillic word
is a number, one next to Latin letters is part of a code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from privaudit.detect.packs.checks import CHECKS

LEFT = r"(?<![0-9A-Za-z_])"
RIGHT = r"(?![0-9A-Za-z_])"
# Boundaries of a number: not in a word, not the end of a decimal or of another group.
NUM_LEFT = r"(?<![0-9A-Za-z_#$€£+])(?<![0-9][.,:/-])"
NUM_RIGHT = r"(?![0-9A-Za-z_%])(?![.,:/-][0-9])"

# Words that name a thing, not a person, directly before a number.
_LABELS_TEXT = (
    "order orders invoice inv ref reference ticket tracking track parcel shipment part p/n pn sku serial "
    "s/n sn batch lot build version v release rev revision case txn transaction isbn issn doi ean "
    "gtin upc item model job po rma bug issue commit checksum hash epoch timestamp error code article "
    "catalog asset docket session request bestellung commande pedido ordine rechnung facture factura "
    "fattura agizo waybill awb container quote claim meeting conference policy row rows page member "
    "flight device log process pid port"
)
_LABELS = frozenset(_LABELS_TEXT.split())
_NUMBER_WORDS_TEXT = "no nr num number id ref code key nummer numéro numero"
_NUMBER_WORDS = frozenset(_NUMBER_WORDS_TEXT.split())
_LINKING = frozenset(["is", "was"])
_WORDS = re.compile(r"[a-zà-ÿ/]+|[^a-zà-ÿ/\s.:#=№(\"'\[-]+")


# "no. 5" continues a sentence, "in the log. 5" does not.
_SENTENCE_END = re.compile(r"(?<!no)(?<!nr)(?<!num)(?<!ref)(?<!inv)[.!?;,]\s")
_NOT_DIGITS = re.compile("[^0-9]+")


class Reading(NamedTuple):
    """The result of a check of one candidate.

    ``strong`` is false where the check digit is the only evidence: then the column as a whole must have more valid
    check digits than chance gives. ``valid`` is false for a candidate of the right shape that fails its check digit; it
    is counted, not reported. ``labelled`` is true after a word such as "order": such a reading counts only where the
    column has many different valid numbers.
    """

    detail: str | None
    strong: bool = True
    valid: bool = True
    labelled: bool = False


Check = Callable[["re.Match[str]"], "Reading | None"]


@dataclass(frozen=True, slots=True)
class Spec:
    """One pattern of an entity type inside text.

    Attributes
    ----------
    entity : str
        Entity type.
    find : compiled expression
        Finds candidates; `check` returns the reading of each match, or None where it is not a value.
    kind, because : str
        The clue: how the value was recognised, and the end of its code ``detect.text_...``.
    """

    entity: str
    find: re.Pattern[str]
    check: Check
    kind: str
    because: str


@dataclass(frozen=True, slots=True)
class Family:
    """Specifications that share one vectorised prefilter.

    ``prefilter`` is an RE2 expression that matches every cell in which a member can find anything; ``digits``
    means that no member can match a cell with fewer than five digits. ``gate`` is an RE2 expression that several
    families share and that matches every cell any of them matches: it runs once for all of them. Families are
    listed in order of precedence.
    """

    name: str
    prefilter: str
    specs: tuple[Spec, ...]
    digits: bool = True
    gate: str | None = None


def before(match: re.Match[str], n: int = 40) -> str:
    """Return at most `n` characters before the match, within its line."""
    start = match.start()
    return match.string[max(0, start - n) : start].rpartition("\n")[2]


def labelled(match: re.Match[str]) -> bool:
    """Whether a technical label precedes the match: an order, a part, a build."""
    phrase = _SENTENCE_END.split(before(match, 32).lower())[-1]
    words = [word for word in _WORDS.findall(phrase) if word not in _LINKING]
    if words and words[-1] in _LABELS:
        return True
    return len(words) > 1 and words[-1] in _NUMBER_WORDS and words[-2] in _LABELS


def loosely(shape: str) -> str:
    """Return an RE2 prefilter for `shape`: look-around boundaries become consumed characters or nothing."""
    for boundary in (NUM_LEFT, LEFT):
        shape = shape.replace(boundary, "(?:^|[^0-9A-Za-z_])")
    for boundary in (NUM_RIGHT, RIGHT):
        shape = shape.replace(boundary, "(?:$|[^0-9A-Za-z_])")
    return re.sub(r"\(\?<?[!=][^)]*\)", "", shape)


def always(detail: str | None = None) -> Check:
    """Return a check that accepts every match with one detail."""
    reading = Reading(detail)
    return lambda _match: reading


@cache
def stdnum_module(name: str) -> Any:
    """Return a python-stdnum module by its name below ``stdnum``, imported on first use."""
    import importlib

    return importlib.import_module(f"stdnum.{name}")


def accepts(name: str, text: str) -> bool:
    """Return whether python-stdnum's module `name`, or the check of that name in checks.py, accepts `text`.

    An exception counts as failure: some modules look up places in incomplete tables.
    """
    rule = CHECKS[name] if name in CHECKS else stdnum_module(name).is_valid
    try:
        return bool(rule(text))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        return False


def digits_of(text: str) -> str:
    """Return only the ASCII digits of `text`."""
    return _NOT_DIGITS.sub("", text)
