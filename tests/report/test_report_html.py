"""The page fetches nothing, runs nothing, escapes everything, and stays readable whatever is missing."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html.parser
import re
import sys
from types import ModuleType

import jinja2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit import report
from privaudit.model.wording import Threshold, fact
from privaudit.report import escape, templates
from privaudit.report.sections.remedies import MOST_REMEDIES
from privaudit.report.view import OPTIONAL, SECTIONS
from tests.helpers.paths import ROOT

KINDS = ("example", "bare_report", "hostile_report")
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(html.parser.HTMLParser):
    """All tags with their attributes, the text, and whether tags nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.parts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self.open):
            self.parts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


@pytest.fixture(params=KINDS, scope="module")
def page(request: pytest.FixtureRequest, sample: ModuleType) -> Page:
    return Page(report.render(getattr(sample, request.param)(), "html"))


def test_every_tag_is_closed_and_every_id_is_unique(page: Page) -> None:
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_all_sections_are_in_order_and_linked(page: Page) -> None:
    wanted = [attrs.get("id") for tag, attrs in page.tags if tag == "section"]
    every = [key for key, _ in SECTIONS]
    assert wanted == [key for key in every if key in wanted]
    assert set(every) - set(wanted) <= set(OPTIONAL)
    links = [str(attrs["href"]).lstrip("#") for tag, attrs in page.tags if tag == "a"]
    assert links[1 : len(wanted) + 1] == wanted
    assert set(links) <= {attrs.get("id") for _, attrs in page.tags}
    for tag, attrs in page.tags:
        if tag == "section":
            assert attrs["aria-labelledby"] in {a.get("id") for _, a in page.tags}


def test_nothing_is_fetched_and_only_the_shipped_script_runs(page: Page) -> None:
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [{}]
    assert not {"iframe", "object", "embed", "form", "img", "base"} & {tag for tag, _ in page.tags}
    for tag, attrs in page.tags:
        assert "style" not in attrs
        for key, value in attrs.items():
            assert not key.startswith("on"), f"{tag} has a handler"
            if key in ("src", "href", "action", "data", "xlink:href", "srcset", "poster", "background"):
                assert value is not None and (value.startswith("#") or value == "data:,")


def test_the_policy_allows_its_own_style_and_script_and_nothing_else(sample: ModuleType) -> None:
    text = report.render(sample.example(), "html")
    policy = next(a["content"] for t, a in Page(text).tags if a.get("http-equiv") == "Content-Security-Policy")
    inlined = re.findall(r"<(style|script)>(.*?)</\1>", text, re.S)
    assert [tag for tag, _ in inlined] == ["style", "style", "script"]
    first, second, script = (
        f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'" for _, content in inlined
    )
    assert policy == (
        f"default-src 'none'; style-src {first} {second}; script-src {script}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    for _, content in inlined:
        assert not re.search(r"url\(|@import|fetch|XMLHttp|import\(|innerHTML|eval|https?:", content)
    assert len(inlined[2][1]) < 8_192


def test_the_running_title_of_a_hostile_table_is_a_string_of_the_style(sample: ModuleType) -> None:
    hostile = sample.hostile_report()
    name = 'a"; } body { display: none } </style><script>alert(1)</script>\\'
    made = dataclasses.replace(hostile, dataset=dataclasses.replace(hostile.dataset, name=name))
    running = re.findall(r"<style>(.*?)</style>", report.render(made, "html"), re.S)[1]
    assert re.fullmatch(r'@page \{ @top-left \{ content: "(?:[A-Za-z0-9]|\\[0-9a-f]{6})*"; \} \}', running)


def test_hostile_texts_stay_texts(sample: ModuleType) -> None:
    hostile = Page(report.render(sample.hostile_report(), "html"))
    benign = Page(report.render(sample.example(), "html"))
    assert {tag for tag, _ in hostile.tags} <= {tag for tag, _ in benign.tags}
    assert {k for _, a in hostile.tags for k in a} <= {k for _, a in benign.tags for k in a}
    for name in ("<script>alert(1)</script>", "[red]x[/]", "a|b", "=cmd()", "{{ 7*7 }}{% raw %}", "\\u202egnp.exe"):
        assert name in hostile.text
    assert "\u202e" not in hostile.text and "\x1b" not in hostile.text


def test_charts_have_a_name_and_words(page: Page) -> None:
    for tag, attrs in page.tags:
        if tag == "svg":
            assert attrs.get("aria-hidden") == "true" or (attrs.get("role") == "img" and attrs.get("aria-label"))
    assert not re.search(r"\bnan\b|\binf\b|Undefined|None", page.text)


def test_tables_have_heads_with_a_scope(page: Page) -> None:
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in page.tags if tag == "th")


