"""The catalogue of measures: title, meaning, caveat, formula and source of a number.

Question: what does a reader need next to a number so that it is not misread?
Method: read from ``rules/reference/measures.toml`` (id -> title, plain, not_said, formula, source) where a measure
has an entry; the sentence with the numbers of the table comes from the caller.
Limits: a measure without an entry is shown with its title only.
"""

from __future__ import annotations

from privaudit.model.wording.measures import entry, position

__all__ = ["entry", "measure", "position"]


def measure(measure_id: str, value: str, words: str, *, suffix: str = "", title: str = "") -> dict[str, str]:
    """Return one measured number with its words, ready to be shown.

    Parameters
    ----------
    measure_id : str
        Id in the catalogue, for example "class.k_min".
    value : str
        The number, as text.
    words : str
        A sentence with the numbers of the table.
    suffix, title : str
        A threshold shown after the title; a title for measures without an entry.
    """
    known = entry(measure_id)
    heading = title or known.get("title", measure_id)
    return {
        "id": measure_id,
        "heading": heading,
        "title": f"{heading} ({suffix})" if suffix else heading,
        "value": value,
        "words": words or known.get("plain", ""),
        "not_said": known.get("not_said", ""),
        "formula": known.get("formula", ""),
        "source": known.get("source", ""),
    }
