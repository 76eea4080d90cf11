"""Templates escape every value as their format requires, and refuse names that nobody defined."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import escape

from privaudit.base import resources
from privaudit.report.escape import markdown
from privaudit.report.templates import environment

HOSTILE = "| *b* <img src=x> [a](http://b) `c` #1 @d"
WRITTEN_BY_THE_PROGRAM = {"level", "line.code", "row.code", "row.key", "heading(step.anchor)"}
"""Levels of headings, codes of checks and controls, and anchors: none comes from a table."""


@given(st.text())
def test_a_value_in_markdown_is_escaped(text):
    template = environment(is_markdown=True).from_string("{{ value }}")
    assert template.render(value=text) == markdown(text)


def test_values_that_are_joined_are_escaped_one_by_one():
    template = environment(is_markdown=True).from_string('{{ values|map("md")|join(", ") }}')
    assert template.render(values=["- a", HOSTILE]) == f"{markdown('- a')}, {markdown(HOSTILE)}"


def test_what_a_macro_wrote_is_not_escaped_again():
    text = "{% macro bold(value) %}**{{ value }}**{% endmacro %}{{ bold(value) }}"
    assert environment(is_markdown=True).from_string(text).render(value=HOSTILE) == f"**{markdown(HOSTILE)}**"


def test_a_value_in_html_is_escaped():
    assert environment().from_string("{{ value }}").render(value=HOSTILE) == escape(HOSTILE)


@pytest.mark.parametrize("is_markdown", [False, True])
def test_an_undefined_name_is_refused(is_markdown):
    with pytest.raises(UndefinedError, match="'nothing' is undefined"):
        environment(is_markdown=is_markdown).from_string("{{ nothing }}").render()


def test_markdown_marks_as_escaped_only_what_the_program_wrote():
    templates = sorted(resources.path("reports", "templates").rglob("*.md.j2"))
    marked = {
        value
        for file in templates
        for value in re.findall(r"\{\{ ([^}]+?)\|safe \}\}", file.read_text(encoding="utf-8"))
    }
    assert templates and marked == WRITTEN_BY_THE_PROGRAM
