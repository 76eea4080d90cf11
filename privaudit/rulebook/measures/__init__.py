"""Every measure that checks refer to.

Question: which numbers can a check compare with a limit?
Method: importing this package registers the measures of its modules, one subject each.
Limits: no measure touches the table; they read the evidence.
"""

from privaudit.rulebook.measures import (
    acceptances,
    attacks,
    cells,
    classes,
    identifiers,
    precision,
    pseudonyms,
    scan,
    sensitive,
)
