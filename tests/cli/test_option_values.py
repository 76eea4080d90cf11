"""The values of options: bounds are stated in words, and a number that is refused names them."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from privaudit.cli.option_values import NumberFrom


@pytest.mark.parametrize(
    ("accepted", "refused", "form", "bounds"),
    [
        (["1", "7"], ["0", "-1", "1.5", "x", "nan"], NumberFrom(1), "a whole number of 1 or more"),
        (
            ["0", "0.5"],
            ["1", "-0.1", "nan", "x"],
            NumberFrom(0, below=1, whole=False),
            "a number of 0 or more and below 1",
        ),
        (["1000", "2000"], ["999", "2001"], NumberFrom(1_000, most=2_000), "a whole number from 1,000 to 2,000"),
    ],
)
def test_a_number_outside_its_bounds_is_refused_with_the_bounds(
    accepted: list[str], refused: list[str], form: NumberFrom, bounds: str
) -> None:
    assert [form.convert(text, None, None) for text in accepted] == [float(text) for text in accepted]
    for text in refused:
        with pytest.raises(click.BadParameter, match=f'"{text}" is not {bounds}'):
            form.convert(text, None, None)


@pytest.mark.parametrize("command", ["scan", "synthesize", "classes"])
def test_no_help_states_bounds_as_an_inequality(command: str, run) -> None:
    shown = run(command, "--help").stdout
    assert "--threads" in shown and "RANGE" not in shown and ">=" not in shown


@pytest.mark.parametrize("population", ["many", "a lot"])
def test_a_population_that_is_a_word_states_what_is_expected(population: str, tmp_path: Path, run) -> None:
    table = tmp_path / "t.csv"
    table.write_text("age,sex\n" + "".join(f"{20 + i % 9},{'FM'[i % 2]}\n" for i in range(60)), encoding="utf-8")
    done = run("scan", str(table), "--population", population)
    assert done.returncode == 2 and "number of people" in done.stderr and "1200000" in done.stderr
