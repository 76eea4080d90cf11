"""Readings of whole cells, a module for each kind: cards, dates, names, numbers with check digits, phones, places."""
