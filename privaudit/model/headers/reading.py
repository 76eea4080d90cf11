"""What a column name suggests: evidence, never a verdict.

Question: which entity types does a column name suggest, and how clearly?
Method: the words of the name are compared with the phrases of the lexicon; the longest phrase wins. A name with a
qualifier such as ``_count`` or ``_verified`` describes a property of the value, and so does a quantity that a
preposition relates to something (``years_with_manager``). A weak word for an identifier counts only as the head of the
name, which in English is its last noun. Runs of Han, Kana and Hangul and the
compound words of Germanic and Uralic languages are compared by their endings; ä, ö and ü may be written ae, oe and ue.
Limits: a name can be wrong or meaningless (``c07``); then the values decide alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.model import vocabulary
from privaudit.model.headers import lexicon
from privaudit.model.headers.lexicon import Entry, Phrase
from privaudit.model.headers.tokens import fold, listed_words, split_words, tokenise

PLAIN = "PLAIN"
"""The group of the lexicon for ordinary columns."""

_OPAQUE = Expression(
    r"^(?:c|col|column|field|var|variable|v|x|f|feature|feat|attr|attribute|a|q|dim|d|k|p|z)?[\W_]*[0-9]*$"
)
_UMLAUTS = Expression(r"(a|o|u)e")
_LONGEST_PHRASE = 6
_NEEDS_VALUES = 0.45  # less than even odds: the column name alone does not decide
_LONGEST_HEADER = 500


@dataclass(frozen=True, slots=True)
class Hint:
    """An entity type that a name suggests, with a strength between 0 and 1."""

    entity: str
    strength: float
    language: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Header:
    """What a column name suggests.

    Attributes
    ----------
    words : tuple of str
        Its words, folded.
    hints : tuple of Hint
        Entity types that it suggests, the clearest first.
    is_opaque : bool
        Whether it has no meaning, such as ``c07`` or ``V3``.
    qualifier : str or None
        The word that makes it describe a property of the value (``count``, ``verified``).
    """

    words: tuple[str, ...]
    hints: tuple[Hint, ...]
    is_opaque: bool
    qualifier: str | None

    @property
    def is_ordinary(self) -> bool:
        """Whether the name marks the column as ordinary."""
        return bool(self.hints) and self.hints[0].entity == PLAIN

    @property
    def means_nothing(self) -> bool:
        """Whether the name is a letter or a number, or has no word that the lexicon knows."""
        return self.is_opaque or (not self.hints and self.qualifier is None)

    def strength(self, entity: str) -> float:
        """Return how clearly the name suggests `entity`; 0 where it does not."""
        return max((hint.strength for hint in self.hints if hint.entity == entity), default=0.0)

    def match_strength(self, phrase: str) -> float:
        """Return how clearly the name contains `phrase`; 0 where its words are not adjacent in the name."""
        if self.qualifier is not None:
            return 0.0
        content = _content(self.words)
        found = [0.0]
        for wanted in lexicon.spellings(phrase):
            for start in range(len(self.words) - len(wanted) + 1):
                if self.words[start : start + len(wanted)] == wanted:
                    found.append(_strength(True, range(start, start + len(wanted)), content))
        return max(found)

    def has_word(self, *tokens: str) -> bool:
        """Return whether one of `tokens` is a word of the name."""
        return any(token in self.words for token in tokens)

    def contains_phrase(self, phrase: str) -> bool:
        """Return whether the words of `phrase` are adjacent in the name, or written as one word."""
        wanted = tokenise(phrase)
        n = len(wanted)
        if n == 1:
            return wanted[0] in self.words
        runs = (self.words[i : i + n] for i in range(len(self.words) - n + 1))
        return bool(wanted) and (wanted in runs or (n > 1 and "".join(wanted) in self.words))


def read_header(name: str) -> Header:
    """Return what a column name suggests."""
    tokens = lexicon.split_run_together(tokenise(name))
    is_opaque = bool(_OPAQUE.match(fold(name))) and not lexicon.meanings(tokens)
    matches = sorted(_matches(tokens), key=lambda match: (-match.rank, match.order))
    qualifier = _qualifier(tokens, matches[0].span if matches else range(0))
    hints: dict[str, Hint] = {}
    taken: list[range] = []
    disclosed = vocabulary.with_trait("disclosed_by_flag")
    for match in matches:
        if qualifier is not None and match.entity not in disclosed and match.entity != PLAIN:
            continue
        if any(_is_part(match.span, other) for other in taken):
            continue  # a word of a longer phrase with another meaning: "age" in "vehicle age"
        if match.entity == "CATEGORY" and any(set(match.span) & set(other) for other in taken):
            continue  # "status code" in "marital status code"
        taken.append(match.span)
        phrase = " ".join(tokens[match.span.start : match.span.stop])
        if match.entity not in hints:
            hints[match.entity] = Hint(match.entity, match.strength, match.language, phrase)
    return Header(tokens, tuple(hints.values()), is_opaque, qualifier)


def has_header_words(cell: str) -> bool:
    """Return whether column names use at least half of the words of `cell`, or all of them name an identifier."""
    if len(cell) > _LONGEST_HEADER:
        return False
    words = [word.lower() for word in split_words(cell)]
    known = sum(word in _first_row_words() for word in words)
    if len(words) <= 8 and known > 0 and known * 2 >= sum(not word.isdigit() for word in words):
        return True
    names_of_people = (listed_words(stem) for stem in ("given_names", "surnames", "han_surnames"))
    if any(fold(cell) in listed for listed in names_of_people):
        return False
    meanings = lexicon.meanings(tokenise(cell))
    return any(one.strong and vocabulary.entity_type(one.entity).role == "direct" for one in meanings)


@cache
def _first_row_words() -> frozenset[str]:
    return frozenset(lexicon.lines(lexicon.read_file("first_row")["words"]))


class _Match(NamedTuple):
    """A phrase of the lexicon in a name."""

    rank: float
    order: int
    span: range
    entity: str
    strength: float
    language: str


def _matches(tokens: Phrase) -> Iterator[_Match]:
    content = _content(tokens)
    order = 0
    for length in range(min(len(tokens), _LONGEST_PHRASE), 0, -1):
        for start in range(len(tokens) - length + 1):
            span = range(start, start + length)
            whole = length == len(tokens) or all(i in span for i in content)
            for entity, strong, language in _meanings(tokens[start : start + length], whole):
                if not strong and not whole and language == "en" and _only_modifies(entity, span, content):
                    continue
                vague = entity in (PLAIN, "CATEGORY") and length < len(content) and length == 1
                strength = 0.2 if vague else _strength(strong, span, content)
                if language != "en" and _is_between(entity, span, content):
                    strength = min(strength, _NEEDS_VALUES)
                rank = _rank(span, strong and not vague, strength, language) - (0.5 if entity == "CATEGORY" else 0.0)
                order += 1
                yield _Match(rank, order, span, entity, strength, language)


def _only_modifies(entity: str, span: range, content: Sequence[int]) -> bool:
    """Whether a word for an identifier only qualifies the noun after it: "last" in "last year", not in "customer last".

    The last noun of an English compound is its head and names the values.
    """
    return content[-1] not in span and vocabulary.entity_type(entity).role == "direct"


def _is_between(entity: str, span: range, content: Sequence[int]) -> bool:
    """Whether a word for an identifier is neither the first nor the last noun of a name, of which one is the head."""
    return not {content[0], content[-1]} & {*span} and vocabulary.entity_type(entity).role == "direct"


def _meanings(phrase: Phrase, whole: bool) -> tuple[Entry, ...]:
    found = lexicon.meanings(phrase)
    if whole:
        found += lexicon.whole_name_meanings(phrase)
    if found or len(phrase) > 1:
        return found
    return _by_ending(phrase[0])


@cache
def _by_ending(word: str) -> tuple[Entry, ...]:
    """Return what the ending of a word without spaces suggests, weakly; the longest ending decides."""
    if word.isascii():
        return _by_compound(word) or _by_compound(_UMLAUTS.sub(r"\1", word))
    if not _is_unspaced(word):
        return ()
    for start in range(1, len(word) - 1):
        found = lexicon.meanings((word[start:],))
        if found:
            return tuple(entry._replace(strong=False) for entry in found)
    return ()


def _by_compound(word: str) -> tuple[Entry, ...]:
    compounding = lexicon.compounding()
    found = lexicon.meanings((word,))
    if found:
        return found if any(entry.language in compounding for entry in found) else ()
    for start in range(3, len(word) - 5):
        found = lexicon.meanings((word[start:],))
        known = tuple(entry._replace(strong=False) for entry in found if entry.language in compounding)
        if known:
            return known
    return ()


def _is_unspaced(token: str) -> bool:
    return "\u3040" <= token[0] <= "\u9fff" or "\uac00" <= token[0] <= "\ud7a3"


def _is_part(span: range, other: range) -> bool:
    return span.start >= other.start and span.stop <= other.stop and len(span) < len(other)


def _content(tokens: Phrase) -> list[int]:
    return [i for i, token in enumerate(tokens) if not token.isdigit()]


def _strength(strong: bool, span: range, content: list[int]) -> float:
    whole = all(i in span for i in content)
    at_end = bool(content) and content[-1] in span
    at_start = bool(content) and content[0] in span
    if strong:
        return 0.9 if whole else 0.8 if at_end else 0.7 if at_start else 0.55
    return 0.5 if whole else 0.4 if at_end else 0.25


def _rank(span: range, strong: bool, strength: float, language: str) -> float:
    return len(span) + (0.3 if strong else 0.0) + strength * 0.5 + (0.02 if language == "en" else 0.0)


def _qualifier(tokens: Phrase, best: range) -> str | None:
    """Return the ending or beginning that makes the name describe a property of the value, outside the best phrase."""
    endings, beginnings = lexicon.qualifiers()
    outside = [i for i in range(len(tokens)) if i not in best]
    for size in (2, 1):
        tail, head = " ".join(tokens[-size:]), " ".join(tokens[:size])
        if tail in endings and len(tokens) - 1 in outside and len(tokens) > size:
            return tail
        if head in beginnings and 0 in outside and len(tokens) > size:
            return head
    return _quantity(tokens, outside)


def _quantity(tokens: Phrase, outside: Sequence[int]) -> str | None:
    """Return the quantity that is the head of the name, with what follows related to it by a preposition."""
    quantities, relations = lexicon.quantities()
    for i in range(1, len(tokens) - 1):
        if tokens[i] in relations and i in outside and tokens[i - 1] in quantities:
            return tokens[i - 1]
    return None
