"""The command and functions around synthetic tables: domain to file, certificate, ledger, attacks, refusals."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import (
    BudgetExceeded,
    ConfigError,
    IdentifierRefused,
    ReleaseError,
    ScanIncomplete,
    UnitNotGiven,
)
from privaudit.releases.privacy.ledger import Ledger
from privaudit.releases.synthetic import judgement
from privaudit.releases.synthetic.examples import KINDS, example_table
from privaudit.releases.synthetic.methods.registry import METHODS
from privaudit.releases.synthetic.task import Task

DOMAIN = """
version = 1
rows = 900
[column.sex]
kind = "category"
values = ["Female", "Male"]
missing = false
[column.age]
kind = "number"
bounds = [18, 95]
step = 1
bands = 10
missing = false
[column.city]
kind = "category"
values = ["Riverton", "Lakeside", "Hillford", "Marshby"]
[column.county]
kind = "derived"
from = "city"
values = {Riverton = "North", Lakeside = "North", Hillford = "South", Marshby = "South"}
[column.diagnosis]
kind = "category"
values = ["none", "asthma", "diabetes", "hypertension"]
[column.name]
kind = "invented"
what = "name"
sex = "sex"
"""
FAMILIES = """
version = 1
[column.sex]
kind = "category"
values = ["Female", "Male"]
missing = false
[column.age]
kind = "number"
bounds = [18, 95]
step = 1
bands = 20
missing = false
[children]
key = "person_id"
most_rows = 6
constraints = ["discharge >= admission"]
[children.column.admission]
kind = "date"
bounds = ["2024-01-01", "2025-12-31"]
bands = "quarter"
[children.column.discharge]
kind = "date"
bounds = ["2024-01-01", "2026-02-28"]
bands = "quarter"
[children.column.ward]
kind = "category"
values = ["surgery", "medicine", "maternity"]
"""
MARK = "Zzyxqua"


@pytest.fixture(scope="module")
def table() -> str:
    """900 people; a mark is in a name, in an undeclared category and in a column that is not declared."""
    frame = example_table("people", 900, seed=5).to_pandas()
    frame.loc[3, ["name", "city", "email"]] = [f"{MARK} One", f"{MARK}ville", f"{MARK}@example.com"]
    frame["secret"] = f"{MARK} text"
    return frame.to_csv(index=False)


@pytest.fixture
def people(table: str, tmp_path: Path) -> Path:
    """The folder of the test with the table and its domain."""
    (tmp_path / "people.csv").write_text(table)
    (tmp_path / "domain.toml").write_text(DOMAIN)
    return tmp_path


def new_ledger(folder: Path, *, unit: str = "row", epsilon: float = 3) -> Path:
    path = folder / "people.ledger"
    Ledger.create(path, dataset="people", unit=unit, epsilon=epsilon, delta=1e-8)
    return path


def test_a_table_is_made_certified_verified_and_paid(people: Path, run) -> None:
    new_ledger(people)
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "1", "--ledger", "people.ledger",
        "--dataset", "people", "-o", "synthetic.parquet", "--internal", "inside.html", "--internal", "inside.json",
        "--internal", "inside.md", "--model", "model.json", "--hold-out", "0.3", "--seed", "1",
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr  # noise has no seed, and attacks succeed by chance in some runs
    table = pd.read_parquet(people / "synthetic.parquet")
    assert list(table.columns) == ["sex", "age", "city", "county", "diagnosis", "name"]
    assert table["age"].between(18, 95).all()
    assert set(table["county"].dropna()) <= {"North", "South"}
    certificate = json.loads((people / "synthetic.privaudit.json").read_text())
    assert certificate["differentially_private"] is True
    assert certificate["privacy"]["epsilon"] == pytest.approx(1)
    assert certificate["ledger"]["entry"] == 1
    assert Ledger(people / "people.ledger").account().spent("epsilon") == pytest.approx(1)
    assert run("verify", "synthetic.parquet", "--ledger", "people.ledger").returncode == 0
    assert run("verify", "synthetic.parquet").returncode == 3
    assert "INTERNAL" in (people / "inside.html").read_text().split("<h1>")[0]
    assert "INTERNAL" in (people / "inside.md").read_text().splitlines()[0]
    (people / "synthetic.parquet").write_bytes(b"PAR1")
    assert run("verify", "synthetic.parquet", "--ledger", "people.ledger").returncode == 1


def test_no_cell_of_the_table_reaches_an_output(people: Path, run) -> None:
    new_ledger(people)
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "1", "--ledger", "people.ledger",
        "--dataset", "people", "-o", "synthetic.csv", "--internal", "inside.html", "--internal", "inside.json",
        "--internal", "inside.md", "--model", "model.json", "--method", "privbayes",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outputs = [each for each in people.iterdir() if each.name not in ("people.csv", "domain.toml")]
    assert {each.name for each in outputs} >= {"synthetic.csv", "inside.html", "model.json", "people.ledger"}
    for each in outputs:
        assert MARK.lower() not in each.read_text().lower(), each.name
    assert MARK not in done.stdout + done.stderr
    # What is measured on private rows is not shown on the terminal.
    assert "differ" not in done.stdout


def test_without_privacy_the_first_line_and_the_certificate_state_it(people: Path, run) -> None:
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--no-privacy", "--method", "mst", "-o", "out.csv",
        "--hold-out", "0.4",
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout.startswith("WITHOUT PRIVACY")
    certificate = json.loads((people / "out.privaudit.json").read_text())
    assert certificate["differentially_private"] is False
    assert certificate["ledger"] is None
    assert "WITHOUT privacy" in run("verify", "out.csv").stdout


def test_without_privacy_and_without_outsiders_the_run_is_incomplete(people: Path, run) -> None:
    done = run("synthesize", "people.csv", "--domain", "domain.toml", "--no-privacy", "--method", "cart", "-o", "o.csv")
    assert done.returncode == 3 and (done.stdout + done.stderr).count("no one is known") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--epsilon", "1"),
        ("--epsilon", "1", "--no-privacy"),
        ("--epsilon", "1", "--ledger", "people.ledger", "--method", "cart"),
        ("--epsilon", "0", "--ledger", "people.ledger"),
        ("--epsilon", "x", "--ledger", "people.ledger"),
        ("--epsilon", "1", "--ledger", "people.ledger", "--dataset", "others"),
        ("--epsilon", "9", "--ledger", "people.ledger"),
        ("--no-privacy", "-o", "people.csv"),
        ("--no-privacy", "-o", "domain.toml"),
        ("--no-privacy", "--target", "income"),
        ("--no-privacy", "--children", "people.csv"),
        ("--no-privacy", "--paid-comparison", "1"),
        ("--epsilon", "1", "--ledger", "people.ledger", "--paid-comparison", "0"),
        ("--epsilon", "1", "--ledger", "people.ledger", "--internal", "inside.txt"),
        ("--epsilon", "1", "--ledger", "people.ledger", "--public", "public.pdf"),
    ],
)
def test_wrong_use_is_refused_and_nothing_is_written(people: Path, run, arguments: tuple[str, ...]) -> None:
    new_ledger(people)
    before = (people / "people.csv").read_bytes()
    output = () if "-o" in arguments else ("-o", "out.csv")
    done = run("synthesize", "people.csv", "--domain", "domain.toml", *arguments, *output)
    assert done.returncode == 2, done.stderr
    assert not (people / "out.csv").exists()
    assert (people / "people.csv").read_bytes() == before
    assert Ledger(people / "people.ledger").account().spent("epsilon") == 0


def test_a_refusal_by_the_ledger_is_an_entry(people: Path) -> None:
    ledger = new_ledger(people, epsilon=0.5)
    with pytest.raises(BudgetExceeded, match=r"0.5 of 0.5 is left"):
        privaudit.synthesize(people / "people.csv", domain=people / "domain.toml", epsilon=1, ledger=ledger)
    assert [entry["state"] for entry in Ledger(ledger).account().entries] == ["refused"]


@pytest.mark.parametrize(
    ("name", "stated"),
    [
        ("name", {"kind": "category", "values": ["Maria Jones", "John Smith", "Alex Reed", "Ruth Nash"]}),
        ("person_id", {"kind": "number", "bounds": [1, 100_000], "step": 1, "bands": 1_000}),
        ("email", {"kind": "category", "values": ["a@example.com", "b@example.com", "c@example.org"]}),
    ],
)
def test_direct_identifiers_are_refused_before_anything_is_spent(people: Path, name: str, stated: dict) -> None:
    ledger = new_ledger(people)
    domain = {"version": 1, "column": {name: stated, "sex": {"kind": "category", "values": ["Female", "Male"]}}}
    with pytest.raises(IdentifierRefused, match="direct identifiers or free text"):
        privaudit.synthesize(people / "people.csv", domain=domain, epsilon=1, ledger=ledger)
    assert Ledger(ledger).account().entries == ()
    stated["identifies"] = False
    made = privaudit.synthesize(people / "people.csv", domain=domain, no_privacy=True, method="independent")
    assert made.table.num_rows > 0


def test_a_person_has_at_most_the_declared_records(people: Path) -> None:
    frame = pd.read_csv(people / "people.csv")
    frame["person_id"] = frame["person_id"] // 3
    ledger = new_ledger(people, unit="person_id")
    columns = {"sex": {"kind": "category", "values": ["Female", "Male"]}}
    with pytest.raises(UnitNotGiven, match="the domain does not name that column"):
        privaudit.synthesize(frame, domain={"version": 1, "column": columns}, epsilon=1, ledger=ledger)
    domain = {"version": 1, "column": columns, "person": "person_id", "rows_per_person": 2}
    made = privaudit.synthesize(frame, domain=domain, epsilon=1, ledger=ledger, method="independent")
    assert made.statement.privacy is not None
    assert made.statement.privacy["rows_per_unit"] == 2
    assert made.comparison.n_before == np.minimum(2, frame["person_id"].value_counts()).sum()
    with pytest.raises(ReleaseError, match="domain protects people, and the unit of the ledger is a row"):
        privaudit.synthesize(frame, domain=domain, epsilon=1, ledger=new_ledger_of_rows(people))


def new_ledger_of_rows(folder: Path) -> Path:
    path = folder / "rows.ledger"
    Ledger.create(path, dataset="people", epsilon=3, delta=1e-8)
    return path


def test_a_synthesizer_is_saved_and_loaded(people: Path) -> None:
    made = privaudit.Synthesizer(people / "domain.toml", no_privacy=True, method="mst")
    with pytest.raises(ConfigError, match="is not fitted"):
        made.sample(3)
    made.fit(people / "people.csv").save(people / "model.json")
    loaded = privaudit.Synthesizer.load(people / "model.json")
    assert loaded.sample(50, seed=2).equals(made.sample(50, seed=2)) or loaded.sample(50).num_rows == 50
    (people / "model.json").write_text('{"schema": "other"}')
    with pytest.raises(privaudit.UnreadableSource, match="is not a synthesizer"):
        privaudit.Synthesizer.load(people / "model.json")


@pytest.mark.parametrize(
    ("epsilon", "has_ledger", "no_privacy"),
    [
        (None, False, False),
        (1, False, False),
        (None, True, False),
        (1, False, True),
        (None, True, True),
        (1, True, True),
    ],
)
def test_privacy_needs_both_epsilon_and_a_ledger_and_its_absence_neither(
    people: Path, epsilon: int | None, has_ledger: bool, no_privacy: bool
) -> None:
    ledger = new_ledger(people) if has_ledger else None
    with pytest.raises(ConfigError, match="epsilon and a ledger together, or no_privacy alone"):
        privaudit.Synthesizer(people / "domain.toml", epsilon=epsilon, ledger=ledger, no_privacy=no_privacy)


def test_function_class_and_task_have_the_same_defaults():
    """Each states its arguments for its own readers: what all of them name must be the same."""
    task = {field.name: field.default for field in fields(Task) if field.name != "settings"}
    task["rows"] = task["n_rows"]
    for public, least in ((privaudit.synthesize, 13), (privaudit.Synthesizer, 6)):
        arguments = inspect.signature(public).parameters.values()
        both = {one.name: one.default for one in arguments if one.name in task and one.default is not one.empty}
        assert len(both) >= least and both == {name: task[name] for name in both}, public.__name__


def test_a_fitted_private_generator_costs_once(people: Path) -> None:
    ledger = new_ledger(people)
    made = privaudit.Synthesizer(people / "domain.toml", epsilon=1, ledger=ledger, method="privbayes")
    made.fit(people / "people.csv")
    first, second = made.sample(100), made.sample(100)
    assert first.num_rows == second.num_rows == 100
    assert len(Ledger(ledger).account().entries) == 1


@pytest.mark.slow
def test_children_keep_their_key_the_number_of_rows_and_their_constraint(tmp_path: Path) -> None:
    parents, visits = (example_table(kind, n, 2).to_pandas() for kind, n in (("people", 400), ("visits", 1_000)))
    domain = {
        "version": 1,
        "column": {"sex": {"kind": "category", "values": ["Female", "Male"], "missing": False},
                   "age": {"kind": "number", "bounds": [18, 95], "step": 1, "bands": 20, "missing": False}},
        "children": {
            "key": "person_id", "most_rows": 6, "constraints": ["discharge >= admission"],
            "column": {
                "admission": {"kind": "date", "bounds": ["2024-01-01", "2025-12-31"], "bands": "quarter"},
                "discharge": {"kind": "date", "bounds": ["2024-01-01", "2026-02-28"], "bands": "quarter"},
                "ward": {"kind": "category", "values": ["surgery", "medicine", "maternity"]}},
        },
    }  # fmt: skip
    ledger = new_ledger(tmp_path, unit="person_id", epsilon=20)
    made = privaudit.synthesize(
        parents, domain=domain, children=visits, epsilon=20, ledger=ledger, method="mst", seed=4
    )
    people, children = made.table.to_pandas(), made.children.to_pandas()
    assert people["person_id"].is_unique
    assert set(children["person_id"]) <= set(people["person_id"])
    held = children.dropna()
    assert (held["discharge"] >= held["admission"]).all()
    before = np.minimum(visits["person_id"].value_counts().reindex(parents["person_id"]).fillna(0), 6)
    after = children["person_id"].value_counts().reindex(people["person_id"]).fillna(0)
    assert after.max() <= 6
    assert abs(before.mean() - after.mean()) < 0.35


@pytest.mark.slow
def test_parents_are_held_out_with_their_children_which_are_compared_and_attacked(tmp_path: Path, run) -> None:
    for kind, n in (("people", 900), ("visits", 2_500)):
        example_table(kind, n, 2).to_pandas().to_csv(tmp_path / f"{kind}.csv", index=False)
    (tmp_path / "domain.toml").write_text(FAMILIES)
    done = run(
        "synthesize", "people.csv", "--children", "visits.csv", "--domain", "domain.toml", "--no-privacy", "--method",
        "mst", "--hold-out", "0.4", "-o", "p.csv", "--children-output", "v.csv", "--internal", "in.json",
        "--internal", "in.md",
    )  # fmt: skip
    assert done.returncode in (0, 1, 3), done.stderr
    inside = json.loads((tmp_path / "in.json").read_text())
    made = inside["synthesis"]["children"]
    assert made["rejected"] == {"discharge >= admission": made["n_drawn"] - made["n_rows"]}
    assert "In the second table" in done.stdout
    children = inside["comparison_of_children"]
    assert [each["column"] for each in children["columns"]] == ["sex", "age", "admission", "discharge", "ward"]
    assert "held_out" in children["baselines"] and "held_out" in inside["comparison"]["baselines"]
    text = (tmp_path / "in.md").read_text()
    assert text.count("Attacks on the first table") == text.count("Attacks on the second table") == 2
    certificate = json.loads((tmp_path / "v.privaudit.json").read_text())
    assert certificate["n_rows"] == made["n_rows"] == len(pd.read_csv(tmp_path / "v.csv"))
    assert certificate["columns"] == ["person_id", "admission", "discharge", "ward"]
    assert "in.json, in.md, which" in " ".join(done.stdout.split())


def test_advice_recommends_independent_columns_for_small_tables(people: Path, run) -> None:
    def recommended(rows: int, epsilon: str) -> str:
        done = run(
            "synthesize", "people.csv", "--domain", "domain.toml", "--advice", "--epsilon", epsilon, "--rows", rows
        )
        assert done.returncode == 0, done.stderr
        return next(line for line in done.stdout.splitlines() if "Recommended" in line)

    assert "independent" in recommended(150, "0.1")
    assert "aim" in recommended(1_000_000, "1")


def test_a_better_method_is_named_before_anything_is_spent(people: Path, run) -> None:
    """The note is printed even where the ledger refuses."""
    Ledger.create(people / "small.ledger", dataset="people", epsilon=0.01, delta=1e-8)
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "0.05", "--ledger", "small.ledger",
        "-o", "out.csv",
    )  # fmt: skip
    assert done.returncode == 2
    assert "method independent is expected to be better than aim" in done.stderr


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_example_is_decided_by_its_seed(kind: str, tmp_path: Path, run) -> None:
    first, again, other = (example_table(kind, 60, seed) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    assert first.num_rows == 60
    assert run("example", "--kind", kind, "--rows", "20", "-o", "made.csv").returncode == 0
    assert len(pd.read_csv(tmp_path / "made.csv")) == 20
    assert run("example", "--kind", kind, "--rows", "20", "-o", "made.csv").returncode == 2  # exists


def test_names_of_example_people_fit_their_sex_and_are_unique() -> None:
    frame = example_table("people", 500, seed=9).to_pandas()
    assert frame["name"].is_unique
    from faker.providers.person.en_GB import Provider

    women, men = set(Provider.first_names_female), set(Provider.first_names_male)
    first = frame["name"].str.split().str[0]
    assert first[frame["sex"] == "Female"].isin(women).all()
    assert first[frame["sex"] == "Male"].isin(men).all()


def test_every_method_is_an_option_of_the_command() -> None:
    from privaudit.settings.config import stated_commands

    stated = stated_commands()["commands"]
    assert set(stated["synthesize"]["method"]["choices"]) == set(METHODS)
    assert set(stated["example"]["kind"]["choices"]) == set(KINDS)


@pytest.mark.slow
def test_a_run_that_fails_later_keeps_its_generator_and_states_what_stays_spent(
    people: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The generator is the result that was paid for: it is written before anything that may fail."""
    new_ledger(people)

    def fails(*_: object, **__: object) -> None:
        raise ScanIncomplete("The table needs more memory than allowed.")

    monkeypatch.setattr(judgement, "attack_sides", fails)
    arguments = ("--domain", "domain.toml", "--epsilon", "1", "--ledger", "people.ledger")
    failed = run("synthesize", "people.csv", *arguments, "--model", "model.json", "-o", "made.csv")
    assert failed.returncode == 3
    stated = (
        'Entry 1 of the ledger of the dataset "people" was paid before the error and stays spent: '
        "epsilon 1, delta 1e-09."
    )
    assert stated in failed.stderr
    assert not (people / "made.csv").exists()
    assert privaudit.Synthesizer.load(people / "model.json").sample(50).num_rows == 50
    refused = run("synthesize", "people.csv", *arguments, "--method", "cart", "-o", "made.csv")
    assert refused.returncode == 2
    assert "stays spent" not in refused.stderr


