"""Write docs/measures.md from the catalogue of measures, so that it cannot go stale: python docs/make_measures.py."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from privaudit.base import resources

HEAD = """# Measures

What each number of a report means, what it does not mean, its formula and its source. The report prints these lines
next to the numbers; both come from `rules/reference/measures.toml`, and `python docs/make_measures.py` writes this page.

Throughout, f is the number of records in a class, F the number of people in the population who belong to it, n the
number of records, J the number of classes. An *equivalence class* contains the records with equal quasi-identifiers.
Counts are exact and include missing cells. A sampled or estimated number has an interval. A number that does not apply
is absent, with a line in `limits`, never 0.
"""

GROUPS = {
    "class": "Classes",
    "risk": "Re-identification",
    "population": "Against a population",
    "diversity": "Sensitive attributes",
    "closeness": "Sensitive attributes, as checks name them",
    "special_uniques": "Special uniques",
    "marginal": "What each column adds",
    "weighted": "Sampling weights",
    "subject": "Several rows per person",
    "attack": "Attacks",
}

NOTES = {
    "population": """The three models differ by factors where their assumptions fail, so all are shown:

- **Zayatz** assumes that class sizes in the population are distributed as in the table. It needs a sample unique.
- **Pitman** has no estimate where every record is unique or where the class sizes are too even (index at or below 0).
- **SNB** needs classes of size one and two. Two errors known from another implementation are not made here: the
  expected number of pairs is *divided* by (1-(1-f)(1-b))^(a+2), and Shlosser's sum has (1-f)^i ((1+f)^i - 1). Where
  the fitted model misses the number of classes by more than a fifth, the report states it.
- **Dankar's rule** chooses by the sampling fraction.

Below a sampling fraction of 5 % a limit warns that the estimates can be wrong by factors. The **interval** assumes a
simple random sample but no model: it contains every number of population uniques that the class sizes of the table are
compatible with. In 100 samples each from 13 populations (Pitman's model, slide negative binomial, Zipf, constructed
extremes, Adult by 4, 5 and 8 columns) at seven sampling fractions from 1 % to 80 %, it covered the true number every
time, so its coverage is above the stated 95 %. It is wide where the table does not determine the number: for Adult with eight
columns its width is 2.1 times the true number at a fraction of 1 %, 1.1 times at 20 %, 0.2 times at 50 % and 0.07 times
at 80 %. The same samples show why the models carry no interval of their own: where its model did not hold, Zayatz's
estimate was up to 50 times the true number and Pitman's model less than half of it, and no sampling error explains
that. An estimate outside of the interval is contradicted by the table; a limit names the model.

Each is tested by drawing populations from its own model. Where the population is the table itself, the sample uniques
are the population uniques and no model is used. A population *table* must contain the release; where one of its
classes has fewer people than the release has records, nothing is measured and a limit states how many.
""",
    "diversity": """A missing sensitive cell counts as a value: an attacker can infer that someone did not answer.
Every number is that of the worst class. With q the share of a value in a class and p its share in the table.

The ordered distance of t-closeness orders values by their meaning: numbers with thousands separators, a decimal comma, a
currency, a per cent sign or an exponent, dates in any notation, times and durations. Equal values written differently share
a rank. Suppression markers such as N/A are missing in every column. Where the notation is ambiguous (1,234 next to
567; 03/04/2020 without a day above 12; different currencies), or one value fits no reading, the ordered distance is not
reported: a limit states the reason, and the equal distance, which is never smaller, is judged instead.

delta-disclosure covers every value of the table, as Brickell and Shmatikov define it: a class without one of the values has
q = 0, so delta is infinite. report.json then has null and `delta_disclosure_unbounded` is true; a limit on it is exceeded.
pycanon takes the maximum over the values that occur in each class; that number is `delta_disclosure_present`.
""",
    "subject": """With `--subject COLUMN`, rows with the same value in the column belong to one person. The person is in
every class of their rows. An *item* is one combination of the quasi-identifiers.

All other measures of a report then count people too: f is the number of distinct people in a class, a person's risk is
that of the smallest class they are in, and n is the number of people. A person has a minimal unique set where one of
their rows is alone on it and none of their rows is alone on a subset. Distinct l is the fewest sensitive values of which
everyone in a class has at least one: 1 where everyone has a value in common, as in a class of one person. Distinction
and separation describe the columns and stay in records, as do measures with sampling weights. Population uniques are
not estimated where a person has rows in several classes, and missing cells are a category.
""",
    "weighted": """With `--weight COLUMN` every record represents a number of people. A weight that is not a number above
0 stops the measure, with a limit that counts the records.
""",
}


def entries(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the id and the lines of every measure, in the order of the file."""
    for key, value in table.items():
        place = f"{path}.{key}" if path else key
        if "title" in value:
            yield place, value
        else:
            yield from entries(value, place)


def page() -> str:
    """Return docs/measures.md."""
    file = resources.path("rules", "reference", "measures.toml")
    measures = tomllib.loads(file.read_text(encoding="utf-8"))
    parts = [HEAD]
    for group, title in GROUPS.items():
        parts.append(f"## {title}\n")
        if group in NOTES:
            parts.append(NOTES[group])
        parts += [section(place, lines) for place, lines in entries(measures[group], group)]
    return "\n".join(parts)


def section(place: str, lines: Mapping[str, str]) -> str:
    """Return the section of one measure."""
    return (
        f"### {lines['title']}\n\n`{place}`\n\n{lines['plain']}\n\n"
        f"- **Limits:** {lines['not_said']}\n"
        f"- **Formula:** {lines['formula']}\n- **Source:** {lines['source']}\n"
    )


if __name__ == "__main__":
    (Path(__file__).parent / "measures.md").write_text(page(), encoding="utf-8")
