"""How a detector recognises its values inside text.

Question: which form has the value in a sentence, and which evidence does it need there?
Method: a detector has one table ``[[detector.text]]`` for each form. What the table does not state is that of the
detector: its expressions, its validator, the words of its column names.
Limits: the record states what is compared; text/readings.py compares it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Needs = Literal["form", "no label", "word", "many"]
NEEDS: tuple[Needs, ...] = ("form", "no label", "word", "many")
"""The evidence a value needs inside text, in order of precedence where two readings overlap:

``form``      its form, and its validator where there is one
``no label``  the same, if no technical label such as "order" precedes it
``word``      a word before it that names it
``many``      more valid check digits in the column than chance gives
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """One form of the values of a detector inside text.

    Attributes
    ----------
    form : tuple of str
        RE2 expressions without look-around; those of the detector by default. A group named ``value`` is what
        validator and vetoes read, a group named ``detail`` is reported as detail, in lower case.
    requires : str
        RE2 expression that is in every text with such a value; the form by default. A simple one is faster.
    needs : str
        The evidence it needs (`NEEDS`).
    words : tuple of str
        RE2 expressions of the words that name it; by default the column names of the detector. They are compared in
        lower case, from the beginning to the end of a word. Where they are not required, they are evidence.
    within : int or None
        Characters that may be between word and value. By default 20 for a value with a check digit; otherwise only
        "number:" or "is" may be between them.
    unless : str
        RE2 expression of a word directly before the value that excludes it: "version".
    doubtful : tuple of str
        RE2 expressions; values that they match as a whole need a word.
    vetoes : tuple of str
        RE2 expressions of parts of the value that exclude it.
    validator : str or None
        The name of a validator; by default that of the detector, and none if it is empty.
    details : dict
        Details by the RE2 expression that the digits match as a whole; other values are excluded.
    trims : bool
        Whether the validator also reads the value without groups at its end, because a form with any number of groups
        includes a date that follows it.
    edges : str
        Name of the boundaries (`boundaries.EDGES`).
    digits : int
        Digits that every value has at least; 0 or 5.
    rank : int or None
        Precedence over overlapping readings; by default twice the position of `needs` in `NEEDS`, and
        1 more without a check digit.
    match, no_match : tuple of str
        Sentences in which a value is found, and in which none is.
    """

    form: tuple[str, ...] = ()
    requires: str = ""
    needs: Needs = "word"
    words: tuple[str, ...] = ()
    within: int | None = None
    unless: str = ""
    doubtful: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    validator: str | None = None
    details: tuple[tuple[str, str], ...] = ()
    trims: bool = False
    edges: str = "number"
    digits: int = 5
    rank: int | None = None
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()
