"""Roles follow from entity types and measurements; declared roles take precedence."""

from __future__ import annotations

import pyarrow as pa
import pytest

from privaudit.base.errors import ColumnNotFound
from privaudit.detect.detection import detect
from privaudit.detect.roles import assign
from privaudit.model import Assignment
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile

N = 60
TABLE = {
    "id": [str(1000 + 7 * i) for i in range(N)],
    "email": [f"user{i}@example.com" for i in range(N)],
    "sex": ["M", "F"] * (N // 2),
    "age": [str(20 + i % 40) for i in range(N)],
    "salary": [str(1000 + 37 * i) for i in range(N)],
    "diagnosis": ["asthma", "diabetes", "none"] * (N // 3),
    "country": ["Kenya"] * N,
    "colour": ["red", "blue"] * (N // 2),
}


def roles(**options: object) -> dict[str, Assignment]:
    settings = Settings(ner=False, **options)  # type: ignore[arg-type]
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in TABLE.items()})
    with from_arrow(table) as dataset:
        profiles = profile(dataset)
        found = assign(profiles, detect(dataset, profiles, settings), settings)
    return {one.column: one for one in found}


def test_inferred_roles_have_reasons() -> None:
    found = roles()
    wanted = {
        "id": "direct",
        "email": "direct",
        "sex": "quasi",
        "age": "quasi",
        "salary": "sensitive",
        "diagnosis": "sensitive",
        "country": "none",
        "colour": "none",
    }
    assert {name: one.role for name, one in found.items()} == wanted
    assert all(one.because and all(str(reason) != reason.code for reason in one.because) for one in found.values())


def test_declared_roles_take_precedence() -> None:
    found = roles(role={"email": "none"}, quasi=("colour", "age"), sensitive=("salary",))
    assert found["email"].role == "none" and found["email"].because[0].code == "roles.declared"
    assert found["colour"].role == "quasi" and found["age"].role == "quasi"
    assert found["sex"].role == "none" and found["sex"].because[-1].code == "roles.not_in_quasi"
    assert found["diagnosis"].role == "none" and found["diagnosis"].because[-1].code == "roles.not_in_sensitive"
    assert found["id"].role == "direct"


@pytest.mark.parametrize("options", [{"quasi": ("agee",)}, {"sensitive": ("nothing",)}, {"role": {"x": "none"}}])
def test_unknown_columns_are_named(options: dict[str, object]) -> None:
    with pytest.raises(ColumnNotFound, match="is not a column of the table"):
        roles(**options)


@pytest.mark.parametrize("kept", [1, 2, 3])
@pytest.mark.parametrize("code", ["SW1A 1AA", "gu22 7sr", "02139"])
def test_the_first_characters_of_postal_codes_stay_quasi_identifiers(code: str, kept: int) -> None:
    other = {"SW1A 1AA": ["N16 8AB", "LS2 9JT"], "gu22 7sr": ["n16 8ab", "ls2 9jt"], "02139": ["10115", "94110"]}[code]
    settings = Settings(ner=False)
    with from_arrow(pa.table({**TABLE, "postcode": [text[:kept] for text in [code, *other] * (N // 3)]})) as dataset:
        profiles = profile(dataset)
        found = assign(profiles, detect(dataset, profiles, settings), settings)
    assert next(item.role for item in found if item.column == "postcode") == "quasi"
