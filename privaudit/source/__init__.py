"""One door: a path, a frame or a database table becomes a `Dataset`."""

from __future__ import annotations

from privaudit.source.arrow import from_arrow
from privaudit.source.dataset import Dataset, Frequencies

__all__ = ["Dataset", "Frequencies", "from_arrow"]
