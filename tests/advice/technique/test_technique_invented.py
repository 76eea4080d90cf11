"""Invented values fit the sex, are unique where asked for, and belong to a person in every table."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import Context, technique
from privaudit.base.errors import ConfigError

faker = pytest.importorskip("faker")
KEY = b"a key for tests only, 32 bytes.."


def people(n=300):
    ids = [f"p{i}" for i in range(n)]
    return pd.DataFrame({"id": ids, "sex": ["F" if i % 2 else "M" for i in range(n)]})


def invented(name, frame, column, *, seed=0, **parameters):
    found = technique(name)
    checked = found.check(parameters, "here")
    table = pa.Table.from_pandas(frame.astype(object), preserve_index=False)
    context = Context(random=np.random.default_rng(seed), key=KEY)
    return found.apply(table, {**checked, "columns": (column,)}, context).to_pandas()


def test_a_column_of_names_is_made_where_there_is_none():
    from faker.providers.person.en_US import Provider

    made = invented("fake_names", people(), "name", gender="sex")
    for sex, pool in (("F", Provider.first_names_female), ("M", Provider.first_names_male)):
        assert set(made.loc[made["sex"] == sex, "name"].str.split().str[0]) <= set(pool)


@pytest.mark.parametrize("n", [1_470])
def test_unique_names_are_as_many_as_records(n):
    assert invented("fake_names", people(n), "name", gender="sex", unique=True)["name"].nunique() == n


def test_several_locales_are_mixed():
    made = invented("fake_names", people(400), "name", locales=["ja_JP", "en_US"])["name"]
    latin = made.str.match(r"[A-Za-z .'-]+$").mean()
    assert 0.4 < latin < 0.6


BY_PERSON = [
    ("fake_names", {}),
    ("fake_date", {"earliest": "2010-01-01", "latest": "2019-12-31"}),
    ("fake_city", {}),
    ("fake_city", {"shares": {"a": 0.5, "b": 0.5}}),
    ("fake_phone", {}),
    ("fake_id", {}),
]


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize(("name", "parameters"), BY_PERSON)
def test_a_person_has_the_same_value_in_every_table_under_one_key(name, parameters):
    frame = people(60)
    one = invented(name, frame, "made", person="id", key="file", **parameters)
    visits = frame.sample(150, replace=True, random_state=1)
    other = invented(name, visits, "made", seed=9, person="id", key="file", **parameters)
    assert (
        dict(zip(one["id"], one["made"], strict=True)).items()
        >= dict(zip(other["id"], other["made"], strict=True)).items()
    )
    assert invented(name, frame, "made", seed=1, person="id", **parameters)["made"].tolist() != one["made"].tolist()


def test_addresses_follow_the_invented_names_and_are_different():
    names = invented("fake_names", people(), "name", gender="sex")
    made = invented("fake_email", names, "mail", names="name")
    assert made["mail"].nunique() == len(made)
    firsts = made["name"].str.split().str[0].str.lower()
    assert all(mail.startswith(first) for mail, first in zip(made["mail"], firsts, strict=True))
    assert made["mail"].str.contains(r"@example\.(?:com|org|net)$").all()


@settings(max_examples=20, deadline=None)
@given(first=st.dates(datetime.date(1950, 1, 1), datetime.date(2020, 1, 1)), days=st.integers(0, 4_000))
def test_dates_are_in_their_range(first, days):
    last = first + datetime.timedelta(days=days)
    made = pd.to_datetime(invented("fake_date", people(80), "day", earliest=str(first), latest=str(last))["day"])
    assert made.between(pd.Timestamp(first), pd.Timestamp(last)).all()
    with pytest.raises(ConfigError, match='is after "latest"'):
        invented("fake_date", people(2), "day", earliest=str(last + datetime.timedelta(days=1)), latest=str(first))


def test_cities_follow_their_shares():
    shares = {"New York": 0.58, "Los Angeles": 0.23, "Chicago": 0.16, "Reno": 0.03}
    made = invented("fake_city", people(1_470), "city", shares=shares)["city"].value_counts(normalize=True)
    for city, share in shares.items():
        assert made[city] == pytest.approx(share, abs=4 * (share * (1 - share) / 1_470) ** 0.5)


def test_identifiers_have_their_form_and_are_different():
    made = invented("fake_id", people(900), "client", form="?-###")["client"]
    assert made.str.match(r"[A-Z]-[0-9]{3}$").all() and made.nunique() == 900
    with pytest.raises(ConfigError, match="too few values"):
        invented("fake_id", people(20), "client", form="#")
