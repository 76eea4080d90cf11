"""The rounds of detection, in their order.

Question: in which order are columns examined and verdicts reached?
Method: every column is examined by itself, then together with the other columns. Then keys and digests are reversed,
dated or linked to the auxiliary table where possible, and text is read.
Limits: a column that needs a language model which is not available is reported as not assessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from privaudit.base import parallel
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.free_text import UNCERTAIN, read_cells
from privaudit.detect.measurements import measure
from privaudit.detect.precedence import at_least, largest
from privaudit.detect.pseudonyms import column_hashes, keys
from privaudit.detect.subjects.context import describes_people, rows_are_people
from privaudit.detect.unassessed import split_numbers, why_unassessed
from privaudit.detect.values_in_part import contents, counted_on_engine, estimated
from privaudit.detect.witnesses import fill_ledgers, prepare
from privaudit.model import ColumnProfile, Detection
from privaudit.model.vocabulary import declared
from privaudit.model.wording import Fact
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset


def detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress = silent,
    *,
    auxiliary: Dataset | None = None,
    spent: parallel.Spent | None = None,
) -> tuple[Detection, ...]:
    """Return the verdict on every column of `dataset`.

    Parameters
    ----------
    dataset : Dataset
    profiles : sequence of ColumnProfile
        One for each column, in order.
    settings : Settings
        `rules` is a folder with packs of the user; `ner` and `sample_ner` control the language model.
    progress : callable
    auxiliary : Dataset, optional
        Auxiliary data of an attacker: its values may reverse hashes, or it may contain the same pseudonyms.
    spent : dict, optional
        Gets the processor time of each column.

    Returns
    -------
    tuple of Detection, one for each column, in order.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    found = _detect(dataset, profiles, settings, progress, auxiliary, spent)
    if settings.rules is not None:
        # The packs of the user add to what the shipped ones detect; the language model reads the text once.
        shipped = replace(settings, rules=None, ner=False)
        least = _detect(dataset, profiles, shipped, progress, auxiliary, spent)
        own_types = declared(settings.rules)
        found = tuple(at_least(one, other, own_types) for one, other in zip(found, least, strict=True))
    return counted_on_engine(dataset, profiles, found, settings)


def _detect(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress,
    auxiliary: Dataset | None,
    spent: parallel.Spent | None,
) -> tuple[Detection, ...]:
    table, latest = examine(dataset, profiles, settings, progress, spent=spent)
    _assess_pseudonyms(table, dataset, auxiliary, settings, progress)
    split, among_people, of_people = split_numbers(table), describes_people(table), rows_are_people(table)
    stated = {*settings.role, *settings.quasi, *settings.sensitive}

    def finish(item: ColumnEvidence) -> Detection:
        with parallel.timed(spent, item.column.name):
            unassessed = read_cells(item, settings, progress, spent)
            if not unassessed or unassessed.code in UNCERTAIN:
                why = why_unassessed(item, split, among_people=among_people, of_people=of_people)
                unassessed = None if item.column.name in stated else why or unassessed
            item.post(measure(item, latest))
            return _detection(item, unassessed)

    detections = parallel.each(
        finish,
        table,
        1 if settings.ner else parallel.threads_for(dataset.n_rows, settings.threads),  # one model, one thread
        started=lambda i: progress(f"Reading {table[i].column.name}", 0.6 + 0.4 * i / len(table)),
        size=lambda item: item.column.values.nbytes,
    )
    progress("Detecting", 1.0)
    return tuple(detections)


def examine(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    progress: Progress = silent,
    *,
    spent: parallel.Spent | None = None,
) -> tuple[list[ColumnEvidence], float]:
    """Return the ledger of every column, relations included, and the latest year among the dates of the table.

    Parameters and errors are those of `detect`; text is not read yet.
    """
    known = prepare(dataset, profiles, settings, spent=spent)
    return fill_ledgers(known, progress, spent=spent), known.latest


def _assess_pseudonyms(
    table: Sequence[ColumnEvidence], dataset: Dataset, auxiliary: Dataset | None, settings: Settings, progress: Progress
) -> None:
    """Add to the evidence on every key of `table` what it reveals, in the order of cost."""
    digests = list(column_hashes.find_digests(table))
    if digests:
        from privaudit.detect.pseudonyms import brute_force

        progress("Trying to reverse hashes", None)
        explained = [column_hashes.is_explained(one, table, dataset, auxiliary, settings.seed) for one in digests]
        brute_force.explain_by_spaces([one for one, done in zip(digests, explained, strict=True) if not done])
        keys.report_repeated_digests(table)
    keys.report_key_order(table, dataset)
    keys.report_shared_keys(table, auxiliary, settings)


def _detection(item: ColumnEvidence, unassessed: Fact | None) -> Detection:
    """Return what is reported about a column; of a part of its values, shares and counts are estimates."""
    verdict, contained, totals = item.verdict, item.ledger.contained, item.column.totals
    if totals is not None:
        contained = list(contents(item.column, totals, contained))
        verdict = verdict and replace(verdict, share=estimated(verdict.share, totals))
    return Detection(
        column=item.column.name,
        is_=verdict,
        contains=largest(contained, verdict),
        rejected=item.rejected,
        measurements=dict(sorted(item.ledger.measurements.items())),
        unassessed=unassessed,
        notes=tuple(item.ledger.notes),
    )
