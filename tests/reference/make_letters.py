"""Write rules/reference/letters.txt: how often letters beyond ASCII follow each other in languages, from Unicode CLDR.

    python tests/reference/make_letters.py       needs Babel; prints how many languages and pairs there are

The words are the names that CLDR has in a language: countries, languages, currencies, months, weekdays, cities of time
zones. A pair is counted where at least one of its letters is beyond ASCII; ``^`` is the edge of a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from privaudit.source.files.formats.guessed_encoding import small

ROOT = Path(__file__).resolve().parents[2]
# The letters of a language beyond ASCII; a word with another one is foreign, and is not counted.
ALPHABETS = {
    "ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْـ",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "ca": "àçéèíïóòúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøåé",
    "de": "äöüßé",
    "el": "άέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ",
    "en": "é",
    "es": "áéíñóúü",
    "et": "äöüõšž",
    "eu": "ñç",
    "fa": "ءآأؤئابةتثجحخدذرزسشصضطظعغفقلمنهوپچژکگی",
    "fi": "äöåšž",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "gl": "áéíïñóúü",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæö",
    "it": "àèéìíîòóùú",
    "ja": "",
    "ja_Hani": "",
    "ko": "",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "nb": "æøåéòô",
    "nl": "áéëïóöü",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíóôõúü",
    "ro": "ăâîşţ",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "sq": "çë",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "sv": "åäöé",
    "th": "",
    "tr": "çğıöşüâîûİ",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "zh": "",
    "zh_Hant": "",
}
# Scripts with thousands of characters, whose pairs are too rare to count, and Thai, which has no blanks.
UNSPACED = {
    "ja": {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    "ja_Hani": {"CJK"},
    "ko": {"HANGUL"},
    "th": {"THAI"},
    "zh": {"CJK"},
    "zh_Hant": {"CJK"},
}
CEDILLA = str.maketrans("șț", "şţ")
HEAD = """# Pairs of letters beyond ASCII, by language, in lower case: first, second, count; ^ is the edge of a word.
# Unicode CLDR {cldr} by way of Babel (Unicode License v3). Written by tests/reference/make_letters.py: do not edit.
"""
# A standard of the characters of each language: a word with another character is foreign.
STANDARDS = {"ja_Hani": "euc-jp", "zh": "gb2312", "zh_Hant": "big5"}
# Names of people and towns, in which other characters are frequent than in names of countries.
LISTED = [
    text
    for name in ("han_surnames.txt", "towns.txt")
    for text in re.split(r"[ |\n]", (ROOT / "rules" / "reference" / name).read_text(encoding="utf-8"))
]
WORD = re.compile(r"[^\W\d_]+(?:[\u0e00-\u0e7f]+)?")


def render() -> str:
    """Return the text of the file."""
    from babel.core import get_cldr_version

    lines = [HEAD.format(cldr=get_cldr_version())]
    for name, alphabet in ALPHABETS.items():
        pairs = Counter[str]()
        for word in _words(name):
            # Encodings older than UTF-8 have a cedilla where Romanian has a comma now.
            letters = "".join(map(small, word)).translate(CEDILLA)
            if name in UNSPACED:
                pairs.update(f"^{letter}" for letter in letters if _script(letter) in UNSPACED[name])
            elif all(letter < "\x7f" or letter in alphabet for letter in letters):
                pairs.update(pair for pair in map("".join, pairwise(f"^{letters}^")) if not pair.isascii())
        parts = (f"{pair}{n}" for pair, n in sorted(pairs.items(), key=lambda item: (-item[1], item[0])))
        lines.append(f"{name} {' '.join(parts)}\n")
    return "".join(lines)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _words(name: str) -> Iterator[str]:
    from babel import Locale

    texts = [*_texts(Locale.parse(name.removesuffix("_Hani"))), *(LISTED if name in UNSPACED else ())]
    codec = STANDARDS.get(name, "utf-8")
    for text in texts:
        yield from (word for word in WORD.findall(text) if word.encode(codec, "ignore").decode(codec) == word)


def _texts(locale: Any) -> Iterator[str]:
    yield from locale.territories.values()
    yield from locale.languages.values()
    yield from locale.currencies.values()
    for contexts in (locale.days, locale.months):
        yield from contexts["format"]["wide"].values()  # the others are aliases, resolved when first read
    yield from (zone["city"] for zone in locale.time_zones.values() if "city" in zone)


if __name__ == "__main__":
    text = render()
    (ROOT / "rules" / "reference" / "letters.txt").write_text(text, encoding="utf-8")
    print(f"{len(text.splitlines()) - 2} languages, {text.count(' ')} pairs, {len(text.encode()):,} bytes")