@pytest.mark.parametrize("n_rows", [0, 1])
@pytest.mark.parametrize("n_columns", [0, 1, 500])
def test_the_emptiest_reports_render(sample: ModuleType, n_rows: int, n_columns: int) -> None:
    for format in report.FORMATS:
        assert report.render(sample.bare_report(n_rows, n_columns), format)


@pytest.mark.parametrize(
    "gone", ["combinations", "attacks", "findings", "controls", "advice", "limits", "columns", "risk"]
)
def test_any_part_may_be_missing(sample: ModuleType, gone: str) -> None:
    made = sample.example(**{gone: None if gone == "risk" else ()})
    for format in report.FORMATS:
        assert report.render(made, format)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("k", [1, 2, 50, 3])
def test_odd_risks_render(sample: ModuleType, k: int) -> None:
    from privaudit.model import ClassSizeTable

    for sizes in (
        ClassSizeTable(size=(), count=()),
        ClassSizeTable(size=(1,), count=(1,)),
        ClassSizeTable(size=(10**7,), count=(1,)),
    ):
        risk = sample.example_risk(
            class_sizes=sizes, n_below={}, share_below_k=None, share_at_risk={}, diversity={}, marginal={},
            special_uniques=None, quasi_identifiers=(), sensitive=(), journalist_max=0.5,
        )  # fmt: skip
        policy = dataclasses.replace(sample.example().policy, k=k, uniques=None, l=None)
        for format in report.FORMATS:
            assert report.render(sample.example(risk=risk, policy=policy), format)


@pytest.mark.slow
def test_ten_thousand_columns_stay_under_five_megabytes(sample: ModuleType) -> None:
    wide = sample.wide_report(10_000)
    long = dataclasses.replace(
        wide, columns=tuple(dataclasses.replace(column, name=column.name + "&" * 300) for column in wide.columns)
    )
    for made in (wide, long):
        text = report.render(made, "html")
        assert len(text.encode()) < 5_000_000
        assert "more columns, the least identifying ones, not shown" in text
    assert len(report.render(long, "md").encode()) < 1_048_576


def test_durations_are_in_json_only(sample: ModuleType) -> None:
    made = sample.example()
    other = dataclasses.replace(made, timings={"source": 99.0})
    for format in ("html", "md"):
        assert report.render(made, format) == report.render(other, format)


FORBIDDEN = (
    r"anonymous", r"anonymi[sz]ed successfully", r"compliant", r"GDPR-safe", r"no PII", r"PII-free", r"zero risk",
    r"guarantee", r"(?<![-\w])safe(?![-\w])",
)  # fmt: skip


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("kind", ["example", "bare_report"])
@pytest.mark.parametrize("passed", [True, False])
def test_forbidden_words_do_not_appear(sample: ModuleType, kind: str, passed: bool) -> None:
    from privaudit.model import GateResult

    made = dataclasses.replace(getattr(sample, kind)(), gate_=GateResult(passed=passed, exit_code=0 if passed else 1))
    made = dataclasses.replace(made, limits=())
    texts = [report.render(made, format) for format in report.FORMATS] + ["\n".join(report.summary(made))]
    for text in texts:
        for pattern in FORBIDDEN:
            # HIPAA Safe Harbor is the name of a method of the law, not a statement about the table.
            assert not re.search(pattern, text.replace("Safe Harbor", ""), re.IGNORECASE), pattern


