"""Models for one language that is not English: Russian, Chinese and Japanese.

Each is read from the files of an installed distribution. Russian: a convolutional network over quantised embeddings
(slovnet, navec), with the weights in `natasha`, which is not imported. Chinese: parts of speech by a dictionary and a
hidden Markov model (jieba). Japanese: the proper nouns of UniDic, as MeCab finds them (fugashi).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from privaudit.detect.text.engines.interface import EngineInfo, Span, TextEngine, Unit, encodable, joined, models


class SlovnetEngine:
    """Named entities of Russian news, by slovnet."""

    unit: Unit = "sentence"

    def __init__(self, info: EngineInfo) -> None:
        from navec import Navec
        from slovnet import NER

        self.info = info
        data = Path(find_spec("natasha").origin).parent / "data"  # type: ignore[union-attr, arg-type]
        self._tagger = NER.load(str(next(data.glob("model/slovnet_ner_*.tar"))))
        self._tagger.navec(Navec.load(str(next(data.glob("emb/navec_*.tar")))))

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        found: list[list[Span]] = [[] for _ in texts]
        # A text without a token stops the model; the others are read in their order, in batches.
        read = [number for number, text in enumerate(texts) if text.strip()]
        for number, markup in zip(read, self._tagger.map([encodable(texts[number]) for number in read]), strict=True):
            for span in markup.spans:
                found[number].append(Span(models("slovnet")[span.type], None, span.start, span.stop))
        return found


class JiebaEngine:
    """Names of people and places by their part of speech in Chinese text, by jieba.

    A name of a person begins with a frequent surname; others are not reported.
    """

    unit: Unit = "sentence"

    def __init__(self, info: EngineInfo) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its source has escapes that newer Pythons warn of
            from jieba import Tokenizer
            from jieba.posseg import POSTokenizer

        self.info = info
        words = Tokenizer()
        # Its own initialisation keeps the dictionary in a file of the temporary folder and trusts what it finds there.
        words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
        words.initialized = True
        self._tagger = POSTokenizer(words)

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        return [joined(text, self._spans(text)) for text in texts]

    def _spans(self, text: str) -> Iterator[Span]:
        entities, words = models("jieba"), models("chinese")
        person, surnames = entities["nr"], words["surnames"]
        start, surname = 0, None
        for word in self._tagger.cut(text):
            end = start + len(word.word)
            entity = entities.get(word.flag)
            if surname is not None and len(word.word) <= 2 and (entity or word.flag in words["given_names"]):
                # The dictionary has single surnames as words of any kind, and some given names as places.
                yield Span(person, None, surname, end)
            elif entity is not None and (entity != person or word.word[0] in surnames):
                yield Span(entity, None, start, end)
            surname = start if len(word.word) == 1 and word.word in surnames else None
            start = end


class UnidicEngine:
    """Proper nouns of Japanese text, by MeCab with UniDic."""

    unit: Unit = "sentence"

    def __init__(self, info: EngineInfo) -> None:
        from fugashi import Tagger

        self.info = info
        self._tagger = Tagger()

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        return [joined(text, self._spans(encodable(text))) for text in texts]

    def _spans(self, text: str) -> Iterator[Span]:
        end = 0
        for word in self._tagger(text):
            start = text.index(word.surface, end)
            end = start + len(word.surface)
            if word.feature.pos3 in models("unidic"):
                yield Span(models("unidic")[word.feature.pos3], None, start, end)


ENGINES: dict[str, Callable[[EngineInfo], TextEngine]] = {
    "slovnet": SlovnetEngine,
    "jieba": JiebaEngine,
    "unidic": UnidicEngine,
}
