"""Example tables: seeded, invented, of a known shape, for tutorials, tests and bug reports.

Question: on which table can something be shown that anyone can make again?
Method: people and visits by Faker, with unique names that fit the sex; classification and blobs by scikit-learn;
sensors with normal, skewed and categorical columns of declared shares. The seed decides every cell.
Limits: nobody in these tables exists, but a name or address can be that of a person who does.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

import numpy as np

from privaudit.advice.technique.invented_values import emails_of, faker, unique_names
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.extras import LEARN, needing

MOST_ROWS = 1_000_000
LOCALE = "en_GB"
CITIES = {"Riverton": 0.45, "Lakeside": 0.3, "Hillford": 0.15, "Marshby": 0.1}
COUNTIES = {"Riverton": "North", "Lakeside": "North", "Hillford": "South", "Marshby": "South"}
DIAGNOSES = {"none": 0.62, "asthma": 0.14, "diabetes": 0.12, "hypertension": 0.1, "epilepsy": 0.02}
EDUCATION = ("primary", "secondary", "college", "university")
FIRST_VISIT = datetime.date(2024, 1, 1)
MEAN_VISITS = 2.5


def example_table(kind: str, n_rows: int, seed: int = 0) -> pa.Table:
    """Return an example table.

    Parameters
    ----------
    kind : {"people", "visits", "classification", "blobs", "sensors"}
    n_rows : int
        Number of records; of visits, about as many, by people of the table of people with the same seed.
    seed : int

    Raises
    ------
    ConfigError
        For an unknown kind, or too many rows.
    UnsupportedFormat
        If the extra that makes the table is not installed.
    """
    if kind not in KINDS:
        raise ConfigError(f"Unknown kind of example. Use one of: {', '.join(KINDS)}.")
    if not 1 <= n_rows <= MOST_ROWS:
        raise ConfigError(f"An example has between 1 and {MOST_ROWS:,} rows.")
    return KINDS[kind](n_rows, seed)


def _people(n: int, seed: int) -> pa.Table:
    """Return people: names, contacts, and columns that depend on each other as they do in registers."""
    random = np.random.default_rng(seed)
    sex = np.where(random.random(n) < 0.51, "Female", "Male")
    age = np.clip(random.gamma(4.5, 9.5, n).round(), 18, 95).astype(np.int64)
    city = _drawn(CITIES, n, random)
    level = np.clip(random.normal(1.9 - (age - 45) / 60, 0.9, n).round(), 0, 3).astype(np.int64)
    income = np.clip(np.exp(random.normal(9.9 + 0.22 * level, 0.45, n)).round(-2), 4_000, 400_000)
    ill = _drawn(DIAGNOSES, n, random)
    old = (age > 60) & (random.random(n) < 0.25)
    names = unique_names(faker(LOCALE, seed), [{"Female": "F", "Male": "M"}[each] for each in sex])
    birth = [2026 - int(each) for each in age]
    days = random.integers(1, 366, n)
    return pa.table(
        {
            "person_id": pa.array(np.arange(1, n + 1)),
            "name": names,
            "email": emails_of(names),
            "sex": sex.tolist(),
            "date_of_birth": [
                datetime.date(year, 1, 1) + datetime.timedelta(days=int(day) - 1)
                for year, day in zip(birth, days, strict=True)
            ],
            "age": age,
            "city": city.tolist(),
            "county": [COUNTIES[each] for each in city],
            "education": [EDUCATION[each] for each in level],
            "income": income.astype(np.int64),
            "diagnosis": np.where(old, "hypertension", ill).tolist(),
        }
    )


def _visits(n: int, seed: int) -> pa.Table:
    """Return visits of people: several for each, with a discharge that is not before the admission."""
    random = np.random.default_rng(seed + 1)
    n_people = max(1, round(n / MEAN_VISITS))
    person = np.sort(random.integers(1, n_people + 1, n))
    start = random.integers(0, 730, n)
    stay = random.geometric(0.35, n) - 1
    admission = np.array(FIRST_VISIT, dtype="datetime64[D]") + start
    return pa.table(
        {
            "person_id": person,
            "admission": pa.array(admission, pa.date32()),
            "discharge": pa.array(admission + stay, pa.date32()),
            "ward": _drawn({"surgery": 0.3, "medicine": 0.5, "maternity": 0.2}, n, random).tolist(),
            "cost": (300 + 450 * stay + random.gamma(2.0, 120.0, n)).round().astype(np.int64),
        }
    )


def _classification(n: int, seed: int) -> pa.Table:
    """Return numbers that predict a class, by `sklearn.datasets.make_classification`."""
    with needing(LEARN, "This example"):
        from sklearn.datasets import make_classification

    x, y = make_classification(n_samples=n, n_features=8, n_informative=4, n_redundant=2, random_state=seed)
    return _numbers(x, y, "label")


def _blobs(n: int, seed: int) -> pa.Table:
    """Return clusters of points, by `sklearn.datasets.make_blobs`."""
    with needing(LEARN, "This example"):
        from sklearn.datasets import make_blobs

    x, y = make_blobs(n_samples=n, n_features=4, centers=5, random_state=seed)
    return _numbers(x, y, "cluster")


def _numbers(x: np.ndarray, y: np.ndarray, target: str) -> pa.Table:
    columns = {f"x{i + 1}": x[:, i].round(4) for i in range(x.shape[1])}
    return pa.table({**columns, target: [f"{target} {label}" for label in y.tolist()]})


def _sensors(n: int, seed: int) -> pa.Table:
    """Return readings of devices: normal, skewed and categorical columns, with missing cells."""
    random = np.random.default_rng(seed)
    status = _drawn({"ok": 0.93, "warning": 0.05, "error": 0.02}, n, random)
    temperature = random.normal(21, 3, n) + np.where(status == "error", 15, 0)
    humidity = np.clip(random.normal(45, 8, n), 0, 100)
    missing = random.random(n) < 0.03
    return pa.table(
        {
            "device": [f"device {each}" for each in random.integers(1, 21, n)],
            "hour": random.integers(0, 24, n),
            "temperature": temperature.round(1),
            "humidity": pa.array(humidity.round(1), mask=missing),
            "load": random.lognormal(0.5, 0.8, n).round(3),
            "status": status.tolist(),
        }
    )


def _drawn(shares: dict[str, float], n: int, random: np.random.Generator) -> np.ndarray:
    return random.choice(np.array(list(shares)), size=n, p=np.array(list(shares.values())))


KINDS: dict[str, Callable[[int, int], pa.Table]] = {
    "people": _people,
    "visits": _visits,
    "classification": _classification,
    "blobs": _blobs,
    "sensors": _sensors,
}
