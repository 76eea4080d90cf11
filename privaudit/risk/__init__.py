"""Who can be singled out: equivalence classes, their combinations, and the measures on them.

Question: how high is the re-identification risk of a table, and which columns cause it?
Method: `assess` codes the quasi-identifiers once (`coded`) and runs every measure on the codes.

===========  =================================================================================================
assessment/  the order of the measures (`table`); the same one class at a time, where the distinct rows do not fit in
             memory (`class_by_class`), and after a remedy (`remedied_codes`)
codes/       the table as integers: rows, people, suppressed and missing cells, sizes of classes; what the measures
             share (`scope`)
kernel/      the loops that count classes of all combinations, compiled and in arrays
search/      which combinations single people out, and which of them a report lists
measures/    identity, attribute and cell risk that follow from the classes
population/  the same against a population, and estimates of population uniques
pictures/    which categories belong together, and where the records at risk are
===========  =================================================================================================

Limits: thresholds decide what is counted, never what is acceptable: the rulebook judges. Nothing here depends on a law.
Imports `source` and the rooms below it, not `detect`.
"""

from __future__ import annotations

from privaudit.risk.assessment.table import RiskAssessment, assess, code_columns
from privaudit.risk.codes.scope import counted_for
from privaudit.risk.measures.cells import count_cells
from privaudit.risk.measures.part_classes import classes_of_parts
from privaudit.risk.measures.potential import asked_columns, exclusions, potential_risk
