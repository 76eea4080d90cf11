"""What is never synthesised: direct identifiers and free text.

Question: would a declared column write names, numbers of people or texts of the original?
Method: a table of random values is written from the declared domain and its columns are recognised as those of any
table; the column name and the declared values decide. Nothing is read from the original.
Limits: a column that is recognised by mistake is allowed by ``identifies = false`` in the domain.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from privaudit.base.errors import IdentifierRefused
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import as_codes
from privaudit.releases.synthetic.writing import written
from privaudit.settings.config import Settings

ROWS = 300
FREE_TEXT = "FREE_TEXT"


def check_columns(domain: Domain, allowed: frozenset[str]) -> None:
    """Refuse columns that identify people or hold free text.

    Parameters
    ----------
    allowed : frozenset of str
        Columns that were declared not to identify.

    Raises
    ------
    IdentifierRefused
    """
    from privaudit.audit.pipeline import STAGES, run_stages

    random = np.random.default_rng(0)
    values = [random.integers(column.n_values, size=ROWS) for column in domain.columns]
    codes = CodedTable(as_codes(values, domain.sizes), domain.sizes)
    modelled = replace(domain, invented=(), constraints=(), derived=())
    table = written(modelled, lambda n: codes, ROWS, random).table
    until_roles = tuple(stage for stage in STAGES if stage[0] not in ("risk", "pictures", "attack", "advice"))
    report = run_stages(table, Settings(ner=False, framework=()), stages=until_roles)
    for column in report.columns:
        entity = None if column.is_ is None else column.is_.entity
        if column.name not in allowed and (column.role == "direct" or entity == FREE_TEXT):
            raise IdentifierRefused(
                f'"{column.name}" would hold direct identifiers or free text.',
                hint='declare kind = "invented", omit it, or state identifies = false if it does not identify',
            )
