"""Names and places in text, as a language model reads them.

Question: in what share of the cells of a free-text column does a person name, a place or a nationality occur?
Method: cells that contain words, distinct, filtered by shape so that no number reaches a model; a seeded sample, the n
cells with the lowest keyed hash, so that neither the order of rows nor the engine matters; the best installed engine in
batches. It reads the passages of each cell in which a name could occur (passages.py), each distinct one once; spans
that do not have the form of a name are rejected. A match in one distinct cell counts for all rows that hold it.
Limits: a model errs both ways: an entity type seen no more often than the false alarms of the model is reported as
doubtful, not as found. Cells are read up to `LONGEST` characters, together up to `CHARACTERS` for each requested cell.
For a sample, shares are Wilson intervals weighted by rows with Kish's effective number of cells; an entity type that
was not seen gets its upper bound (about 3/n). Cells in a script that the model was not trained on are not read, and are
not assessed if they are more than that bound.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit import extras, vocabulary
from privaudit.config import Progress, Settings, silent
from privaudit.detect.engines.interface import Span, TextEngine
from privaudit.detect.engines.registry import available_engines, best_engine
from privaudit.detect.normalise import normalise
from privaudit.detect.text import scripts
from privaudit.detect.text.estimates import wilson_share
from privaudit.detect.text.spans import covers, read_spans
from privaudit.errors import EngineUnavailable
from privaudit.model import Clue, Contained
from privaudit.stats import Estimate, wilson_bounds
from privaudit.wording import Count, Fact, Listing, Name, Threshold, fact

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.detect.engines.presidio import Custom

__all__ = ["TextReading", "available_engines", "names_share", "read_text", "short_cell_shares"]

LONGEST = 10_000
CHARACTERS = 50
# Share of texts without names in which an engine reports a name, bounded by the measurement in docs/text-engines.md.
FALSE_ALARMS: Mapping[str, float] = {"presidio": 0.005, "onnx": 0.001}

_WORDS = r"\p{L}\p{L}"
_CODE = r"^\S*[0-9_@/\\=]\S*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """The result of a language model for one column.

    Attributes
    ----------
    entities : tuple of Contained
        Entity types found; ``n_cells`` counts rows of the cells read, ``share`` refers to all non-missing cells.
    engine : str or None
        The model, None where none was run.
    n_sampled : int
        Distinct cells read.
    why : Fact or None
        Why the column could not be assessed, None where it was.
    absent : tuple of Contained
        Entity types not seen in any cell read: ``n_cells`` is 0, the upper bound of the share is above 0 for a sample.
    doubtful : tuple of Contained
        Entity types seen no more often than the false alarms of the model.
    notes : tuple of Fact
        What was not read.
    """

    entities: tuple[Contained, ...] = ()
    engine: str | None = None
    n_sampled: int = 0
    why: Fact | None = None
    absent: tuple[Contained, ...] = ()
    doubtful: tuple[Contained, ...] = ()
    notes: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sample:
    """Cells chosen for the model, the cells they represent, and how many are in scripts that it does not read."""

    texts: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    n_eligible: int
    rows_eligible: int
    n_cut: int
    n_asked: int
    n_unread: int = 0
    unread: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.texts) == self.n_eligible


def read_text(
    values: pa.Array,
    counts: npt.NDArray[np.int64],
    *,
    settings: Settings,
    n_present: int,
    progress: Progress = silent,
) -> TextReading:
    """Read a text column for names and places.

    Parameters
    ----------
    values : pyarrow.StringArray or LargeStringArray of length d
        The distinct non-missing cells, in any order.
    counts : int64 array of length d
        Rows that hold each value.
    settings : Settings
        At most ``sample_ner`` cells are read, chosen by ``seed``; ``rules`` may contain Presidio recognizers.
    n_present : int
        Non-missing rows, the denominator of every share.

    Raises
    ------
    RuleError
        If the recognizers of the user are not valid.
    """
    from privaudit.detect.engines.presidio import custom_recognizers

    custom = custom_recognizers(settings.rules)
    if not settings.ner:
        return TextReading()
    if not available_engines():
        return TextReading(why=fact("detect.text_no_model"))
    sample = _draw(values, counts, settings, available_engines()[0].scripts)
    try:
        readings = [_read(engine, sample, progress) for engine in _engines(custom)]
    except EngineUnavailable as error:
        return TextReading(why=fact("detect.text_model_failed", reason=Name(text=error.message)))
    return _summarise(readings, sample, n_present)


def short_cell_shares(
    values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings
) -> Mapping[str, Estimate] | None:
    """Estimate what share of short cells is, as a whole, a name, a place or a street.

    Cells in one case are capitalised first, because models recognise names by capital letters.

    Returns
    -------
    mapping of entity type to Estimate over the non-missing rows, or None without a model or without cells of words.
    A cell counts where spans of the entity type cover at least two thirds of its letters.
    """
    engine = best_engine() if settings.ner else None
    if engine is None:
        return None
    sample = _draw(values, counts, settings, engine.info.scripts)
    if not sample.texts:
        return None
    texts = [text.title() if text.isupper() or text.islower() else text for text in sample.texts]
    hits: dict[str, npt.NDArray[np.bool_]] = {}
    for cell, spans in enumerate(read_spans(engine, texts, silent)):
        for entity in {span.entity for span in spans}:
            if covers(texts[cell], [span for span in spans if span.entity == entity]):
                hits.setdefault(entity, np.zeros(len(texts), dtype=bool))[cell] = True
    n_present = int(counts.sum())
    none = np.zeros(len(texts), dtype=bool)
    names = sorted({*hits, *vocabulary.with_trait("sought_in_text")})
    return {name: _share(hits.get(name, none), sample, n_present) for name in names}


def names_share(values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings) -> Estimate | None:
    """Estimate the share of short cells that are a person name; None without a model or words to read."""
    shares = short_cell_shares(values, counts, settings)
    return None if shares is None else shares["PERSON_NAME"]


def _draw(
    values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings, read: Sequence[str]
) -> _Sample:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = normalise(values)
    worded = pc.and_(
        pc.match_substring_regex(plain, _WORDS), pc.invert(pc.match_substring_regex(plain, _CODE))
    )
    held: npt.NDArray[np.bool_] = worded.fill_null(False).to_numpy(zero_copy_only=False)
    foreign = held & scripts.in_other_scripts(plain, read)
    cells = np.flatnonzero(held & ~foreign)
    # The key depends on the value and the seed only: neither row order nor engine changes the sample.
    key = settings.seed.to_bytes(8, "big", signed=False)
    raw = values.take(pa.array(cells)).to_pylist()
    keys = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=12).digest()
        for text in raw
    ]
    order = sorted(range(len(keys)), key=keys.__getitem__)[: settings.sample_ner]
    # Long cells share the budget of short ones: a prefix of the hash order is a random sample as well.
    lengths = np.array([min(len(raw[place]), LONGEST) for place in order], dtype=np.int64)
    within = int((np.cumsum(lengths) <= CHARACTERS * settings.sample_ner).sum())
    chosen = cells[order[: max(within, 1)]] if order else cells[:0]
    texts = plain.take(pa.array(chosen)).to_pylist()
    return _Sample(
        texts=tuple(text[:LONGEST] for text in texts),
        n_asked=len(order),
        rows=np.asarray(counts)[chosen],
        n_eligible=len(cells),
        rows_eligible=int(np.asarray(counts)[cells].sum()),
        n_cut=sum(len(text) > LONGEST for text in texts),
        n_unread=int(foreign.sum()),
        unread=scripts.names_of(plain.filter(pa.array(foreign))) if foreign.any() else (),
    )


def _engines(custom: Custom | None) -> list[TextEngine]:
    """Return the engines to run: the best one, and Presidio as well where the user has recognizers."""
    from privaudit.detect.engines.registry import load_engine, presidio_info

    best = best_engine()
    engines = [] if best is None else [best]
    if custom is not None:
        info = presidio_info()
        if info is None:
            raise EngineUnavailable(
                "Presidio recognizers need a spaCy model, and none is installed.",
                hint=f"{extras.TEXT.install}, or run with --no-ner",
            )
        customised = load_engine(info, custom)
        engines = [customised] if best is not None and best.info == info else [*engines, customised]
    return engines


_Reading = tuple[TextEngine, list[list[Span]]]


def _read(engine: TextEngine, sample: _Sample, progress: Progress) -> _Reading:
    return engine, list(read_spans(engine, sample.texts, progress))


def _summarise(readings: Sequence[_Reading], sample: _Sample, n_present: int) -> TextReading:
    found: list[Contained] = []
    absent: list[Contained] = []
    doubtful: list[Contained] = []
    for position, (engine, cells) in enumerate(readings):
        hits = _hits(cells, len(sample.texts), custom_only=position > 0)
        for (entity, detail), seen in sorted(hits.items(), key=lambda item: (item[0][0], item[0][1] or "")):
            custom = entity not in vocabulary.with_trait("needs_language_model")
            accepted = custom or _exceeds_false_alarms(seen, engine)
            one = _contained(entity, detail, seen, sample, n_present, engine)
            (found if accepted else doubtful).append(one)
        if position == 0:
            seen_entities = {entity for entity, _ in hits}
            none = np.zeros(len(sample.texts), dtype=bool)
            absent = [
                _contained(entity, None, none, sample, n_present, engine)
                for entity in sorted(vocabulary.with_trait("sought_in_text"))
                if entity not in seen_entities and sample.texts
            ]
    first = readings[0][0].info
    return TextReading(
        why=_why_unread(sample),
        entities=tuple(found),
        engine=f"{first.name}:{first.model}",
        n_sampled=len(sample.texts),
        absent=tuple(absent),
        doubtful=tuple(doubtful),
        notes=_notes(sample),
    )


def _why_unread(sample: _Sample) -> Fact | None:
    """Return that cells are in a script the model does not read, if more than may hold what a sample did not show."""
    n_cells = sample.n_unread + sample.n_eligible
    bound = wilson_bounds(0, len(sample.texts))[1] if sample.texts and not sample.complete else 0.0
    if sample.n_unread <= bound * n_cells:
        return None
    return fact(
        "detect.text_script_not_read",
        cells=Count(n=sample.n_unread, of=n_cells, unit="cell"),
        scripts=Listing(items=tuple(Name(text=script) for script in sample.unread)),
    )


def _notes(sample: _Sample) -> tuple[Fact, ...]:
    notes = []
    if sample.n_cut:
        cells, length = Count(n=sample.n_cut, unit="cell"), Threshold(value=LONGEST)
        notes.append(fact("detect.text_cells_truncated", cells=cells, length=length))
    if len(sample.texts) < sample.n_asked:
        cells, budget = Count(n=len(sample.texts), unit="cell"), Threshold(value=CHARACTERS)
        notes.append(fact("detect.text_budget_reached", cells=cells, characters=budget))
    return tuple(notes)


def _hits(
    cells: Sequence[Sequence[Span]], n: int, *, custom_only: bool
) -> dict[tuple[str, str | None], npt.NDArray[np.bool_]]:
    model_only = vocabulary.with_trait("needs_language_model")
    hits: dict[tuple[str, str | None], npt.NDArray[np.bool_]] = {}
    for cell, spans in enumerate(cells):
        for span in spans:
            # A second engine runs for the recognizers of the user; the first one read names and places.
            if not (custom_only and span.entity in model_only):
                hits.setdefault((span.entity, span.detail), np.zeros(n, dtype=bool))[cell] = True
    return hits


def _exceeds_false_alarms(hits: npt.NDArray[np.bool_], engine: TextEngine) -> bool:
    """Whether the lower Wilson bound of the share of cells with a match exceeds the false alarms of the engine."""
    return wilson_bounds(int(hits.sum()), len(hits))[0] > FALSE_ALARMS.get(engine.info.name, 0.0)


def _share(hits: npt.NDArray[np.bool_], sample: _Sample, n_present: int) -> Estimate:
    return wilson_share(
        hits, sample.rows, eligible=sample.rows_eligible, n_present=n_present, complete=sample.complete
    )


def _contained(
    entity: str,
    detail: str | None,
    hits: npt.NDArray[np.bool_],
    sample: _Sample,
    n_present: int,
    engine: TextEngine,
) -> Contained:
    because = fact(
        "detect.text_seen_in_all" if sample.complete else "detect.text_seen_in_sample",
        model=Name(text=engine.info.model),
        cells=Count(n=int(hits.sum()), of=len(sample.texts), unit="cell"),
    )
    return Contained(
        entity=entity,
        detail=detail,
        n_cells=int(sample.rows[hits].sum()),
        share=_share(hits, sample, n_present),
        evidence=(Clue(kind="model", because=because),),
    )
