"""The gate of synthetic tables: copies fail, independent samples pass, and it decides as `privaudit attack` does."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import fisher_exact

import privaudit
from privaudit.base.errors import GateFailed, ScanIncomplete
from privaudit.model.synthesis import Synthesis
from privaudit.model.wording import fact
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.judgement import Verdict, attack_sides, decide
from privaudit.releases.synthetic.result import SyntheticTable
from privaudit.releases.synthetic.run import Side
from privaudit.releases.synthetic.samples import Sample
from privaudit.releases.synthetic.writing import written
from privaudit.rulebook import load_policy
from privaudit.settings.config import Settings

N = 2_000
FLAT = ((2, 12, 30, 40, 25), 5.0)
SKEWED = ((2, 6, 8, 10, 7, 9), 0.8)
"""Sizes of the columns, and the parameter of the Dirichlet distribution that their shares are drawn from: of the skewed
table, between a third and two thirds of the people outside have an equal record."""


def population(seed: int, sizes: tuple[int, ...], flatness: float) -> CodedTable:
    random = np.random.default_rng(seed)
    shares = [random.dirichlet(np.full(size, flatness)) for size in sizes]
    return CodedTable(np.array([random.choice(size, 3 * N, p=p) for size, p in zip(sizes, shares, strict=True)]), sizes)


def domain_of(sizes: tuple[int, ...], *, numeric: bool = False):
    stated: dict = {
        f"c{i}": {"kind": "category", "values": [f"v{j}" for j in range(size)], "missing": False}
        for i, size in enumerate(sizes)
    }
    if numeric:
        last = f"c{len(sizes) - 1}"
        stated[last] = {"kind": "number", "bounds": [0, 10 * sizes[-1]], "step": 1, "bands": 10, "missing": False}
    return parse_domain({"version": 1, "column": stated}, "d")


def judged(everyone: CodedTable, share: float, *, numeric: bool = False) -> Verdict:
    """Judge a sample of other people of which a share was replaced by members."""
    domain, random = domain_of(everyone.sizes, numeric=numeric), np.random.default_rng(1)
    texts = written(domain, lambda n: everyone, everyone.n_rows, random).table
    texts = pa.table({name: texts[name].cast(pa.string()) for name in texts.column_names})

    def people(start: int) -> Sample:
        rows = np.arange(start, start + N)
        return Sample(texts, rows, everyone.take(rows), rows)

    n = round(share * N)
    codes = np.concatenate([everyone.codes[:, :n], everyone.codes[:, 2 * N + n :]], axis=1)
    drawn = written(domain, lambda _: CodedTable(codes, everyone.sizes), N, random)
    side = Side(domain=domain, drawn=drawn, members=people(0), outsiders=people(N))
    return decide(statement(), load_policy("public"), attack_sides((side,), settings=Settings()))


def statement() -> Synthesis:
    return Synthesis(method="mst", privacy=None, receipt=None, n_rows=1, columns=("a",))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(("share", "exit_codes"), [(0.05, {1}), (0.0, {0}), (0.3, {1})])
def test_a_generator_that_copies_rows_fails_the_gate(share: float, exit_codes: set[int]) -> None:
    verdict = judged(population(11, *FLAT), share)
    assert verdict.exit_code in exit_codes, [str(reason) for reason in verdict.reasons]
    assert not share or "CPY001" in str(verdict.reasons[0])


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(("share", "exit_codes"), [(0.05, {1, 3}), (0.0, {0, 3}), (0.3, {1})])
def test_copies_do_not_pass_where_records_are_often_equal_by_chance(share: float, exit_codes: set[int]) -> None:
    """Where too few records are rare to notice 5 % copies, the result is incomplete, for other samples as well."""
    verdict = judged(population(11, *SKEWED), share)
    assert verdict.exit_code in exit_codes, [str(reason) for reason in verdict.reasons]


@pytest.mark.slow
def test_a_copy_is_found_whatever_was_drawn_inside_its_band() -> None:
    assert not judged(population(11, *FLAT), 0.05, numeric=True).passed


@pytest.mark.slow
def test_power_and_false_alarms_on_skewed_tables() -> None:
    """In 12 populations: independent samples hardly ever fail, 5 % copies never pass, 30 % always fail."""
    codes = {
        share: [judged(population(seed, *SKEWED), share).exit_code for seed in range(12)] for share in (0.0, 0.05, 0.3)
    }
    assert codes[0.0].count(1) <= 2
    assert 0 not in codes[0.05]
    assert codes[0.3].count(1) == 12


@pytest.mark.slow
def test_the_comparison_of_unique_records_agrees_with_the_exact_test() -> None:
    """The lower end of the advantage is above 0 only where Fisher's exact test rejects at about 2.5 %."""
    everyone = population(3, *SKEWED)
    for share in (0.0, 0.02, 0.04):
        for attack in judged(everyone, share).attacks:
            if attack.kind == "copies" and attack.detail.method == "rare_rows":
                inside, outside = attack.success, attack.control_rate
                counts = [(round(each.value * each.n), each.n) for each in (inside, outside)]
                p = fisher_exact([[k, n - k] for k, n in counts], alternative="greater")[1]
                assert (attack.advantage.low > 0) <= (p < 0.03)
                assert (attack.advantage.low <= 0) <= (p > 0.01)


def test_a_policy_can_limit_epsilon(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours"\ntitle = "Ours"\nextends = "public"\n[epsilon]\nvalue = 0.5\norigin = "board"\n')
    policy = load_policy(str(file))
    private = replace(statement(), privacy={"epsilon": 1.0, "delta": 0.0, "unit": "row"})
    assert load_policy("public").epsilon is None
    assert decide(private, load_policy("public"), ()).passed
    assert not decide(private, policy, ()).passed
    assert decide(statement(), policy, ()).exit_code == 3
    assert any("limits epsilon" in str(reason) for reason in decide(statement(), policy, ()).reasons)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("share", [0.3, 0.0])
def test_the_gate_fails_where_privaudit_attack_fails_on_the_same_files(tmp_path: Path, share: float) -> None:
    """A generator that copies records is put in place of the real one; both commands see the same three files."""
    everyone = population(11, *FLAT)
    domain = domain_of(everyone.sizes)
    table = written(domain, lambda n: everyone, 3 * N, np.random.default_rng(0)).table.to_pandas()
    for name, start in (("people", 0), ("control", N)):
        table.iloc[start : start + N].to_csv(tmp_path / f"{name}.csv", index=False)
    n = round(share * N)
    other = table.iloc[[*range(n), *range(2 * N + n, 3 * N)]]
    other.to_csv(tmp_path / "made.csv", index=False)
    report = privaudit.attack(tmp_path / "made.csv", original=tmp_path / "people.csv", control=tmp_path / "control.csv")
    theirs = {f.code for f in report.findings if f.code in ("CPY001", "MEM001", "SNG001", "LNK002", "INF001")}
    ours = judged(everyone, share)
    assert (not ours.passed) >= bool(theirs)
    assert all(any(code in str(reason) for reason in ours.reasons) for code in theirs)
    assert bool(theirs) is (share > 0)


@pytest.mark.parametrize(("code", "error"), [(0, None), (1, GateFailed), (3, ScanIncomplete)])
def test_a_table_whose_gate_did_not_pass_raises_what_its_exit_code_states(code, error):
    made = SimpleNamespace(verdict=Verdict(passed=code == 0, exit_code=code, reasons=(fact("synthesis.passed"),)))
    with nullcontext() if error is None else pytest.raises(error):
        SyntheticTable.raise_if_failed(made)
