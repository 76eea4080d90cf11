"""People work in the page: they search, sort, filter, fold, copy a link, print it, and read it without the script."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from privaudit import report
from privaudit.model import FrontierPoint, LatticeSearch, MeasuredStates, Report
from tests.browser import chrome
from tests.browser.chrome import Chrome

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(chrome.PATH is None, reason="no Chromium on PATH"),
]
EXAMPLE = Path(__file__).parents[2] / "reports" / "examples" / "example.html"
WORDS = """(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let n = 0;
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest("script, style, svg title, svg desc") && parent.checkVisibility({contentVisibilityAuto: true}))
      n += (walker.currentNode.data.match(/\\S+/g) || []).length;
  }
  return n;
})()"""
SHOWN = "[...document.querySelectorAll('.line')].filter(line => !line.hidden && line.checkVisibility()).length"
CONTROLS = (
    "[...document.querySelectorAll('a[href], button, input, summary, [tabindex]')].filter(e => e.checkVisibility())"
)
FOCUS = """(() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  const name = at.getAttribute('aria-label') || at.textContent;
  const seen = box.top < innerHeight && box.bottom > 0 && box.right > 0 && box.left < innerWidth;
  return at !== document.body && [seen && style.outlineStyle === 'solid' && !!name.trim(), at.outerHTML.slice(0, 120)];
})()"""
FAINT = """(() => {
  const channels = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const linear = part => part / 255 <= .04045 ? part / 255 / 12.92 : ((part / 255 + .055) / 1.055) ** 2.4;
  const light = colour => channels(colour).map(linear).reduce((sum, x, i) => sum + x * [.2126, .7152, .0722][i], .05);
  const paper = light(getComputedStyle(document.querySelector('section')).backgroundColor);
  const contrast = colour => Math.max(paper, light(colour)) / Math.min(paper, light(colour));
  const ground = /-(grid|track|paper|shade\\d)$/;  // what is drawn under the marks, and text on a mark
  return [...document.querySelectorAll('svg text, svg rect, svg circle, svg path')].flatMap(mark => {
    const named = [...mark.classList].find(each => /^(f|s|role-fill)-/.test(each));
    if (!named || ground.test(named)) return [];
    const style = getComputedStyle(mark), found = contrast(named.startsWith('s-') ? style.stroke : style.fill);
    return found < (mark.tagName === 'text' ? 4.5 : 3) ? [`${mark.tagName} ${named} ${found}`] : [];
  });
})()"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with Chrome() as opened:
        yield opened


def _first_cells(browser: Chrome) -> list[str]:
    return browser.run("[...document.querySelectorAll('table.columns tbody tr')].map(row => row.cells[3].innerText)")


