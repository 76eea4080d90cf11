"""A released table holds no key of a person: unique keys are dropped, those that repeat become random tokens."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import privaudit
from tests.helpers.paths import SHARED

OPTIONS = {"framework": (), "ner": False}
RELEASED = ("public", "public-high", "public-low", "strict", "controlled")
KEYS = {
    "EmployeeNumber": lambda i: str(20_417 + 37 * i),
    "person_key": lambda i: f"{0x9E3779B97F4A7C15 * (i + 1) % 2**48:012x}",
    "CustomerId": lambda i: f"C{700_000 + 13 * i}",
    "id": lambda i: f"{(i * 7919) % 900_001 + 100_000}",
}


def events(name, key, *, n=900, people=300, seed=3):
    """Return events of people with few attributes, so that only the key fails."""
    draw = random.Random(seed)
    who = [i % people for i in range(n)]
    draw.shuffle(who)
    sex = [draw.choice(["F", "M"]) for _ in range(people)]
    age = [draw.choice([20, 30, 40]) for _ in range(people)]
    return pd.DataFrame(
        {
            name: [key(i) for i in who],
            "sex": [sex[i] for i in who],
            "age": [age[i] for i in who],
            "amount": [draw.randint(100, 999) / 10 for _ in who],
        }
    )


def codes(report, column):
    return {finding.code: finding.severity for finding in report.findings if finding.subject == (column,)}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("policy", [*RELEASED, "internal"])
def test_a_key_of_people_fails_in_a_release_to_others_only(name, policy):
    report = privaudit.scan(events(name, KEYS[name], n=300), policy=policy, **OPTIONS)
    assert report.column(name).role == "direct"
    assert codes(report, name).get("PSN005") == (None if policy == "internal" else "high")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", KEYS)
def test_a_key_that_is_unique_is_dropped(name):
    made = privaudit.remedy(events(name, KEYS[name], n=300), reports=False, policy="controlled", **OPTIONS)
    assert made.after.gate().passed
    assert name not in made.frame.columns and "pseudonym" not in made.frame.columns


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", ["EmployeeNumber", "person_key", "CustomerId"])
def test_a_key_that_repeats_becomes_random_tokens_on_which_later_scans_agree(tmp_path, name):
    source = events(name, KEYS[name])
    made = privaudit.remedy(source, reports=False, policy="controlled", output=tmp_path / "safer.csv", **OPTIONS)
    frame = made.frame
    assert name not in frame.columns and frame["pseudonym"].nunique() == source[name].nunique()
    assert not set(frame["pseudonym"]) & set(source[name])
    later = privaudit.scan(tmp_path / "safer.csv", policy="controlled", **OPTIONS)
    for report in (made.after, later):
        column = report.column("pseudonym")
        assert (column.is_.entity, column.role) == ("PSEUDONYM", "direct")
        assert codes(report, "pseudonym") == {"PSN001": "medium"}
        assert report.gate().passed


def test_a_key_that_must_be_kept_is_replaced_and_kept_in_clear_the_gate_fails(tmp_path):
    source = events("EmployeeNumber", KEYS["EmployeeNumber"], n=300)
    made = privaudit.remedy(source, reports=False, policy="public", keep=("EmployeeNumber",), **OPTIONS)
    assert made.frame["pseudonym"].is_unique and made.after.gate().passed
    (tmp_path / "plan.toml").write_text("version = 1\n")
    made = privaudit.remedy(source, reports=False, policy="public", plan=tmp_path / "plan.toml", **OPTIONS)
    assert not made.after.gate().passed and "PSN005" in codes(made.after, "EmployeeNumber")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("form", ["uuid", "base32"])
@pytest.mark.parametrize("with_key_id", [False, True])
def test_psn002_does_not_fire_on_random_tokens(tmp_path, form, with_key_id):
    (tmp_path / "plan.toml").write_text(
        'version = 1\n[[step]]\ntechnique = "pseudonymise"\ncolumn = "CustomerId"\nkey = "once"\n'
        f'form = "{form}"\nwith_key_id = {str(with_key_id).lower()}\n'
        '[[step]]\ntechnique = "rename_columns"\ncolumns = ["CustomerId"]\nto = ["pseudonym"]\n'
    )
    source = events("CustomerId", KEYS["CustomerId"])
    made = privaudit.remedy(source, reports=False, policy="controlled", plan=tmp_path / "plan.toml", **OPTIONS)
    assert codes(made.after, "pseudonym") == {"PSN001": "medium"}


@pytest.mark.slow
def test_two_keys_get_names_that_no_column_has():
    source = events("CustomerId", KEYS["CustomerId"])
    source["patient_id"] = source["CustomerId"].map(lambda text: str(9_000_000 + 3 * int(text[1:])))
    source["Pseudonym"] = "x"
    made = privaudit.remedy(source, policy="controlled", **OPTIONS)
    assert {"pseudonym_2", "pseudonym_3"} < set(made.frame.columns)


def test_driving_licences_are_removed():
    draw = random.Random(1)
    source = events("EmployeeNumber", KEYS["EmployeeNumber"], n=300)
    source["driver_license"] = [f"{draw.choice('ABCDEFGH')}{draw.randint(10**6, 10**7 - 1)}" for _ in range(300)]
    made = privaudit.remedy(source, reports=False, policy="public", **OPTIONS)
    assert made.after.gate().passed and "driver_license" not in made.frame.columns


@pytest.mark.shared
def test_names_that_are_repeated_in_keys_are_names():
    file = SHARED / "cases" / "t3" / "names_again_in_keys.csv"
    if not file.is_file():
        pytest.skip("the cases of ../shared are not available")
    report = privaudit.scan(file, **OPTIONS)
    assert {name: report.column(name).role for name in ("name", "id", "key")} == dict.fromkeys(
        ("name", "id", "key"), "direct"
    )


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    "write",
    [
        lambda first, last: f"/staff/{last}-{first}".lower(),
        lambda first, last: f"{first}{last}".lower(),
        lambda first, last: f"{last}, {first} (team 4)",
    ],
)
def test_no_remedy_leaves_a_column_in_which_names_can_be_read(tmp_path, write):
    draw = random.Random(5)
    given = ["Anna", "Brian", "Carla", "Daniel", "Elena", "Frank", "Grace", "Hugo"]
    family = ["Murphy", "Okafor", "Silva", "Schmidt", "Jensen", "Rossi", "Kimani", "Novak"]
    pairs = [(g, f) for g in given for f in family]
    draw.shuffle(pairs)
    source = pd.DataFrame(
        {
            "full_name": [f"{g} {f}" for g, f in pairs],
            "ref": [write(g, f) for g, f in pairs],
            "town": [draw.choice(["Nairobi", "Kisumu"]) for _ in pairs],
        }
    )
    report = privaudit.scan(source, **OPTIONS)
    assert report.column("ref").is_.entity == "PERSON_NAME" and report.column("ref").role == "direct"
    shuffled = source.assign(ref=source["ref"].sample(frac=1, random_state=1).to_numpy())
    found = privaudit.scan(shuffled, **OPTIONS).column("ref").is_
    assert found is None or found.detail != "repeated"
    made = privaudit.remedy(source, reports=False, policy="internal", **OPTIONS)
    assert "ref" not in made.frame.columns and "full_name" not in made.frame.columns
