"""A generated table about people: eight quasi-identifiers with dependence and rare values, one sensitive attribute."""

from __future__ import annotations

import random

QUASI = ("sex", "age", "county", "marital", "education", "birthplace", "work", "job")
SENSITIVE = "illness"


def people(n_rows: int = 1200, seed: int = 41) -> dict[str, list[str]]:
    """Return a table, column by column; nobody in it exists."""
    r = random.Random(seed)
    columns: dict[str, list[str]] = {name: [] for name in (*QUASI, SENSITIVE)}
    for _ in range(n_rows):
        age = min(90, max(17, int(r.gauss(41, 14))))
        level = min(7, max(0, int(r.gauss(age / 14, 1.6))))
        job = min(11, max(0, int(r.gauss(level + 2, 2))))
        married = "widowed" if age > 75 and r.random() < 0.4 else r.choice(["single", "married", "married", "divorced"])
        row = (
            r.choice("FM"),
            str(age),
            r.choices(["north", "south", "coast", "lake", "island"], [40, 30, 20, 9, 1])[0],
            "single" if age < 20 else married,
            f"level {level}",
            f"region {min(24, int(r.expovariate(0.9)))}",
            r.choices(["private", "public", "own", "none"], [6, 2, 1, 1])[0],
            f"job {job}",
            r.choices(["none", "asthma", "diabetes", "malaria", "HIV"], [50, 6, 4 + age // 20, 5, 1])[0],
        )  # fmt: skip
        for name, value in zip(columns, row, strict=True):
            columns[name].append(value)
    return columns
