"""The ledger only grows, and the decision is a function of its claims."""

from __future__ import annotations

import ast
import random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.matching import compiles
from privaudit.detect.column import form
from privaudit.detect.detection import examine
from privaudit.detect.ledger import NAME, VALUES, Claim, Ledger, against
from privaudit.detect.resolver import Reading, passed_over, weigh
from privaudit.model import Clue
from privaudit.model.wording import Number, fact
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile
from tests.helpers.paths import ROOT
from tests.helpers.program import trees_of

CLUE = (Clue(kind="shape", because=fact("detect.ages")),)


def claim(entity: str, strength: float, source: str = VALUES) -> Claim:
    return Claim(entity=entity, strength=strength, source=source, clues=CLUE)


def table() -> dict[str, list[str]]:
    r = random.Random(3)
    return {
        "id": [str(i) for i in range(1, 121)],
        "full name": [r.choice(["James Smith", "Mary Jones", "Wei Chen", "Ana Souza"]) for _ in range(120)],
        "c3": [str(r.randint(18, 80)) for _ in range(120)],
        "order_no": [str(r.randint(10**9, 10**10)) for _ in range(120)],
    }


def examined() -> list:
    columns = {name: pa.array(cells) for name, cells in table().items()}
    with from_arrow(pa.table(columns)) as dataset:
        return examine(dataset, profile(dataset), Settings(ner=False))[0]


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.booleans()), max_size=20))
def test_posting_never_removes_or_changes_a_claim(steps: list[tuple[str, bool]]) -> None:
    ledger = Ledger()
    for entity, is_for in steps:
        before = list(ledger.claims)
        ledger.post([claim(entity, 0.6)] if is_for else ledger.answer(entity, fact("detect.ages")))
        assert ledger.claims[: len(before)] == before
    standing = {c.entity for c in ledger.standing()}
    last = dict(steps)
    assert standing == {entity for entity, is_for in last.items() if is_for}


def test_an_answer_concerns_the_sources_it_names_and_nothing_later() -> None:
    ledger = Ledger()
    ledger.post([claim("AGE", 0.6), claim("AGE", 0.9, NAME)])
    ledger.post(ledger.answer("AGE", fact("detect.siblings_better_age")))
    assert ledger.strongest("AGE") is None
    assert ledger.named["AGE"].strength == 0.9
    ledger.post([claim("AGE", 0.7)])
    assert ledger.strength_of_values("AGE") == 0.7


@pytest.mark.parametrize("place", range(4))
def test_the_decision_follows_from_the_claims_alone(place: int) -> None:
    item = examined()[place]
    again = Ledger()
    again.post(item.ledger.claims)
    assert weigh(item.column, again, item.weights.prior) == weigh(item.column, item.ledger, item.weights.prior)


@given(st.floats(0.3, 0.9), st.floats(0.0, 0.09))
def test_a_stronger_claim_never_lowers_the_sum(strength: float, more: float) -> None:
    column = examined_column()
    sums = []
    for one in (strength, strength + more):
        ledger = Ledger()
        ledger.post([claim("EMAIL", one), claim("EMAIL", 0.6, NAME)])
        sums.append(weigh(column, ledger, 0.25)[0].log_odds)
    assert sums[0] <= sums[1]


_COLUMN: list = []


def examined_column():
    if not _COLUMN:
        _COLUMN.append(examined()[2].column)
    return _COLUMN[0]


def test_a_claim_against_takes_away_what_it_answers() -> None:
    one = claim("AGE", 0.8)
    assert against("AGE", fact("detect.ages"), [one]).weight(0.25) == -one.weight(0.25)
    assert against("AGE", fact("detect.ages")).weight(0.25) == 0.0


def test_the_ledger_of_a_column_is_explained_without_its_values() -> None:
    columns = pa.table({name: pa.array(cells) for name, cells in table().items()})
    reported = privaudit.explain("full name", source=columns)
    assert reported.startswith("full name holds person names")
    assert "PERSON_NAME" in reported and "prior -1.10 + values + column name" in reported
    assert not any(word in reported for word in ("Smith", "Souza", "James"))
    with pytest.raises(ConfigError, match='no column "FULL NAME"'):
        privaudit.explain("FULL NAME", source=columns)


@given(st.floats(-0.8, 700), st.floats(-40, 40))
def test_no_stated_probability_is_certain_or_impossible(best: float, weak: float) -> None:
    readings = [Reading(entity, odds, None, 1, None, ()) for entity, odds in (("EMAIL", best), ("AGE", weak))]
    chosen = readings[0]
    for rejected in (*passed_over([readings[1]], chosen), *passed_over(readings, None)):
        stated = [value.value for value in rejected.because.values.values() if isinstance(value, Number)]
        assert stated and all(0 < value < 1 for value in stated)


def test_every_verdict_is_made_by_the_resolver() -> None:
    made = []
    for module, tree in trees_of("detect"):
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        made += [module.name for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Verdict"]
    assert made == ["resolver.py"]


def test_nothing_in_detection_deletes_or_replaces_what_a_ledger_holds() -> None:
    kept = {"claims", "contained", "notes", "_answered"}
    for module, tree in trees_of("detect"):
        for node in ast.walk(tree):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
            assigned = [one.value if isinstance(one, ast.Subscript) else one for one in targets]
            names = {one.attr for one in assigned if isinstance(one, ast.Attribute)}
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                removes = node.func.attr in {"remove", "pop", "clear", "discard"}
                held = node.func.value
                names |= {held.attr} if removes and isinstance(held, ast.Attribute) else set()
            assert not names & kept, f"{module.name}:{node.lineno}"


def test_every_form_is_a_list_of_expressions_that_are_used() -> None:
    forms = wordlists.toml("forms")
    code = "".join(module.read_text() for module in (ROOT / "privaudit" / "detect").rglob("*.py"))
    for subject, named in forms.items():
        assert f'form("{subject}"' in code
        for name, expressions in named.items():
            expression = form(subject, name).format(version=4) if subject == "uuid" else form(subject, name)
            assert isinstance(expressions, list) and compiles(expression)
            assert f'"{name}"' in code or subject == "time"  # every form of times is tried


def test_the_printed_ledger_shows_what_the_cells_contain() -> None:
    notes = [f"call {i} back on 212-555-01{i:02d} tomorrow please" for i in range(40)]
    printed = privaudit.explain("notes", source=pa.table({"notes": notes, "qty": [str(i % 7) for i in range(40)]}))
    assert "PHONE" in printed.partition("Contents of cells")[2] and "40" in printed.partition("Contents of cells")[2]
    assert "no personal data" not in printed and "212" not in printed


def test_the_account_states_what_a_scan_reports_in_addition() -> None:
    notes = [f"Spoke with the tenant of flat {i}, who asked about the heating again." for i in range(40)]
    days = [str(8_000 + i * 521 % 30_000) for i in range(40)]
    source = pa.table({"notes": notes, "date_of_birth": days})
    assert "A scan also searches notes with a language model" in privaudit.explain("notes", source=source)
    assert "A scan reports date_of_birth as not assessed: " in privaudit.explain("date_of_birth", source=source)


@pytest.mark.slow
def test_the_printed_terms_add_up_to_the_sum() -> None:
    for item in examined():
        printed = privaudit.explain(item.column.name, source=pa.table(table()))
        for row in printed.partition("\nSums\n")[2].partition("\n\n")[0].splitlines()[1:]:
            entity, total = row.lstrip("* ").split()[:2]
            terms = [float(term) for term in row.split()[-3:]] if "log-odds" not in row else []
            assert not terms or abs(sum(terms) - float(total)) < 0.02, entity
