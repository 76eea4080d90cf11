"""Shares of numbers found by the place of the word that names them: before the number, far before it, after it.

    python benchmarks/numbers_in_text.py       prints a table for docs/text-engines.md

For every detector that needs a word, the example of its pack gives a word and a value. Both are put into sentences: the
word right before the value, far before it, or after it. In the last sentences another word is nearer to the value, or
another number is in between: there, the value must not be reported as what the word names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from privaudit.detect.catalogue.forms import Spec, specs
from privaudit.detect.text.embedded import find_spans

SENTENCES = {
    "right after the word": ("{word} {value} was noted.", "{word}: {value}"),
    "further after the word": (
        "The {word} that the office sent to the family last spring is {value}.",
        "{word} of the applicant who moved here from the coast: {value}",
    ),
    "the word follows": (
        "The number {value} is his {word}.",
        "Call about {value} ({word}) please.",
        "{value} ist ihre {word}.",
    ),
}
DECOYS = {
    "a label is nearer": (
        "The {word} is missing and the order {value} was sent.",
        "Invoice {value} came, {word} did not.",
    ),
    "a number is between": (
        "{word} unknown, 48213 boxes and {value} pieces.",
        "{value} pieces in 48213 boxes, no {word}.",
    ),
}


def examples() -> Iterator[tuple[Spec, str, str]]:
    """Yield each detector that needs a word, a word and a value of it."""
    for spec in specs():
        if not spec.worded:
            continue
        pairs = (f"{header} {value}" for header in spec.detector.headers for value in spec.detector.match)
        for text in (*spec.text.match, *pairs):
            reading = next(iter(spec.readings(text)), None)
            word = re.search(spec.words, text, re.IGNORECASE)
            if reading is not None and word is not None:
                yield spec, word.group(), text[reading[0] : reading[1]]
                break


def main() -> None:
    """Print the shares by position, of values with a check digit and of others."""
    counts: Counter[tuple[str, bool, bool]] = Counter()
    for spec, word, value in examples():
        for position, sentences in {**SENTENCES, **DECOYS}.items():
            for sentence in sentences:
                spans = find_spans(sentence.format(word=word, value=value))
                counts[position, spec.proves, any(span[2] == spec.entity for span in spans)] += 1
    print("| position | with a check digit | without |\n|---|---|---|")
    for position in (*SENTENCES, *DECOYS):
        cells = []
        for proves in (True, False):
            n_found, n_other = counts[position, proves, True], counts[position, proves, False]
            cells.append(f"{n_found} of {n_found + n_other}")
        print(f"| {position} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
