"""The records of the catalogue: a detector and its forms inside text; and which cells a detector accepts.

Question: does this value have the form of a passport number?
Method: a detector accepts a value if its length fits, one of its RE2 expressions or its list of values matches the
whole value, none of its vetoes matches and its validator passes. Expressions run on all values at once. The types of
these records are the schema of packs (detectors.py).
Limits: a detector reads one cell; the verdict on a column rests on the share of its cells (resolver.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from typing import Literal, get_args

import numpy as np

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.base.typed import Strict
from privaudit.detect.catalogue import boundaries, validators, wordlists
from privaudit.detect.catalogue.wordlists import Mask
from privaudit.model import Severity

Texts = tuple[str, ...]
Needs = Literal["form", "no label", "word", "many"]
NEEDS: tuple[Needs, ...] = get_args(Needs)
"""The evidence a value needs inside text, in order of precedence where two readings overlap:

``form``      its form, and its validator where there is one
``no label``  the same, if no technical label such as "order" precedes it
``word``      a word before it that names it
``many``      more valid check digits in the column than chance gives
"""
LONGEST_CELL = 400  # as detection cuts the cells that detectors read


@dataclass(frozen=True, kw_only=True)
class TextForm(Strict):
    """One form of the values of a detector inside text; docs/detectors.md explains each key.

    Expressions are RE2. What is empty or None is that of the detector: `form`, `words` (its headers), `validator`.
    """

    form: Texts = ()
    requires: str = ""
    needs: Needs = "word"
    words: Texts = ()
    within: int | None = None
    unless: str = ""
    doubtful: Texts = ()
    vetoes: Texts = ()
    validator: str | None = None
    details: Mapping[str, str] = field(default_factory=dict, hash=False)
    trims: bool = False
    edges: str = "number"
    digits: Literal[0, 5] = 5
    rank: int | None = None
    match: Texts = ()
    no_match: Texts = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Detector(Strict):
    """One detector, equal to no other one; docs/detectors.md explains each key.

    Attributes
    ----------
    pack : str
        Name of the file, without its suffix.
    user : bool
        Whether a pack of the user defines it.
    """

    pack: str = ""
    entity: str
    detail: str | None = None
    title: str
    description: str = ""
    severity: Severity = "high"
    laws: Texts = ()
    regex: Texts = ()
    values: Texts = ()
    list: str | None = None
    requires: str = ""
    lengths: tuple[int, int] = (1, LONGEST_CELL)
    validator: str | None = None
    checked: Literal["cell", "digits"] = "cell"
    vetoes: Texts = ()
    headers: Texts = ()
    locale: Texts = ()
    fold: bool = False
    strength: float = 0.9
    contains: bool = False
    match: Texts = ()
    no_match: Texts = ()
    text: tuple[TextForm, ...] = ()
    user: bool = False

    @property
    def label(self) -> str:
        """Entity type and detail, for messages."""
        return self.entity if self.detail is None else f"{self.entity} ({self.detail})"

    @property
    def recognises_cells(self) -> bool:
        """Whether it recognises values that are a whole cell."""
        return bool(self.regex or self.listed or self.validator)

    @property
    def by_name(self) -> bool:
        """Whether it matches column names only."""
        return not (self.recognises_cells or self.text)

    @property
    def listed(self) -> bool:
        """Whether it compares values with a list."""
        return bool(self.values or self.list)

    @property
    def folds(self) -> bool:
        """Whether values are compared in lower case without accents."""
        return self.fold or self.listed

    @property
    def proves(self) -> bool:
        """Whether its validator computes a check digit."""
        return validators.has_check_digit(self.validator or "")

    def loosely(self, form: TextForm) -> str:
        """Return an RE2 expression that matches every text in which a form of its values is, and few others."""
        is_worded = form.needs == "word"
        return "|".join(boundaries.loosely(each, form.edges, after_word=is_worded) for each in form.form or self.regex)

    def accepts(self, values: pa.Array) -> Mask:
        """Return which `values` are accepted, the validator included."""
        matched = self.shaped(values)
        if self.validator is not None and matched.any():
            matched[matched] = self.passes(values.filter(pa.array(matched)))
        return matched

    def passes(self, values: pa.Array) -> Mask:
        """Return which `values` the validator accepts."""
        if self.checked == "digits":
            values = pc.replace_substring_regex(values, "[^0-9]+", "")
        return np.fromiter(map(validators.get(self.validator or ""), values.to_pylist()), np.bool_, len(values))

    def shaped(self, values: pa.Array, folded: pa.Array | None = None, threads: int = 1) -> Mask:
        """Return which of n `values` match before the validator runs.

        `folded` (the values in lower case without accents) is computed unless it is given. Many values are compared in
        parts by `threads`.
        """
        from privaudit.detect.catalogue.matching import in_parts, part_of
        from privaudit.source.profile.digit_shapes import shapes_of

        distinguishes_digits = self.listed or any(map(str.isdigit, self.requires))
        every = (*map(boundaries.whole, self.regex), *self.vetoes)
        shapes = None if distinguishes_digits else shapes_of(values, every)
        if shapes is not None:
            return self.shaped(shapes.values)[shapes.place]

        def compare(part: slice) -> Mask:
            text = part_of(values, part)
            matched = np.ones(len(text), dtype=np.bool_)
            if self.requires:
                matched &= np.asarray(pc.match_substring(text, self.requires))
            if self.lengths != (1, LONGEST_CELL):
                length = np.asarray(pc.utf8_length(text))
                matched &= (length >= self.lengths[0]) & (length <= self.lengths[1])
            if not matched.any():
                return matched
            if self.folds:
                text = wordlists.fold_all(text) if folded is None else part_of(folded, part)
            matched[matched] = self._matching(text if matched.all() else text.filter(pa.array(matched)))
            return matched

        return in_parts(len(values), compare, threads)

    def _matching(self, text: pa.Array) -> Mask:
        from privaudit.detect.catalogue.matching import matching

        listed = _listed(self.values, self.list)
        # With a validator or column names only, every value matches so far.
        matched = wordlists.levels(text, listed) if listed else np.full(len(text), not self.regex)
        for pattern in map(boundaries.whole, self.regex):
            left = ~matched  # a later expression reads only what the earlier ones rejected
            if left.any():
                rest = text if left.all() else text.filter(pa.array(left))
                matched[left] = matching(rest, pattern)
        for pattern in self.vetoes:
            matched &= ~matching(text, pattern)
        return matched


@cache
def _listed(values: Texts, name: str | None) -> frozenset[str]:
    """Return the folded `values` and those of a shipped list; cached, because every column needs them."""
    listed = frozenset(wordlists.fold(value) for value in values)
    return listed if name is None else listed | wordlists.value_list(name)
