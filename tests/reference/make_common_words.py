"""Write rules/reference/common_words.toml: the most frequent words of eight languages.

    python tests/reference/make_common_words.py       needs pyspellchecker==0.9.1 and spylls==0.1.7

Prints the words of each language, which are folded as cells are. Given names are excluded, in English only those that
the dictionary of Hunspell writes with a capital alone (John, but not urban). Words that are family names as well stay.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files
from pathlib import Path

from privaudit.model.headers import fold, listed_words

ROOT = Path(__file__).resolve().parents[2]
WORDS = {"en": 10_000, "de": 6_000, "es": 6_000, "fr": 6_000, "it": 6_000, "nl": 6_000, "pt": 6_000, "ru": 6_000}
"""Words of each language. Names of people, which subtitles have as well, become frequent beyond these ranks."""
WIDTH = 120
HEAD = """# The most frequent words of eight languages, folded to lower case without accents: evidence against names.
# From pyspellchecker (MIT License). Written by tests/reference/make_common_words.py: do not edit.
"""


def words(language: str) -> list[str]:
    """Return the most frequent words of a language in alphabetical order."""
    packed = files("spellchecker") / "resources" / f"{language}.json.gz"
    counts = json.loads(gzip.decompress(packed.read_bytes()))
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[: WORDS[language]]
    found = {fold(word) for word in frequent if word.isalpha()}
    names = listed_words("given_names") - (written_small() if language == "en" else set())
    return sorted(found - names)


def written_small() -> set[str]:
    """Return the English words that a dictionary writes without a capital."""
    dictionary = files("spylls") / "hunspell" / "data" / "en" / "en_US.dic"
    entries = (line.partition("/")[0] for line in dictionary.read_text(encoding="utf-8").splitlines()[1:])
    return {entry for entry in entries if entry.islower()}


def render() -> str:
    """Return the text of the file."""
    parts = [HEAD]
    for language in WORDS:
        lines, line = [], ""
        for word in words(language):
            if len(line) + len(word) >= WIDTH:
                lines.append(line)
                line = ""
            line += f" {word}" if line else word
        parts.append(f'{language} = """\n' + "\n".join([*lines, line]) + '\n"""\n')
    return "\n".join(parts)


def main() -> None:
    """Write the file."""
    for language in WORDS:
        print(language, len(words(language)))
    (ROOT / "rules" / "reference" / "common_words.toml").write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
