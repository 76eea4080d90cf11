"""The schema of the tables ``[[detector.text]]`` of the packs of the user.

Question: is this form of a value inside text valid, and if not, why?
Method: a pydantic model rejects unknown keys and wrong types; RE2 and the expressions of Python compile every
expression, because the first selects cells and the second finds the value in a cell.
Limits: whether a form finds the right values is tested by the cases in the pack.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from privaudit.detect.packs import validators
from privaudit.detect.packs.boundaries import EDGES, compiled
from privaudit.detect.packs.text_form import NEEDS, Needs, TextForm
from privaudit.errors import RuleError

if TYPE_CHECKING:
    from privaudit.detect.packs.detector import Detector

HINT = "see docs/detectors.md"
TEXTS = "a list of non-empty strings"
WANTED = {
    "text": "an array of tables, written [[detector.text]]",
    "form": TEXTS,
    "needs": f"one of {', '.join(NEEDS)}",
    "words": TEXTS,
    "within": "a number of characters from 0 to 60",
    "unless": "a string",
    "doubtful": TEXTS,
    "details": "a table of names and expressions",
    "trims": "true or false",
    "edges": f"one of {', '.join(EDGES)}",
    "digits": "0 or 5",
    "rank": "an integer from 0 to 20",
}
"""Every key of a form and the value it requires, beyond those of a detector."""


def schema() -> Any:
    """Return the pydantic model of a form."""
    from typing import Annotated, Literal

    from pydantic import BaseModel, ConfigDict, Field

    Text = Annotated[str, Field(strict=True, min_length=1)]
    Texts = tuple[Text, ...]

    class Form(BaseModel):
        model_config = ConfigDict(extra="forbid")
        form: Texts = ()
        requires: str = ""
        needs: Needs = "word"
        words: Texts = ()
        within: Annotated[int, Field(ge=0, le=60, strict=True)] | None = None
        unless: str = ""
        doubtful: Texts = ()
        vetoes: Texts = ()
        validator: str | None = None
        details: dict[Text, Text] = {}
        trims: Annotated[bool, Field(strict=True)] = False
        edges: Literal[tuple(EDGES)] = "number"  # type: ignore[valid-type] # the names of a table
        digits: Literal[0, 5] = 5
        rank: Annotated[int, Field(ge=0, le=20, strict=True)] | None = None
        match: Texts = ()
        no_match: Texts = ()

    return Form


def check(form: TextForm, detector: Detector, where: str) -> None:
    """Raise RuleError if a form of `detector` is incomplete or has an invalid expression or validator."""
    if not (form.form or detector.regex):
        raise RuleError(f'{where}: "text" requires "form", or "regex" of the detector.', hint=HINT)
    if form.needs == "word" and not (form.words or detector.headers):
        raise RuleError(f'{where}: "text" requires "words", or "headers" of the detector.', hint=HINT)
    if form.validator and not validators.known(form.validator):
        raise RuleError(f'{where}: unknown "validator".', hint=HINT)
    details = [pattern for _, pattern in form.details]
    for pattern in (
        *form.form,
        *form.words,
        *form.doubtful,
        *form.vetoes,
        *details,
        form.unless or "x",
        form.requires or "x",
    ):
        check_expression(pattern, f'{where}: RE2 rejects an expression of "text".')
        try:
            compiled(pattern)
        except re.error:
            raise RuleError(
                f'{where}: an expression of "text" is not understood.',
                hint="write letters of a script as a range, not as a class such as a backslash and p",
            ) from None
    if any(matches_nothing(pattern) for pattern in (*form.form, *form.words)):
        raise RuleError(f'{where}: an expression of "text" matches the empty text.')


def check_expression(pattern: str, complaint: str) -> None:
    """Compile `pattern` alone, so that it cannot close a surrounding group, and as it is used."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        for form in (pattern, f"^(?:{pattern})$"):
            pc.match_substring_regex(pa.array([""]), form)
    except pa.ArrowInvalid:
        raise RuleError(
            complaint, hint="RE2 has no look-around and no back-references; check brackets and repetitions"
        ) from None


def matches_nothing(pattern: str) -> bool:
    """Whether an expression matches the empty text, and so every cell."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return bool(pc.match_substring_regex(pa.array([""]), f"^(?:{pattern})$")[0].as_py())
