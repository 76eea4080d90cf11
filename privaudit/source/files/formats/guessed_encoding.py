"""The encoding of a text that is not UTF-8 and does not state its encoding, guessed from the words it would contain.

Question: which encoding is this text in, and is another one plausible?
Method: every distinct word with a byte beyond ASCII is read under each encoding of `ENCODINGS`; an encoding in which a
byte has no meaning drops out. The likelihood of the words is that of a mixture of languages, whose letters follow each
other as often as in ``rules/reference/letters.txt`` (Unicode CLDR); a language takes part where the encoding has its
letters. Encodings that give the same words are one reading. A reading is accepted where the words are `ODDS` times as
likely as under every other reading, and as bytes drawn at random. Otherwise the encoding is an error that names both.
Limits: at most `MOST_PER_BYTE` words are weighed for each byte, though all words are compared. An encoding that is not
in `ENCODINGS` must be named. Words whose letters are the same in two encodings do not separate them, nor need to.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import field
from functools import cache
from itertools import pairwise

from privaudit.base import resources
from privaudit.base.records import dataclass

ENCODINGS = (  # of equal readings, the first is named
    "cp1252", "iso8859-15", "cp1250", "iso8859-2", "cp1251", "koi8-u", "cp866", "cp1253", "cp1254", "cp1255", "cp1256",
    "cp1257", "cp874", "cp932", "euc-jp", "gb18030", "big5", "cp949", "mac-roman", "mac-cyrillic", "mac-latin2",
    "cp437", "cp850", "cp852", "iso8859-5",
)  # fmt: skip
ODDS = math.log(1e6)
"""Natural logarithm of the odds that are asked. With 1,000 or 10,000, one of 931 tables was read with wrong letters,
with a million none (benchmarks/guessed_encodings.py): the letters of words are not independent of each other."""
MOST_PER_BYTE = 8
MOST_WORDS = 50_000
LONGEST = 1 << 16
"""Bytes without a blank, a comma or a line end, which are cut nevertheless."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff][A-Za-z\x80-\xff'@_`^~\[\\\]{|}]*")
_HIGH = re.compile(rb"[\x80-\xff]")
# Punctuation that texts contain next to words; other symbols in a word are signs of a wrong encoding.
_PUNCTUATION = frozenset("\xa0«»–—‘’‚“”„…•·°€£§©®™¿¡ªº²³½¼、。・「」（），：；？！《》“”")
_P_PUNCTUATION, _P_SYMBOL = 1e-3, 1e-7
# A letter that the names of CLDR lack: one of the script of the language, of which Han has thousands; one of another.
_P_RARE, _P_RARE_HAN, _P_FOREIGN = 1e-4, 3e-6, 1e-7
# Standards list the frequent Han characters and Hangul syllables first: a codec, and the first byte where they end.
_FIRST_LEVEL = {"ja_Hani": ("euc-jp", 0xD0), "ko": ("euc-kr", 0xC9), "zh": ("gb2312", 0xD8), "zh_Hant": ("big5", 0xC9)}
_P_ASCII = 1 / 30  # of a letter, or the edge of a word, after a letter beyond ASCII
_P_CAPITAL_INSIDE = 1e-3  # a capital after a small letter
_WEIGHT = 3.0  # letters that the unigrams count for, next to the pairs
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Guess:
    """The encoding of a text and, where its words do not decide, the one that is as plausible."""

    encoding: str | None
    rival: str | None = None


@dataclass(slots=True)
class HighWords:
    """The distinct words of a text that contain a byte beyond ASCII, collected block by block."""

    words: set[bytes] = field(default_factory=set)
    _rest: bytes = b""

    def add(self, block: bytes) -> None:
        """Add the words of a block; what its end may cut waits for the next one."""
        block = self._rest + block
        end = max(block.rfind(b"\n"), block.rfind(b" "), block.rfind(b",")) + 1
        if not end and len(block) > LONGEST:
            end = len(block)
        self._rest = block[end:]
        self._collect(block[:end])

    def finish(self) -> set[bytes]:
        """Return all words."""
        self._collect(self._rest)
        return self.words

    def _collect(self, block: bytes) -> None:
        if not block.isascii() and len(self.words) < MOST_WORDS:
            self.words.update(word for word in _WORD.findall(block) if not word.isascii())


def is_damaged_utf8(words: Collection[bytes]) -> bool:
    """Whether most words are valid UTF-8, which words in another encoding are by chance only."""
    return 2 * sum(map(_is_utf8, words)) > len(words)


def _is_utf8(word: bytes) -> bool:
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True


def guess_encoding(words: Collection[bytes]) -> Guess:
    """Return the encoding in which the words of a text are words of a language.

    Parameters
    ----------
    words : collection of bytes
        The distinct words with a byte beyond ASCII.
    """
    return decided(weigh(words), ODDS)


def weigh(words: Collection[bytes]) -> dict[str | None, float]:
    """Return the logarithm of the likelihood of each reading by an encoding, and under None that of random bytes."""
    ordered = sorted(words)
    weighed = _weighed(ordered)
    readings: dict[tuple[str, ...], str] = {}
    for name in ENCODINGS:
        try:
            texts = tuple(word.decode(name) for word in ordered)
        except UnicodeDecodeError:
            continue
        if not any(_is_control(letter) for letter in set("".join(texts))):
            readings.setdefault(texts, name)
    found: dict[str | None, float] = {None: sum(map(_log_p_of_bytes, weighed))}
    for name in readings.values():
        found[name] = _log_likelihood([word.decode(name) for word in weighed], name)
    return found


