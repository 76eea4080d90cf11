"""The interface of every language model: it takes texts and returns spans with an entity type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists

Unit = Literal["sentence", "cell", "all"]
BATCH = 256
_SURROGATES = re.compile("[\ud800-\udfff]")


class Span(NamedTuple):
    """A passage of text that the model labelled with an entity type, or with ORGANISATION as a veto."""

    entity: str
    detail: str | None
    start: int
    end: int


class TextEngine(Protocol):
    """A loaded model.

    `unit` is what the model receives: ``"sentence"`` or ``"cell"``, only those that can contain a name, or ``"all"``,
    every cell unchanged.
    """

    info: EngineInfo
    unit: Unit

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start, in the order of `texts`."""
        ...


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """An installed text engine: the model that ran, and a digest that identifies its version."""

    name: str
    model: str
    version: str
    sha256_of_model_metadata: str

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages (ISO 639-1) that the model was trained on; () for a model of many languages."""
        if self.name in models("languages"):
            return tuple(models("languages")[self.name])
        prefix = self.model.partition("_")[0]  # the language in the names of spaCy's models
        return () if prefix == "xx" else (prefix if len(prefix) == 2 else "en",)

    @property
    def entities(self) -> frozenset[str]:
        """The entity types that the model can report."""
        means = models(self.name).values()
        return frozenset(one if isinstance(one, str) else one["entity"] for one in means)

    @property
    def is_trusted(self) -> bool:
        """Whether its places and single words count without being listed (docs/text-engines.md)."""
        return self.name in models("trusted")["engines"]

    @property
    def scripts(self) -> tuple[str, ...]:
        """The Unicode scripts whose text the model reads; Latin by every model that is not of one language."""
        of_language = [script for language in self.languages for script in models("scripts").get(language, ())]
        return tuple(of_language) if self.name in models("languages") else ("Latin", *of_language)


def models(table: str) -> dict[str, Any]:
    """Return a table of ``models.toml``, which explains it."""
    return wordlists.toml("models")[table]


def joined(text: str, spans: Iterable[Span], between: str = "") -> list[Span]:
    """Join neighbours of one type: given name and surname are one person, number and street one address.

    Neighbours have at most two characters between them, all of them in `between`.
    """
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else Span("", None, 0, 0)
        near = span.start - last.end <= 2 and not text[last.end : span.start].strip(between)
        if near and last.entity == span.entity:
            found[-1] = last._replace(end=span.end)
        else:
            found.append(span)
    return found


def encodable(text: str) -> str:
    """Replace unpaired surrogates, which no tokenizer encodes, one for one, so that offsets remain correct."""
    return _SURROGATES.sub("\ufffd", text)
