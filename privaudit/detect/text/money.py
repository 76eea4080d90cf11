# ruff: noqa: E501 - an expression is read whole
"""Embedded money: card numbers, accounts, wallets, bank codes."""

from __future__ import annotations

import re

from privaudit.detect.packs.validators import luhn
from privaudit.detect.text.spec import (
    LEFT,
    NUM_LEFT,
    NUM_RIGHT,
    RIGHT,
    Family,
    Reading,
    Spec,
    accepts,
    always,
    before,
    digits_of,
    labelled,
)

_I = re.IGNORECASE

_CARD = re.compile(NUM_LEFT + r"[2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}" + NUM_RIGHT)
_AMEX = re.compile(NUM_LEFT + r"3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5}" + NUM_RIGHT)
_CARD_WORD = re.compile(
    r"card|visa|master|amex|american express|discover|credit|debit|\bcc\b|kadi|tarjeta|carte|karte|cartão|carta",
    _I,
)
_ISSUERS = (
    ("visa", re.compile(r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})")),
    (
        "mastercard",
        re.compile(r"(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"),
    ),
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
    if issuer is None or len(set(digits)) < 2:
        return None
    if len(digits) == 13 and not spoken:
        return None  # no longer issued, and as long as many a national number
    grouped, valid = len(text) > len(digits), luhn(digits)
    if grouped and not valid and _CARD_WORD.search(before(match, 12)):
        return Reading(
            "unproven"
        )  # test and mistyped numbers: form and word speak where the check digit doesn't
    return Reading(issuer, strong=spoken or grouped, valid=valid, labelled=not spoken and labelled(match))


_IBAN = re.compile(LEFT + r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?" + RIGHT)
_ACCOUNT = re.compile(
    r"(?<![A-Za-z])(?:bank[ _-]?account|account|acct|a/c|konto|cuenta|compte|conta|akaunti)[ ]?(?:no|nr|num|number|nummer|#|numéro|número)?"
    r"[ .:#]{1,4}(?:is )?(?P<value>[0-9][0-9 -]{6,22}[0-9])" + NUM_RIGHT,
    _I,
)
_ROUTING = re.compile(
    r"(?:routing|aba|transit)(?: (?:no|number|code))?[ .:#]{1,4}(?:is )?(?P<value>[0-9]{9})(?![0-9])", _I
)
_BIC = re.compile(
    r"(?:swift|bic)(?:[ /](?:code|bic))?[ .:#]{1,4}(?:is )?(?P<value>[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?![A-Za-z0-9])",
    _I,
)
_WALLET = re.compile(LEFT + r"(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,71})" + RIGHT)


def _iban(match: re.Match[str]) -> Reading | None:
    text = match.group().replace(" ", "").replace("-", "").upper()
    # A word after the number may have been taken along: try the lengths the groups allow.
    for length in range(len(text), 14, -1):
        if accepts("iban", text[:length]):
            return Reading(text[:2].lower())
    return None


def _account(match: re.Match[str]) -> Reading | None:
    return Reading(None) if 7 <= len(digits_of(match.group("value"))) <= 18 else None


def _routing(match: re.Match[str]) -> Reading | None:
    return Reading("us.rtn") if accepts("us.rtn", match.group("value")) else None


def _wallet(match: re.Match[str]) -> Reading | None:
    return Reading("bitcoin") if accepts("bitcoin", match.group()) else None


MONEY = (
    Family(
        "iban",
        r"[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}[ -]?[A-Z0-9]{4}",
        (Spec("IBAN", _IBAN, _iban, "check-digit", "iban"),),
    ),
    Family(
        "card",
        r"[2-6][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}|3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4}",
        tuple(Spec("CREDIT_CARD", find, _card, "check-digit", "card") for find in (_AMEX, _CARD)),
    ),
    Family(
        "wallet",
        r"[13][1-9A-HJ-NP-Za-km-z]{25}|bc1[02-9ac-hj-np-z]{11}",
        (Spec("BANK_ACCOUNT", _WALLET, _wallet, "check-digit", "wallet"),),
        digits=False,
    ),
)
ACCOUNTS = (
    Family(
        "account",
        r"(?i)acc(oun)?t|a/c|konto|cuenta|compte|conta|akaunti|routing|aba|transit|swift|bic",
        (
            Spec("BANK_ACCOUNT", _ROUTING, _routing, "check-digit", "routing_number"),
            Spec("BANK_CODE", _BIC, always("bic"), "pattern", "bank_code"),
            Spec("BANK_ACCOUNT", _ACCOUNT, _account, "pattern", "account"),
        ),
    ),
)
