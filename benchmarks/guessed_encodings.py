"""How often the encoding of a table is guessed right: names and towns of 35 locales in the encodings of their exports.

    python benchmarks/guessed_encodings.py            needs Faker; prints a table for docs/sources.md

Each table has a name and a town in every row, by Faker, and is written in an encoding of its locale; letters that the
encoding lacks are dropped. Letter frequencies come from Unicode CLDR, not from Faker. A guess is right where the text
is the one that was written, whatever the name of the encoding. charset-normalizer takes part where it is installed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator

from faker import Faker

from privaudit.source.files.formats.guessed_encoding import HighWords, decided, is_damaged_utf8, weigh

CASES = {
    "cp1252": "de_DE es_ES es_MX fr_FR pt_BR pt_PT it_IT sv_SE no_NO da_DK fi_FI is_IS",
    "iso8859-15": "fr_FR fi_FI",
    "mac-roman": "de_DE es_ES fr_FR pt_BR",
    "cp850": "de_DE fr_FR",
    "cp1250": "pl_PL cs_CZ sk_SK hu_HU hr_HR ro_RO",
    "iso8859-2": "pl_PL cs_CZ",
    "cp1251": "ru_RU uk_UA bg_BG",
    "koi8-r": "ru_RU",
    "cp866": "ru_RU",
    "cp1253": "el_GR",
    "cp1254": "tr_TR",
    "cp1255": "he_IL",
    "cp1256": "ar_AA fa_IR",
    "cp1257": "lt_LT lv_LV et_EE",
    "cp874": "th_TH",
    "cp932": "ja_JP",
    "euc-jp": "ja_JP",
    "gb18030": "zh_CN",
    "big5": "zh_TW",
    "cp949": "ko_KR",
    "cp1258": "vi_VN",  # not among the encodings that are guessed
}
ROWS = (5, 15, 50, 150)
SEEDS = range(5)
ODDS = (1e3, 1e4, 1e6)
CEDILLA = str.maketrans("șțȘȚ", "şţŞŢ")


def tables(n_rows: int) -> Iterator[tuple[str, bytes]]:
    """Yield encoding and content of every table that is not UTF-8."""
    for encoding, locales in CASES.items():
        for locale in locales.split():
            faker = Faker(locale)
            for seed in SEEDS:
                faker.seed_instance(seed)
                rows = [f"{i},{faker.name()},{faker.city()}" for i in range(n_rows)]
                content = "\n".join(["id,name,city", *rows]).translate(CEDILLA).encode(encoding, "ignore")
                try:
                    content.decode()
                except UnicodeDecodeError:
                    yield encoding, content


def outcome(content: bytes, encoding: str, guess: str | None) -> str:
    """Return whether a guess gives the text that was written."""
    if guess is None:
        return "refused"
    return "right" if content.decode(guess, "replace") == content.decode(encoding) else "wrong"


def guesses(content: bytes) -> Iterator[tuple[str, str | None]]:
    """Yield each way of guessing and the encoding it gives, None where it gives none."""
    words = HighWords()
    words.add(content)
    found = words.finish()
    likelihoods = weigh(found)
    for odds in ODDS:
        guess = decided(likelihoods, math.log(odds))
        is_open = guess.rival is not None or is_damaged_utf8(found)
        yield f"odds {odds:,.0f}", None if is_open else guess.encoding
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return
    best = from_bytes(content).best()
    yield "charset-normalizer", None if best is None else best.encoding


def main() -> None:
    """Print the shares of tables read right, refused and read wrong."""
    print("| rows | guessed by | tables | right | refused | wrong |\n|---|---|---|---|---|---|")
    for n_rows in ROWS:
        counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for encoding, content in tables(n_rows):
            for how, guess in guesses(content):
                counted[how][outcome(content, encoding, guess)] += 1
        for how, counts in counted.items():
            cells = " | ".join(f"{counts[key]}" for key in ("right", "refused", "wrong"))
            print(f"| {n_rows} | {how} | {counts.total()} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
