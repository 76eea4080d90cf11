"""The shipped thresholds, their origins, and policies of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

import privaudit
from privaudit.base.errors import RuleError
from privaudit.rulebook import load_policy, policy_names

TABLE = {
    "public-low": (11, 0.09, 0, 0, 2, None, 0.05, "year", "region"),
    "public": (15, 0.075, 0, 0, 3, None, 0.05, "year", "region"),
    "public-high": (20, 0.05, 0, 0, 3, None, 0.03, "year", "region"),
    "strict": (20, 0.05, 0, 0, 3, 0.2, 0.03, "year", "region"),
    "controlled": (5, 0.20, 0.01, 0, 2, None, 0.10, "month", "postal area"),
    "cells-cms": (11, 0.09, 0, 0, 2, None, 0.05, "year", "region"),
    "safe-harbor": (1, 1.0, 0, None, None, None, 1.0, "year", "region"),
    "internal": (3, 0.33, 0.05, None, None, None, 0.20, "day", "postal"),
}
KEYS = ("k", "probability", "share_below_k", "uniques", "l", "t", "attack_advantage", "date", "geo")
ATTACK_KEYS = {"copies": 0.0, "reconstructed": 0}
OF_A_LAW = {"safe-harbor": "45 CFR 164.514(b)(2)", "cells-cms": "CMS cell size suppression policy"}
"""Policies whose numbers are those of a rule, by the source of their k."""
RARE_KEYS = ("l_entropy", "l_recursive", "c_recursive", "suppression", "k_map", "epsilon", "places")
"""Thresholds that few or no shipped policies set."""


@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_numbers_are_those_of_the_sources(name: str) -> None:
    policy = load_policy(name)
    assert tuple(getattr(policy, key) for key in KEYS) == TABLE[name]
    assert {key: getattr(policy, key) for key in ATTACK_KEYS} == ATTACK_KEYS or name == "safe-harbor"
    assert policy.places == (("postal area",) if name == "safe-harbor" else ())
    assert policy.fail_on == "high"


def test_no_policy_beyond_the_table() -> None:
    assert set(policy_names()) == set(TABLE)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_number_has_an_origin(name: str) -> None:
    policy = load_policy(name)
    assert set(policy.origins) == {*KEYS, *ATTACK_KEYS, *RARE_KEYS, "person_keys", "fail_on"}
    assert all(origin.strip() for origin in policy.origins.values())
    if name in OF_A_LAW:
        assert OF_A_LAW[name] in policy.origins["k"]
        return
    source = "Singapore PDPC" if name in {"controlled", "internal"} else "Ontario IPC"
    assert source in policy.origins["k"]
    labelled = ("share_below_k", "l", "attack_advantage", "date", "geo")
    assert all(policy.origins[key].startswith(("product default", "no limit")) for key in labelled)


def write(tmp_path: Path, text: str) -> str:
    file = tmp_path / "ours.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_policy_may_extend_another(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'name = "ours"\ntitle = "Ours"\nextends = "controlled"\n[l]\nvalue = 4\norigin = "our board"\n'
        '[uniques]\nvalue = "none"\norigin = "our board"\n',
    )
    ours, base = load_policy(path), load_policy("controlled")
    assert (ours.name, ours.l, ours.uniques, ours.origins["l"]) == ("ours", 4, None, "our board")
    assert (ours.k, ours.probability, ours.origins["k"]) == (base.k, base.probability, base.origins["k"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[k]\nvalue = 5\norigin = "x"\n', "pair"),
        ('[k]\nvalue = 5.0\norigin = "x"\n[probability]\nvalue = 0.2\norigin = "x"\n', '"k.value"'),
        ('[k]\nvalue = true\norigin = "x"\n[probability]\nvalue = 0.2\norigin = "x"\n', '"k.value"'),
        ('[k]\nvalue = 0\norigin = "x"\n[probability]\nvalue = 0.2\norigin = "x"\n', "out of range"),
        ('[k]\nvalue = "none"\norigin = "x"\n[probability]\nvalue = 0.2\norigin = "x"\n', "must be a number"),
        ("[l]\nvalue = 3\n", '"l.origin" is missing'),
        ('[l]\nvalue = 3\norigin = ""\n', "l.origin"),
        ('[t]\nvalue = nan\norigin = "x"\n', '"t.value" in ours.toml must be a finite number'),
        ('[share_below_k]\nvalue = 1.5\norigin = "x"\n', "out of range"),
        ('[date]\nvalue = "week"\norigin = "x"\n', '"date.value"'),
        ('[kk]\nvalue = 3\norigin = "x"\n', 'Unknown key "kk"'),
    ],
)
def test_an_invalid_policy_is_rejected(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, 'name = "ours"\ntitle = "Ours"\nextends = "public"\n' + text)
    with pytest.raises(RuleError) as caught:
        load_policy(path)
    assert expected in caught.value.line()


def test_a_policy_without_a_base_needs_every_threshold(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="k"):
        load_policy(write(tmp_path, 'name = "ours"\ntitle = "Ours"\n'))


def test_a_policy_extends_a_file_in_its_folder(tmp_path: Path) -> None:
    base = 'name = "base"\ntitle = "Base"\nextends = "public"\n[l]\nvalue = 4\norigin = "our board"\n'
    (tmp_path / "base.toml").write_text(base, encoding="utf-8")
    path = write(tmp_path, 'name = "ours"\ntitle = "Ours"\nextends = "base.toml"\n')
    assert load_policy(path).l == 4


def test_a_policy_may_not_extend_itself(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(f'name = "ours"\ntitle = "Ours"\nextends = "{path.as_posix()}"\n', encoding="utf-8")
    with pytest.raises(RuleError, match="itself"):
        load_policy(str(path))


def test_an_unknown_policy_names_the_known_ones() -> None:
    with pytest.raises(RuleError, match="public-high"):
        load_policy("publik")


ROWS = {
    "zip3,sex,birth_year,diagnosis": "100,F,{year},asthma",
    "zip,sex,birth_date,diagnosis": "10021,F,{year}-05-14,asthma",
}


@pytest.mark.parametrize(("header", "codes"), list(zip(ROWS, (set(), {"GEO001", "DAT001"}), strict=True)))
def test_safe_harbor_fails_on_its_list_and_on_no_class_size(tmp_path: Path, header: str, codes: set[str]) -> None:
    lines = [header, *(ROWS[header].format(year=1950 + i % 50) for i in range(200))]
    report = privaudit.scan(write_table(tmp_path, lines), policy="safe-harbor", ner=False)
    failing = {finding.code for finding in report.findings if finding.severity in ("high", "critical")}
    assert failing == codes and report.gate().exit_code == int(bool(codes))


def write_table(folder: Path, lines: list[str]) -> Path:
    file = folder / "people.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_cells_of_one_to_ten_fail_and_zero_passes(tmp_path: Path) -> None:
    for count, passes in ((0, True), (10, False), (11, True)):
        keys = [f"{county},{diagnosis}" for county in "ABCD" for diagnosis in "xyz"]
        rows = [f"{key},{n}" for key, n in zip(keys, [count, *range(40, 51)], strict=True)]
        file = write_table(tmp_path, ["county,diagnosis,count", *rows])
        report = privaudit.scan(file, policy="cells-cms", unit="aggregate", ner=False)
        assert (report.gate().exit_code == 0) is passes
