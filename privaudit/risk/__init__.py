"""Who can be singled out: equivalence classes, their combinations, and the measures on them.

Question: how high is the re-identification risk of a table, and which columns cause it?
Method: `assess` codes the quasi-identifiers once (`coded`) and runs every measure on the codes.

================================  ==============================================================================
assessment, scope                 the order of the measures, and what they share
coded, markers, caveats           the table as codes; suppressed cells; properties that a reader must know
class_sizes, combinations         k, uniques and records below k, over all and over every combination of columns;
risk_record                       the record of them
partition, partition_loops        the kernel that counts classes of all combinations, compiled
parts, coded_rows,                combinations of a table whose distinct rows do not fit in memory, part by part
assessment_in_parts,              and their diversity
diversity_in_parts
partition_arrays, subsets         the kernel without a compiler; the input and output of both
row_keys, sorted_keys             rows of codes as integers; equal ones grouped by sorting
sorting_loops, compiler           the compiled loops of it; where compiled loops pay
machine_code, compile_loops       the machine code of loops, and how the build makes it
sorted_text                       the order of the distinct texts of a column
listed_combinations               which combinations a report lists, and in which order
missing, missing_search           records and combinations where a missing cell matches anything
set_walk                          the search over combinations that both of these and people_search use
people, people_search             who has which rows; classes and combinations in people, where a person has several
people_diversity, _population     rows; the same for sensitive attributes and against a population
near_keys                         small combinations that are nearly a key, in tables with many columns
special_uniques, unique_steps     minimal sample uniques and SUDA scores; the steps of their search, in arrays and
unique_steps_compiled             compiled
exposed_values, scores            exposed records by value (counts only); scores of every row for a file
reidentification                  prosecutor, journalist and marketer risk, k-map, delta-presence
population_risk, population       risk against a population; estimates of population uniques by the models in
population_pitman, _snb           their modules, on the histogram in population_sample (population_numerics)
population_rows                   the rows of a release and of its population as one table
diversity, marginal, weights      sensitive attributes; what each column adds; sampling weights
subjects, histories               risk in people where a person has several rows; unicity
potential                         classes over every column that could be a quasi-identifier
cells                             small counts and zeros in the cells of an aggregate
conditional_measures              which of these measures apply to the table
================================  ==============================================================================

Limits: thresholds decide what is counted, never what is acceptable: the rulebook judges. Nothing here depends on a law.
"""

from __future__ import annotations

from privaudit.risk.assessment import THRESHOLDS, RiskAssessment, assess
from privaudit.risk.measures.cells import count_cells
from privaudit.risk.measures.potential import asked_columns, potential_risk

__all__ = ["THRESHOLDS", "RiskAssessment", "asked_columns", "assess", "count_cells", "potential_risk"]
