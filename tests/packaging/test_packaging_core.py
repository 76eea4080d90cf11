"""`pip install privaudit` without an extra is small, scans tables, and names the command for what is missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from privaudit.base import extras

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MOST_MEGABYTES, MOST_PACKAGES = 400, 25


def _required(lines: list[str]) -> Iterator[str]:
    for line in lines:
        found = Requirement(line)
        if found.marker is None or found.marker.evaluate({"extra": ""}):
            yield found.name


def _core() -> dict[str, metadata.Distribution]:
    """Return the distributions that the dependencies without extras install here."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(_required(PROJECT["dependencies"]))
    while waiting:
        one = metadata.distribution(waiting.pop())
        if one.name not in found:
            found[one.name] = one
            waiting += _required(list(one.requires or ()))
    return found


@pytest.fixture(scope="module")
def core_python(tmp_path_factory) -> list[str]:
    """Return the start of a command that runs Python with the packages of the core and nothing else."""
    site = tmp_path_factory.mktemp("core")
    (site / "privaudit").symlink_to(ROOT / "privaudit")
    for one in _core().values():
        for name in {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}:
            source = Path(str(one.locate_file(name)))
            if not (site / name).exists():
                (site / name).symlink_to(source)
    start = f"import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p] + [{str(site)!r}]; "
    return [sys.executable, "-S", "-c", start + "from privaudit.cli.commands import main; main()"]


def _run(command: list[str], *words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run([*command, *map(str, words)], env=environment, capture_output=True, text=True, check=False)


def test_the_core_is_small():
    core = _core()
    size = sum(
        path.stat().st_size
        for one in core.values()
        for file in one.files or ()
        if (path := Path(str(one.locate_file(file)))).is_file()
    )
    data = sum(
        f.stat().st_size for n in ("privaudit", "rules", "reports") for f in (ROOT / n).rglob("*") if f.is_file()
    )
    assert (size + data) / 1e6 <= MOST_MEGABYTES
    assert len(core) + 1 <= MOST_PACKAGES


def test_the_core_has_none_of_the_heavy_packages():
    heavy = {"duckdb", "spacy", "presidio-analyzer", "scikit-learn", "ibis-framework", "pandas", "numba", "scipy"}
    assert not heavy & {re.sub(r"[-_.]+", "-", name).lower() for name in _core()}


def test_extras_are_those_of_the_project():
    declared = PROJECT["optional-dependencies"]
    assert {extra.name for extra in extras.EXTRAS} == set(declared) - {"all", "dev"}
    for extra in extras.EXTRAS:
        assert {Requirement(one).name for one in declared[extra.name]} == set(extra.packages)
    (everything,) = map(Requirement, declared["all"])
    apart = {"onnx"} | {extra.name for extra in (*extras.SERVERS, *extras.LANGUAGES)}
    assert everything.extras == {extra.name for extra in extras.EXTRAS} - apart


@pytest.mark.slow
def test_the_core_scans_and_names_the_extra_that_reads_text(core_python, tmp_path):
    rows = "".join(f"{20 + i % 30},{'FM'[i % 2]}\n" for i in range(600))
    (tmp_path / "t.csv").write_text("age,sex\n" + rows, encoding="utf-8")
    done = _run(
        core_python, "scan", tmp_path / "t.csv", "--no-config", "-o", tmp_path / "r.html", "-o", tmp_path / "r.json"
    )
    assert done.returncode in (0, 1), done.stderr
    assert set(json.loads((tmp_path / "r.json").read_text())["tool"]["versions"]) <= set(_core())

    notes = "".join(f'{i % 7},"Saw the client on day {i} and wrote to the ward, all was well"\n' for i in range(200))
    (tmp_path / "n.csv").write_text("ward,notes\n" + notes, encoding="utf-8")
    done = _run(core_python, "scan", tmp_path / "n.csv", "--no-config", "-o", tmp_path / "n.json")
    assert done.returncode == 3, done.stderr
    assert "pip install" in done.stdout.replace("\n", " ") and "privaudit[text]" in done.stdout
    assert _run(core_python, "doctor").returncode == 3


@pytest.mark.slow
def test_the_core_reports_the_population_estimates_it_cannot_make(core_python, tmp_path):
    rows = "".join(f"{20 + i % 30},{'FM'[i % 2]}\n" for i in range(600))
    (tmp_path / "t.csv").write_text("age,sex\n" + rows, encoding="utf-8")
    done = _run(
        core_python, "scan", tmp_path / "t.csv", "--no-config", "--population", "9000", "-o", tmp_path / "r.json"
    )
    assert done.returncode == 3, done.stderr
    assert "privaudit[population]" in (tmp_path / "r.json").read_text()


def test_large_tables_are_counted_without_a_compiler(monkeypatch):
    from privaudit.risk.codes import compiler

    assert compiler.worth_loading(10**12)
    for module in ("numba", "llvmlite.binding"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(compiler, "can_import", lambda _module: False)
    assert not compiler.worth_loading(10**12)


def test_frames_and_learning_name_the_extra_they_need(monkeypatch, tmp_path):
    from privaudit.audit.result import frame
    from privaudit.base.errors import ConfigError
    from privaudit.detect import resolver
    from privaudit.detect.learning import learn

    for module in ("pandas", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConfigError, match="extra") as caught:
        frame(["a"], [[1]])
    assert extras.FRAMES.install in caught.value.line()
    with pytest.raises(ConfigError, match="extra") as caught:
        learn._curve([], resolver.load_weights())
    assert extras.LEARN.install in caught.value.line()


def test_own_recognizers_name_the_extra_they_need(monkeypatch, tmp_path):
    from privaudit.base.errors import EngineUnavailable
    from privaudit.detect.text.engines import presidio

    (tmp_path / "recognizers.yaml").write_text("recognizers: []\n", encoding="utf-8")
    monkeypatch.setattr(presidio, "can_import", lambda _module: False)
    with pytest.raises(EngineUnavailable, match="extra") as caught:
        presidio.custom_recognizers(str(tmp_path))
    assert extras.TEXT.install in caught.value.line()


def test_without_the_engine_files_of_it_name_the_extra_and_large_tables_stay_in_memory(monkeypatch, tmp_path):
    import pyarrow as pa

    from privaudit.base.errors import UnsupportedFormat
    from privaudit.settings.config import Settings
    from privaudit.source import dataset, from_arrow
    from privaudit.source.files.formats import reader_formats
    from privaudit.source.places.location import locate

    (tmp_path / "t.duckdb").write_bytes(b"not empty")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UnsupportedFormat, match="extra") as caught:
        reader_formats.read_duckdb(locate(tmp_path / "t.duckdb"), Settings())
    assert extras.ENGINES.install in caught.value.line()

    monkeypatch.setattr(dataset, "ROWS_IN_MEMORY", 1)
    monkeypatch.setattr(dataset, "can_import", lambda _module: False)
    with from_arrow(pa.table({"a": ["x", "y", "x"]})) as table:
        assert sorted(table.distinct_rows(["a"]).column("weight").to_pylist()) == [1, 2]


def test_versions_of_packages_are_those_of_their_metadata(tmp_path, monkeypatch):
    described = {found.metadata["Name"]: found.version for found in metadata.distributions()}
    assert described and {name: extras.version(name) for name in described} == described
    for folder in ("made_up-1.2.dist-info", "Other.Name-3.0-py3.11.egg-info"):
        (tmp_path / folder).mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert (extras.version("made-up"), extras.version("other_name")) == ("1.2", "3.0")
    assert extras.version("not-installed") is None
