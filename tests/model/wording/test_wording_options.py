"""Sentences name options of the command line where commands are typed, and never on a page."""

from __future__ import annotations

import re

import pytest

from privaudit.model.wording import Columns, fact
from privaudit.model.wording.render import FULL, Wording
from tests.helpers.program import sentence_codes

PAGE = Wording(has_options=False)
TYPED = ("compare", "console", "inventory", "looks", "subject")
"""Rooms whose sentences are only printed on a terminal."""
_OPTION = re.compile(r"--[a-z]|\bsetting \"|\bprivaudit [a-z]+\b(?!\.)")


class Limit:
    """A limit without values: its placeholders are dashes."""

    def __init__(self, code: str) -> None:
        self.code, self.values = code, {}


def test_no_sentence_of_a_page_names_an_option() -> None:
    codes = [code for code in sentence_codes() if code.partition(".")[0] not in TYPED and "_use" not in code]
    named = [code for code in codes if _OPTION.search(PAGE.text(fact(code)))]
    assert len(codes) > 500 and named == ["answers.internal_head"]  # the program, no command


def test_no_limit_on_a_page_names_an_option() -> None:
    limits = [Limit(code) for code in sentence_codes("limits")]
    assert not [each.code for each in limits if _OPTION.search(PAGE.why(each) + PAGE.what(each))]
    with_options = [each for each in limits if PAGE.options(each)]
    assert len(with_options) > 20
    for each in with_options:
        assert all(f"({option})" in FULL.why(each) for option in PAGE.options(each))


@pytest.mark.parametrize("wording", [FULL, PAGE])
def test_brackets_of_a_value_stay(wording: Wording) -> None:
    stated = fact("remedies.lost_columns", columns=Columns(names=("a [--unit]",)))
    assert '"a [--unit]"' in wording.text(stated)
