"""The built wheel, installed where no checkout is near, brings the command with packs, templates and schema."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from privaudit.base.compiled_rules import NAME, compile_rules

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    pytest.importorskip("hatchling", reason="the build backend is not installed")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_what_the_code_reads(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("rules/checks", "rules/detectors", "rules/policies", "rules/frameworks", "reports/templates"):
        here = {p.name for p in (ROOT / folder).rglob("*") if p.is_file() and p.parent.name != "__pycache__"}
        there = {Path(n).name for n in names if n.startswith(f"privaudit/_data/{folder}/")}
        assert here == there
    assert any(n.startswith("privaudit/_data/reports/schema/") for n in names)
    assert "privaudit/py.typed" in names
    assert zipfile.ZipFile(wheel).read(f"privaudit/_data/{NAME}").decode() == compile_rules(ROOT)
    tables = {Path(name).name for name in names if "/compiled_tables/" in name}
    assert tables == {"code.table", "common_words.table", "expressions.table", "lexicon.table", "word_lists.table"}
    templates = list((ROOT / "reports" / "templates").rglob("*.j2"))
    assert sum("/compiled_templates/" in name for name in names) == len(templates)
    assert not [n for n in names if n.startswith(("tests/", "fixtures/", "benchmarks/")) or "__pycache__" in n]


def test_the_wheel_scans_in_an_environment_of_its_own(wheel, tmp_path):
    # The environment holds nothing but the wheel; the libraries it depends on are lent by path, which does not
    # lend the checkout: a folder added by a .pth file has its own .pth files left alone.
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    site = next((home / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "lent.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    table = tmp_path / "t.csv"
    table.write_text("age,sex\n" + "".join(f"{20 + i % 30},{'FM'[i % 2]}\n" for i in range(300)))
    environment = without_python_settings()
    where = subprocess.run(
        [python, "-c", "import privaudit; print(privaudit.__file__)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert str(home) in where
    done = subprocess.run(
        [python, "-m", "privaudit", "scan", "t.csv", "-o", "r.html", "-o", "r.json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert (tmp_path / "r.html").stat().st_size > 5_000
    subprocess.run([python, "-m", "privaudit", "rules", "test"], cwd=tmp_path, env=environment, check=True)


LARGE_SCAN = """
import sys
import numpy as np
import pyarrow as pa
import privaudit

rng, n = np.random.default_rng(1), 300_000
columns = {f"q{width}": rng.integers(0, width, n) for width in (2, 30, 500, 90_000)}
privaudit.scan(pa.table(columns), quasi=tuple(columns), ner=False)
from privaudit.risk.codes import machine_code

called = {loop.function.__name__ for loop in machine_code.LOOPS if vars(loop).get("_entries")}
print("called", *sorted(called & {"radix_sort", "count_children", "first_step"}))
print("numba" in sys.modules)
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """Return a copy of the source, with what `make install` makes."""
    root = tmp_path_factory.mktemp("checkout")
    for name in ("privaudit", "rules", "reports", "pyproject.toml", "hatch_build.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, root / name)
    hook = "from hatch_build import MadeOnce; MadeOnce('.', {}, None, None, '', '').initialize('editable', {})"
    subprocess.run([sys.executable, "-c", hook], cwd=root, env=without_python_settings(), check=True)
    return root


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory) -> Path:
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


@pytest.mark.parametrize("installed", ["unpacked", "checkout"])
def test_the_first_scan_of_a_large_table_loads_no_compiler(installed, request, tmp_path):
    pytest.importorskip("numba")
    site = request.getfixturevalue(installed)
    done = subprocess.run(
        [sys.executable, "-c", LARGE_SCAN], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**without_python_settings(), "PYTHONPATH": str(site)},
    )  # fmt: skip
    assert done.stdout.splitlines() == ["called count_children first_step radix_sort", "False"], done.stderr


def test_a_wheel_with_machine_code_is_for_one_architecture_and_names_no_folder_of_the_build(wheel):
    pytest.importorskip("numba")
    with zipfile.ZipFile(wheel) as archive:
        code = [name for name in archive.namelist() if name.endswith((".o", ".cache"))]
        assert {Path(name).suffix for name in code} == {".o", ".cache"}
        assert all(str(ROOT).encode() not in archive.read(name) for name in code)
    assert wheel.stem.endswith(f"-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}")
    assert sys.implementation.cache_tag.replace("cpython-", "-cp") in wheel.stem


def test_a_wheel_is_built_where_hatchling_alone_is_installed(checkout, tmp_path):
    """It is for every platform, and compiles templates and loops in its first run."""
    for name in ("numba", "jinja2"):
        (tmp_path / f"{name}.py").write_text("raise ImportError\n")
    shutil.rmtree(checkout / "build")
    (checkout / "README.md").touch()
    (checkout / "LICENSE").touch()
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(checkout)],
        check=True, capture_output=True, env={**without_python_settings(), "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    (built,) = tmp_path.glob("*.whl")
    assert built.stem.endswith("-py3-none-any")
    names = zipfile.ZipFile(built).namelist()
    assert not any("machine_code/" in name or "compiled_templates/" in name for name in names)


def without_python_settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
