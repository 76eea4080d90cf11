"""Question: how does a text with unpaired surrogates read in UTF-8?

Method: each is written as its escape, for example \\ud800, in every text of a structure of dictionaries and lists.
"""

from __future__ import annotations


def without_surrogates(data: object) -> object:
    """Return `data` with every unpaired surrogate of its texts written as an escape."""
    if isinstance(data, str):
        return data.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(data, dict):
        return {without_surrogates(key): without_surrogates(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(without_surrogates(item) for item in data)
    return data
