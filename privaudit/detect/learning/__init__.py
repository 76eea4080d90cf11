"""Labelled columns, and what is learned from them."""