def test_a_column_that_the_domain_does_not_fit_is_named(tmp_path: Path) -> None:
    years = pd.DataFrame({"hired": [str(2000 + i % 9) for i in range(400)], "sex": ["Female", "Male"] * 200})
    text = (
        'version = 1\n[column.sex]\nkind = "category"\nvalues = ["Female", "Male"]\nmissing = false\n[column.hired]\n'
    )
    kind = 'kind = "date"\nbands = "year"\nbounds = ["2000-01-01", "2008-12-31"]\n'
    stated = {}
    for form in ("%Y-%m-%d", "%Y"):
        (tmp_path / "d.toml").write_text(f'{text}{kind}format = "{form}"\n', encoding="utf-8")
        made = privaudit.synthesize(years, domain=tmp_path / "d.toml", method="independent", no_privacy=True)
        stated[form] = made.text()
    assert '100 % of the synthetic values of "hired" are missing' in stated["%Y-%m-%d"]
    assert "are missing" not in stated["%Y"]


def test_a_table_without_a_record_of_declared_values_gives_no_synthetic_table(tmp_path: Path) -> None:
    domain = tmp_path / "d.toml"
    domain.write_text('version = 1\n[column.sex]\nkind = "category"\nvalues = ["x", "y"]\nmissing = false\n')
    people = pd.DataFrame({"sex": ["Female", "Male"] * 50})
    with pytest.raises(ConfigError, match="No record has only declared values"):
        privaudit.synthesize(people, domain=domain, method="independent", no_privacy=True)
