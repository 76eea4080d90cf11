"""The errors for a store or a catalogue that refuses a table, by their cause.

Question: what should the user check: the address, the credentials, the region or the network?
Method: the text of the library, without names in quotes and addresses, is compared with what pyarrow, deltalake and
pyiceberg write for each cause. It is never shown.
Limits: a text that is not listed gives the general message.
"""

from __future__ import annotations

import re

from privaudit.base.errors import UnreadableSource

_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|[a-z][a-z0-9+]*://\S+")
_CAUSES = tuple(
    (re.compile(pattern), message, hint)
    for pattern, message, hint in (
        (
            r"support not installed",
            "Reading this catalogue needs a part of pyiceberg that is not installed.",
            "pip install 'pyiceberg[NAME]' with the NAME of the catalogue: sql-sqlite, sql-postgres, hive, glue",
        ),
        (
            r"(?i)AuthenticationException|access token|credentials file|get token",
            "The environment has no credentials for this store, or they cannot be read.",
            "log in with the tool of the store, or set its variables of the environment",
        ),
        (
            r"valid account name",
            "The address does not name the account of the store.",
            "write abfs://container@account.dfs.core.windows.net/path",
        ),
        (
            r"(?i)access.?denied|permission.?denied|unauthenticated|forbidden|unauthorized|\b40[13]\b|accesskeyid"
            r"|signaturedoesnotmatch|expired.?token",
            "The store refused to give the table to this user.",
            "check the credentials in the environment: which user, whether they expired, and the rights of that user",
        ),
        (
            r"PermanentRedirect|\b301\b",
            "The store is in another region than the environment states.",
            "set AWS_REGION to the region of the bucket",
        ),
        (
            r"(?i)LogSegment end version|version \d+ (?:not found|does not exist)|Snapshot not found",
            "The table does not have this version.",
            "check the number after #version=",
        ),
        (
            r"(?i)no files in log segment|no such|not ?found|does not exist|\b404\b|missing bucket",
            "No table was found at this address.",
            "check the address, and that this user may see the table",
        ),
        (
            r"(?i)network_connection|could not connect|connect error|connection refused|failed to establish|unavailable"
            r"|resolve|timed out|timeout|max retries",
            "The server of the table cannot be reached.",
            "check the address, the endpoint in the environment, and the network",
        ),
        (
            r"Unexpected query parameter",
            "The address has a parameter that this store does not read.",
            "remove what follows the question mark, or check how it is written",
        ),
        (
            r"URI missing|Empty namespace",
            "The catalogue is not configured, or the address does not name catalogue, namespace and table.",
            "write iceberg:catalog.namespace.table, and configure the catalogue for pyiceberg",
        ),
    )
)


def not_reached(text: str = "") -> UnreadableSource:
    """Build the error for a table that a library did not read, from the text of its error."""
    bare = _NAMES.sub("", text)
    for pattern, message, hint in _CAUSES:
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
