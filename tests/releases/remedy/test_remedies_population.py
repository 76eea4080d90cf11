"""k-map in remedies: the written table meets the limit of the policy, as an independent count shows."""

from __future__ import annotations

import json
import random

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.certificate import scan_numbers

QUASI = ["age", "town", "sex"]
POLICY = """
name = "k-map"
title = "k-map"
extends = "controlled"
k = { value = %d, origin = "test" }
probability = { value = %s, origin = "test" }
uniques = { value = "none", origin = "test" }
l = { value = "none", origin = "test" }
k_map = { value = %d, origin = "test" }
"""
CANARY = "Zzyzx"


def world(seed, n=300, n_release=70):
    """Return the population and a release drawn from it; one town is only in the population."""
    draw = random.Random(seed)
    people = pd.DataFrame(
        {
            "age": [str(draw.choice([draw.randint(18, 80), draw.randint(30, 45)])) for _ in range(n)],
            "town": [draw.choices(["Ash", "Birch", "Cedar", "Dale", "Elm"], [9, 6, 3, 1, 1])[0] for _ in range(n)],
            "sex": [draw.choice(["female", "male"]) for _ in range(n)],
        }
    )
    release = people.sample(n_release, random_state=seed).reset_index(drop=True)
    people.loc[~people.index.isin(release.index) & (people.index % 97 == 5), "town"] = CANARY
    people = pd.concat([release, people.drop(people.sample(n_release, random_state=seed).index)], ignore_index=True)
    return people, release.assign(visit=[f"reason {i % 4}" for i in range(n_release)])


@pytest.fixture
def policy(tmp_path):
    def written(k, k_map):
        file = tmp_path / f"k{k}_map{k_map}.toml"
        file.write_text(POLICY % (k, 1 / k, k_map), encoding="utf-8")
        return str(file)

    return written


def options(policy, **further):
    return {"policy": policy, "quasi": QUASI, "role": {"visit": "none"}, "framework": (), "ner": False, **further}


def recoded(people, release, made_of_it):
    """Return the population after the steps of a plan, in plain Python; names of groups are read from the result."""
    plan, frame_made = made_of_it.plan, made_of_it.frame
    made, counted = people.copy(), release.copy()
    for step in plan.steps:
        given = step.parameters
        for name in set(step.columns) & set(people.columns):
            if step.technique == "drop":
                made, counted = made.drop(columns=name), counted.drop(columns=name)
                continue
            held = counted[name].value_counts()
            for frame in (made, counted):
                if step.technique == "group_values":
                    frame[name] = [group(cell, set(frame_made[name])) for cell in frame[name]]
                elif name != "who":
                    frame[name] = [one(step.technique, cell, given, held) for cell in frame[name]]
    return made


def group(cell, groups):
    """Return the group that names a value, else the one with all other values."""
    named = [each for each in groups if cell in each.split(" | ")]
    return (named or [each for each in groups if "other" in each.split(" | ")])[0]


def one(technique, cell, given, held):
    if technique == "merge_rare":
        return cell if held.get(cell, 0) >= given["below"] else "other"
    assert technique == "band", technique
    low = int(cell) // given["width"] * given["width"]
    if low < given.get("under", -1):
        return f"under {given['under']}"
    if low >= given.get("over", 1000):
        return f"{given['over']}+"
    return f"{low}-{low + given['width'] - 1}"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("k", "k_map"), [(1, 12), (3, 15)])
def test_the_written_table_has_the_k_map_that_an_independent_count_finds(policy, seed, k, k_map):
    people, release = world(seed)
    made = privaudit.remedy(release, population=people, **options(policy(k, k_map)))
    left = [name for name in QUASI if name not in made.plan.dropped]
    counts = recoded(people, release, made).groupby(left).size()
    fewest = min(counts[key] for key in made.frame.groupby(left).groups)
    assert made.after.wire.risk.population.k_map == fewest >= k_map
    assert made.run.after.k_map == fewest
    assert made.run.before.k_map == min(people.groupby(QUASI).size()[key] for key in release.groupby(QUASI).groups)
    assert scan_numbers(made.after.wire)["k_map"] == fewest
    assert made.after.risk.k_min >= k
    assert made.after.wire.gate_.exit_code == 0
    assert made.promised["k_min"] == made.after.risk.k_min
    assert made.promised["n_records"] == len(made.frame)


