"""Which names and places does a text column hold? What only a language model can tell.

Question: in what share of the cells of a free-text column does a person's name, a place, a nationality occur?
Method: cells with words, distinct, gated by shape so that no number reaches a model; a seeded sample, the n cells
whose keyed hash is lowest, so that neither the order of rows nor the engine matters; the best installed engine in
batches; of each cell it is shown the passages in which a name could stand (passages.py), each distinct one once;
spans that look like no name are dropped. What one distinct cell shows counts for all rows that hold it.
Limits: a model errs both ways: an entity seen no more often than the model's own false alarms is named doubtful,
not found. Cells are read up to `LONGEST` characters, together up to `CHARACTERS` for each cell asked for. Where a
sample was read, shares are Wilson intervals with rows as weights and Kish's effective number of cells; an entity
never seen gets its upper bound (about 3/n).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.config import Progress, Settings, silent
from privaudit.detect.engines.interface import Span, TextEngine
from privaudit.detect.engines.registry import available_engines, best_engine
from privaudit.detect.normalise import normalise
from privaudit.detect.text.estimates import wilson, wilson_share
from privaudit.detect.text.spans import MODEL_ONLY, covers, read_spans
from privaudit.errors import EngineUnavailable
from privaudit.model import Clue, Contained, Estimate

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.detect.engines.presidio import Custom

__all__ = ["TextReading", "available_engines", "names_share", "read_text", "short_cell_shares"]

LONGEST = 10_000
CHARACTERS = 50
NO_MODEL = 'no language model is installed: pip install "privaudit[models]", or run with --no-ner'
EXPECTED: tuple[tuple[str, str | None], ...] = (
    ("PERSON_NAME", None),
    ("CITY", None),
    ("STREET_ADDRESS", None),
)
# Share of name-free texts in which an engine still sees somebody, as the measurement in docs/text-engines.md bounds it.
FALSE_ALARMS: Mapping[str, float] = {"presidio": 0.005, "onnx": 0.001}

_WORDS = r"\p{L}\p{L}"
_CODE = r"^\S*[0-9_@/\\=]\S*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """What the language model said of one column.

    Attributes
    ----------
    entities : tuple of Contained
        Found; ``n_cells`` counts rows of the cells read, ``share`` speaks of all non-missing cells.
    engine, engine_version : str or None
        The model that read, None where none did.
    n_sampled : int
        Distinct cells read.
    why : str or None
        Why the column could not be assessed, None where it was.
    absent : tuple of Contained
        Looked for and seen in no cell read: ``n_cells`` 0, the share's upper bound still above 0 for a sample.
    doubtful : tuple of Contained
        Seen no more often than the model's own false alarms.
    notes : tuple of str
        Bounds of what was read that a reader of the numbers should know.
    """

    entities: tuple[Contained, ...] = ()
    engine: str | None = None
    engine_version: str | None = None
    n_sampled: int = 0
    why: str | None = None
    absent: tuple[Contained, ...] = ()
    doubtful: tuple[Contained, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sample:
    """Cells chosen for the model: texts and rows of each, and what they stand for."""

    texts: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    n_eligible: int
    rows_eligible: int
    n_cut: int
    n_asked: int

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
        Rows that hold each.
    settings : Settings
        ``sample_ner`` cells at most are read, chosen by ``seed``; ``rules`` may hold Presidio recognizers.
    n_present : int
        Non-missing rows, the denominator of every share.

    Raises
    ------
    RuleError
        If the user's recognizers are broken.
    """
    from privaudit.detect.engines.presidio import custom_recognizers

    custom = custom_recognizers(settings.rules)
    if not settings.ner:
        return TextReading()
    if not available_engines():
        return TextReading(why=NO_MODEL)
    sample = _draw(values, counts, settings)
    try:
        readings = [_read(engine, sample, progress) for engine in _engines(custom)]
    except EngineUnavailable as error:
        return TextReading(why=error.message)
    return _tell(readings, sample, n_present)


def short_cell_shares(
    values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings
) -> Mapping[str, Estimate] | None:
    """Estimate what share of short cells *are*, as a whole, a name, a place, a street.

    Cells in one case are given capitals first: models know names by them.

    Returns
    -------
    mapping of entity to Estimate over the non-missing rows, or None without a model or without cells of words.
    A cell counts where spans of the entity cover at least two thirds of its letters.
    """
    engine = best_engine() if settings.ner else None
    if engine is None:
        return None
    sample = _draw(values, counts, settings)
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
    names = sorted({*hits, *(entity for entity, _ in EXPECTED)})
    return {name: _share(hits.get(name, none), sample, n_present) for name in names}


