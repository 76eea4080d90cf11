"""Presidio over spaCy: batched, with the components that names need and nothing else, and with a user's recognizers.

Presidio receives a loaded pipeline, so that it never looks for a model, and a suffix list that stays offline.
Names and places come from the model; patterns are read by embedded.py. A user's ``recognizers.yaml`` is read by
Presidio's own loader once each of its expressions has proved to be RE2, so that none can hang the scan.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from privaudit.base.errors import EngineUnavailable, RuleError
from privaudit.base.extras import TEXT, can_import
from privaudit.base.records import dataclass
from privaudit.detect.catalogue.detectors import check_expression
from privaudit.detect.text.engines.interface import BATCH, EngineInfo, Span, Unit, encodable, models

RECOGNIZERS = "recognizers.yaml"
# The threshold that Presidio recommends; a weak pattern reaches it next to one of its context words.
SCORE = 0.35
_UNUSED = "tagger parser attribute_ruler lemmatizer senter morphologizer textcat entity_linker".split()


@dataclass(frozen=True, slots=True)
class Custom:
    """A user's own recognizers: the file and its digest, so that a changed file is read again."""

    file: Path
    digest: str


class PresidioEngine:
    """Presidio's analyzer around one installed spaCy model, with the user's recognizers where there are any."""

    def __init__(self, info: EngineInfo, custom: Custom | None = None) -> None:
        self.info = info
        # A user's recognizers may search for anything, so they read every cell.
        self.unit: Unit = "cell" if custom is None else "all"
        with _quiet():
            self._analyzer, self._language = _analyzer(info.model, custom)
        names = {name for item in self._analyzer.registry.recognizers for name in item.supported_entities}
        self._entities = sorted(names - {"DATE_TIME"} if custom is None else names)

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the spans of each text, sorted by start."""
        from presidio_analyzer import BatchAnalyzerEngine

        with _quiet() as skipped:
            found = BatchAnalyzerEngine(self._analyzer).analyze_iterator(
                [encodable(text) for text in texts],
                self._language,
                batch_size=BATCH,
                score_threshold=SCORE,
                entities=self._entities,
            )
        if skipped:
            raise EngineUnavailable("A recognizer ran out of time and skipped a cell.", hint="simplify its expressions")
        return [sorted((_span(result) for result in results), key=lambda span: span[2:]) for results in found]


def _span(result: Any) -> Span:
    ours = models("presidio").get(result.entity_type, {"entity": result.entity_type})
    return Span(ours["entity"], ours.get("detail"), int(result.start), int(result.end))


def _analyzer(model: str, custom: Custom | None) -> tuple[Any, str]:
    import spacy
    import tldextract
    import tldextract.tldextract
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    # Presidio's own recognizers would fetch the list of domain suffixes on first use.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    pipeline = spacy.load(model, exclude=_UNUSED)
    if custom is not None:
        _lower_lemmas(pipeline)
    labels = pipeline.get_pipe("ner").labels
    configuration = NerModelConfiguration(
        model_to_presidio_entity_mapping=dict(models("spacy")),
        labels_to_ignore=[label for label in labels if label not in models("spacy")],
        low_score_entity_names=[],
    )
    engine = SpacyNlpEngine(ner_model_configuration=configuration)
    language = pipeline.meta["lang"]
    engine.nlp = {language: pipeline}
    registry = RecognizerRegistry(supported_languages=[language])
    registry.add_nlp_recognizer(engine)
    if custom is not None:
        registry.add_recognizers_from_yaml(str(custom.file))
        for recognizer in registry.recognizers:
            if recognizer.supported_language != language:
                raise RuleError(
                    f'Recognizer "{recognizer.name}" in {RECOGNIZERS} is for a language that the model does not read.',
                    hint=f"with supported_language: {language} it looks into every text",
                )
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=[language]), language


def _lower_lemmas(pipeline: Any) -> None:
    """Give tokens a lemma without a lemmatizer: Presidio looks for context words among the lemmas."""
    from spacy.language import Language

    def component(document: Any) -> Any:
        for token in document:
            token.lemma_ = token.lower_
        return document

    if not Language.has_factory("privaudit_lower_lemmas"):
        Language.component("privaudit_lower_lemmas", func=component)
    pipeline.add_pipe("privaudit_lower_lemmas", first=True)


@contextmanager
def _quiet() -> Iterator[list[bool]]:
    """Keep Presidio's log, which quotes text, away from every handler; yield a list with an entry per skipped cell."""
    skipped: list[bool] = []

    def reject(record: logging.LogRecord) -> bool:
        if "timed out" in str(record.msg):
            skipped.append(True)
        return False

    logger = logging.getLogger("presidio-analyzer")
    logger.addFilter(reject)
    try:
        yield skipped
    finally:
        logger.removeFilter(reject)


def custom_recognizers(rules: str | None) -> Custom | None:
    """Return the user's Presidio recognizers of a rules folder, checked, or None where there are none.

    Raises
    ------
    RuleError
        If the file is not YAML of Presidio's form, or one of its expressions is not RE2.
    EngineUnavailable
        If Presidio is not installed.
    """
    import hashlib

    file = Path(rules) / RECOGNIZERS if rules is not None else None
    if file is None or not file.is_file():
        return None
    if not (can_import("presidio_analyzer") and can_import("spacy")):
        raise EngineUnavailable(f"{RECOGNIZERS} needs an extra that is not installed.", hint=TEXT.install)
    try:
        content = file.read_bytes()
    except OSError:
        raise RuleError(f"{RECOGNIZERS} cannot be read.") from None
    _check(content)
    return Custom(file.resolve(), hashlib.sha256(content).hexdigest())


def _check(content: bytes) -> None:
    import yaml  # type: ignore[import-untyped]
    from presidio_analyzer import RecognizerRegistry

    try:
        entries = yaml.safe_load(content)["recognizers"]
        for number, entry in enumerate(entries, start=1):
            name = str(entry.get("name", f"number {number}"))
            for pattern in entry.get("patterns") or ():
                complaint = f'A regex of recognizer "{name}" in {RECOGNIZERS} is not a valid RE2 expression.'
                check_expression(str(pattern["regex"]), complaint)
            with _quiet():
                RecognizerRegistry().add_pattern_recognizer_from_dict(entry)
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ValueError, UnicodeDecodeError, RecursionError):
        raise RuleError(
            f"{RECOGNIZERS} is not a list of Presidio pattern recognizers.",
            hint="each needs name, supported_entity, and patterns (name, regex, score) or a deny_list",
        ) from None
