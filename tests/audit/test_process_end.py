"""The process of the command line ends at once, after it did what it owes others."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from privaudit.base.supervision import STOPPED
from tests.helpers import services
from tests.helpers.paths import ROOT

START = """
import atexit, sys
from privaudit.__main__ import run
from privaudit.source.servers import waiting
waiting.SECONDS = 1
atexit.register(lambda: print("handled"))
sys.argv = ["privaudit", {arguments}]
run()
"""


def ended(arguments: str, **streams) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", START.format(arguments=arguments)]
    return subprocess.run(command, text=True, check=False, **streams)


@pytest.mark.parametrize(("arguments", "code"), [('"--version"', 0), ('"nonsense"', 2)])
def test_what_was_printed_arrives_and_handlers_run(arguments, code):
    done = ended(arguments, capture_output=True)
    assert done.returncode == code
    assert done.stdout.endswith("handled\n")
    assert ("privaudit" in done.stdout) == (code == 0)


def test_output_that_cannot_be_written_is_an_error():
    command = [sys.executable, "-m", "privaudit", "--version"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr[:16]) == (2, "privaudit: E201:")


def test_output_lost_at_the_end_is_not_the_exit_code_of_a_gate():
    command = [sys.executable, "-c", "from privaudit.__main__ import _end; print('x'); _end(0)"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=buffered)
    assert done.returncode == 120  # that of Python
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_process_does_not_wait_for_a_store_that_does_not_answer():
    """The client of the store repeats its requests for a minute and longer."""
    keys = {"AWS_ACCESS_KEY_ID": "auditor", "AWS_SECRET_ACCESS_KEY": services.CANARY, "AWS_REGION": "us-east-1"}
    with services.silent() as port:
        where = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_EC2_METADATA_DISABLED": "true"}
        environment = {**os.environ, **keys, **where}
        done = ended('"scan", "s3://tables/t.parquet"', capture_output=True, env=environment, timeout=45)
    assert done.returncode == 2
    assert "E211" in done.stderr and services.CANARY not in done.stderr


INTERRUPTED = """
import os, signal, sys, time
from privaudit.base.supervision import stop_on_signals
class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.1)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for a job in the background
stop_on_signals()
try:
    Finalized()
    time.sleep(10)
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_in_a_finalizer_ends_the_run(name):
    """Python drops an exception that a finalizer raises."""
    command = [sys.executable, "-c", INTERRUPTED.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("stopped\n", "")


def test_an_interrupt_while_the_command_is_imported_is_reported():
    command = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'privaudit.cli.console': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from privaudit.__main__ import run\n"
        "sys.argv = ['privaudit', 'scan', 'x.csv']\n"
        "run()"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, f"privaudit: E130: {STOPPED}\n")


def test_files_next_to_the_tables_are_not_run_as_modules(tmp_path):
    """`python -m` searches the working folder first; a file there may have the name of any module of Python."""
    listed = "import __future__, runpy, sys; print(*sys.modules)"  # what runs before the program can exclude the folder
    before = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True).stdout.split()
    for name in {*sys.stdlib_module_names, "numpy", "pyarrow", "click"} - set(before):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the folder was run')")
    (tmp_path / "people.csv").write_text("mail,age\n" + "".join(f"p{i}@example.org,{20 + i}\n" for i in range(9)))
    command = [sys.executable, "-m", "privaudit", "scan", "people.csv", "--no-ner", "-o", "r.json", "-q"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "") and (tmp_path / "r.json").exists()


def test_a_command_loads_numpy_without_documentation_and_its_masked_arrays_when_they_are_used():
    lines = (
        "import sys\nimport privaudit.cli.commands as commands\nfrom privaudit.__main__ import run\n"
        "commands.main = lambda: None\nrun()\n"
        "from privaudit.source.files.readers.pandas_import import skip_pandas\nskip_pandas()\n"
        "import numpy as np, pyarrow as pa\n"
        "print(np.sort.__doc__ is None, np.frombuffer.__doc__ is None)\n"
        "print(pa.array(np.arange(2)).to_pylist(), np.unique(np.array([2, 1, 2])), 'numpy.ma' in sys.modules)\n"
        "masked = np.ma.masked_array([1, 2], [False, True])\n"
        "print(pa.array(masked).to_pylist(), np.ma.is_masked(masked), 'numpy.ma' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False True", "[0, 1] [1 2] False", "[1, None] True True"]
