"""Hashes of what stands in the same table: pseudonyms that anybody can undo.

Question: is a column of digests the plain hash of a column beside it?
Method: the length of a digest names its algorithm (MD5, SHA-1, SHA-256, SHA-512). A seeded sample of the values of
each sibling is hashed as it stands, stripped, in lower and in upper case, and looked up in the column, in hexadecimal
or base64 as the column is written. A hit is no accident: it proves that neither salt nor key was used.
Limits: a digest of values that stand in no sibling, or of several joined, is not recognised; no hit proves nothing.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.context import Examined
from privaudit.model import Clue

_MOST = 300  # values of a sibling that are tried
_HITS = 0.2  # of the values tried; siblings may be misprinted, or hold more people than the digests
_EXPLAINED = 0.5  # of the digests: hashes of small numbers meet many a column of small numbers
_ENTITIES = frozenset("HASH PSEUDONYM BASE64 UNRESOLVED_ID PERSON_ID PASSWORD SECRET".split())
# Algorithm by the length of a digest: hexadecimal, base64 with and without its padding.
_BY_LENGTH = {
    32: "md5", 40: "sha1", 64: "sha256", 128: "sha512",
    24: "md5", 22: "md5", 28: "sha1", 27: "sha1", 44: "sha256", 43: "sha256", 88: "sha512", 86: "sha512",
}  # fmt: skip
_HEX_LENGTHS = frozenset([32, 40, 64, 128])
_TITLE = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}
_FORMS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("as it stands", str),
    ("without blanks at its ends", str.strip),
    ("in lower case", lambda text: text.strip().lower()),
    ("in upper case", lambda text: text.strip().upper()),
)


def unsalted(table: Sequence[Examined]) -> None:
    """Tell of every column of digests that hashes a sibling: a clue, and what follows for its space of inputs."""
    for item in table:
        algorithm = _algorithm(item)
        if algorithm is None:
            continue
        for other in table:
            form = None if other is item else _form(item.column, other.column, algorithm)
            if form is not None:
                _tell(item, other, f"unsalted {_TITLE[algorithm]} hash", form)
                break


def _algorithm(item: Examined) -> str | None:
    column = item.column
    if item.entity not in _ENTITIES or column.n_distinct < 2 or column.shortest != column.longest:
        return None
    algorithm = _BY_LENGTH.get(column.longest)
    written = r"^[0-9a-fA-F]+$" if column.longest in _HEX_LENGTHS else r"^[0-9A-Za-z+/_-]+={0,2}$"
    return algorithm if algorithm is not None and column.matching(written) > 0.98 else None


def _form(digests: Column, sibling: Column, algorithm: str) -> str | None:
    """Return how the values of `sibling` were written before they were hashed, None where they were not."""
    if sibling.n_distinct < 2 or sibling.kind in ("boolean", "nested"):
        return None
    tried = sibling.raw.take(sibling.drawn[:_MOST]).to_pylist()
    for form, written in _FORMS:
        hashed = [_digest(written(text), algorithm, digests.longest) for text in tried]
        share = _known(digests, hashed) / len(tried)
        explained = share * sibling.n_distinct / digests.n_distinct
        if share >= _HITS and share * len(tried) >= 2 and explained >= _EXPLAINED:
            return form
    return None


def _digest(text: str, algorithm: str, length: int) -> str:
    found = hashlib.new(algorithm, text.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    if length in _HEX_LENGTHS:
        return found.hexdigest()
    return base64.b64encode(found.digest()).decode("ascii")[:length]


def _known(digests: Column, hashed: Iterable[str]) -> int:
    """Return how many of `hashed` stand in the column, whatever the case of hexadecimal digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = frozenset(hashed)
    values = digests.values
    if digests.longest in _HEX_LENGTHS:
        values = pc.utf8_lower(values)
    else:
        values = pc.replace_substring(pc.replace_substring(values, "-", "+"), "_", "/")
    found = values.filter(pa.array(words.members(values, wanted)))
    return int(pc.count_distinct(found).as_py())


def _tell(item: Examined, sibling: Examined, what: str, form: str) -> None:
    item.found.facts["hash_of_sibling"] = 1.0
    item.found.facts["hash_preimage_bits"] = round(math.log2(sibling.column.n_distinct), 1)
    verdict = item.verdict
    if verdict is None:
        return
    clue = Clue(kind="check-digit", because=f'{what} of column "{sibling.column.name}" ({form})')
    verdict = replace(verdict, evidence=(*verdict.evidence, clue))
    names_people = words.toml("entities").get(sibling.entity or "", {}).get("role") == "direct"
    if names_people and verdict.entity in ("HASH", "BASE64", "UNRESOLVED_ID"):
        verdict = replace(verdict, entity="PSEUDONYM", detail=verdict.entity.lower(), confidence=0.99)
    item.verdict = verdict
