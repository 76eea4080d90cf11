"""Validators of single values by name: those of checks.py, and the 240 of python-stdnum.

Question: does this text pass the named validator?
Method: a name that checks.py does not have is a python-stdnum module. A validator that raises an error has failed.
Limits: passing is evidence only if it fails after a digit is changed (checkdigits.py measures that).
"""

from __future__ import annotations

import importlib
from functools import cache

from privaudit.catalogue.checks import CHECKS
from privaudit.catalogue.checks import Check as Check

# These validators test a format; no part of the value is computed from the rest.
_FORMS = frozenset({"", "ip", "ip.host", "mac", "bic", "phone.international", "phone.national", "phone.length"})


def known(name: str) -> bool:
    """Whether a validator of this name exists."""
    if name in CHECKS:
        return True
    try:
        return all(map(str.isidentifier, name.split("."))) and callable(_module(name))
    except (ImportError, AttributeError):
        return False


def _module(name: str) -> Check:
    check: Check = importlib.import_module(f"stdnum.{name}").is_valid
    return check


def has_check_digit(name: str) -> bool:
    """Whether the validator `name` computes a check digit instead of testing a format only; "" is none."""
    return name not in _FORMS


@cache
def get(name: str) -> Check:
    """Return the validator `name`; it never raises."""
    check = CHECKS.get(name) or _module(name)

    def run(text: str) -> bool:
        try:
            return bool(check(text))
        except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
            return False  # python-stdnum raises many types of errors for invalid values

    return run