def test_the_example_is_short_as_it_opens(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    assert browser.run("document.documentElement.scrollHeight") <= 8 * 800
    assert 200 < browser.run(WORDS) <= 2_500
    assert browser.run("document.querySelectorAll('details[open]').length") == 0


def test_search_hides_what_does_not_match_and_is_kept_in_the_address(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    before = browser.run(SHOWN)
    browser.run("document.querySelector('.bar-of-tools input').focus()")
    browser.write("occupation")
    after = browser.run(SHOWN)
    assert 0 < after < before
    assert browser.run("document.querySelectorAll('table.columns tbody tr:not([hidden])').length") == 1
    address = browser.run("location.hash")
    assert address == "#find=occupation"
    assert str(after) in browser.run("document.querySelector('[role=status]').textContent")
    browser.open(EXAMPLE, part=address)
    assert browser.run(SHOWN) == after


def test_severities_filter_the_findings(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    wanted = browser.run("document.querySelectorAll('.line.critical').length")
    browser.run("document.querySelector('.bar-of-tools button.critical').click()")
    assert browser.run(SHOWN) == wanted > 0
    assert browser.run("document.querySelector('button.critical').getAttribute('aria-pressed')") == "true"
    browser.open(EXAMPLE, part="#severity=critical")
    assert browser.run(SHOWN) == wanted


def test_a_table_sorts_by_number_both_ways_and_back_with_the_keyboard(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    original = _first_cells(browser)
    browser.run("document.querySelectorAll('table.columns th button')[3].focus()")
    rows = []
    for _ in range(3):
        browser.press("Enter", "\r")
        rows.append(_first_cells(browser))
    numbers = [int(text.replace(",", "")) for text in rows[0]]
    assert numbers == sorted(numbers) and rows[1] == rows[0][::-1] and rows[2] == original
    assert browser.run("document.querySelectorAll('[aria-sort]').length") == 0


def test_a_long_table_has_a_filter(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    browser.run("document.querySelector('#combinations details').open = true")
    browser.run("document.querySelector('#combinations .folded > input.filter').focus()")
    browser.write("sex county")
    rows = "#combinations .folded > .filter + .scroll tbody tr"
    texts = browser.run(f"[...document.querySelectorAll('{rows}:not([hidden]) th')].map(cell => cell.innerText)")
    everything = browser.run(f"document.querySelectorAll('{rows}').length")
    assert 0 < len(texts) < everything


def test_everything_folds_and_unfolds(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    button = "[...document.querySelectorAll('.bar-of-tools button')].find(one => one.textContent === '%s').click()"
    expand, collapse = (button % name for name in ("Expand all", "Collapse all"))
    browser.run(expand)
    assert browser.run("document.querySelectorAll('main details:not([open])').length") == 0
    browser.run(collapse)
    assert browser.run("document.querySelectorAll('main details[open]').length") == 0


def test_the_link_of_a_finding_opens_it(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    last = browser.run("[...document.querySelectorAll('.line[id]')].at(-1).id")
    browser.open(EXAMPLE, part=f"#{last}")
    assert browser.run(f"document.getElementById('{last}').querySelector('details').open")
    assert 0 <= browser.run(f"document.getElementById('{last}').getBoundingClientRect().top") < 800


def test_a_command_has_a_button_that_copies_or_selects_it(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    browser.run("document.querySelector('#reproduce details').open = true")
    browser.run("document.querySelector('#reproduce .copies').click()")
    browser.run("new Promise(done => setTimeout(done, 100))")
    assert browser.run("document.querySelector('#reproduce .copies').textContent") in ("Copied", "Selected")


def test_a_point_of_the_picture_of_plans_shows_its_whole_command(
    browser: Chrome, sample: ModuleType, tmp_path: Path
) -> None:
    report.write(_with_two_plans(sample), tmp_path / "page.html")
    browser.open(tmp_path / "page.html", scripts=False)
    assert browser.run("document.querySelectorAll('#remedies .points pre.command').length") == 2
    browser.open(tmp_path / "page.html")
    browser.run("document.querySelector('#remedies details').open = true")
    x, y = browser.run(
        "(() => { const dot = document.querySelector('[data-point=\"2\"]'); dot.scrollIntoView({block: 'center'});"
        " const at = dot.getBoundingClientRect(); return [at.x + at.width / 2, at.y + at.height / 2]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        browser("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    codes = "[...document.querySelectorAll('.points code')].filter(one => one.checkVisibility())"
    commands = browser.run(f"{codes}.map(one => one.textContent)")
    assert len(commands) == 1 and "privaudit remedy people.csv" in commands[0] and "--choose 2 " in commands[0]
    assert browser.run("document.querySelector('tr.picked').id") == "point-2"
    browser.open(tmp_path / "page.html", part=browser.run("location.hash"))
    assert browser.run("document.querySelector('#remedies details').open")


def _with_two_plans(sample: ModuleType) -> Report:
    points = [
        FrontierPoint(number=n, steps=(), k_min=5 * n, n_classes=9, n_suppressed=n, risk=0.1 / n, loss=0.2 * n)
        for n in (1, 2)
    ]
    search = LatticeSearch(
        is_optimal=True, bound=0.2, n_states=2, n_measured=2, max_suppressed=0.05, chosen=1, is_whole=True,
        frontier=tuple(points), states=MeasuredStates(risk=(0.1, 0.05), loss=(0.2, 0.4)),
    )  # fmt: skip
    made = sample.example(command="privaudit scan people.csv --no-config")
    first, *others = made.advice
    return replace(made, advice=(replace(first, search=search), *others))


def test_nothing_needs_the_script(browser: Chrome) -> None:
    browser.open(EXAMPLE, scripts=False)
    assert browser.run("document.querySelectorAll('main button, main input').length") == 0
    browser.run(UNFOLD)
    without = browser.run("document.querySelector('main').innerText").split()
    browser.open(EXAMPLE)
    browser.run(UNFOLD)
    browser.run("document.querySelectorAll('.bar-of-tools, .copies').forEach(one => one.remove())")
    assert browser.run("document.querySelector('main').innerText").split() == without


@pytest.mark.parametrize("kind", ["example", "hostile_report", "wide_report"])
@pytest.mark.parametrize("width", [320, 390])
def test_no_sideways_scroll_on_a_phone(
    browser: Chrome, sample: ModuleType, tmp_path: Path, kind: str, width: int
) -> None:
    made = sample.wide_report(60) if kind == "wide_report" else getattr(sample, kind)()
    report.write(made, tmp_path / "page.html")
    browser.open(tmp_path / "page.html", width=width, height=640)
    assert browser.run(SIDEWAYS) == 0
    browser.run(UNFOLD)
    assert browser.run(SIDEWAYS) == 0


def test_nothing_is_requested_and_nothing_refused_while_a_person_works(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    browser.run("document.querySelector('.bar-of-tools input').focus()")
    browser.write("email")
    browser.run("document.querySelectorAll('main button').forEach(one => one.click())")
    assert browser.requests in ([], [EXAMPLE.resolve().as_uri()]) and browser.console == []


def test_dark_mode_has_another_background(browser: Chrome) -> None:
    colours = []
    for dark in (False, True):
        browser.open(EXAMPLE)
        browser.media(dark=dark)
        colours.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    browser.media()
    assert len(set(colours)) == 2


@pytest.mark.parametrize("dark", [False, True])
def test_the_tab_key_reaches_every_control_and_its_focus_is_visible(browser: Chrome, dark: bool) -> None:
    browser.open(EXAMPLE)
    browser.media(dark=dark)
    expected = browser.run(f"{CONTROLS}.length")
    reached = []
    for _ in range(expected):
        browser.press("Tab")
        reached.append(browser.run(FOCUS))
    browser.press("Tab")
    assert not browser.run(FOCUS), "more controls than expected"
    browser.media()
    assert expected > 50 and [html for visible, html in reached if not visible] == []
    assert len({html for _, html in reached}) > 0.5 * expected


@pytest.mark.parametrize("dark", [False, True])
def test_marks_and_texts_of_charts_have_contrast(browser: Chrome, dark: bool) -> None:
    browser.open(EXAMPLE)
    browser.media(dark=dark)
    faint = browser.run(FAINT)
    marks = browser.run("document.querySelectorAll('svg [class*=\"f-\"]').length")
    browser.media()
    assert faint == [] and marks > 100


def test_every_chart_has_its_numbers_as_words_and_every_table_names_its_columns(browser: Chrome) -> None:
    browser.open(EXAMPLE)
    assert browser.run("document.querySelectorAll('svg[role=img]').length") > 5
    assert (
        browser.run("[...document.querySelectorAll('svg[role=img]')].filter(e => !e.getAttribute('aria-label')).length")
        == 0
    )
    assert browser.run("[...document.querySelectorAll('th')].filter(e => !e.hasAttribute('scope')).length") == 0


def test_the_head_of_a_table_is_repeated_on_each_printed_page(browser: Chrome, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    text = EXAMPLE.read_text(encoding="utf-8")
    row = "<tr><th scope='row'>one more</th><td>0</td></tr>"
    table = f"<table><thead><tr><th scope='col'>Repeated</th></tr></thead><tbody>{row * 200}</tbody></table>"
    (tmp_path / "page.html").write_text(text.replace("</footer>", f"</footer>{table}", 1), encoding="utf-8")
    browser.open(tmp_path / "page.html")
    buttons = browser.run("document.querySelectorAll('th button').length")
    texts = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(browser.pdf())).pages]
    pages = [text for text in texts if "one more" in text]
    assert len(pages) > 2 and all("Repeated" in text for text in pages)
    assert browser.run("document.querySelectorAll('th button').length") == buttons > 0


def test_the_printed_page_has_two_pages_and_an_annex_with_bookmarks(browser: Chrome) -> None:
    pypdf = pytest.importorskip("pypdf")
    browser.open(EXAMPLE)
    _is_printed_in_two_pages_and_an_annex(pypdf.PdfReader(io.BytesIO(browser.pdf())))


def test_many_findings_are_printed_in_two_pages_too_and_all_of_them_in_the_annex(
    browser: Chrome, tmp_path: Path
) -> None:
    pypdf = pytest.importorskip("pypdf")
    stored = report.read(EXAMPLE.with_suffix(".json"))
    many = replace(stored, findings=stored.findings * 3)
    report.write(many, tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    texts = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(browser.pdf())).pages]
    assert "Annex" in texts[2] and not any("Annex" in text.split() for text in texts[:2])
    codes = [finding.code for finding in many.findings]
    annex = "\n".join(texts[2:])
    assert all(annex.count(code) >= codes.count(code) for code in set(codes))


def test_the_pdf_file_has_two_pages_and_an_annex_with_bookmarks(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("weasyprint")
    stored = report.read(EXAMPLE.with_suffix(".json"))
    for name in ("one.pdf", "two.pdf"):
        report.write(stored, tmp_path / name)
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    report.write(stored, tmp_path / "one.pdf")  # what privaudit wrote may be replaced
    _is_printed_in_two_pages_and_an_annex(pypdf.PdfReader(tmp_path / "one.pdf"))


def _is_printed_in_two_pages_and_an_annex(printed) -> None:
    texts = [" ".join(page.extract_text().split()) for page in printed.pages]
    assert "What is wrong" in texts[0] and "Columns" in texts[1] and "Annex" in texts[2]
    assert not any("Annex" in text for text in texts[:2])
    for number, text in enumerate(texts, 1):
        assert f"{number} / {len(texts)}" in text and "Privacy risk of people.csv" in text
    assert {"Findings", "Columns", "Attacks", "Limits"} <= set(_titles(printed.outline))


def _titles(outline) -> list[str]:
    return [title for entry in outline for title in (_titles(entry) if isinstance(entry, list) else [entry.title])]


@pytest.fixture(scope="module")
def axe() -> str:
    package = pytest.importorskip("axe_core_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


PAGES = ("example", "bare", "hostile", "wide", "public", "several", "differences")


@pytest.fixture(scope="module")
def pages(sample: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from privaudit.report.entries import TableEntry, TableLink
    from privaudit.report.pages import differences as differences_page
    from privaudit.report.pages import index_page
    from privaudit.rulebook.differences import differences

    folder = tmp_path_factory.mktemp("pages")
    changed = differences(sample.bare_report(), sample.example(), tolerance=0.1)
    texts = {
        "example": EXAMPLE.read_text(encoding="utf-8"),
        "bare": report.render(sample.bare_report()),
        "hostile": report.render(sample.hostile_report()),
        "wide": report.render(sample.wide_report(60)),
        "public": report.render(sample.example(), edition="public"),
        "several": index_page.html(
            [TableEntry(name=name, report=sample.example()) for name in ("one", "two")],
            [TableLink(rows="one", column="id", keys="two", key="id", is_worse=True)],
        ),
        "differences": differences_page.render(changed, "html"),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


@pytest.mark.quick_cases(len(PAGES))
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(browser: Chrome, axe: str, pages: dict[str, Path], name: str) -> None:
    for width in (1280, 390):
        for dark in (False, True):
            browser.open(pages[name], width=width)
            browser.media(dark=dark)
            browser.run(UNFOLD)
            browser.run(f"{axe};0")
            found = browser.run(
                "axe.run(document, {resultTypes: ['violations']})"
                ".then(all => all.violations.map(one => [one.id, one.nodes.slice(0, 3).map(node => node.html)]))"
            )
            assert found == [], (name, width, dark)
    browser.media()
