"""Names and places in text, as a language model reads them.

Question: in what share of the cells of a free-text column does a person name, a place or a nationality occur?
Method: cells that contain words, distinct, filtered by shape so that no number reaches a model; of many, those that are
seen first if rows are drawn by a keyed hash, so that neither the order of rows nor the engine matters; the best
installed model for the language of each cell (assignment.py), in batches. It reads the passages of each cell in which a
name could occur (spans.py), each distinct one once; spans that do not have the form of a name are rejected. A match in
one distinct cell counts for all rows that hold it.
Limits: a model errs both ways: an entity type seen no more often than the false alarms of the model is reported as
doubtful, not as found. Cells are read up to `LONGEST` characters, together up to `CHARACTERS` for each requested cell.
For a sample, shares have Wilson intervals for the rows drawn; an entity type that was not seen gets its upper bound
(about 3/n). Cells in a script that no model was trained on are not read, and not assessed if they are more than that
bound. Text in a language that its model was not trained on is read and is not assessed, because names are missed in it.
There, and without a model, lists show the names that they contain (engines/listed.py).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from privaudit.base import extras
from privaudit.base.arrays import Flags, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import EngineUnavailable
from privaudit.base.records import dataclass
from privaudit.base.sampling import drawn_by_rows
from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.full_names import full_names
from privaudit.detect.catalogue.normalise import normalise
from privaudit.detect.catalogue.wordlists import word_list
from privaudit.detect.chance import is_by_chance
from privaudit.detect.text.assignment import Cells, assign, in_other_scripts, is_sentence, languages_of
from privaudit.detect.text.engines.interface import EngineInfo, Span, TextEngine, models
from privaudit.detect.text.engines.listed import LISTS, ListedNames
from privaudit.detect.text.engines.presidio import Custom, custom_recognizers
from privaudit.detect.text.engines.registry import available_engines, load_engine, presidio_info
from privaudit.detect.text.spans import read_spans
from privaudit.model import Clue, Contained, vocabulary
from privaudit.model.stats import exact, share_of_rows, wilson_bounds
from privaudit.model.wording import Count, Fact, Listing, Name, Term, Threshold, fact
from privaudit.settings.config import Progress, Settings, silent

LONGEST = 10_000  # characters of a cell: a model needs a second for so many
CHARACTERS = 50  # for each requested cell: about what a short note has
_OTHER_LANGUAGE = "detect.text_language_not_read"
_BARE = 0.1  # share of names of things without a common word that models take for people's (measured: up to 3 in 35)
_SHORTEST = 3  # letters of a common word: random texts contain shorter ones by chance
_MOSTLY = 0.5  # share of the cells from which a column is one of names
_NAMED, _MOST_NAMED = 200, 5  # cells whose language is identified, and languages that are named, for the reason
_WORDS = r"\p{L}\p{L}"
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"  # their sentences have no blanks
_CODE = rf"^[^\s{_UNSPACED}]*[0-9_@/\\=][^\s{_UNSPACED}]*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """What a language model found in one column, why the column could not be assessed, and notes on what was not read.

    ``n_cells`` counts rows of the cells read, ``share`` refers to all non-missing cells. The entity types that are
    `unproven` were seen no more often than the false alarms of the model, or in no cell (``n_cells`` is 0).
    `by_chance` are people who were seen no more often than in names of companies, products and places.
    """

    entities: tuple[Contained, ...] = ()
    unproven: tuple[Contained, ...] = ()
    why: Fact | None = None
    by_chance: Contained | None = None
    notes: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """The texts of a sample in which one model sees an entity type, how many it read, and whether that is proof.

    The hits `name_things` where each text is nothing but the name, as things have it (`_name_things`).
    """

    entity: str
    detail: str | None
    hits: Flags
    model: str
    n_read: int
    is_proven: bool
    by_chance: bool = False
    name_things: bool = False
    are_listed: bool = False


@dataclass(frozen=True, slots=True)
class _Sample:
    """Cells chosen for the models, which model reads which, what they represent, and what is not read."""

    texts: tuple[str, ...]
    read_by: Mapping[EngineInfo, Cells]
    rows: Ints
    rate: float
    n_present: int
    n_eligible: int
    rows_eligible: int
    why: Fact | None
    notes: tuple[Fact, ...]

    def contained(self, seen: Sequence[_Seen]) -> Contained:
        """Return how many cells contain an entity type, which one or several models saw."""
        hits: Flags = np.logical_or.reduce([one.hits for one in seen])
        n_cells = int(self.rows[hits].sum())
        if len(self.texts) == self.n_eligible:
            code, share = "detect.text_seen_in_all", exact(n_cells / self.n_present, self.n_present)
        else:
            code = "detect.text_seen_in_sample"
            scale = self.rows_eligible / self.n_present
            share = share_of_rows(hits, self.rows, rate=self.rate, of=self.rows_eligible, scale=scale)
        counts = (Count(int(one.hits.sum()), of=one.n_read, unit="cell") for one in seen)
        because = [fact(code, model=Name(one.model), cells=n) for one, n in zip(seen, counts, strict=True)]
        evidence, first = [Clue(kind="model", because=one) for one in because], seen[0]
        if all(one.name_things for one in seen):
            evidence.append(Clue(kind="shape", because=fact("detect.text_names_of_things")))
        if any(one.are_listed for one in seen):
            evidence.append(Clue(kind="list", because=fact("detect.text_listed_names")))
        return Contained(
            entity=first.entity, detail=first.detail, n_cells=n_cells, share=share, evidence=tuple(evidence)
        )


def read_text(
    values: pa.Array, counts: Ints, *, settings: Settings, n_present: int, progress: Progress = silent
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
    custom = custom_recognizers(settings.rules)
    if not settings.ner:
        return TextReading()
    if not available_engines():
        listed = _by_lists(values, counts, settings, n_present)
        return TextReading(entities=listed, why=fact("detect.text_no_model"))
    sample = _draw(values, counts, settings, available_engines(), n_present)
    try:
        seen = [
            one
            for engine, cells, custom_only in _engines(custom, sample)
            for one in _read(engine, cells, sample, progress, custom_only=custom_only)
        ]
    except EngineUnavailable as error:
        return TextReading(why=fact("detect.text_model_failed", reason=Name(error.message)))
    proven = dict(_by_type(one for one in seen if one.is_proven))
    doubtful = [group for key, group in _by_type(one for one in seen if not one.is_proven) if key not in proven]
    found = {key: sample.contained(group) for key, group in proven.items()}
    for one in () if sample.why is None else _by_lists(values, counts, settings, n_present):
        key = (one.entity, one.detail)
        found[key] = max(found.get(key, one), one, key=lambda contained: contained.n_cells)
    return TextReading(
        entities=tuple(found[key] for key in sorted(found, key=lambda key: (key[0], key[1] or ""))),
        unproven=tuple(map(sample.contained, [*doubtful, *_absent(seen, sample)])),
        why=sample.why,
        by_chance=next((sample.contained(group) for group in doubtful if any(one.by_chance for one in group)), None),
        notes=sample.notes,
    )


def _by_lists(values: pa.Array, counts: Ints, settings: Settings, n_present: int) -> tuple[Contained, ...]:
    """Return what lists of names show in the sentences of a column that models read in part, or not at all."""
    prose = np.fromiter((is_sentence(text) for text in values.to_pylist()), np.bool_, len(values))
    if not prose.any():
        return ()
    sample = _draw(values.filter(pa.array(prose)), counts[prose], settings, (LISTS,), n_present)
    seen = _read(ListedNames(), np.arange(len(sample.texts)), sample, silent, custom_only=False)
    return tuple(sample.contained(group) for _, group in _by_type(one for one in seen if one.is_proven))


def _draw(values: pa.Array, counts: Ints, settings: Settings, engines: Sequence[EngineInfo], n_present: int) -> _Sample:
    plain = normalise(values)
    worded = pc.and_not(pc.match_substring_regex(plain, _WORDS), pc.match_substring_regex(plain, _CODE))
    held = np.asarray(worded.fill_null(False), dtype=np.bool_)
    foreign = held & in_other_scripts(plain, {script for engine in engines for script in engine.scripts})
    cells = np.flatnonzero(held & ~foreign)
    order, rates = drawn_by_rows(values.take(pa.array(cells)), counts[cells], settings.sample_ner, settings.seed)
    drawn = cells[order]
    # Long cells share the budget of short ones: a prefix of the order is a random sample as well.
    lengths = np.minimum(np.asarray(pc.utf8_length(values.take(pa.array(drawn)))), LONGEST)
    within = int((np.cumsum(lengths) <= CHARACTERS * settings.sample_ner).sum())
    chosen = drawn[: max(within, 1)]
    texts = plain.take(pa.array(chosen)).to_pylist()
    read_by, unknown = assign(texts, engines)
    in_part = None
    if unknown:  # a model misses names in languages that it was not trained on
        others = Count(unknown.total(), of=len(texts), unit="cell")
        in_part = fact(_OTHER_LANGUAGE, cells=others, languages=_listed(unknown))
    notes = []
    n_cut = sum(len(text) > LONGEST for text in texts)
    if n_cut:
        length = Threshold(LONGEST)
        notes.append(fact("detect.text_cells_truncated", cells=Count(n_cut, unit="cell"), length=length))
    if len(texts) < len(drawn):
        n_read, budget = Count(len(texts), unit="cell"), Threshold(CHARACTERS)
        notes.append(fact("detect.text_budget_reached", cells=n_read, characters=budget))
    return _Sample(
        texts=tuple(text[:LONGEST] for text in texts),
        read_by=read_by,
        rows=counts[chosen],
        rate=float(rates[len(chosen) - 1]) if len(chosen) else math.inf,
        n_present=max(1, n_present),
        n_eligible=len(cells),
        rows_eligible=int(counts[cells].sum()),
        why=_why_unread(plain.filter(pa.array(foreign)), len(cells), len(texts)) or in_part,
        notes=tuple(notes),
    )


def _why_unread(unread: pa.Array, n_eligible: int, n_read: int) -> Fact | None:
    """Return that cells are in a script the model does not read, if more than may hold what a sample did not show."""
    bound = wilson_bounds(0, n_read)[1] if 0 < n_read < n_eligible else 0.0
    n_cells = len(unread) + n_eligible
    if len(unread) <= bound * n_cells:
        return None
    cells, texts = Count(len(unread), of=n_cells, unit="cell"), unread.slice(0, _NAMED).to_pylist()
    languages = Counter(language for language in languages_of(texts) if language)
    if languages:
        return fact("detect.text_language_unread", cells=cells, languages=_listed(languages))
    scripts = [s for s in models("scripts")["known"] if pc.any(pc.match_substring_regex(unread, rf"\p{{{s}}}")).as_py()]
    names = Listing(tuple(Name(script) for script in scripts))
    return fact("detect.text_script_not_read", cells=cells, scripts=names)


def _listed(languages: Counter[str]) -> Listing:
    return Listing(tuple(Term(f"language.{code}") for code, _ in languages.most_common(_MOST_NAMED)))


def _engines(custom: Custom | None, sample: _Sample) -> Iterator[tuple[TextEngine, Cells, bool]]:
    """Yield each model with its cells, and whether it runs for the recognizers of the user only.

    These read all cells, with the model of Presidio; where it reads all cells anyway, it runs once.
    """
    info = presidio_info() if custom is not None else None
    if custom is not None and info is None:
        raise EngineUnavailable(
            "Presidio recognizers need a spaCy model, and none is installed.",
            hint=f"{extras.TEXT.install}, or run with --no-ner",
        )
    reads_all = list(sample.read_by) == [info]
    for engine, cells in sample.read_by.items():
        yield load_engine(engine, custom if reads_all else None), cells, False
    if info is not None and not reads_all:
        yield load_engine(info, custom), np.arange(len(sample.texts)), True


def _read(
    engine: TextEngine, cells: Cells, sample: _Sample, progress: Progress, *, custom_only: bool
) -> Iterator[_Seen]:
    """Yield what one model sees in the texts that it reads."""
    by_model = vocabulary.with_trait("needs_language_model")
    none = np.zeros(len(sample.texts), dtype=np.bool_)
    hits: dict[tuple[str, str | None], Flags] = {}
    within: dict[str, list[tuple[str, Span]]] = {}
    spans_of = read_spans(engine, [sample.texts[cell] for cell in cells], progress)
    for cell, spans in zip(cells, spans_of, strict=True):
        for span in spans:
            if not (custom_only and span.entity in by_model):
                hits.setdefault((span.entity, span.detail), none.copy())[cell] = True
                within.setdefault(span.entity, []).append((sample.texts[cell], span))
    false_alarms, in_names = (
        models(table).get(engine.info.name, 0.0) for table in ("false_alarms", "false_alarms_in_names")
    )
    are_names = _are_names([sample.texts[cell] for cell in cells])
    for (entity, detail), seen in hits.items():
        # Above the false alarms of the model is the lower Wilson bound of the share of cells with a match.
        is_proven = entity not in by_model or wilson_bounds(int(seen.sum()), len(cells))[0] > false_alarms
        of_people = entity in vocabulary.with_trait("person_name")
        named = within.get(entity, []) if of_people else []
        by_chance = of_people and are_names and is_by_chance(len(cells), int(seen.sum()), in_names)
        name_things, are_listed = _name_things(named, len(cells)), any(_is_listed(text, span) for text, span in named)
        is_proven &= not by_chance
        yield _Seen(entity, detail, seen, engine.info.model, len(cells), is_proven, by_chance, name_things, are_listed)


def _are_names(texts: Sequence[str]) -> bool:
    """Whether most texts are names, of whatever: a few words, the longer of which begin with a capital letter."""
    named = sum(not any(word[0].islower() and len(word) > _SHORTEST for word in text.split()) for text in texts)
    return named >= _MOSTLY * len(texts) and sum(map(is_sentence, texts)) < _MOSTLY * len(texts)


def _name_things(within: Sequence[tuple[str, Span]], n_read: int) -> bool:
    """Whether names seen in texts are those of things: each is the whole text, and nearly all have a common word.

    "Old Mill" and "Harlow Research Park" have words that are not names; "Mercer Univ" and people have none.
    """
    if not within or not all(_is_whole_name(text, span) for text, span in within):
        return False
    bare = {text for text, _ in within if not _has_word_of_things(text)}
    return len(bare) < _BARE * n_read


def _is_listed(text: str, span: Span) -> bool:
    """Whether a name seen in a text is a full name on the lists, or a given name that is not a common word."""
    name = text[span.start : span.end]
    words = set(wordlists.fold(name).split()) & wordlists.listed_words("given_names")
    return bool(full_names(name)) or any(len(word) >= _SHORTEST and not wordlists.common_in(word) for word in words)


def _is_whole_name(text: str, span: Span) -> bool:
    """Whether a text is nothing but a name, which is not a full name on the lists."""
    rest = text[: span.start] + text[span.end :]
    return not any(map(str.isalnum, rest)) and not full_names(text)


def _has_word_of_things(text: str) -> bool:
    """Whether a text has a common word that is neither on a list of names nor a title."""
    people = wordlists.listed_words("given_names") | wordlists.listed_words("surnames")
    known = people | word_list("person_name", "titles") | word_list("person_name", "joining")
    words = wordlists.fold(text).split()
    return any(len(word) >= _SHORTEST and word not in known and wordlists.common_in(word) for word in words)


def _by_type(seen: Iterable[_Seen]) -> list[tuple[tuple[str, str | None], list[_Seen]]]:
    """Return what was seen by entity type and detail, sorted."""
    groups: defaultdict[tuple[str, str | None], list[_Seen]] = defaultdict(list)
    for one in seen:
        groups[one.entity, one.detail].append(one)
    return sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] or ""))


def _absent(seen: Sequence[_Seen], sample: _Sample) -> list[list[_Seen]]:
    """Return the entity types that every model sought and none saw."""
    if not sample.texts or (sample.why is not None and sample.why.code == _OTHER_LANGUAGE):
        return []  # of a language that the models do not know, what they do not find may be there
    none = np.zeros(len(sample.texts), dtype=np.bool_)
    sought = vocabulary.with_trait("sought_in_text").intersection(*(info.entities for info in sample.read_by))
    absent = sought - {one.entity for one in seen}
    return [
        [_Seen(entity, None, none, info.model, len(cells), False) for info, cells in sample.read_by.items()]
        for entity in sorted(absent)
    ]
