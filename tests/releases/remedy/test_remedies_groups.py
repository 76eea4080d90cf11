"""What a remedy writes is read by a later scan as what it is: groups of categories are not text, dates stay dates."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import privaudit

OPTIONS = {"policy": "public", "framework": (), "ner": False}
JOBS = (
    "painter|cricketer|politician|association football manager|naval officer|physician|editor|biographer|botanist|"
    "ornithologist|university teacher|visual artist|anglican priest|archaeologist|justice of the peace|mathematician|"
    "classical philologist|rugby union player|hymnwriter|astronomer|barrister|stage actor|engineer|geologist|nurse"
).split("|")
NOTES = "She called {} and asked for a new appointment because of the pain in her back, and {} wrote the letter"


def groups(draw, n):
    members = sorted(JOBS)
    draw.shuffle(members)
    made = [" | ".join(sorted(members[i : i + 9])) for i in range(0, 25, 2)]
    return [draw.choice([*made, *JOBS[:4]]) for _ in range(n)]


def test_groups_of_occupations_are_not_free_text_and_repeated_sentences_are():
    draw = random.Random(1)
    sentences = [NOTES.format(draw.choice(JOBS), draw.choice(JOBS)) for _ in range(40)]
    frame = pd.DataFrame(
        {
            "age": [draw.randint(20, 80) for _ in range(600)],
            "occupation": groups(draw, 600),
            "note": [draw.choice(sentences) for _ in range(600)],
        }
    )
    found = privaudit.scan(frame, **OPTIONS)
    assert {f.subject for f in found.findings if f.code == "PII005"} == {("note",)}


@pytest.mark.slow
def test_dates_with_mistakes_are_rounded_and_a_later_scan_passes(shared, tmp_path):
    source = shared / "data" / "splink" / "data" / "historical_figures_with_errors_50k.parquet"
    frame = pd.read_parquet(source).sample(12_000, random_state=1)
    made = privaudit.remedy(frame, output=tmp_path / "safe.parquet", **OPTIONS)
    assert made.after.gate().passed
    assert privaudit.scan(tmp_path / "safe.parquet", **OPTIONS).gate().passed
