# ruff: noqa: E501 - tables of words and templates are read whole
"""Score every installed text engine on generated sentences and short cells; print the Markdown of docs/text-engines.md.

    python benchmarks/text_engines.py [SENTENCES]

A span counts as found when a predicted span of the entity overlaps it; a predicted span that overlaps no label is
false. For short cells the share of cells the engine takes as a whole for a name, place or street is printed: high is
right in the first rows, zero is right in the last three.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import text_sentences as generator

from privaudit.detect.text.engines.interface import Span, TextEngine
from privaudit.detect.text.engines.registry import available_engines, load_engine
from privaudit.detect.text.spans import credible_spans, read_spans

PLACE = {"CITY", "STATE", "STREET_ADDRESS"}


def _entity(span: Span) -> str:
    return "PLACE" if span.entity in PLACE else span.entity


def score(
    found: Sequence[Sequence[Span]], truth: Sequence[generator.Sentence], entity: str
) -> tuple[float, float, float]:
    """Return precision, recall and the share of name-free sentences with a false alarm."""
    hit = missed = false = alarms = 0
    for spans, sentence in zip(found, truth, strict=True):
        mine = [span for span in spans if _entity(span) == entity]
        labels = [label for label in sentence.spans if label[0] == entity]
        caught = [any(span.start < end and start < span.end for span in mine) for _, start, end in labels]
        hit += sum(caught)
        missed += len(labels) - sum(caught)
        wrong = [span for span in mine if not any(span.start < end and start < span.end for _, start, end in labels)]
        false += len(wrong)
        alarms += bool(wrong) and not sentence.spans
    free = sum(not sentence.spans for sentence in truth)
    return hit / max(hit + false, 1), hit / max(hit + missed, 1), alarms / max(free, 1)


def main(n: int) -> None:
    """Print one table for sentences and one for short cells."""
    truth = generator.sentences(20, n)
    texts = [sentence.text for sentence in truth]
    columns = generator.short_cells(21, 200)
    print(
        f"| engine | model | names P | names R | false alarms | places P | places R | false alarms | sentences/s |\n|{'---|' * 9}"
    )
    shares: dict[str, list[str]] = {name: [] for name in columns}
    infos = available_engines()
    for info in infos:
        engine = load_engine(info)
        engine.spans(texts[:32])
        start = time.process_time()
        found = read_spans(engine, texts)
        rate = n / (time.process_time() - start)
        cells = [f"{value:.3f}" for entity in ("PERSON_NAME", "PLACE") for value in score(found, truth, entity)]
        print(f"| {info.name} | {info.model} {info.version} | {' | '.join(cells)} | {rate:,.0f} |")
        for name, column in columns.items():
            shares[name].append(
                _whole(read_spans(engine, [text.title() if text.isupper() else text for text in column]), column)
            )
    print(
        f"\n| cells read as name / city / street | {' | '.join(info.name for info in infos)} |\n|{'---|' * (len(infos) + 1)}"
    )
    for name, column_shares in shares.items():
        print(f"| {name} | {' | '.join(column_shares)} |")
    _notes(generator.notes(22, n // 2))


def _notes(truth: Sequence[generator.Sentence]) -> None:
    """Print what engines see in notes shown whole, and shown as `read_spans` shows them."""
    print(
        f"\n| engine, input | names P | names R | false alarms | places P | places R | false alarms | notes/s |\n|{'---|' * 8}"
    )
    texts = [note.text for note in truth]
    for info in available_engines():
        engine = load_engine(info)
        for shown, read in (("whole notes", _believed), ("passages", read_spans)):
            start = time.process_time()
            found = read(engine, texts)
            rate = len(texts) / (time.process_time() - start)
            cells = [f"{value:.3f}" for entity in ("PERSON_NAME", "PLACE") for value in score(found, truth, entity)]
            print(f"| {info.name}, {shown} | {' | '.join(cells)} | {rate:,.0f} |")


def _believed(engine: TextEngine, texts: Sequence[str]) -> list[list[Span]]:
    trusted = engine.info.name == "onnx"
    return [
        credible_spans(text, spans, trusted=trusted) for text, spans in zip(texts, engine.spans(texts), strict=True)
    ]


def _covers(text: str, spans: Sequence[Span]) -> bool:
    """Whether spans cover at least two thirds of the letters of a text."""
    letters = sum(character.isalpha() for character in text)
    covered = sum(character.isalpha() for span in spans for character in text[span.start : span.end])
    return letters > 0 and covered * 3 >= letters * 2


def _whole(found: Sequence[Sequence[Span]], column: Sequence[str]) -> str:
    shares = []
    for entity in ("PERSON_NAME", "CITY", "STREET_ADDRESS"):
        covered = [
            _covers(text, [span for span in spans if span.entity == entity])
            for text, spans in zip(column, found, strict=True)
        ]
        shares.append(sum(covered) / len(column))
    return " / ".join(f"{share:.2f}" for share in shares)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 900)
