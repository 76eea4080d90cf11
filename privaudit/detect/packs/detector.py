"""A detector: which values does it accept?

Question: does this value have the form of a passport number?
Method: a detector accepts a value if its length fits, one of its RE2 expressions or its list of values matches the
whole value, none of its vetoes matches and its validator passes. Expressions run on all values at once.
Limits: a detector reads one cell; the verdict on a column rests on the share of its cells (resolver.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect import wordlists
from privaudit.detect.packs import boundaries, validators
from privaudit.detect.packs.text_form import TextForm
from privaudit.model import Severity

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """One detector.

    Attributes
    ----------
    regex : tuple of str
        RE2 expressions; each must match the whole normalised value.
    requires : str
        A text that every accepted value contains; most columns can be skipped by it.
    lengths : (int, int)
        Shortest and longest accepted value in characters.
    validator : str or None
        A built-in validator or the name of a python-stdnum module, such as ``es.dni``.
    checked : str
        What the validator reads: the ``cell``, or only its ``digits``.
    headers : tuple of str
        Phrases in column names that suggest it.
    locale : tuple of str
        Countries that issue it, as ISO 3166 alpha-2 codes.
    fold : bool
        Whether expressions are compared with the value in lower case without accents.
    strength : float
        Probability that a column whose cells all match is of this entity type, without other evidence.
    contains : bool
        Whether single cells are counted where the column as a whole is something else.
    text : tuple of TextForm
        How its values are recognised inside text.
    user : bool
        Whether a pack of the user defines it.
    """

    pack: str
    entity: str
    detail: str | None = None
    title: str
    description: str = ""
    severity: Severity = "high"
    laws: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    list: str | None = None
    requires: str = ""
    lengths: tuple[int, int] = (1, 400)
    validator: str | None = None
    checked: str = "cell"
    vetoes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    locale: tuple[str, ...] = ()
    fold: bool = False
    strength: float = 0.9
    contains: bool = False
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()
    text: tuple[TextForm, ...] = ()
    user: bool = False

    @property
    def label(self) -> str:
        """Entity type and detail, for messages."""
        return self.entity if self.detail is None else f"{self.entity} ({self.detail})"

    def accepts(self, values: pa.Array, folded: pa.Array | None = None) -> Mask:
        """Return which `values` are accepted, the validator included."""
        matched = self.shaped(values, folded)
        if self.validator is not None and matched.any():
            import pyarrow as pa

            matched[matched] = self.passes(values.filter(pa.array(matched)))
        return matched

    @property
    def by_name(self) -> bool:
        """Whether it matches column names only."""
        return not (self.recognises_cells or self.text)

    @property
    def recognises_cells(self) -> bool:
        """Whether it recognises values that are a whole cell."""
        return bool(self.regex or self.values or self.list or self.validator)

    def passes(self, values: pa.Array) -> Mask:
        """Return which `values` the validator accepts."""
        import pyarrow.compute as pc

        assert self.validator is not None
        if self.checked == "digits":
            values = pc.replace_substring_regex(values, "[^0-9]+", "")
        return validators.passes(self.validator, values)

    def shaped(
        self,
        values: pa.Array,
        folded: pa.Array | None = None,
        lengths: npt.NDArray[np.int32] | None = None,
    ) -> Mask:
        """Return which `values` match before the validator runs.

        Parameters
        ----------
        values : pyarrow array of length n
        folded : pyarrow array of length n, optional
            The values in lower case without accents, if already computed.
        lengths : int32 array of length n, optional
            Characters of each value, if already computed.

        Returns
        -------
        bool array of length n
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        matched = np.ones(len(values), dtype=np.bool_)
        if self.requires:
            matched &= np.asarray(pc.match_substring(values, self.requires))
        if self.lengths != (1, 400):
            length = np.asarray(pc.utf8_length(values)) if lengths is None else lengths
            matched &= (length >= self.lengths[0]) & (length <= self.lengths[1])
        if not matched.any():
            return matched
        whole = bool(matched.all())
        text = folded if self.folds and folded is not None else values
        if self.folds and folded is None:
            text = wordlists.fold_all(values)
        matched[matched] = self._matching(text if whole else text.filter(pa.array(matched)))
        return matched

    @property
    def folds(self) -> bool:
        """Whether values are compared in lower case without accents."""
        return self.fold or bool(self.values) or self.list is not None

    def _matching(self, text: pa.Array) -> Mask:
        import pyarrow as pa
        import pyarrow.compute as pc

        listed = _listed(self.values, self.list)
        matched = wordlists.members(text, listed)
        if not self.regex and not listed:
            matched = ~matched  # a validator or column names only: every value matches so far
        for pattern in self.regex:
            left = ~matched  # a later expression reads only what the earlier ones rejected
            if left.any():
                rest = text if left.all() else text.filter(pa.array(left))
                matched[left] = np.asarray(
                    pc.match_substring_regex(rest, boundaries.whole(pattern)), dtype=np.bool_
                )
        for pattern in self.vetoes:
            matched &= ~np.asarray(pc.match_substring_regex(text, pattern), dtype=np.bool_)
        return matched


@cache
def _listed(values: tuple[str, ...], name: str | None) -> frozenset[str]:
    """Return the folded `values` and those of a shipped list; cached, because every column needs them."""
    listed = frozenset(wordlists.fold(value) for value in values)
    return listed if name is None else listed | wordlists.value_list(name)
