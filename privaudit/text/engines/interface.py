"""The interface of every language model: it takes texts and returns spans with an entity type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from privaudit.catalogue import wordlists

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
    def scripts(self) -> tuple[str, ...]:
        """The Unicode scripts whose text the model reads, by the language in its name; Latin by every model."""
        return ("Latin", *models("scripts").get(self._prefix, ()))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages (ISO 639-1) that the model was trained on, by its name; () for a model of many languages."""
        return () if self._prefix == "xx" else (self._prefix if len(self._prefix) == 2 else "en",)

    @property
    def _prefix(self) -> str:
        """The part of the name that is the language in the names of spaCy's models."""
        return self.model.partition("_")[0]


def models(table: str) -> dict[str, Any]:
    """Return a table of ``models.toml``, which explains it."""
    content: dict[str, Any] = wordlists.toml("models")[table]
    return content


def encodable(text: str) -> str:
    """Replace unpaired surrogates, which no tokenizer encodes, one for one, so that offsets remain correct."""
    return _SURROGATES.sub("\ufffd", text)
