"""A table prepared for detection: its columns, read once.

Question: what do all witnesses read?
Method: the distinct values of each column are normalised, read as dates, and a sample of them is compared with every
detector; several columns at a time.
Limits: at most `LONGEST` characters of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit import parallel
from privaudit.catalogue import detectors
from privaudit.catalogue.detector import Detector
from privaudit.catalogue.normalise import normalise
from privaudit.config import Settings
from privaudit.detect import patterns
from privaudit.detect.calendars import calendar_of
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.resolver import Weights, load_weights
from privaudit.headers import read_header
from privaudit.model import ColumnProfile
from privaudit.profile.alphabet import alphabet
from privaudit.profile.numbers import all_match
from privaudit.source.dataset import Dataset

_NEVER = 2101  # the first year that stands for "never" in columns of ends, such as 9999
_NO_DATES = 2025.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """What witnesses and relations read.

    Attributes
    ----------
    dataset : Dataset
    columns : tuple of Column
    screened : mapping of lists of Screened
        The detectors that may match each column, by its name.
    detectors : tuple of Detector
        All of them, those of the user included.
    weights : Weights
        The fitted numbers of the resolver.
    latest : float
        The latest plausible year among the dates, which stands for the present of the table.
    threads : int
    """

    dataset: Dataset
    columns: tuple[Column, ...]
    screened: Mapping[str, list[patterns.Screened]]
    detectors: tuple[Detector, ...]
    weights: Weights
    latest: float
    threads: int


def prepare(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    settings: Settings,
    *,
    spent: parallel.Spent | None = None,
) -> Prepared:
    """Return the table as witnesses read it; parameters and errors are those of `detect`."""

    def read(profile: ColumnProfile) -> Column:
        with parallel.timed(spent, profile.name):
            column = build(dataset, profile, settings)
            calendar_of(column)
            return column

    every, threads = detectors.load(settings.rules), parallel.threads_for(dataset.n_rows, settings.threads)
    columns = tuple(parallel.each(read, profiles, threads, size=lambda profile: profile.n_distinct))
    screened = patterns.screen(columns, every, threads)
    return Prepared(
        dataset=dataset,
        columns=columns,
        screened={column.name: found for column, found in zip(columns, screened, strict=True)},
        detectors=tuple(every),
        weights=load_weights(settings.rules),
        latest=_latest(columns),
        threads=threads,
    )


def _latest(columns: Sequence[Column]) -> float:
    """Return the latest plausible year among the dates of the table but births; that of the rules where it has none."""
    dated = [
        calendar_of(column)
        for column in columns
        if column.data_type in ("date", "timestamp") and not column.header.strength("DATE_OF_BIRTH")
    ]
    years = [float(np.nanmax(calendar.years)) for calendar in dated if calendar.share > 0]
    return max([year for year in years if year < _NEVER], default=_NO_DATES)


def build(dataset: Dataset, profile: ColumnProfile, settings: Settings) -> Column:
    """Return a column of `dataset` with its distinct values normalised."""
    cells = dataset.frequencies(profile.name)
    values = cells.values
    if pa.types.is_string_view(values.type) or not pa.types.is_string(values.type):
        values = values.cast(pa.large_string())
    raw = values
    if len(values) and pc.max(pc.binary_length(values)).as_py() > LONGEST:
        values = pc.utf8_slice_codeunits(values, 0, LONGEST)
    values = normalise(values)
    # Whole numbers of at least five digits that were stored as 12345.0.
    if profile.data_type in ("decimal", "text") and len(values) and all_match(values, r"^[0-9]{5,19}\.0+$"):
        values = pc.replace_substring_regex(values, r"\.0+$", "")
        profile = replace(profile, data_type="integer")
    if alphabet(values)[:33].any() and pc.any(pc.match_substring_regex(values, r"^\s|\s$")).as_py():
        values = pc.utf8_trim_whitespace(values)
    threads = parallel.threads_for(dataset.n_rows, settings.threads)
    return Column(profile, read_header(profile.name), values, cells.counts, settings.seed, raw, cells.totals, threads)
