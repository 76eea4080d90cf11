"""The catalogue of sentences: ``rules/wording``, one sentence for each code.

Question: which sentence belongs to a code?
Method: ``rules/wording/roles.toml`` with the key ``declared`` gives the sentence of the fact ``roles.declared``: text
with placeholders. ``rules/wording/limits/risk.toml`` with the key ``one_row`` gives the limit ``risk.one_row``: a pair
of sentences, ``what`` is limited and ``why``. Each room has a file of its own. The sentence of a finding is the
message of its check in ``rules/checks``.
Limits: data only; `privaudit.model.wording.render` fills the placeholders.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from privaudit.base import resources

Part = Literal["what", "why"]


@cache
def _file(*parts: str) -> dict[str, Any]:
    path = resources.path("rules", "wording", *parts)
    return resources.read_toml(path) if path.is_file() else {}


@cache
def check_messages() -> dict[str, str]:
    """Return the message of every check that ships with the program, by the code of the check."""
    packs = (
        resources.read_toml(resources.path("rules", "checks", f"{n}.toml")) for n in resources.names("rules", "checks")
    )
    return {str(check["code"]): str(check["message"]) for pack in packs for check in pack.get("check", ())}


def sentence(code: str) -> str | None:
    """Return the sentence of a fact; None where there is none.

    Parameters
    ----------
    code : str
        ``room.key``, the code of a check, or ``room.key.what`` and ``room.key.why`` for the parts of a limit.
    """
    room, dot, key = code.partition(".")
    if not dot:
        return check_messages().get(code)
    limited, _, part = key.partition(".")
    if part in ("what", "why"):
        return limit_sentence(f"{room}.{limited}", "what" if part == "what" else "why")
    found = _file(f"{room}.toml").get(key)
    return None if found is None else str(found)


def position(code: str) -> int:
    """Return the place of a sentence among those of its file; one past the last where there is none."""
    room, _, key = code.partition(".")
    keys = list(_file(f"{room}.toml"))
    return keys.index(key) if key in keys else len(keys)


def limit_sentence(code: str, part: Part) -> str | None:
    """Return what the limit `code` (``room.key``) is about, or why it holds; None where the catalogue has none."""
    room, _, key = code.partition(".")
    found = _file("limits", f"{room}.toml").get(key)
    return None if found is None else str(found[part])


def term(code: str) -> str:
    """Return the word for `code` from ``terms.toml``; the code itself where the file does not list it."""
    return str(_file("terms.toml").get(code, code))
