"""What `explain` returns: headed sections of plain text."""

from __future__ import annotations

from typing import Any

from privaudit.base.records import dataclass

_READ = "primary: wording read in the source; secondary: as other publications quote it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A check, a policy, a framework, a control or an entity type, explained; `str` returns plain text.

    Attributes
    ----------
    subject, title : str
        The code, and what it denotes.
    sections : tuple of (heading, text)
        In reading order.
    laws : tuple of str
        Controls that name it, each with its source.
    """

    subject: str
    title: str
    sections: tuple[tuple[str, str], ...]
    laws: tuple[str, ...]

    def content(self) -> dict[str, Any]:
        """Return the explanation as an object of JSON."""
        sections = [{"heading": heading, "text": text} for heading, text in self.sections]
        return {"subject": self.subject, "title": self.title, "sections": sections, "laws": list(self.laws)}

    def __str__(self) -> str:
        """Return the explanation as plain text."""
        parts = [self.title, *(f"{heading}\n  {text}" for heading, text in self.sections)]
        if self.laws:
            parts.append(f"Laws and standards ({_READ})\n" + "\n".join(f"  {law}" for law in self.laws))
        return "\n\n".join(parts)
