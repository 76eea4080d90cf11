"""What a column's name says: evidence, never a verdict.

Question: which entities does a name speak for, and how clearly?
Method: the name is cut into words (case, digits, punctuation, script) and compared word by word with phrases in
fifty languages (``rules/reference/headers.toml``); the longest phrase wins. Short words that mean something else in
another language count only as the whole name. A name that ends in ``_count`` or ``_verified`` tells of a thing, not
the thing. Runs of Han, Kana and Hangul, which are written without blanks, and the compound words of Germanic
and Uralic languages are compared by their endings; ä, ö and ü may be written ae, oe and ue.
Limits: a name can lie or say nothing (``c07``): then the values speak alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from privaudit.detect import words

PLAIN = "PLAIN"
# Properties of a person: a flag, type or status of them is still the property.
PROPERTIES = frozenset(
    "MEDICAL GENDER MARITAL_STATUS RACE_ETHNICITY NATIONALITY RELIGION LANGUAGE EDUCATION OCCUPATION EMPLOYER "
    "DEPARTMENT HOUSEHOLD INCOME FINANCIAL CREDIT_SCORE SEX_LIFE POLITICS UNION CRIMINAL GENETIC BIOMETRIC".split()
)
_OPAQUE = re.compile(
    r"^(?:c|col|column|field|var|variable|v|x|f|feature|feat|attr|attribute|a|q|dim|d|k|p|z)?[\W_]*[0-9]*$"
)


@dataclass(frozen=True, slots=True)
class Hint:
    """One entity a name speaks for, with a strength between 0 and 1."""

    entity: str
    strength: float
    language: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a column's name says.

    Attributes
    ----------
    words : tuple of str
        Its words, folded.
    hints : tuple of Hint
        Entities it speaks for, clearest first.
    opaque : bool
        Whether it says nothing at all, such as ``c07`` or ``V3``.
    negative : str or None
        The word that says that the column tells of a thing (``count``, ``verified``), if any.
    """

    words: tuple[str, ...]
    hints: tuple[Hint, ...]
    opaque: bool
    negative: str | None

    @property
    def plain(self) -> bool:
        """Whether the name says that the column is ordinary."""
        return bool(self.hints) and self.hints[0].entity == PLAIN

    def strength(self, entity: str) -> float:
        """Return how clearly the name speaks for `entity`, 0 where it does not."""
        return max((hint.strength for hint in self.hints if hint.entity == entity), default=0.0)

    def clarity(self, phrase: str) -> float:
        """Return how clearly the name speaks `phrase`: 0 where its words don't stand side by side in it."""
        if self.negative is not None:
            return 0.0
        content = [i for i, token in enumerate(self.words) if not token.isdigit()]
        found = [0.0]
        for wanted in _spellings([_apart(tokenise(phrase))]):
            for start in range(len(self.words) - len(wanted) + 1):
                if self.words[start : start + len(wanted)] == wanted:
                    found.append(_strength(True, range(start, start + len(wanted)), content))
        return max(found)

    def says(self, *tokens: str) -> bool:
        """Return whether one of `tokens` is a word of the name."""
        return any(token in self.words for token in tokens)

    def holds(self, phrase: str) -> bool:
        """Return whether the words of `phrase` stand in the name, one after the other or written as one."""
        wanted = tokenise(phrase)
        n = len(wanted)
        runs = (self.words[i : i + n] for i in range(len(self.words) - n + 1))
        return bool(wanted) and (wanted in runs or (n > 1 and "".join(wanted) in self.words))


@lru_cache(maxsize=1 << 15)
def tokenise(name: str) -> tuple[str, ...]:
    """Cut a name into folded words at changes of case, script, digits and at punctuation.

    Examples
    --------
    >>> tokenise("CustomerID"), tokenise("zip_code2"), tokenise("date-of birth")
    (('customer', 'id'), ('zip', 'code', '2'), ('date', 'of', 'birth'))
    """
    pieces: list[str] = []
    last = " "
    for char in unicodedata.normalize("NFC", name):
        now = _class(char)
        if now == "mark" and pieces:
            pieces[-1] += char
            continue
        if now != " ":
            joined = now == last or (last == "A" and now == "a")
            if joined and last == "A" and now == "a" and len(pieces[-1]) > 1:
                pieces.append(pieces[-1][-1])
                pieces[-2] = pieces[-2][:-1]
            if not joined:
                pieces.append("")
            pieces[-1] += char
        last = now
    return tuple(folded for piece in pieces if (folded := words.fold(piece)))


