"""How is a release made, written, audited again, attacked and certified? One folder for each kind.

Imports `audit` and the rooms below it.
"""
