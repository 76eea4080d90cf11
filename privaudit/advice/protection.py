"""Which classes a policy does not allow: too small, too few sensitive values, or too far from the table.

Question: which classes would have to be suppressed after a recoding?
Method: a class fails where it has fewer than k records (or people, where a data subject column was named), where a
sensitive attribute has fewer than l distinct values in it, or where the distribution of an attribute in it is further
than t from that of the records kept. Suppressing classes changes what is kept, so t is compared again until no further
class fails.
Limits: l is capped at the distinct values of the attribute in the table, as the check does. Distances treat all values
as equally far apart, which is never smaller than the distance between ordered values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from privaudit.advice.trial_table import TrialTable
from privaudit.risk.coded import CodedTable, dense_labels
from privaudit.risk.people import People

Labels = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Attribute:
    """A sensitive attribute: ``count[i]`` records have the trial table's row ``row[i]`` and the value ``value[i]``."""

    name: str
    row: Labels
    value: Labels
    count: Labels

    @cached_property
    def n_values(self) -> int:
        """Codes of the attribute, with and without records."""
        return int(self.value.max(initial=-1)) + 1

    @cached_property
    def n_present(self) -> int:
        """Distinct values of the attribute; missing cells count as one."""
        return len(np.unique(self.value))


class Protection:
    """What a policy requires of every class.

    Parameters
    ----------
    k : int
    attributes : sequence of Attribute
        The sensitive attributes whose diversity the policy limits.
    l : int or None
        Fewest distinct values in a class.
    t : float or None
        Largest distance between a class and the table.
    people : People or None
        The people of the rows of the trial table, where classes count people.
    """

    def __init__(
        self,
        k: int,
        attributes: Sequence[Attribute] = (),
        *,
        l: int | None = None,  # noqa: E741 - the name in the literature
        t: float | None = None,
        people: People | None = None,
    ) -> None:
        self.k, self.l, self.t, self.people = k, l, t, people
        self.attributes = tuple(attributes) if l is not None or t is not None else ()

    @property
    def needs_members(self) -> bool:
        """Whether the sizes of the classes do not suffice."""
        return bool(self.attributes) or self.people is not None

    @property
    def is_monotone(self) -> bool:
        """Whether a class that fails contains only classes that fail: true of k and l, not of t."""
        return self.t is None or not self.attributes

    def failing(self, sizes: Labels, members: Labels | None) -> Mask:
        """Return the classes that fail.

        Parameters
        ----------
        sizes : int64 array of shape (J,)
        members : int64 array of shape (d,) or None
            The class of each row of the trial table; needed where there are attributes.
        """
        out = sizes < self.k
        if members is None:
            return out
        if self.people is not None:
            out |= self.people.per_class(members, len(sizes)) < self.k
        if not self.attributes:
            return out
        for attribute in self.attributes:
            out |= self._too_few(attribute, members, len(sizes))
        while self.t is not None:
            further = out.copy()
            for attribute in self.attributes:
                further |= self._too_far(attribute, members, out)
            if (further == out).all():
                break
            out = further
        return out

    def failing_by(self, attribute: Attribute, sizes: Labels, members: Labels) -> Mask:
        """Return the classes that fail because of one attribute, whatever their size."""
        out = self._too_few(attribute, members, len(sizes))
        if self.t is not None:
            out |= self._too_far(attribute, members, sizes < self.k)
        return out

    def _too_few(self, attribute: Attribute, members: Labels, n_classes: int) -> Mask:
        least = min(self.l or 1, attribute.n_present)
        if least <= 1:
            return np.zeros(n_classes, dtype=bool)
        pairs = np.unique(members[attribute.row] * attribute.n_values + attribute.value)
        return np.asarray(np.bincount(pairs // attribute.n_values, minlength=n_classes) < least)

    def _too_far(self, attribute: Attribute, members: Labels, out: Mask) -> Mask:
        """Return the classes not in `out` whose distance to the records not in `out` exceeds t."""
        assert self.t is not None
        label = members[attribute.row]
        kept = ~out[label]
        far = np.zeros(len(out), dtype=bool)
        if not kept.any():
            return far
        width = attribute.n_values
        key, at = np.unique(label[kept] * width + attribute.value[kept], return_inverse=True)
        held = np.bincount(at, weights=attribute.count[kept])
        sizes = np.bincount(label[kept], weights=attribute.count[kept], minlength=len(out))
        total = np.bincount(attribute.value[kept], weights=attribute.count[kept], minlength=width)
        of, value = key // width, key % width
        beyond = np.maximum(held / sizes[of] - total[value] / total.sum(), 0)
        return np.asarray(np.bincount(of, weights=beyond, minlength=len(out)) > self.t * (1 + _ROUNDING) + _ROUNDING)


def attributes(
    trial: TrialTable,
    everything: CodedTable | None,
    names: Sequence[str],
    lookups: Mapping[str, npt.NDArray[np.int32]] | None = None,
) -> tuple[Attribute, ...]:
    """Return the sensitive attributes `names` of `everything`, by row of the trial table.

    Parameters
    ----------
    lookups : mapping of column to int32 array, optional
        Recodings of sensitive attributes.
    """
    if everything is None or not names:
        return ()
    at = [everything.index(name) for name in trial.names]
    widths = [len(everything.dictionaries[i]) + 1 for i in at]
    rows, _ = dense_labels([everything.codes[i] for i in at], widths, length=everything.n_distinct)
    made = []
    for name in names:
        values = everything.codes[everything.index(name)].astype(np.int64)
        if lookups and name in lookups:
            values = lookups[name][values].astype(np.int64)
        width = int(values.max(initial=0)) + 1
        key, inverse = np.unique(rows * width + values, return_inverse=True)
        count = np.bincount(inverse, weights=everything.weights).astype(np.int64)
        made.append(Attribute(name, key // width, key % width, count))
    return tuple(made)
