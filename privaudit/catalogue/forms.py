"""The forms of all detectors inside text, in groups that share vectorised prefilters.

Question: in which cells can which detector find anything?
Method: digits are counted: forms with at least five are sought only where so many are, and forms that need a word only
where one is. The words share one RE2 expression. Then a few forms at a time are compiled together; RE2 runs an
alternation of a few expressions as fast as a single one, and very many exceed its fast automaton.
Limits: a prefilter accepts more cells than the exact expression; readings.py decides.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.catalogue import detectors
from privaudit.catalogue.detector import Detector
from privaudit.catalogue.matching import compiles, matching
from privaudit.catalogue.possible_matches import MANY, Texts, can_match, characters_of
from privaudit.catalogue.readings import ENDING, Spec
from privaudit.profile.alphabet import alphabet, digit_counts

Places = npt.NDArray[np.int64]
_TOGETHER = 8  # forms in one alternation: RE2 is as fast as for one
_MANY_DIGITS = 5
_WORD = r"(?i)(?:^|[^a-z])(?:{})" + ENDING + "(?:$|[^a-z])"


@cache
def specs() -> tuple[Spec, ...]:
    """Return the forms of the shipped detectors, by precedence."""
    return specs_of(detectors.load())


def specs_of(chosen: Sequence[Detector]) -> tuple[Spec, ...]:
    """Return the forms of the `chosen` detectors, by precedence."""
    every = [Spec(detector, form) for detector in chosen for form in detector.text]
    return tuple(sorted(every, key=lambda spec: spec.rank))


def candidates(texts: pa.Array, every: Places, forms: tuple[Spec, ...]) -> Iterator[tuple[Spec, Places]]:
    """Yield each form that may find anything in the cells `every`, and these cells."""
    digits = digit_counts(texts)
    if len(texts) >= MANY:
        known = Texts(characters_of(alphabet(texts)), most_digits=int(digits.max()))
        forms = tuple(form for form in forms if can_match(form.prefilter, known))
    for worded, five in itertools.product((False, True), repeat=2):
        least = _MANY_DIGITS if five else int(worded)
        cells = every[digits[every] >= least]
        some = tuple(spec for spec in forms if spec.worded == worded and (spec.text.digits > 0) == five)
        if worded and some:
            cells = narrow(texts, cells, _any_of(some))
        for first in range(0, len(some), _TOGETHER):
            run = some[first : first + _TOGETHER]
            near = narrow(texts, cells, _any_of(run))
            for spec in run if len(near) else ():
                found = narrow(texts, near, spec.prefilter)
                if len(found):
                    yield spec, found


@lru_cache(maxsize=1024)
def _any_of(forms: tuple[Spec, ...]) -> str:
    """Return an expression of all texts in which one of `forms` may be: of its words, or of the forms themselves.

    Where all together are too large for RE2, it matches every text, and each is sought alone.
    """
    if forms[0].worded:
        together = _WORD.format("|".join(spec.words for spec in forms))
    else:
        together = "|".join(f"(?:{spec.prefilter})" for spec in forms)
    return together if compiles(together) else ""


def narrow(texts: pa.Array, cells: Places, expression: str) -> Places:
    """Return those of `cells` whose text an RE2 expression matches."""
    if not len(cells):
        return cells
    part = texts if len(cells) == len(texts) else texts.take(pa.array(cells))
    return cells[matching(part, expression)]
