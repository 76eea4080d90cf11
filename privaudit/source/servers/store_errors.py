"""The errors for a store or a catalogue that refuses a table, by their cause.

Question: what should the user check: the address, the credentials, the region or the network?
Method: the text of the library, without names in quotes and addresses, is compared with what pyarrow, deltalake,
pyiceberg and libpq write for each cause (``rules/reference/refusals.toml``). It is never shown.
Limits: a text that is not listed gives the general message.
"""

from __future__ import annotations

import re
from functools import cache

from privaudit.base import resources
from privaudit.base.errors import UnreadableSource

_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|[a-z][a-z0-9+]*://\S+")


@cache
def causes(library: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Return what a library writes for each cause, with the message and the hint for it."""
    listed = resources.read_toml(resources.path("rules", "reference", "refusals.toml"))[library]
    return tuple((re.compile(each["pattern"]), each["message"], each["hint"]) for each in listed)


def not_reached(text: str = "") -> UnreadableSource:
    """Build the error for a table that a library did not read, from the text of its error."""
    bare = _NAMES.sub("", text)
    for pattern, message, hint in causes("store"):
        if pattern.search(bare):
            return UnreadableSource(message, hint=hint)
    return UnreadableSource(
        "The table cannot be reached or read at this address.",
        hint="check the address, and the credentials and region in the environment",
    )


def no_such_table() -> UnreadableSource:
    """Build the error for an address at which a store has nothing."""
    return UnreadableSource(
        "The store has no file and no folder at this address.",
        hint="check bucket and path; a pattern is not read, a folder of parts is",
    )


def not_of_format(format_: str) -> UnreadableSource:
    """Build the error for an object that was reached and is not what its name states."""
    return UnreadableSource(
        f"The file or folder was reached, but cannot be read as {format_.capitalize()}.",
        hint="check that each file in it is complete and of this format, and that you may read it",
    )
