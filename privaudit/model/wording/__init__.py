"""Facts and the sentences they become.

Question: how does a measured or judged fact reach a reader as a sentence?
Method: stages build facts (`model.wording.facts`): a code and typed values. The catalogue holds a sentence for
every code (`rules/wording`), and one module writes it for an edition (`privaudit.model.wording.render`).
Limits: ground floor; measures nothing and parses no sentence. What most modules need of it is imported from here.
"""

from privaudit.model.wording.catalogue import term
from privaudit.model.wording.facts import (
    Columns,
    Count,
    Duration,
    EntityType,
    Fact,
    Listing,
    Name,
    Number,
    Share,
    Term,
    Threshold,
    Unit,
    Value,
    fact,
    write_facts_with,
)
from privaudit.model.wording.filling import MISSING
from privaudit.model.wording.numbers import decimal, listing, one_in, percent, plural
from privaudit.model.wording.render import FULL, WITHHELD, Edition, Wording
from privaudit.model.wording.rounding import SMALL_CELL

write_facts_with(FULL.text)
