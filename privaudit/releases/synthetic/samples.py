"""Private records: as codes of the domain, as they are written in their table, and by person.

Question: which records are synthesised, which are held out, and to whom do they belong?
Method: a `Sample` keeps the row of each coded record in its table, and its person. People are held out by coins of
their own, so that all records of a person are on one side. Attacks see one record of each person, because their
intervals are those of independent targets. All choices are made by random words of the operating system.
Limits: a record without a person ID is a person of its own.
"""

from __future__ import annotations

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.releases.privacy.noise import random_words
from privaudit.releases.privacy.units import at_most
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable, Counts
from privaudit.risk.codes.coded import encode_column


@dataclass(frozen=True, slots=True)
class Sample:
    """Some records of a table.

    Attributes
    ----------
    source : pyarrow.Table
        The table, as texts.
    rows : int64 array of shape (n,)
        The row of each record in it.
    codes : CodedTable
    people : int64 array of shape (n,)
        The person of each record.
    """

    source: pa.Table
    rows: Counts
    codes: CodedTable
    people: Counts

    @property
    def n(self) -> int:
        """Number of records."""
        return len(self.rows)

    def take(self, chosen: Flags | Counts) -> Sample:
        """Return some of the records."""
        return Sample(self.source, self.rows[chosen], self.codes.take(chosen), self.people[chosen])

    def at_most(self, most: int) -> Sample:
        """Return at most `most` records of each person, chosen at random."""
        return self.take(at_most(self.people, int(self.people.max(initial=-1)) + 1, most))

    def some(self, most: int) -> Sample:
        """Return at most `most` records, chosen at random."""
        return self if self.n <= most else self.take(np.sort(np.argsort(random_words(self.n))[:most]))

    def texts(self) -> pa.Table:
        """Return the records as they are written in their table."""
        return self.source.take(pa.array(self.rows))


def sample_of(domain: Domain, source: pa.Table) -> Sample:
    """Return the records of a table that have a code in every column, at most the declared number of each person."""
    codes, rows = domain.encode(source)
    people = np.arange(source.num_rows) if domain.person is None else people_of(source[domain.person])
    found = Sample(source, rows, codes, people[rows])
    return found if domain.person is None else found.at_most(domain.rows_per_person)


def people_of(column: pa.ChunkedArray) -> Counts:
    """Return the person of each record; a record without a person ID is a person of its own."""
    codes, words = encode_column(column)
    return np.where(codes == len(words), len(words) + np.arange(len(codes)), codes)
