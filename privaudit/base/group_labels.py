"""How the name of a group lists its members: one text for those who write groups and those who read them."""

from __future__ import annotations

SEPARATOR = " | "
