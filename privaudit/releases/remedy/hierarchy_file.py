"""Write the generalisation steps of a column as a hierarchy file.

Question: how does a person review and edit the hierarchy that was built from the data, or use it in another tool?
Method: the steps that the plan chooses from, in the format of ARX: one line for each value, then its name at each
level, the last level "*". A level that does not generalise the level before is omitted.
Limits: the file holds every value of the column, rare values too, so it is as confidential as the table. Missing cells
have no line.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.recodings.options import options
from privaudit.advice.technique import Recoding
from privaudit.base.delimited import delimited_writer
from privaudit.base.distinct_numbers import distinct
from privaudit.base.errors import ColumnNotFound
from privaudit.model import Report
from privaudit.releases.remedy.task import Task
from privaudit.risk.codes.coded import encode_column, merge_equal_rows
from privaudit.source import open_dataset

DELIMITER = ";"
EVERYTHING = "*"


def hierarchy_text(task: Task, before: Report, column: str) -> str:
    """Return the hierarchy file of a column of the source.

    Parameters
    ----------
    before : Report
        The scan of the source: the type of the column, and the smallest class size of the policy.

    Raises
    ------
    ColumnNotFound
        If the table has no such column.
    """
    names = [each.name for each in before.columns]
    ColumnNotFound.check((column,), before.dataset.name, names)
    with open_dataset(task.source, task.settings, progress=task.progress) as dataset:
        cells = dataset.rows((column,))[column]
    codes, dictionary = encode_column(cells)
    ones = np.ones(len(codes), dtype=np.int64)
    coded = merge_equal_rows((column,), [codes], [dictionary], ones, len(codes))
    choices, _ = options(TrialTable(coded, before.policy.k), before.columns, None)
    return levels_text(choices[column].ladder)


def levels_text(ladder: Sequence[Recoding]) -> str:
    """Return the values of a column and their names after each step of its ladder."""
    levels = [ladder[0]]
    for step in ladder[1:]:
        if step.technique not in ("drop", "merge_rare") and _generalises(levels[-1], step):
            levels.append(step)
    texts = [step.labels().take(step.lookup[:-1]).to_pylist() for step in levels]
    lines = io.StringIO()
    writer = delimited_writer(lines, delimiter=DELIMITER)
    writer.writerows((*names, EVERYTHING) for names in zip(*texts, strict=True))
    return lines.getvalue()


def _generalises(fine: Recoding, coarse: Recoding) -> bool:
    """Whether values that are equal after `fine` are equal after `coarse`."""
    pairs = np.unique(np.stack([fine.lookup, coarse.lookup]), axis=1)
    return bool(len(distinct(pairs[0])) == pairs.shape[1])
