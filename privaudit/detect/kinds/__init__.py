"""Readings of whole cells, a module a kind: cards, dates, levels, names, check digits, phones, places."""
