"""A pull request that loosens its own policy is judged by the policy of the base branch: the exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.conftest import Runner
from tests.helpers.command import refusal

SCAN = ("scan", "people.csv", "--brief", "--no-ner")
CLOCK = {"SOURCE_DATE_EPOCH": "1795000000"}


def test_a_branch_cannot_loosen_the_policy_it_is_judged_by(
    git: Callable[..., None], run: Runner, tmp_path: Path
) -> None:
    good = "age_band,sex\n" + "".join(f"{20 + i % 4 * 10}-29,{'FM'[i // 4 % 2]}\n" for i in range(400))
    worse = good + "90-99,F\n"
    (tmp_path / "people.csv").write_text(good)
    (tmp_path / "privaudit.toml").write_text('policy = "public"\n')
    git("add", "-A")
    git("commit", "-qm", "Table and policy")
    assert run(*SCAN, **CLOCK).returncode == 0

    git("switch", "-qc", "change")
    (tmp_path / "people.csv").write_text(worse)
    assert run(*SCAN, **CLOCK).returncode == 1
    assert run(*SCAN, "--policy-from", "main", **CLOCK).returncode == 1

    (tmp_path / "privaudit.toml").write_text('policy = "internal"\nfail_on = "critical"\n')
    git("commit", "-qam", "Loosen the policy")
    assert run(*SCAN, **CLOCK).returncode == 0
    assert run(*SCAN, "--policy-from", "main", **CLOCK).returncode == 1

    (tmp_path / "privaudit.toml").write_text(
        'policy = "public"\nrole = { age_band = "none", sex = "none" }\nquasi = ["none"]\n'
    )
    assert run(*SCAN, "--policy-from", "main", **CLOCK).returncode == 1
    assert run(*SCAN, "--policy-from", "main", "--exit-zero", **CLOCK).returncode == 0

    git("switch", "-qf", "main")
    (tmp_path / "privaudit.toml").write_text('policy = "internal"\nfail_on = "critical"\n')
    git("commit", "-qam", "The base branch decides")
    git("switch", "-q", "change")
    assert run(*SCAN, "--policy-from", "main", **CLOCK).returncode == 0
    assert 'no branch or commit "nowhere"' in refusal(run(*SCAN, "--policy-from", "nowhere", **CLOCK))
