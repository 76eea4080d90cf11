"""What people state about a table and its release, by the words that settings and reports share."""

from __future__ import annotations

from typing import Literal

MissingSemantics = Literal["category", "wildcard", "one-sided"]
"""How missing values are compared."""

CONTEXT = ("purpose", "recipients", "legal_basis", "holder", "release_model", "controls", "decides", "review")
"""What people state about a release besides the controls: its purpose, the recipients, the legal basis, who holds the
data, how they are released, which measures protect them, who decides, and when it is reviewed."""
