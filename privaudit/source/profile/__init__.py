"""Exact statistics of every column, from the distinct values and how many rows hold each."""

from __future__ import annotations

from privaudit.source.profile.columns import count_words, profile, profile_column
from privaudit.source.profile.dates import parse_dates
from privaudit.source.profile.numbers import count_decimals, parse_numbers

__all__ = ["count_decimals", "count_words", "parse_dates", "parse_numbers", "profile", "profile_column"]
