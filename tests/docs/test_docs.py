"""The documents say what the program does."""

from __future__ import annotations

import importlib.util
import random
import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest

import privaudit
from tests.helpers.detection import judge

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_commands_page_is_the_live_help():
    spec = importlib.util.spec_from_file_location("make_commands", ROOT / "docs" / "make_commands.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "commands.md").read_text() == module.text()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_to_files_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_two_commands_come_first():
    text = (ROOT / "README.md").read_text()
    assert text.index("make demo") < text.index("make test") < text.index("privaudit scan my.csv -o report.html")


def test_every_dependency_is_explained():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + [d for group in project["optional-dependencies"].values() for d in group]
    text = (ROOT / "README.md").read_text()
    for requirement in wanted:
        name = re.match(r"[A-Za-z0-9_.-]+", requirement).group()
        assert f"`{name}`" in text, name


def test_every_setting_is_documented():
    from docs.make_settings import files
    from privaudit.settings.config import DECLARED

    text = (ROOT / "docs" / "configuration.md").read_text()
    assert all(f"| `{name}` |" in text for name in DECLARED)
    for file, expected in files().items():
        assert file.read_text(encoding="utf-8") == expected, f"{file.name}: run python docs/make_settings.py"


def test_the_lock_file_names_no_index_and_is_hashed():
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    blocks = re.findall(r"^[a-z0-9][^\n]*==[^\n]*$", text, flags=re.M)
    assert len(blocks) > 60
    assert all(line.endswith("\\") for line in blocks)
    assert not re.search(r"==999\.", text)


def test_the_repository_names_no_machine():
    pattern = re.compile(r"/(?:work|root|tmp)/[a-z]")
    for file in ROOT.rglob("*"):
        inside = file.relative_to(ROOT).parts
        readable = file.suffix in {".py", ".md", ".toml", ".html", ".css", ".json"}
        if not readable or inside[0] in {".venv", "tests", "demo", "build", "dist"}:
            continue
        assert not pattern.search(file.read_text(encoding="utf-8")), file


@pytest.mark.slow
def test_the_packs_of_the_page_on_detectors_hold(tmp_path):
    from privaudit.detect.catalogue.cases import test_packs as run
    from privaudit.detect.table_cases import load_tables, run_table

    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "detectors.md").read_text(), flags=re.S)
    assert len(blocks) == 10
    (tmp_path / "tables").mkdir()
    for number, block in enumerate(blocks):
        (tmp_path / ("tables" if "[[table]]" in block else "") / f"pack{number}.toml").write_text(block)
    results = run(tmp_path)
    badges = [case for case in load_tables(tmp_path) if case.title == "Badges next to ages"]
    assert [one.why for case in badges for one in run_table(case, tmp_path)] == ["", "", ""]
    assert [one.name for one in results if not one.passed] == []
    assert {one.detector for one in results} >= {"STAFF_NUMBER", "SHIFT", "ARTICLE", "PARISH"}


def test_the_three_shipped_detectors_of_the_page_find_their_values():
    """The page shows the records as they are; values of their form are found as a column and in a sentence."""
    page = (ROOT / "docs" / "detectors.md").read_text()
    section = page.partition("## Three detectors of the shipped packs")[2].partition("\n## ")[0]
    blocks = re.findall(r"```toml\n(.*?)```", section, flags=re.S)
    packs = [path.read_text() for path in (ROOT / "rules" / "detectors").glob("*.toml")]
    assert len(blocks) == 3
    rng = random.Random(3)
    for block in blocks:
        assert sum(block in pack for pack in packs) == 1
        (detector,) = tomllib.loads(block)["detector"]
        example, word = detector["match"][0], detector.get("text", [{}])[0].get("words", [""])[0]
        cells = [
            re.sub(r"\d{4,}", lambda m: f"{rng.randrange(10 ** len(m[0])):0{len(m[0])}d}", example) for _ in range(40)
        ]
        found = judge({"c0": cells, "c1": [f"seen {word} {cell}" for cell in cells]})
        assert (found["c0"].is_.entity, found["c0"].is_.detail) == (detector["entity"], detector["detail"])
        assert detector["entity"] in {one.entity for one in (found["c1"].is_, *found["c1"].contains) if one}


