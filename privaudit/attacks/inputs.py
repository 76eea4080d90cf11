"""What an attack is given, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from privaudit.base.arrays import Flags, Floats
from privaudit.base.records import dataclass
from privaudit.model import Attack, ColumnReport, CountedUnit, DatasetUnit, Limit, Report
from privaudit.model.vocabulary.records import Role
from privaudit.risk.codes.coded import CodedTable
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.dataset import Dataset

Levels = Mapping[str, Sequence[str]]
"""The values that a dictionary names for each label of a column."""


@dataclass(frozen=True, slots=True)
class CellsFile:
    """The file that states what published tables show, hide and add up; None where it is guessed."""

    file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackInputs:
    """Everything that an attack may use; a field that is None was not given.

    Attributes
    ----------
    release : Dataset
        The scanned table.
    columns : tuple of ColumnReport
        Its columns as the scan describes them; may be empty.
    settings : Settings
    auxiliary : Dataset, optional
        A table that the attacker holds.
    original : Dataset, optional
        The table that the release was made of.
    outsiders : Dataset, optional
        People of the same population who are not in the original.
    labels : mapping of str to mapping, optional
        Given where the release keeps the records of people, anonymised, and invents none: for a column the values that
        a published dictionary names for a label; may be empty.
    earlier : Dataset, optional
        An earlier release of the same table.
    cells : CellsFile, optional
        That the release is a published table whose hidden cells are to be computed.
    published : tuple of Dataset
        Further tables that were published with it.
    is_headline : bool
        Whether a scan wants the headline number only: few columns known, no models.
    unit : DatasetUnit, optional
        What a row of the release is; a person where it is not known.
    progress : Progress
    coded : CodedTable, optional
        The quasi-identifiers of the release as the scan coded them, suppression markers as missing cells.
    """

    release: Dataset
    columns: tuple[ColumnReport, ...] = ()
    settings: Settings
    auxiliary: Dataset | None = None
    original: Dataset | None = None
    outsiders: Dataset | None = None
    labels: Mapping[str, Levels] | None = None
    earlier: Dataset | None = None
    cells: CellsFile | None = None
    published: tuple[Dataset, ...] = ()
    is_headline: bool = False
    unit: DatasetUnit | None = None
    progress: Progress = silent
    coded: CodedTable | None = None

    @property
    def is_alone(self) -> bool:
        """Whether no second table is given."""
        second = (self.auxiliary, self.original, self.earlier, self.cells)
        return all(given is None for given in second)

    def named(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role, in the order of the table; those of the settings where none is described."""
        if not self.columns:
            return self.settings.quasi if role == "quasi" else self.settings.sensitive if role == "sensitive" else ()
        return tuple(column.name for column in self.columns if column.role == role)

    @property
    def counts_people(self) -> bool:
        """Whether the person behind each released record is known, or each record is a person."""
        return self.settings.subject is not None or self.unit is None or self.unit.counted == "person"

    @property
    def counted(self) -> CountedUnit:
        """What the numbers of an attack by columns count."""
        return "person" if self.counts_people else "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateInputs:
    """The change of a model by batches of records, which an attack on a model reads instead of a table.

    Attributes
    ----------
    before, after : float64 arrays
        Weights of words, of shape (w,), before and after one batch; or coefficients and, last, the intercept, of shape
        (n, d + 1), before and after each of n batches of one record.
    in_batch : bool array of shape (w,), optional
        Of weights of words: whether the word occurs in the batch.
    rows : float64 array of shape (n, d), optional
        Of coefficients: the record of each batch.
    """

    before: Floats
    after: Floats
    in_batch: Flags | None = None
    rows: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionInputs:
    """A report whose public edition is attacked.

    Attributes
    ----------
    report : Report
    published : Report
        What its public edition is written from.
    k : int
        The class size that the public edition counts records below.
    """

    report: Report
    published: Report
    k: int


AnyInputs = AttackInputs | UpdateInputs | EditionInputs


@dataclass(frozen=True, slots=True)
class AttackResults:
    """Simulated attacks, and what bounds their numbers."""

    attacks: tuple[Attack, ...] = ()
    limits: tuple[Limit, ...] = ()
