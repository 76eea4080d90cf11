"""The picture holds: imports run one way, heavy ones are lazy, names and documents agree with the code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import privaudit
from privaudit.base import resources
from privaudit.cli.commands import cli
from privaudit.model import vocabulary
from tests.helpers.program import nodes, trees

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "privaudit").rglob("*.py"))
DETECTION = {"catalogue", "text", "detect", "pseudonyms"}
WITH_ARROW = DETECTION | {"technique", "attacks", "releases", "stewardship"}
HEAVY = {
    "pandas", "polars", "pyarrow", "ibis", "duckdb", "numba", "spacy", "presidio_analyzer", "sklearn", "scipy",
    "jinja2", "pydantic", "rich", "stdnum", "phonenumbers", "openpyxl", "python_calamine", "tldextract",
}  # fmt: skip
HOMES = {"pandas": ("source", "releases", "audit", "api"), "jinja2": ("report",), "pyspark": ("source",)}


def top_level_imports(tree: ast.Module) -> set[str]:
    names = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def all_imports(tree: ast.Module) -> set[str]:
    names = set()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_imports_run_one_way():
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports"))], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_heavy_imports_are_lazy():
    # Kernels that Numba compiles import it at the top, and modules that read or write cells import Arrow: they are
    # themselves imported only when they are needed.
    heavy = {
        (str(module.relative_to(ROOT)), name)
        for module, tree in trees()
        for name in top_level_imports(tree) & HEAVY
        if not (name == "numba" and module.parent.parent.name == "risk")
        if not (name == "pyarrow" and WITH_ARROW & set(module.parts))
    }
    assert heavy == set()


@pytest.mark.parametrize("package", HOMES)
def test_heavy_imports_have_one_home(package):
    homes = HOMES[package]
    for module, tree in trees():
        inside = module.relative_to(ROOT / "privaudit").parts[0]
        if package in all_imports(tree):
            assert inside in homes, f"{module} imports {package}"


def test_importing_and_helping_load_nothing_heavy():
    for code in ("import privaudit", "import privaudit.cli.commands"):
        loaded = subprocess.run(
            [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.split()  # fmt: skip
        assert not {name.partition(".")[0] for name in loaded} & (HEAVY | {"numpy"})


NOT_FOR_A_SMALL_SCAN = {
    "pandas", "polars", "ibis", "duckdb", "numba", "spacy", "presidio_analyzer", "sklearn", "scipy", "jinja2",
    "pydantic", "rich", "openpyxl", "python_calamine", "tldextract", "asyncio", "multiprocessing",
    "privaudit.stewardship", "privaudit.releases.answers", "privaudit.releases.remedy.certificate",
    "privaudit.releases.output", "privaudit.releases.synthetic", "privaudit.api.collection",
    "privaudit.api.handbook", "privaudit.source.servers", "privaudit.report.html",
    "privaudit.report.pages.index_page", "privaudit.detect.text.engines",
}  # fmt: skip
"""What a scan of a small CSV file to a JSON report, without a language model, does not call."""


def test_a_small_scan_loads_only_what_it_calls(tmp_path):
    table, target = tmp_path / "people.csv", tmp_path / "report.json"
    table.write_text("age,sex,town\n" + "".join(f"{20 + i % 30},{'FM'[i % 2]},Town {i % 7}\n" for i in range(300)))
    command = ["privaudit", "scan", str(table), "--no-ner", "-q", "-o", str(target)]
    loaded = loaded_by(
        f"import sys, contextlib; from privaudit.cli.commands import main; sys.argv = {command!r}",
        "with contextlib.suppress(SystemExit): main()",
    )
    assert target.exists()
    others = {module for module, _ in cli.elsewhere.values()}
    needless = {
        name for name in loaded if any(f"{name}.".startswith(f"{one}.") for one in NOT_FOR_A_SMALL_SCAN | others)
    }
    assert needless == set()


def test_help_loads_no_records_of_reports():
    loaded = loaded_by("from privaudit.cli.commands import cli; cli.every_command()")
    assert not {"privaudit.model.report", "privaudit.model.judgement", "privaudit.model.risk", "statistics"} & loaded


def loaded_by(*lines: str) -> set[str]:
    """Return the modules that a new process has loaded after some lines of Python."""
    code = "\n".join([*lines, "import sys; print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_listing_and_explaining_rules_do_not_load_arrow():
    read = ("api.handbook.explanation", "detect.catalogue.detectors", "detect.text.engines.registry")
    code = "import " + ", ".join(f"privaudit.{name}" for name in read)
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert "privaudit.api.handbook" in loaded and "pyarrow" not in loaded


def test_broad_handler_in_one_place():
    found = []
    for module, tree in trees():
        for node in nodes(tree):
            if isinstance(node, ast.ExceptHandler):
                caught = [node.type] if not isinstance(node.type, ast.Tuple) else node.type.elts
                names = {name.id for name in caught if isinstance(name, ast.Name)}
                if node.type is None or names & {"Exception", "BaseException"}:
                    found.append(module.name)
    assert set(found) == {"errors.py"}


def test_type_checkers_know_every_public_name():
    tree = ast.parse((ROOT / "privaudit/__init__.py").read_text(encoding="utf-8"))
    stated = {
        alias.name
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert stated == set(privaudit.__all__) - {"__version__"}


def test_public_names():
    assert list(privaudit.__all__) == sorted(privaudit.__all__)
    homes = {name for names in privaudit._HOMES.values() for name in names.split()}
    assert homes | set(privaudit._MODULES) | {"__version__"} == set(privaudit.__all__)
    for name in privaudit.__all__:
        assert getattr(privaudit, name) is not None
    for name in ("scan", "attack", "judge", "load", "explain"):
        assert callable(getattr(privaudit, name))


@pytest.mark.slow
def test_functions_stay_functions_after_a_room_of_a_like_name_is_imported():
    code = "import privaudit, privaudit.audit.pipeline as p; p.simulate_attacks.__code__; import importlib, pkgutil\n"
    code += "for m in pkgutil.walk_packages(privaudit.__path__, 'privaudit.'):\n"
    code += "    m.name.endswith('__main__') or importlib.import_module(m.name)\n"
    code += "assert all(callable(getattr(privaudit, n)) for n in ('scan', 'attack', 'judge', 'load', 'explain'))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def commands() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name, command in cli.every_command().items():
        if isinstance(command, click.Group):
            found += [(f"{name} {inner}", sub) for inner, sub in command.commands.items()]
        else:
            found.append((name, command))
    return found


@pytest.mark.parametrize(("name", "command"), commands(), ids=lambda x: x if isinstance(x, str) else "")
def test_every_command_and_option_is_documented(name, command):
    texts = (ROOT / "README.md").read_text() + "".join(p.read_text() for p in (ROOT / "docs").glob("*.md"))
    assert f"privaudit {name}" in texts
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help, parameter.name
            long = max((*parameter.opts, *parameter.secondary_opts), key=len)
            assert re.search(rf"{re.escape(long)}\b", texts), f"{name}: {long}"


def test_only_the_vocabulary_lists_entity_types():
    """A set of entity types is a trait, a group or a role of their records; detection may compare two neighbours."""
    listed = [
        (str(module.relative_to(ROOT)), node.lineno, codes)
        for module, tree in trees()
        if not {"vocabulary", "source"} & set(module.parts)  # UUID and UNION are also data types of DuckDB
        for node in nodes(tree)
        if len(codes := _entity_types_in(node)) > (2 if DETECTION & set(module.parts) else 1)
    ]
    assert listed == []


def _entity_types_in(node: ast.AST) -> list[str]:
    """Return the entity types among the elements of a literal collection, or the words of a string."""
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        values = [item.value for item in node.elts if isinstance(item, ast.Constant)]
    elif isinstance(node, ast.Dict):
        values = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isupper():
        values = node.value.split()
    else:
        return []
    return [value for value in values if isinstance(value, str) and vocabulary.is_known(value)]


def test_modules_and_functions_stay_small():
    long_modules, long_functions = [], []
    for module, tree in trees():
        text = module.read_text()
        if len(text.splitlines()) > 600:
            long_modules.append(f"{module.relative_to(ROOT)}: {len(text.splitlines())}")
        for node in nodes(tree):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body and node.end_lineno - body[0].lineno + 1 > 40:
                    long_functions.append(f"{module.relative_to(ROOT)}:{node.name}")
    # The records of a report are in one place: reading them is reading the contract.
    assert [name for name in long_modules if not name.startswith("privaudit/model.py:")] == []
    # A click command lists its options and a compiled kernel cannot be cut without losing its speed.
    assert not [f for f in long_functions if "_loops.py" not in f and "_compiled.py" not in f]


def test_resources_are_found():
    assert resources.path("rules", "policies", "public.toml").is_file()
    assert "public" in resources.names("rules", "policies")


def test_packs_pass_their_own_cases():
    from privaudit.detect.catalogue.cases import test_packs as run_detectors
    from privaudit.rulebook.cases import test_rules as run_checks

    results = [*run_detectors(), *run_checks()]
    assert len(results) > 50
    assert [(result.name, result.why) for result in results if not result.passed] == []