def test_every_key_of_a_pack_is_documented():
    from privaudit.detect.catalogue.detectors import wanted

    text = (ROOT / "docs" / "detectors.md").read_text()
    assert [key for key in wanted() if not re.search(rf"`{key}`|^{key} =|`\[\[{key}\]\]`", text, flags=re.M)] == []


def test_modules_that_documents_name_exist():
    for page in PAGES:
        for path in re.findall(r"`(privaudit/[\w/.]+)`", page.read_text()):
            assert (ROOT / path).exists(), f"{page.name}: {path}"


def test_every_room_of_detection_is_in_the_picture():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    for room in sorted((ROOT / "privaudit" / "detect").iterdir()):
        if (room / "__init__.py").exists():
            assert f"`privaudit/detect/{room.name}/`" in text


def test_the_scores_of_what_is_shipped_are_those_in_its_file():
    import tomllib

    trained = tomllib.loads((ROOT / "rules" / "reference" / "fusion.toml").read_text())["trained"]
    text = (ROOT / "docs" / "learning.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("| left-out sources |"))
    assert row.endswith(f" | {trained['f1']:.3f} | {trained['brier']:.3f} | {trained['log_loss']:.3f} |")
    assert f"{trained['columns']:,} columns" in text
    assert f"of {trained['sources']} sources" in " ".join(text.split())


def test_the_site_has_every_page():
    import yaml

    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    listed = [page for part in site["nav"] for page in ([part] if isinstance(part, str) else next(iter(part.values())))]
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")} | {
        "index.md",
        "contributing.md",
        "changelog.md",
    }
    assert sorted(listed) == sorted(pages)


def test_the_worked_ledger_is_what_explain_prints(fixtures: Path) -> None:
    text = (ROOT / "docs" / "detection.md").read_text(encoding="utf-8")
    worked = text.partition("```\norder_no holds")[2].partition("\n```")[0]
    assert "order_no holds" + worked == privaudit.explain("order_no", source=fixtures / "people.csv")


def test_the_pages_of_frameworks_are_those_of_the_packs() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_frameworks.py"))["pages"]()
    shown = {file.name: file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "frameworks").glob("*.md")}
    assert shown == made
    overview = (ROOT / "docs" / "compliance.md").read_text(encoding="utf-8")
    assert all(f"(frameworks/{name})" in overview for name in made)


GENERATED = {"make_api.py": "api.md", "make_man.py": "privaudit.1", "make_gallery.py": "gallery.md"}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("script", GENERATED)
def test_a_generated_page_is_current(script: str) -> None:
    made = runpy.run_path(str(ROOT / "docs" / script))["text"]()
    assert (ROOT / "docs" / GENERATED[script]).read_text(encoding="utf-8") == made


def test_the_python_reference_has_every_public_name_and_its_parameters() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert all(f"### {name}\n" in text for name in privaudit.__all__)


def test_the_manual_page_has_every_command_and_option() -> None:
    import click

    from privaudit.cli.commands import cli

    text = (ROOT / "docs" / "privaudit.1").read_text(encoding="utf-8").replace("\\-", "-")
    for name, command in cli.every_command().items():
        assert f".SS privaudit {name}" in text
        if not isinstance(command, click.Group):
            options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
            assert all(one.opts[-1] in text for one in options)


def cheat_sheet() -> list[str]:
    text = (ROOT / "docs" / "cheatsheet.md").read_text(encoding="utf-8")
    return re.findall(r"`(privaudit [^`]+)`", text)


@pytest.mark.parametrize("line", [one for one in cheat_sheet() if "COMMAND" not in one])
def test_a_line_of_the_cheat_sheet_is_understood(line: str) -> None:
    import click

    from privaudit.cli.commands import cli

    _, name, *words = shlex.split(line)
    context = cli.every_command()[name].make_context(name, words, parent=click.Context(cli, **cli.context_settings))
    stated = [word for word in words if word.startswith("--")]
    known = {option for one in context.command.params for option in (*one.opts, *one.secondary_opts)}
    assert {word.partition("=")[0] for word in stated} <= known


def test_the_job_for_gitlab_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (job,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert yaml.safe_load(job)["privacy"]["artifacts"]["reports"]["codequality"] == "gl-code-quality-report.json"