@pytest.mark.slow
def test_a_plan_states_k_map_and_is_applied_again_with_the_population_alone(policy, tmp_path):
    people, release = world(1)
    people.to_csv(tmp_path / "people.csv", index=False)
    release.to_csv(tmp_path / "release.csv", index=False)
    chosen, source = options(policy(1, 12)), str(tmp_path / "release.csv")
    population = str(tmp_path / "people.csv")
    plan = privaudit.plan(source, population=population, **chosen)
    assert "k_map = 12" in plan.text and "--population" in plan.text
    (tmp_path / "plan.toml").write_text(plan.text, encoding="utf-8")
    auto = privaudit.remedy(source, population=population, **chosen)
    again = privaudit.remedy(
        source, plan=tmp_path / "plan.toml", population=population, output=tmp_path / "safer.csv", **chosen
    )
    assert again.frame.equals(auto.frame)
    assert again.after.wire.gate_.exit_code == 0
    for without in ({}, {"population": 1000}):
        with pytest.raises(ConfigError, match="no population table was given"):
            privaudit.remedy(source, plan=tmp_path / "plan.toml", **chosen, **without)
    content = (tmp_path / "safer.privaudit.json").read_text(encoding="utf-8")
    scan = json.loads(content)["scan"]
    assert (scan["k_map"], scan["k_map_required"]) == (again.after.wire.risk.population.k_map, 12)
    assert CANARY not in content + (tmp_path / "safer.csv").read_text(encoding="utf-8") + plan.text + again.text()
    lines, matches = privaudit.verify(tmp_path / "safer.csv")
    assert matches and f"k-map = {scan['k_map']}" in " ".join(lines)


def test_a_step_suppresses_the_classes_that_are_too_small_in_the_population(policy, tmp_path):
    """Without recodings, the records left are those whose values at least 3 people of the population have."""
    people, release = world(2)
    (tmp_path / "plan.toml").write_text(
        'version = 1\n[[step]]\ntechnique = "suppress_records"\n'
        'classes_over = ["town", "sex"]\nbelow = 1\nk_map = 20\n',
        encoding="utf-8",
    )
    made = privaudit.remedy(release, plan=tmp_path / "plan.toml", population=people, **options(policy(1, 20)))
    counts = people.groupby(["town", "sex"]).size()
    kept = [counts[key] >= 20 for key in zip(release["town"], release["sex"], strict=True)]
    assert 0 < sum(kept) < len(release)
    assert "fewer than 1 records, or 20 people of the population" in made.text()
    columns = ["age", "town", "sex", "visit"]
    wanted = release[kept].sort_values(columns).reset_index(drop=True)
    found = made.frame.astype(str)[columns].sort_values(columns).reset_index(drop=True)
    assert found.equals(wanted[columns])


@pytest.mark.slow
def test_people_of_the_population_are_counted_once_where_they_have_several_rows(policy):
    people, release = world(3)
    people = people.assign(who=[f"p{i % 150}" for i in range(len(people))])
    release = release.assign(who=[f"p{i % 150}" for i in range(len(release))])
    made = privaudit.remedy(release, population=people, subject="who", **options(policy(1, 10)))
    left = [name for name in QUASI if name not in made.plan.dropped]
    counts = recoded(people, release, made).groupby(left)["who"].nunique()
    assert made.after.wire.risk.population.k_map == min(counts[key] for key in made.frame.groupby(left).groups) >= 10


def test_a_policy_that_limits_k_map_is_incomplete_without_a_population_table(policy):
    _, release = world(4)
    chosen = options(policy(1, 10))
    for given in ({}, {"population": 1000}):
        report = privaudit.scan(release, advice=False, **chosen, **given)
        assert report.wire.gate_.exit_code == 3
    assert privaudit.scan(release, advice=False, **{**chosen, "policy": "public"}).wire.gate_.exit_code == 1


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", ["local", "mondrian", "cells"])
def test_a_method_without_one_recoding_of_each_column_is_refused_with_the_reason(policy, method):
    people, release = world(5)
    with pytest.raises(ConfigError) as raised:
        privaudit.plan(release, population=people, method=method, **options(policy(1, 12)))
    assert "k-map" in str(raised.value.hint)
    with pytest.raises(ConfigError, match="cannot be counted in the population"):
        privaudit.plan(release, population=people, method=method, **options("controlled"))


def test_under_a_policy_without_k_map_the_population_is_still_compared_after_the_remedy():
    people, release = world(0)
    made = privaudit.remedy(release, population=people, **options("controlled"))
    assert not made.plan.needs_population
    assert made.run.after.k_map >= made.after.risk.k_min > made.run.before.k_map
    assert made.after.wire.gate_.exit_code == 0


def test_a_method_that_has_nothing_to_do_is_named():
    table = pd.DataFrame({"email": [f"person{i}@example.org" for i in range(40)], "visit": ["flu", "gout"] * 20})
    chosen = {"policy": "controlled", "framework": (), "ner": False, "role": {"visit": "none"}, "method": "local"}
    made = privaudit.remedy(table, **chosen)
    assert made.run.method == "full-domain"
    assert "Local recoding was not used" in made.text()
    assert "was not used" in privaudit.plan(table, **chosen).text


def test_a_method_cannot_be_chosen_for_a_plan_that_is_given(tmp_path):
    (tmp_path / "plan.toml").write_text("version = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="automatic plan"):
        privaudit.remedy(world(0)[1], reports=False, plan=tmp_path / "plan.toml", method="local")


def test_a_plan_that_limits_people_of_the_population_is_refused_without_one(tmp_path):
    step = {"technique": "suppress_records", "classes_over": QUASI, "below": 3, "k_map": 5}
    with pytest.raises(ConfigError, match="no population table was given"):
        privaudit.remedy(world(1)[1], plan=[step], output=tmp_path / "safer.csv", quasi=QUASI, ner=False)
    assert not any(tmp_path.iterdir())
