"""A command with bounded memory ends with an exit code of its own, however the process that scans ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest

COMMAND = """
    import os, signal, sys, time
    from privaudit.base.errors import ScanIncomplete
    from privaudit.base.supervision import continue_in_fork

    first = os.getpid()
    try:
        continue_in_fork(lambda: print("cleaned", flush=True))
    except ScanIncomplete as error:
        sys.exit(error.exit_code)
    continue_in_fork(lambda: None)  # a second bound forks no further
    assert os.getppid() == first
    {end}
"""


def run(end: str, **options: object) -> subprocess.Popen[str]:
    code = textwrap.dedent(COMMAND).format(end=end)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.skipif(sys.platform != "linux", reason="the command forks on Linux only")
@pytest.mark.parametrize(
    ("end", "code", "printed"),
    [
        ("sys.exit(0)", 0, ""),
        ("print('done'); sys.exit(1)", 1, "done\n"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 3, "cleaned\n"),
        ("os.abort()", 3, "cleaned\n"),
        ("os._exit(127)", 3, "cleaned\n"),
        ("os.kill(os.getpid(), signal.SIGKILL)", 128 + signal.SIGKILL, ""),
    ],
)
def test_the_exit_code_is_that_of_the_scan_or_of_a_crash(end, code, printed):
    process = run(end, stdin=subprocess.DEVNULL)
    assert process.communicate(timeout=60) == (printed, None)
    assert process.returncode == code


@pytest.mark.skipif(sys.platform != "linux", reason="the command forks on Linux only")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_scan_once(number):
    end = f"""
    got = []
    signal.signal({int(number)}, lambda *_: got.append(1))
    print("ready", flush=True)
    while not got:
        time.sleep(0.01)
    time.sleep(0.2)
    sys.exit(10 + len(got))
    """
    process = run(textwrap.dedent(end), stdin=subprocess.DEVNULL)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    os.kill(process.pid, number)
    assert process.wait(timeout=60) == 11
    process.stdout.close()


@pytest.mark.quick_cases(1)
@pytest.mark.skipif(sys.platform != "linux", reason="address space is bounded and measured on Linux")
@pytest.mark.parametrize("megabytes", [180, 300, 500])
def test_a_command_whose_address_space_is_bounded_ends_with_a_result_or_a_lack_of_memory(tmp_path, megabytes):
    """Libraries cannot be mapped, threads cannot start, and one of them would try to allocate for ever."""
    import resource

    path = tmp_path / "t.csv"
    path.write_text("age,city\n" + "".join(f"{i % 90},town {i % 700}\n" for i in range(40_000)))
    done = subprocess.run(
        [sys.executable, "-m", "privaudit", "scan", str(path), "--no-ner", "-q"],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * 10**6,) * 2),
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.returncode != 3 or "memory" in done.stderr
