"""What `explain` returns, headed sections of plain text, and the list of everything that can be explained.

Question: which rules exist?
Method: every check, policy, framework, control, entity type and detector on one line, read from the packs and the
vocabulary.
Limits: titles only; `privaudit explain` has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from privaudit.base.records import dataclass
from privaudit.model import vocabulary
from privaudit.rulebook import load_checks, load_frameworks, load_policy, policy_names

_READ = (
    "primary: wording read in the source; secondary: as other publications quote it; unverified: from general knowledge"
)


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
    laws: tuple[str, ...] = ()

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


def explained(subject: str, title: str, sections: Iterable[tuple[str, str]], laws: Iterable[str] = ()) -> Explanation:
    """Return an explanation, without the sections that have no text."""
    written = tuple(section for section in sections if section[1])
    return Explanation(subject=subject, title=title, sections=written, laws=tuple(laws))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """One line of ``privaudit rules list``. ``kind`` is check, policy, framework, control, entity or detector."""

    kind: str
    code: str
    title: str


def list_rules(folder: Path | None = None) -> tuple[RuleInfo, ...]:
    """Return every check, policy, framework, control, entity type and detector, shipped and in the user's `folder`."""
    return tuple(RuleInfo(kind=kind, code=code, title=title) for kind, code, title in _rules(folder))


def _rules(folder: Path | None) -> Iterator[tuple[str, str, str]]:
    """Yield kind, code and title of each."""
    from privaudit.detect.catalogue import detectors  # lazily: explaining a check does not need detection

    for check in load_checks(folder):
        yield "check", check.code, f"{check.name}: {check.title} ({check.severity})"
    for policy in map(load_policy, policy_names()):
        yield "policy", policy.name, policy.title
    for framework in load_frameworks(folder=folder):
        yield "framework", framework.id, framework.title
        yield from (("control", control.id, control.title) for control in framework.control)
    for code, record in vocabulary.known_types(folder).items():
        yield "entity", code, f"{record.title} ({record.role})"
    for one in detectors.load(folder):
        yield "detector", one.label, f"{one.title} (pack {one.pack}{', yours' if one.user else ''})"
