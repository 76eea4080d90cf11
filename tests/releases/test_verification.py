"""A certificate is refused when any of it is changed, and when it states what the ledger contradicts."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import privaudit
from privaudit.base.errors import UnreadableSource
from privaudit.releases import certificates
from privaudit.releases.joint import result as joint_result
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.verification import verify

KINDS = ("answers", "table", "joint", "federated")
PAID = ("answers", "table", "federated")
DOMAIN = {
    "version": 1,
    "rows": 200,
    "column": {
        "age": {"kind": "number", "bounds": [0, 100], "step": 1, "bands": 20},
        "sex": {"kind": "category", "values": ["F", "M"]},
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a certified file of each kind, and the ledgers that paid."""
    made = tmp_path_factory.mktemp("certified")
    for name, silo in (("answers", "people"), ("table", "people"), *((each, each) for each in "abc")):
        privaudit.Ledger.create(made / f"{name}.ledger", dataset=silo, epsilon=3, delta=1e-6)
    (made / "people.csv").write_text("age,sex\n" + "".join(f"{20 + i % 60},{'FM'[i % 2]}\n" for i in range(200)))
    plan = {
        "dataset": "people",
        "column": {"age": {"kind": "number", "bounds": [0, 110], "step": 1, "bands": 22}},
        "query": [{"kind": "mean", "column": "age", "epsilon": 0.5}],
    }
    answers = privaudit.release(made / "people.csv", plan, ledger=made / "answers.ledger")
    answers.write(made / "answers.json")
    privaudit.synthesize(
        made / "people.csv", domain=DOMAIN, epsilon=1, method="independent", ledger=made / "table.ledger",
        dataset="people", output=made / "table.csv",
    )  # fmt: skip
    plan_of_silos = JointPlan(columns=("age", "sex"), silos=("a", "b", "c"), max_size=1)
    joint_result.write(
        joint_result.audit_of(plan_of_silos, [np.array(each) for each in ([4, 6], [5, 5], [1, 4, 5])]),
        made / "joint.json",
    )
    rows = np.random.default_rng(0).random((40, 2))
    privaudit.federated.train(
        {name: lambda: (rows, (rows[:, 0] > 0.5).astype(int)) for name in "abc"}, classes=(0, 1), rounds=1, epsilon=1.0,
        delta=1e-7, ledgers={name: made / f"{name}.ledger" for name in "abc"},
    ).write(made / "federated.json")  # fmt: skip
    return made


def certified(folder: Path, kind: str) -> tuple[Path, list[Path], dict[str, Any]]:
    file = folder / ("table.csv" if kind == "table" else f"{kind}.json")
    names = {"joint": "", "federated": "abc"}.get(kind, (kind,))
    ledgers = [folder / f"{name}.ledger" for name in names]
    return file, ledgers, json.loads(certificates.certificate_of(file).read_text())


def written(folder: Path, file: Path, content: dict[str, Any]) -> Path:
    """Return a copy of a certified file, next to a certificate with this content."""
    copied = folder / file.name
    copied.write_bytes(file.read_bytes())
    certificates.certificate_of(copied).write_text(json.dumps(content))
    return copied


def changes(content: Any) -> Iterator[Any]:
    """Yield the content with each entry, at any depth, changed to another value, or removed."""
    keys = list(content) if isinstance(content, dict) else range(len(content) if isinstance(content, list) else 0)
    for key in keys:
        for inner in changes(content[key]):
            made = copy.copy(content)
            made[key] = inner
            yield made
        made = copy.copy(content)
        del made[key]
        yield made
    if not keys:
        yield {str: "another", bool: not content, type(None): 0}.get(
            type(content), [*content, 1] if content == [] else 9.5
        )


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_of_a_certificate_at_any_depth_is_covered(folder: Path, tmp_path: Path, kind: str) -> None:
    file, ledgers, content = certified(folder, kind)
    assert verify(written(tmp_path, file, content), ledgers).exit_code == 0
    tried = 0
    for changed in changes(content):
        tried += 1
        try:
            found = verify(written(tmp_path, file, changed), ledgers)
        except UnreadableSource:
            continue  # "... is not a certificate of privaudit", or it "names no entry of a ledger"
        assert found.exit_code == 1
        assert "remedies.certificate_changed" in [each.code for each in found.facts], changed
    assert tried > 30