def decided(likelihoods: Mapping[str | None, float], odds: float) -> Guess:
    """Return the encoding that is more likely than random bytes, and the one that is not less likely by the odds."""
    named = sorted((name for name in likelihoods if name is not None), key=lambda name: -likelihoods[name])
    if not named or likelihoods[named[0]] - likelihoods[None] < odds:
        return Guess(None)
    best, *others = named
    is_close = bool(others) and likelihoods[best] - likelihoods[others[0]] < odds
    return Guess(best, others[0] if is_close else None)


def _weighed(words: list[bytes]) -> list[bytes]:
    """Return words in which each byte beyond ASCII occurs, each in up to `MOST_PER_BYTE` of them."""
    seen = Counter[int]()
    chosen = []
    for word in words:
        high = {byte for byte in word if byte > 0x7F}
        if any(seen[byte] < MOST_PER_BYTE for byte in high):
            seen.update(high)
            chosen.append(word)
    return chosen


def _log_p_of_bytes(word: bytes) -> float:
    """Return the logarithm of the likelihood of a word whose bytes beyond ASCII are drawn at random."""
    after_high = [byte for before, byte in pairwise(word + b" ") if before > 0x7F]
    n_high_after = sum(byte > 0x7F for byte in after_high)
    n_high = len(_HIGH.findall(word))
    first = (n_high - n_high_after) * math.log(1 / 128)  # that a byte beyond ASCII follows is given
    return first + n_high_after * math.log(1 / 256) + (len(after_high) - n_high_after) * math.log(_P_ASCII / 2)


def _is_control(letter: str) -> bool:
    return "\x7f" <= letter < "\xa0" or "\ue000" <= letter <= "\uf8ff"


def _log_likelihood(texts: list[str], encoding: str) -> float:
    """Return the logarithm of the likelihood of words under the best mixture of the languages of an encoding."""
    languages = _languages(encoding)
    rows = [[language.log_p(text) for language in languages] for text in texts]
    shares = [1 / len(languages)] * len(languages)
    total = 0.0
    for _ in range(_ROUNDS):  # expectation and maximisation
        total, taken = 0.0, [1e-3] * len(languages)
        for row in rows:
            top = max(row)
            parts = [share * math.exp(p - top) for share, p in zip(shares, row, strict=True)]
            whole = sum(parts)
            total += top + math.log(whole)
            taken = [had + part / whole for had, part in zip(taken, parts, strict=True)]
        shares = [one / sum(taken) for one in taken]
    return total


@dataclass(frozen=True, slots=True)
class _Language:
    """How often the letters of a language beyond ASCII occur, and after which letters."""

    name: str
    letters: Mapping[str, float]  # share of a letter among those beyond ASCII
    pairs: Mapping[str, Mapping[str, int]]  # letter, and the letters that follow it
    after: Mapping[str, int]  # their sums
    scripts: frozenset[str]

    def log_p(self, text: str) -> float:
        """Return the logarithm of the likelihood of a word, given where its letters are ASCII."""
        before, total, was_small = "^", 0.0, False
        for letter in (*text, "^"):
            if was_small and letter.isupper():
                total += math.log(_P_CAPITAL_INSIDE)
            was_small = letter.islower()
            after = small(letter)
            if after > "\x7f" or before > "\x7f":
                total += math.log(self._p(before, after))
            before = after if after.isalpha() or after > "\x7f" else "^"
        return total

    def _p(self, before: str, letter: str) -> float:
        if letter > "\x7f" and not letter.isalpha() and letter not in self.letters:
            return _P_PUNCTUATION if letter in _PUNCTUATION else _P_SYMBOL
        followers = self.pairs.get(before, {})
        prior = (self.letters.get(letter) or self._rare(letter)) if letter > "\x7f" else _P_ASCII
        return (followers.get(letter, 0) + _WEIGHT * prior) / (self.after.get(before, 0) + _WEIGHT)

    def _rare(self, letter: str) -> float:
        if _script(letter) not in self.scripts:
            return _P_FOREIGN
        codec, end = _FIRST_LEVEL.get(self.name, ("", 0))
        is_frequent = not codec or letter.encode(codec, "replace")[0] < end
        return _P_RARE if is_frequent else _P_RARE_HAN


def small(letter: str) -> str:
    """Return a letter in lower case, unless it has none of one character, as the dotted I of Turkish."""
    lower = letter.lower()
    return lower if len(lower) == 1 else letter


@cache
def _script(letter: str) -> str:
    """Return the first word of the Unicode name of a letter, which is its script."""
    return unicodedata.name(letter, "").partition(" ")[0]


@cache
def _all_languages() -> tuple[_Language, ...]:
    return tuple(_language(*line.split()) for line in resources.lines("rules", "reference", "letters.txt"))


def _language(name: str, *parts: str) -> _Language:
    letters, pairs = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for before, letter, n in ((part[0], part[1], int(part[2:])) for part in parts):
        pairs[before][letter] += n
        if letter > "\x7f":
            letters[letter] += n
    total = sum(letters.values())
    return _Language(
        name,
        {letter: n / total for letter, n in letters.items()},
        {before: dict(counts) for before, counts in pairs.items()},
        {before: sum(counts.values()) for before, counts in pairs.items()},
        frozenset(_script(letter) for letter, n in letters.items() if n > 0.001 * total),
    )


@cache
def _languages(encoding: str) -> tuple[_Language, ...]:
    """Return the languages whose letters, all but a hundredth of their occurrences, an encoding has."""

    def has(letter: str) -> bool:
        try:
            return bool(letter.encode(encoding))
        except UnicodeEncodeError:
            return False

    return tuple(
        one for one in _all_languages() if sum(p for letter, p in one.letters.items() if not has(letter)) <= 0.01
    )
