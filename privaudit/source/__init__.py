"""How does any path, frame or database table become counted columns? Imports `settings` and the rooms below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from privaudit.source.opening import Dataset, Frequencies, from_arrow, open_dataset, shown_source

__all__ = ["Dataset", "Frequencies", "from_arrow", "open_dataset", "shown_source"]


def __getattr__(name: str) -> Any:
    # On first use: the profile of a value needs neither Arrow nor an engine.
    if name in __all__:
        from privaudit.source import opening

        return getattr(opening, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