def names_share(values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings) -> Estimate | None:
    """Estimate the share of short cells that are a person's name; None without a model or words to read."""
    shares = short_cell_shares(values, counts, settings)
    return None if shares is None else shares["PERSON_NAME"]


def _draw(values: pa.Array, counts: npt.NDArray[np.int64], settings: Settings) -> _Sample:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = normalise(values)
    worded = pc.and_(
        pc.match_substring_regex(plain, _WORDS), pc.invert(pc.match_substring_regex(plain, _CODE))
    )
    cells = np.flatnonzero(worded.fill_null(False).to_numpy(zero_copy_only=False))
    # The key depends on the value and the seed alone: neither row order nor engine can move the sample.
    key = settings.seed.to_bytes(8, "big", signed=False)
    raw = values.take(pa.array(cells)).to_pylist()
    keys = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=key, digest_size=12).digest()
        for text in raw
    ]
    order = sorted(range(len(keys)), key=keys.__getitem__)[: settings.sample_ner]
    # Long cells share what short ones need: a prefix of the hash order is as random a sample as all of it.
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
    )


def _engines(custom: Custom | None) -> list[TextEngine]:
    """Return the engines to run: the best one, and Presidio beside it where it carries the user's recognizers."""
    from privaudit.detect.engines.registry import load_engine, presidio_info

    best = best_engine()
    engines = [] if best is None else [best]
    if custom is not None:
        info = presidio_info()
        if info is None:
            raise EngineUnavailable(f"Presidio recognizers need a spaCy model: {NO_MODEL}")
        own = load_engine(info, custom)
        engines = [own] if best is not None and best.info == info else [*engines, own]
    return engines


_Reading = tuple[TextEngine, list[list[Span]]]


def _read(engine: TextEngine, sample: _Sample, progress: Progress) -> _Reading:
    return engine, list(read_spans(engine, sample.texts, progress))


def _tell(readings: Sequence[_Reading], sample: _Sample, n_present: int) -> TextReading:
    found: list[Contained] = []
    absent: list[Contained] = []
    doubtful: list[Contained] = []
    for position, (engine, cells) in enumerate(readings):
        hits = _hits(cells, len(sample.texts), own_only=position > 0)
        for (entity, detail), seen in sorted(hits.items(), key=lambda item: (item[0][0], item[0][1] or "")):
            told = _contained(entity, detail, seen, sample, n_present, engine)
            own = entity not in MODEL_ONLY
            (found if own or _beats_false_alarms(seen, engine) else doubtful).append(told)
        if position == 0:
            seen_entities = {entity for entity, _ in hits}
            none = np.zeros(len(sample.texts), dtype=bool)
            absent = [
                _contained(entity, detail, none, sample, n_present, engine)
                for entity, detail in EXPECTED
                if entity not in seen_entities and sample.texts
            ]
    first = readings[0][0].info
    notes = [f"{sample.n_cut:,} cells were read up to {LONGEST:,} characters"] if sample.n_cut else []
    if len(sample.texts) < sample.n_asked:
        share = f"{CHARACTERS} characters for each of the cells asked for"
        notes.append(f"{len(sample.texts):,} cells were read: together they may hold {share}")
    return TextReading(
        entities=tuple(found),
        engine=f"{first.name}:{first.model}",
        engine_version=first.version,
        n_sampled=len(sample.texts),
        absent=tuple(absent),
        doubtful=tuple(doubtful),
        notes=tuple(notes),
    )


def _hits(
    cells: Sequence[Sequence[Span]], n: int, *, own_only: bool
) -> dict[tuple[str, str | None], npt.NDArray[np.bool_]]:
    hits: dict[tuple[str, str | None], npt.NDArray[np.bool_]] = {}
    for cell, spans in enumerate(cells):
        for span in spans:
            # A second engine runs for the user's recognizers; names and places were read by the first.
            if not (own_only and span.entity in MODEL_ONLY):
                hits.setdefault((span.entity, span.detail), np.zeros(n, dtype=bool))[cell] = True
    return hits


def _beats_false_alarms(hits: npt.NDArray[np.bool_], engine: TextEngine) -> bool:
    """Tell whether Wilson's lower bound on the cells with a hit lies above the engine's false alarms."""
    return wilson(float(hits.mean()), len(hits))[0] > FALSE_ALARMS.get(engine.info.name, 0.0)


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
    n_read = len(sample.texts)
    every = "all" if sample.complete else "a seeded sample of"
    because = (
        f"seen by {engine.info.model} in {int(hits.sum()):,} of {every} {n_read:,} distinct cells with words"
    )
    return Contained(
        entity=entity,
        detail=detail,
        n_cells=int(sample.rows[hits].sum()),
        share=_share(hits, sample, n_present),
        evidence=(Clue(kind="model", because=because),),
    )
