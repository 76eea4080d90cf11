"""Replace personal values inside of texts by their types: ``<EMAIL>``, ``<PERSON>``.

Question: how can a note stay readable without the names and numbers in it?
Method: the spans that the patterns of detection accept, and the names and places that the language model reads in
every distinct cell, are replaced by the code of their entity type, names of people by ``<PERSON>``. Texts in a language
without a model are searched by lists of names and towns. All texts are normalised first, as for detection. Where at
least nine tenths of the different cells are wholly of one type, or the step states the type, the column is a column of
such identifiers: every cell is masked, also one that is not valid. What was masked is counted by type, and so are the
texts in which nothing was found.
Limits: what detection does not find remains: a text without a masked value is not a text without personal data.
Without a language model only patterns are masked, which ``names = true`` refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.recoding import MOSTLY
from privaudit.advice.technique.record import Context
from privaudit.base.arrow import pa
from privaudit.base.errors import EngineUnavailable
from privaudit.base.extras import TEXT
from privaudit.model.vocabulary import with_trait
from privaudit.risk.codes.coded import encode_column

NAME = "PERSON"
Found = tuple[int, int, str]


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Mask the texts of the columns."""
    from privaudit.detect.catalogue.normalise import normalise

    for name in parameters["columns"]:
        codes, dictionary = encode_column(table[name])
        texts = normalise(dictionary).to_pylist()
        spans = _spans(texts, names=bool(parameters.get("names", True)))
        code = parameters.get("entity") or _only_type(texts, spans)
        if code is not None:
            # A column of one type is masked whole: a value that is not valid, such as a mistyped number, is of a
            # person as well.
            spans = [[(0, len(text), str(code))] for text in texts]
        labels = pa.array([*map(masked, texts, spans), None], pa.string())
        held = np.bincount(codes, minlength=len(texts) + 1)
        counts: Counter[str] = Counter()
        for each, rows in zip(spans, held.tolist(), strict=False):
            counts.update(dict.fromkeys({code for _, _, code in each}, rows))
        untouched = sum(rows for each, rows in zip(spans, held.tolist(), strict=False) if not each)
        note = {"column": name, "masked": dict(sorted(counts.items())), "not_masked": untouched}
        context.notes.append({"technique": "mask_text", **note})
        table = with_column(table, name, labels.take(pa.array(codes)))
    return table


def _only_type(texts: list[str], spans: list[list[Found]]) -> str | None:
    """Return the entity type that at least nine tenths of the texts are, each from its first to its last character."""
    whole = Counter(
        each[0][2]
        for text, each in zip(texts, spans, strict=True)
        if len(each) == 1 and text[: each[0][0]].strip() == text[each[0][1] :].strip() == ""
    )
    code, n = whole.most_common(1)[0] if whole else ("", 0)
    return code if n and n >= MOSTLY * len(texts) else None


def _spans(texts: list[str], *, names: bool) -> list[list[Found]]:
    """Return for each text what is masked, without overlaps, in its order.

    Raises
    ------
    EngineUnavailable
        If names are to be masked and no language model is installed.
    """
    from privaudit.detect.text.embedded import find_spans

    found = [[(start, end, entity) for start, end, entity, _ in find_spans(text)] for text in texts]
    if names:
        from privaudit.detect.text.assignment import assign, without_model
        from privaudit.detect.text.engines.listed import ListedNames
        from privaudit.detect.text.engines.registry import available_engines, load_engine
        from privaudit.detect.text.spans import read_spans

        engines = available_engines()
        if not engines:
            raise EngineUnavailable(
                "Masking names in texts needs a language model.", hint=f"{TEXT.install}, or state names = false"
            )
        readers = [(load_engine(info), cells) for info, cells in assign(texts, engines)[0].items()]
        for reader, cells in (*readers, (ListedNames(), without_model(texts, engines))):
            read = read_spans(reader, [texts[cell] for cell in cells])
            for cell, spans in zip(cells.tolist(), read, strict=True):
                found[cell] += [(span.start, span.end, span.entity) for span in spans if span.entity != "ORGANISATION"]
    return [_apart(each) for each in found]


def _apart(spans: list[Found]) -> list[Found]:
    """Join spans that overlap; the first of them gives the type."""
    kept: list[Found] = []
    for start, end, entity in sorted(spans, key=lambda span: (span[0], -span[1])):
        code = NAME if entity in with_trait("person_name") else entity
        if kept and start < kept[-1][1]:
            # Joined, not dropped: what one reading leaves over would otherwise stay in clear.
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]), kept[-1][2])
        else:
            kept.append((start, end, code))
    return kept


def masked(text: str, spans: list[Found]) -> str:
    """Return `text` with each span replaced by its type."""
    parts, at = [], 0
    for start, end, code in spans:
        parts += [text[at:start], f"<{code}>"]
        at = end
    return "".join([*parts, text[at:]])
