"""The built wheel, installed where no checkout is near, brings the command with packs, templates and schema."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from privaudit.compiled_rules import compile_rules

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
    for folder in (
        "rules/checks",
        "rules/detectors",
        "rules/policies",
        "rules/frameworks",
        "reports/templates",
    ):
        here = {p.name for p in (ROOT / folder).rglob("*") if p.is_file() and p.parent.name != "__pycache__"}
        there = {Path(n).name for n in names if n.startswith(f"privaudit/_data/{folder}/")}
        assert here == there
    assert any(n.startswith("privaudit/_data/reports/schema/") for n in names)
    assert "privaudit/py.typed" in names
    assert zipfile.ZipFile(wheel).read("privaudit/_data/rules.json").decode() == compile_rules(ROOT)
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
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
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
