"""A name after --policy-from is a branch; a tag of the same name decides nothing, and is reported."""

from __future__ import annotations

import subprocess

import pytest


@pytest.fixture
def repository(git, tmp_path):
    """Return the folder of a repository whose tag "origin/main" has a policy that everything passes."""
    rows = "".join(f"{20 + i % 40},{'FM'[i % 2]},{i % 7}\n" for i in range(120))
    (tmp_path / "people.csv").write_text("age,sex,ward\n" + rows)
    (tmp_path / "privaudit.toml").write_text('policy = "public"\n')
    git("add", "-A")
    git("commit", "-qm", "Strict")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("switch", "-qc", "evil")
    (tmp_path / "privaudit.toml").write_text('policy = "internal"\nfail_on = "critical"\n')
    git("commit", "-qam", "Loose")
    git("tag", "origin/main")
    git("tag", "main")
    git("tag", "v1")
    return tmp_path


def commit(folder, name):
    done = subprocess.run(["git", "-C", folder, "rev-parse", name], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def policy(run, name):
    done = run("scan", "people.csv", "--show-config", "--policy-from", name)
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("policy ")]
    return done.returncode, found, done.stderr


@pytest.mark.parametrize("name", ["origin/main", "main"])
def test_a_tag_does_not_replace_a_branch(run, repository, name):
    code, found, err = policy(run, name)
    assert (code, found) == (0, ["public"])
    assert "tag" in err and "ignored" in err


def test_a_tag_is_named_in_full_and_a_commit_too(run, repository):
    assert policy(run, "refs/tags/v1")[1] == ["internal"]
    whole = commit(repository, "refs/remotes/origin/main")
    assert policy(run, whole)[:2] == (0, ["public"])
    for unclear in ("v1", whole[:10], "HEAD", "HEAD~1"):
        assert policy(run, unclear)[0] == 2
