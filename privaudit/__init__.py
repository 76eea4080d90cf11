"""privaudit: what personal data a table holds, who in it can be singled out, and what would fix it."""

from privaudit._version import __version__

__all__ = ["__version__"]
