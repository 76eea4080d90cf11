"""What a simulated attack achieves: a part that all attacks share, and details for each kind.

Question: how much does an attacker with the named knowledge gain over guessing?
Method: `Attack` holds what every attack states; `detail` is a record of the attack's kind, recognised by its `kind`.
Limits: success is counted where the truth is known, else expected; the assumptions bound what it means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.stats import Estimate
from privaudit.model.wording import Fact, Value

EXPECTED = "expected"
"""How the method of a success begins that is expected, not counted."""


LinkageDirection = Literal["auxiliary_to_release", "release_to_auxiliary"]
"""Which table is looked up in which: auxiliary rows in the release, or released records in the auxiliary table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLinks(Wire):
    """How many people some of the compared columns link; ``n_correct`` is null without known truth."""

    columns: tuple[str, ...]
    n_claimed: int
    n_correct: int | None = None

    @property
    def n_linked(self) -> int:
        """People linked correctly, or claimed where the truth is not known."""
        return self.n_claimed if self.n_correct is None else self.n_correct


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkageDetail(Wire):
    """How the rows of one table match those of the other.

    The looked-up rows are those of the auxiliary table, or in a register attack the released records.

    Attributes
    ----------
    method : str
        How values are compared: exact.
    direction : str
        auxiliary_to_release, or release_to_auxiliary (register attack).
    mapping : mapping of str to str
        The compared columns, release to auxiliary.
    reasons : mapping of str to Fact
        Why each released column is compared, and how.
    n_auxiliary : int
        Rows of the auxiliary table.
    n_unmatched, n_ambiguous, n_unique : int
        Looked-up rows that match nobody, several people or exactly one person of the other table. Several matching
        rows that belong to one person are one match.
    n_mutual : int
        Unique matches with a person whose rows match no other looked-up person.
    expected_correct : float
        Correct links expected if as many people as possible are in both tables and each match is drawn at random.
    n_correct : int or None
        People linked correctly, counted; null without known truth.
    n_control : int or None
        People who are not in the other table.
    n_control_excluded : int or None
        People who are neither targets nor control, because missing IDs leave open whether they are in the other table.
    control_rate : Estimate or None
        The share of the control about whom a claim is made; each is false. `Attack.control` is its value.
    precision : Estimate or None
        The correct share of claims.
    over_control : Estimate or None
        ``(c - control) / (1 - control)``, c the share of targets about whom a claim is made, correct or not.
    n_release, n_release_linked : int
        Released records, and those that match some auxiliary row.
    n_verbatim : int or None
        Released records that an auxiliary row repeats in every column; null unless all columns are compared.
    by_columns : tuple of ColumnLinks
        What subsets of the columns link, the best first.
    disclosed : mapping of str to int
        People linked correctly whose value of each sensitive column is in the release; empty without known truth.
    k_map : int or None
        The fewest people of the auxiliary table who match a released record; null without a match.
    """

    kind: Literal["linkage"] = "linkage"
    method: str = "exact"
    direction: LinkageDirection = "auxiliary_to_release"
    mapping: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, Fact] = field(default_factory=dict)
    n_auxiliary: int
    n_unmatched: int
    n_ambiguous: int
    n_unique: int
    n_mutual: int
    expected_correct: float
    n_correct: int | None = None
    n_control: int | None = None
    n_control_excluded: int | None = None
    control_rate: Estimate | None = None
    precision: Estimate | None = None
    over_control: Estimate | None = None
    n_release: int = 0
    n_release_linked: int = 0
    n_verbatim: int | None = None
    by_columns: tuple[ColumnLinks, ...] = ()
    disclosed: Mapping[str, int] = field(default_factory=dict)
    k_map: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve(Wire):
    """One line of a picture: success over what the attacker knows, or true over false positives.

    Attributes
    ----------
    key : str
        What the line shows: a sentence of ``rules/wording/attacks.toml`` after ``curve_``.
    x, y : tuple of float
        As many points each, `x` ascending.
    """

    key: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredDetail(Wire):
    """The numbers of any other attack.

    Attributes
    ----------
    method : str
        How the attacker decides: a sentence of ``rules/wording/attacks.toml`` after ``method_``.
    secrets : tuple of str
        The columns whose values the attacker wants to know.
    measures : mapping of str to typed value
        Further numbers, by the sentence after ``measured_`` that names them.
    curves : tuple of Curve
        The lines of its picture.
    picture : {"rates", "known", "roc"}
        What is drawn: bars of the rates, curves over the number of known columns, or true over false positives.
    """

    kind: Literal["measured"] = "measured"
    method: str
    secrets: tuple[str, ...] = ()
    measures: Mapping[str, Value] = field(default_factory=dict)
    curves: tuple[Curve, ...] = ()
    picture: Literal["rates", "known", "roc"] = "rates"


