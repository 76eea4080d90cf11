"""A second reading of cells that hide a value behind escapes or spelling.

Question: which addresses and numbers does a cell contain in a form that only a person or a browser reads?
Method: cells that one RE2 expression finds suspicious get a second reading appended, after blank lines: HTML entities,
percent and backslash escapes and quoted-printable are decoded, "at" and "dot" in brackets or between words are
replaced, separated characters and numbers around a line break are joined. The first reading is kept.
Limits: spelled-out digits ("four one one"), words for at and dot in other languages, and base64 are not decoded.
"""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.catalogue.normalise import plain_text

_AT = r"(?:at|arroba|ät|a|@)"
_DOT = r"(?:dot|punto|punkt|ponto|point|\.)"
# One pass finds the cells that need a second reading.
SUSPECT = (
    r"(?i)&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});|%[2-5][0-9a-f]|\\(?:u00|x)[2-7][0-9a-f]|=40|=\r?\n"
    rf"|[\[({{<]\s?{_AT}\s?[\])}}>]|[\[({{<]\s?{_DOT}\s?[\])}}>]|\s(?:at|arroba)\s[^\n]{{1,60}}\s(?:dot|punto|ponto)\s"
    r"|(?:[0-9][ ._-]{1,3}){6}[0-9]|(?:^|\s)(?:\S {1,3}){8}\S(?:\s|$)|[0-9]-?[ \t]*\r?\n[ \t]*[0-9]"
)
_ESCAPED = re.compile(r"\\(?:u00|x)([2-7][0-9a-fA-F])")
_QUOTED = re.compile(r"=(40|2E|2B)|=\r?\n", re.IGNORECASE)
_BRACKETED_AT = re.compile(rf"\s?[\[({{<]\s?{_AT}\s?[\])}}>]\s?", re.IGNORECASE)
_BRACKETED_DOT = re.compile(rf"\s?[\[({{<]\s?{_DOT}\s?[\])}}>]\s?", re.IGNORECASE)
_SPOKEN = re.compile(
    r"(?<![\w.])([a-z0-9][a-z0-9._%+-]{0,40})\s{1,2}(?:at|arroba)\s{1,2}"
    r"([a-z0-9-]{2,40}(?:\s{1,2}(?:dot|punto|ponto)\s{1,2}[a-z0-9-]{2,24}){1,3})(?![\w])",
    re.IGNORECASE,
)
_SPOKEN_DOT = re.compile(r"\s{1,2}(?:dot|punto|ponto)\s{1,2}", re.IGNORECASE)
_APART = re.compile(r"(?<![0-9A-Za-z.,])\+?[0-9](?:[ ._-]{1,3}[0-9](?![0-9])){6,24}(?![0-9A-Za-z])")
_SPREAD = re.compile(r"(?<!\S)(?:\S {1,3}){8,64}\S(?!\S)")
_BROKEN = re.compile(r"(?<=[0-9])(-?)[ \t]*\r?\n[ \t]*(?=[0-9])")


def second_reading(values: pa.Array) -> pa.Array:
    """Return `values`, normalised and without missing cells, with the decoded text appended where it differs."""
    suspect = pc.match_substring_regex(values, SUSPECT)
    if not pc.any(suspect).as_py():
        return values
    texts = [both_readings(text) for text in values.filter(suspect).to_pylist()]
    return pc.replace_with_mask(values, suspect, pa.array(texts, type=values.type))


def both_readings(text: str) -> str:
    """Return `text`, followed after blank lines by its decoded form where that differs."""
    plain = undisguised(text)
    return text if plain == text else f"{text}\n\n\n{plain}"


def undisguised(text: str) -> str:
    """Return `text` with escapes decoded, spelled-out symbols replaced and separated digits joined."""
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "%" in text:
        text = unquote(text, errors="replace")
    text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    text = _QUOTED.sub(lambda match: chr(int(match[1], 16)) if match[1] else "", text)
    text = _BRACKETED_DOT.sub(".", _BRACKETED_AT.sub("@", text))
    text = _SPOKEN.sub(lambda match: f"{match[1]}@{_SPOKEN_DOT.sub('.', match[2])}", text)
    text = _SPREAD.sub(lambda match: match[0].replace(" ", ""), text)
    text = _APART.sub(_together, text)
    return plain_text(_BROKEN.sub(lambda match: match[1] or " ", text))


def _together(match: re.Match[str]) -> str:
    """Join separated digits; symbols that group them (``5 3 6 - 2 2 - 1 2 3 4``) are kept."""
    text = match[0]
    gaps = re.findall(r"[ ._-]+", text)
    marked = {gap.strip() for gap in gaps}
    if marked == {""} or len(set(gaps)) == 1:
        return re.sub(r"[ ._-]", "", text)
    return text.replace(" ", "")