LESS = {"epsilon": 0.01, "delta": -1e-9, "rho": 1e-9, "unit": "person"}
STATED = [(kind, key) for kind in PAID for key in (["epsilon", "delta"] if kind == "federated" else LESS)]


@pytest.mark.parametrize(("kind", "key"), STATED)
@pytest.mark.quick_cases(5)
def test_a_certificate_with_a_digest_that_fits_states_no_less_than_the_ledger(
    folder: Path, tmp_path: Path, kind: str, key: str
) -> None:
    """Whoever can write the certificate can compute its digest; only the entry of the ledger shows what was paid."""
    file, ledgers, content = certified(folder, kind)
    privacy = content if kind == "answers" else content["privacy"]
    assert key in privacy
    privacy[key] = LESS[key]
    content["digest"] = certificates.digest_of(content)
    copied = written(tmp_path, file, content)
    assert verify(copied, []).exit_code == 3
    found = verify(copied, ledgers)
    assert found.exit_code == 1
    assert [each.code for each in found.facts] == ["answers.certificate_contradicted"] * len(ledgers)
    assert str(found.facts[0]).startswith(f"The certificate states {key} {LESS[key]}, and entry 1 of the ledger ")


@pytest.mark.parametrize("kind", PAID)
@pytest.mark.parametrize("wrong", [True, float("nan"), "1", None])
@pytest.mark.quick_cases(4)
def test_a_cost_that_is_not_a_number_is_not_one_of_a_certificate(folder, tmp_path, kind, wrong) -> None:
    file, ledgers, content = certified(folder, kind)
    (content if kind == "answers" else content["privacy"])["epsilon"] = wrong
    content["digest"] = certificates.digest_of(content)
    with pytest.raises(UnreadableSource):
        verify(written(tmp_path, file, content), ledgers)


@pytest.mark.parametrize("kind", PAID)
def test_what_was_paid_for_names_an_entry(folder: Path, tmp_path: Path, kind: str) -> None:
    file, ledgers, content = certified(folder, kind)
    for nothing in (None, []):
        content["ledger"] = nothing
        content["digest"] = certificates.digest_of(content)
        with pytest.raises(UnreadableSource):
            verify(written(tmp_path, file, content), ledgers)


def test_of_two_entries_with_one_name_none_is_believed(folder: Path, tmp_path: Path) -> None:
    """People read the first, and the digest covers the last."""
    file, _, content = certified(folder, "answers")
    copied = written(tmp_path, file, content)
    place = certificates.certificate_of(copied)
    place.write_text(place.read_text().replace('"epsilon":', '"epsilon": 0.001, "epsilon":', 1))
    with pytest.raises(UnreadableSource):
        verify(copied, [])


def test_a_pipe_in_the_place_of_a_certificate_is_refused_at_once(folder: Path, tmp_path: Path, run) -> None:
    copied = written(tmp_path, *(certified(folder, "answers")[i] for i in (0, 2)))
    place = certificates.certificate_of(copied)
    place.unlink()
    os.mkfifo(place)
    assert run("verify", copied).returncode not in (0, 1)
    assert run("ledger", "show", folder / "answers.ledger", "--certificate", place).returncode == 2


@pytest.mark.parametrize(
    ("named", "is_changed", "codes"),
    [
        ("a.csv", False, []),
        ("b.csv", False, []),  # a renamed copy
        ("a.csv", True, ["remedies.certificate_other_file"]),
        ("b.csv", True, ["remedies.certificate_of_other"]),
    ],
)
def test_a_changed_file_is_distinguished_from_the_certificate_of_another(tmp_path, named, is_changed, codes):
    file = tmp_path / "a.csv"
    file.write_text("x\n1\n")
    content = {"file": {"name": named, "sha256": certificates.sha256_of(file)}}
    content["digest"] = certificates.digest_of(content)
    if is_changed:
        file.write_text("x\n2\n")
    found = certificates.integrity_problems(file, content, "remedies.certificate_other_file")
    assert [problem.code for problem in found] == codes
