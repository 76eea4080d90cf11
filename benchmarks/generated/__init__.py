"""Labelled tables from generators, as a corpus that detection was not written with."""