def test_the_notebook_fragment_escapes(sample: ModuleType) -> None:
    page = Page(report.notebook(sample.hostile_report()))
    assert page.open == [] and "script" not in {tag for tag, _ in page.tags}


@given(st.text(min_size=1, max_size=40))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_name_reads_back_from_the_page(sample: ModuleType, name: str) -> None:
    made = dataclasses.replace(sample.bare_report(), columns=(sample.column(name, role="direct"),))
    page = Page(report.render(made, "html"))
    assert page.open == []
    shown = escape.name(name)
    assert shown in "".join(page.parts)
    assert [tag for tag, _ in page.tags].count("script") == 1


@pytest.mark.parametrize("may_write", [True, False])
def test_compiled_templates_are_kept_and_a_changed_template_is_compiled_again(tmp_path, monkeypatch, may_write):
    (tmp_path / "page.j2").write_text("one")
    monkeypatch.setattr(sys, "dont_write_bytecode", not may_write)
    monkeypatch.setattr(templates.resources, "path", lambda *parts: tmp_path / parts[-1] if parts else tmp_path)

    def page():
        return templates.environment.__wrapped__().get_template("page.j2").render()

    assert page() == "one"
    assert len(list(tmp_path.rglob("*.cache"))) == may_write
    (tmp_path / "page.j2").write_text("two")
    assert page() == "two"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what was compiled is read where nothing may be written
    compiled = []
    compile_anew = jinja2.Environment.compile
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *given: compiled.append(1) or compile_anew(*given))
    assert page() == "two" and bool(compiled) is not may_write


@pytest.mark.parametrize(("n", "what"), [(1, "remedy"), (2, "remedies"), (20, "remedies")])
def test_what_is_not_shown_is_counted_in_the_right_number(sample: ModuleType, n: int, what: str) -> None:
    # Columns with the same treatment would share a row.
    texts = [
        fact("report.share_below", people=sample.people(n), k=Threshold(value=i)) for i in range(MOST_REMEDIES + n)
    ]
    many = tuple(sample.remedy("drop", (f"c{i}",), {}, text) for i, text in enumerate(texts))
    made = dataclasses.replace(sample.small(), advice=many)
    assert f"{n} more {what} not shown" in report.render(made, "html")


def test_no_line_of_a_page_ends_before_a_percent_sign_and_commands_and_other_formats_are_as_typed(
    sample: ModuleType,
) -> None:
    column = "best 5 %"
    text = fact("report.share_below", people=sample.people(3), k=Threshold(value=5))
    command = f"privaudit scan people.csv --quasi '{column}'"
    made = dataclasses.replace(sample.small(advice=(sample.remedy("drop", (column,), {}, text),)), command=command)
    page = report.render(made, "html")
    to_copy = re.compile("<pre.*?</pre>", re.DOTALL)
    assert any("best 5 %" in html.unescape(command) for command in to_copy.findall(page))
    assert "best 5\N{NO-BREAK SPACE}%" in to_copy.sub("", page)
    assert not re.search(r"\d %", to_copy.sub("", page))
    assert all("\N{NO-BREAK SPACE}" not in report.render(made, format) for format in ("md", "json"))


def test_every_page_has_a_list_of_its_sections() -> None:
    """The first column of the layout is for this list: without it, the page itself would be as narrow as the list."""
    pages = [path.read_text() for path in (ROOT / "reports" / "templates").glob("*.html.j2")]
    pages = [text for text in pages if '<div class="page">' in text]
    assert len(pages) >= 3
    assert all('<nav class="toc"' in text.split('<div class="page">')[1].split("<main")[0] for text in pages)
