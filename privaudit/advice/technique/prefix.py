"""Cut codes to their first characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text
from privaudit.advice.technique.record import Parameter, Technique
from privaudit.model.wording import Threshold


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Keep the first characters of each value."""
    import pyarrow.compute as pc

    kept = int(parameters["characters_kept"])
    longest = pc.max(pc.utf8_length(column.dictionary)).as_py() or 0
    lookup, labels = by_text(pc.utf8_slice_codeunits(column.dictionary, 0, kept))
    details = {"kept": Threshold(value=kept), "length": Threshold(value=int(longest))}
    return Recoding("prefix", column.name, {"characters_kept": kept}, lookup, labels, details=details)


TECHNIQUE = Technique(
    name="prefix",
    meaning="Keeps the first characters of codes such as postal codes.",
    parameters={
        "characters_kept": Parameter(kind="integer", least=1, meaning="How many characters are kept.")
    },
    recode=recode,
)
