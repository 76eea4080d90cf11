"""The process of the command line ends at once, after it did what it owes others."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import atexit, sys
from privaudit.__main__ import run
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