AttackDetail: TypeAlias = LinkageDetail | MeasuredDetail
"""The details of an attack: `LinkageDetail` for linkage, else `MeasuredDetail`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Wire):
    """What an attacker with the named knowledge achieves, compared with guessing.

    Attributes
    ----------
    kind : str
        The module of the attack: linkage, copies, ...
    knowledge : tuple of str
        The columns whose values the attacker knows of the target.
    attacker : Fact or None
        What the attacker holds, and what counts as success, in one sentence.
    outcome : Fact or None
        The result in one paragraph for readers without prior knowledge.
    n_targets : int
        People attacked: those known or assumed to be in the table (members).
    success : Estimate
        Correct claims over targets, counted where the truth is known; else an upper bound of what is expected.
    baseline : float
        The success of guessing.
    control : float or None
        The share of people outside the table (outsiders) with whom the same attack succeeds or, for a linkage, about
        whom it makes a claim all the same; null where not measured.
    control_rate : Estimate or None
        The same with its interval and the number of outsiders; null for a linkage, whose detail has it.
    advantage : Estimate
        ``(success - base) / (1 - base)``; `against` states the base. Negative where the base succeeds more often.
    against : {"guessing", "control"}
        What the advantage is measured against: guessing, or the same attack on outsiders.
    assumptions : tuple of Fact
        What is assumed of the attacker and of the auxiliary data.
    is_headline : bool
        Whether a scan ran the attack for its headline number only; checks judge the numbers of `privaudit attack`.
    detail : AttackDetail or None
        The numbers of this kind of attack.
    """

    kind: str
    knowledge: tuple[str, ...]
    attacker: Fact | None = None
    outcome: Fact | None = None
    n_targets: int
    success: Estimate
    baseline: float
    control: float | None = None
    control_rate: Estimate | None = None
    advantage: Estimate
    against: Literal["guessing", "control"] = "guessing"
    assumptions: tuple[Fact, ...] = ()
    is_headline: bool = False
    detail: AttackDetail | None = None

    @property
    def is_counted(self) -> bool:
        """Whether successes were counted against the truth; otherwise they are expected."""
        return not self.success.method.startswith(EXPECTED)

    @property
    def n_correct(self) -> int:
        """Correct claims: counted, or the largest number expected; half a claim counts as one."""
        if self.success.is_upper_bound:
            return math.floor(round(self.success.high * self.n_targets, 6))
        return math.floor(round(self.success.value * self.n_targets, 6) + 0.5)

    @property
    def is_register_attack(self) -> bool:
        """Whether released records are looked up in the auxiliary table, not the other way round."""
        return isinstance(self.detail, LinkageDetail) and self.detail.direction == "release_to_auxiliary"

    @property
    def name(self) -> str:
        """The kind of attack, or register for a linkage that looks up released records."""
        return "register" if self.is_register_attack else self.kind

    @property
    def n_outsiders(self) -> int | None:
        """People outside the table with whom the same attack was tried; None where there are none."""
        return None if self.control_rate is None else self.control_rate.n

    @property
    def n_exposed(self) -> int:
        """Members with whom the attack succeeds beyond what the control explains; all of them without a control."""
        if self.against == "guessing":
            return self.n_correct
        return max(0, round((self.success.value - (self.control or 0.0)) * self.n_targets))

    @property
    def judged(self) -> float:
        """The end of the interval of the advantage that checks compare with the limit.

        The upper end for a linkage, because no match among few targets proves little; the lower end against a control,
        because what succeeds with outsiders as well is not revealed by the table.
        """
        return self.advantage.high if self.against == "guessing" else self.advantage.low

    @property
    def method(self) -> str:
        """How the attack decides: the method of its detail, or its kind."""
        return self.kind if self.detail is None else self.detail.method