def _apart(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Cut the words that were run together and mean nothing as one: "fatheduc" is "fath educ"."""
    cut: list[str] = []
    for token in tokens:
        found = _run_together().match(token) if len(token) >= 4 and (token,) not in _lexicon() else None
        cut += [part for part in found.groups() if part] if found else [token]
    return tuple(cut)


@cache
def _run_together() -> re.Pattern[str]:
    lists = words.toml("headers")["glued"]
    return re.compile(
        rf"^(?:({lists['before']})({lists['last']})|({lists['letters']})({lists['after_letter']}))$"
    )


def _class(char: str) -> str:
    category = unicodedata.category(char)
    if category.startswith("M"):
        return "mark"
    if category == "Lu":
        return "A"
    if category in ("Ll", "Lt", "Lm"):
        return "a" if not "\u3040" <= char <= "\u30ff" else "x"
    if category == "Lo":
        return "x"
    return "0" if category.startswith("N") else " "


_Entries = tuple[tuple[str, bool, str], ...]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages whose column names are known, ISO 639-1, in the order of their file."""
    return tuple(code for code in words.toml("headers") if code not in ("negative", "glued"))


@cache
def _alone() -> dict[tuple[str, ...], _Entries]:
    """Words that speak only where they are the whole name: "by" is a town to Danes."""
    found: dict[tuple[str, ...], list[tuple[str, bool, str]]] = {}
    for language in languages():
        for entity, phrases in words.toml("headers")[language].get("alone", {}).items():
            for phrase in phrases.split("|"):
                found.setdefault(_phrase(phrase), []).append((entity, False, language))
    return {phrase: tuple(entries) for phrase, entries in found.items()}


@cache
def _lexicon() -> dict[tuple[str, ...], _Entries]:
    found: dict[tuple[str, ...], list[tuple[str, bool, str]]] = {}
    for language in languages():
        groups = words.toml("headers")[language]
        for clarity in ("strong", "weak"):
            for entity, phrases in groups.get(clarity, {}).items():
                for phrase in _spellings(_phrase(p) for p in phrases.split("|")):
                    short = language != "en" and phrase[0].isascii() and len("".join(phrase)) <= 3
                    short &= entity not in ("NATIONAL_ID", "TAX_ID", "SSN")
                    strong = clarity == "strong" and not short
                    found.setdefault(phrase, []).append((entity, strong, language))
    return {phrase: tuple(entries) for phrase, entries in found.items()}


def _phrase(text: str) -> tuple[str, ...]:
    """Cut a phrase of the lexicon as `tokenise` would; the lexicon is in lower case, so ASCII is quick."""
    return tuple(_ASCII_WORDS.findall(text)) if text.isascii() else tokenise(text)


_ASCII_WORDS = re.compile(r"[a-z]+|[0-9]+")


def _spellings(phrases: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for phrase in phrases:
        if phrase:
            yield phrase
            joined = "".join(phrase)
            if len(phrase) > 1 and len(joined) >= 7 and joined.isalpha():
                yield (joined,)
            if len(phrase) > 1 and phrase[-1] == "number":
                yield from ((*phrase[:-1], short) for short in ("nbr", "nr", "num", "no"))


@cache
def _negative() -> tuple[frozenset[str], frozenset[str]]:
    lists = words.toml("headers")["negative"]
    endings, beginnings = (
        frozenset(" ".join(tokenise(p)) for p in lists[key].split("|")) for key in ("endings", "beginnings")
    )
    return endings, beginnings


def read_header(name: str) -> Header:
    """Read a column's name."""
    tokens = _apart(tokenise(name))
    folded = words.fold(name)
    opaque = bool(_OPAQUE.match(folded)) and not _lexicon().get(tokens)
    found = sorted(_spans(tokens), key=lambda item: (-item[0], item[1]))
    negative = _negative_word(tokens, found[0][2] if found else range(0))
    hints: dict[str, Hint] = {}
    taken: list[range] = []
    for _, _, span, entity, strength, language in found:
        if negative is not None and entity not in PROPERTIES and entity != PLAIN:
            continue
        if any(
            span.start >= other.start and span.stop <= other.stop and len(span) < len(other)
            for other in taken
        ):
            continue  # a word of a longer phrase that means something else: "age" in "vehicle age"
        taken.append(span)
        phrase = " ".join(tokens[span.start : span.stop])
        if entity not in hints:
            hints[entity] = Hint(entity, strength, language, phrase)
    return Header(tokens, tuple(hints.values()), opaque, negative)


_Span = tuple[float, int, range, str, float, str]


def _spans(tokens: tuple[str, ...]) -> Iterator[_Span]:
    content = [i for i, token in enumerate(tokens) if not token.isdigit()]
    order = 0
    for length in range(min(len(tokens), 6), 0, -1):
        for start in range(len(tokens) - length + 1):
            span = range(start, start + length)
            whole = length == len(tokens) or [i for i in content if i not in span] == []
            for entity, strong, language in _entries(tokens[start : start + length], whole):
                vague = entity in (PLAIN, "CATEGORY") and length < len(content) and length == 1
                strength = 0.2 if vague else _strength(strong, span, content)
                strong = strong and not vague
                order += 1
                yield _rank(span, strong, strength, language), order, span, entity, strength, language


def _entries(phrase: tuple[str, ...], whole: bool) -> _Entries:
    found = _lexicon().get(phrase, ())
    if whole:
        found += _alone().get(phrase, ())
    if found or len(phrase) > 1:
        return found
    return _by_ending(phrase[0])


@cache
def _by_ending(word: str) -> _Entries:
    """Return what the ending of a word written without blanks speaks for, weakly; the longest ending decides."""
    if word.isascii():
        return _compound(word) or _compound(_UMLAUTS.sub(r"\1", word))
    if not _unspaced(word):
        return ()
    for start in range(1, len(word) - 1):
        found = _lexicon().get((word[start:],), ())
        if found:
            return tuple((entity, False, language) for entity, _, language in found)
    return ()


_UMLAUTS = re.compile(r"(a|o|u)e")
_COMPOUNDING = frozenset("de nl sv da fi hu et is af".split())


def _compound(word: str) -> _Entries:
    found = _lexicon().get((word,), ())
    if found:
        return found if any(language in _COMPOUNDING for _, _, language in found) else ()
    for start in range(3, len(word) - 5):
        found = _lexicon().get((word[start:],), ())
        known = tuple((entity, False, language) for entity, _, language in found if language in _COMPOUNDING)
        if known:
            return known
    return ()


def _unspaced(token: str) -> bool:
    return "\u3040" <= token[0] <= "\u9fff" or "\uac00" <= token[0] <= "\ud7a3"


def _strength(strong: bool, span: range, content: list[int]) -> float:
    covered = sum(i in span for i in content)
    whole = covered == len(content)
    at_end = bool(content) and content[-1] in span
    at_start = bool(content) and content[0] in span
    if strong:
        return 0.9 if whole else 0.8 if at_end else 0.7 if at_start else 0.55
    return 0.5 if whole else 0.4 if at_end else 0.25


def _rank(span: range, strong: bool, strength: float, language: str) -> float:
    return len(span) + (0.3 if strong else 0.0) + strength * 0.5 + (0.02 if language == "en" else 0.0)


def _negative_word(tokens: tuple[str, ...], best: range) -> str | None:
    endings, beginnings = _negative()
    outside = [i for i in range(len(tokens)) if i not in best]
    for size in (2, 1):
        tail, head = " ".join(tokens[-size:]), " ".join(tokens[:size])
        if tail in endings and len(tokens) - 1 in outside and len(tokens) > size:
            return tail
        if head in beginnings and 0 in outside and len(tokens) > size:
            return head
    return None
