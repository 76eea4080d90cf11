"""Words for the deeper measures: a title and one line for each key of the nested tables of the risk record.

Question: what does a colleague read beside l, t, beta, Zayatz or SUDA?
Method: a table from the place of a number in report.json to its words, in the order in which they are shown.
Limits: what a measure does not say, its formula and its source are in the catalogue of measures.
"""

from __future__ import annotations

from typing import NamedTuple


class Deep(NamedTuple):
    """Title, line of plain words, and id in the catalogue of measures."""

    title: str
    words: str
    measure: str = ""


DEEP = {
    "diversity.homogeneous_records": Deep(
        "People whose class gives it away", "Everybody in their class has the same value."
    ),
    "diversity.homogeneous_classes": Deep("Classes with one value", "Classes in which all records agree."),
    "diversity.l_distinct": Deep(
        "Distinct l",
        "Fewest different values in a class; 1 means that the class tells the value.",
        "diversity.l_distinct",
    ),
    "diversity.l_entropy": Deep(
        "Entropy l", "As many equally frequent values the worst class is worth.", "diversity.l_entropy"
    ),
    "diversity.l_recursive": Deep(
        "Recursive (c, l)", "How far the most frequent value of a class outweighs the rare ones."
    ),
    "diversity.t_closeness.equal": Deep(
        "t, equal distance",
        "How far the worst class is from the whole table, every two values equally far apart.",
        "closeness.t",
    ),
    "diversity.t_closeness.ordered": Deep(
        "t, ordered distance",
        "The same with values in order, so that near values count as near.",
        "closeness.t",
    ),
    "diversity.alpha": Deep("alpha", "Largest share of one value in a class: the best guess of an attacker."),
    "diversity.beta_basic": Deep("Basic beta", "Largest relative gain in belief in a value."),
    "diversity.beta_enhanced": Deep("Enhanced beta", "The same, bounded for rare values."),
    "diversity.delta_disclosure": Deep(
        "delta disclosure", "Largest change of belief in a value, up or down, as a logarithm."
    ),
    "diversity.n_values": Deep("Distinct values", "Values of the attribute, missing counted as one."),
    "diversity.n_ordered": Deep("Records in order", "Records the ordered distance rests on."),
    "population.size": Deep("People in the population", "The people the table was drawn from."),
    "population.source": Deep("Known from", ""),
    "population.zayatz": Deep(
        "Zayatz", "Estimated people who stand alone in the population.", "risk.population_unique"
    ),
    "population.pitman": Deep(
        "Pitman", "Estimated people who stand alone in the population.", "risk.population_unique"
    ),
    "population.snb": Deep(
        "Slide negative binomial",
        "Estimated people who stand alone in the population.",
        "risk.population_unique",
    ),
    "population.dankar": Deep(
        "Dankar's rule",
        "The estimate that the rule picks for this sampling fraction.",
        "risk.population_unique",
    ),
    "population.dankar_model": Deep("Picked by Dankar's rule", ""),
    "population.k_map": Deep("k-map", "Fewest people in the population who look like somebody in the table."),
    "population.delta_presence.min": Deep(
        "delta presence, least", "Smallest chance that somebody of the population is in the table."
    ),
    "population.delta_presence.max": Deep(
        "delta presence, most", "Largest chance that somebody of the population is in the table."
    ),
    "special_uniques.max_size": Deep("Largest set searched", "Columns in the largest set that was searched."),
    "special_uniques.k": Deep("Unique means fewer than", "Records that match on the set."),
    "special_uniques.n_records": Deep(
        "People with such a set", "People who stand alone on some set of at most that many columns."
    ),
    "special_uniques.score_sum": Deep("SUDA score, sum", "Over all records; small sets weigh most."),
    "special_uniques.score_max": Deep("SUDA score, highest", "Of the record that stands out most."),
    "special_uniques.dis": Deep(
        "DIS of the file", "Chance that a sample unique is the only one in the population as well."
    ),
    "special_uniques.dis_max": Deep("DIS-SUDA, highest", "The same for the record that stands out most."),
    "special_uniques.dis_fraction": Deep("Sampling fraction", "Share of the population in the table."),
    "weighted.n_records": Deep("Records", "Records of the release."),
    "weighted.people": Deep("People, by weights", "The weights added up."),
    "weighted.global_risk": Deep("Global risk", "Mean individual risk over records."),
    "weighted.expected": Deep("Expected right links", "When every record is attacked once."),
    "weighted.expected_approximate": Deep(
        "Expected right links, approximate", "With the approximation for classes of three or more."
    ),
    "weighted.risk_max": Deep("Highest individual risk", "Of the record that is easiest to find."),
    "weighted.risk_median": Deep("Median individual risk", "Half of the records have at most this risk."),
    "weighted.fewest_people": Deep("Fewest people in a class", "By the weights."),
    "weighted.n_below_one": Deep(
        "Classes lighter than their records",
        "Their weights add up to less than they hold; taken as complete.",
    ),
}

COUNTS = frozenset(
    {
        "homogeneous_records", "homogeneous_classes", "n_values", "n_ordered", "n_records", "n_below_one",
        "size", "zayatz", "pitman", "snb", "dankar", "k_map", "people", "n_people", "n_unique", "k_min",
    }
)  # fmt: skip
"""Keys that count people, records, classes or values."""
