"""Expressions that are compiled when they are first used match as those of `re` do."""

from __future__ import annotations

import re

import pytest

from privaudit.base.patterns import Expression


@pytest.mark.parametrize(("text", "flags"), [(r"(a)|b", 0), (r"(?P<word>A)", re.IGNORECASE), (rb"(a)\d", 0)])
def test_an_expression_matches_as_the_pattern_does(text, flags):
    expected, found = re.compile(text, flags), Expression(text, flags)
    tried = "xaAb" if isinstance(text, str) else b"xa1a"
    assert found.findall(tried) == expected.findall(tried) != []
    assert found.sub(tried[:1], tried) == expected.sub(tried[:1], tried)
    assert (found.pattern, found.flags, found.groups, found.groupindex) == (
        expected.pattern,
        expected.flags,
        expected.groups,
        expected.groupindex,
    )


def test_an_expression_is_compiled_by_its_first_use(monkeypatch):
    compiled: list[str] = []
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda text, flags=0: compiled.append(text) or real(text, flags))
    expression = Expression(r"first use \d")
    assert compiled == []
    assert [bool(expression.match("first use 1")), bool(expression.match("use"))] == [True, False]
    assert compiled == [r"first use \d"]


def test_an_invalid_expression_is_refused_when_it_is_used():
    with pytest.raises(re.error):
        Expression("(").match("")
