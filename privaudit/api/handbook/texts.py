"""What `explain` returns, headed sections of plain text, and the list of everything that can be explained.

Question: which rules exist?
Method: every check, policy, framework, control, entity type and detector on one line, read from the packs and the
vocabulary.
Limits: titles only; `privaudit explain` has the rest.
"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """One line of ``privaudit rules list``. ``kind`` is check, policy, framework, control, entity or detector."""

    kind: str
    code: str
    title: str


def list_rules(folder: Path | None = None) -> tuple[RuleInfo, ...]:
    """Return every check, policy, framework, control, entity type and detector, shipped and in the user's `folder`."""
    checks = [
        RuleInfo(kind="check", code=c.code, title=f"{c.name}: {c.title} ({c.severity})") for c in load_checks(folder)
    ]
    policies = [RuleInfo(kind="policy", code=p.name, title=p.title) for p in map(load_policy, policy_names())]
    laws: list[RuleInfo] = []
    for framework in load_frameworks(folder=folder):
        laws.append(RuleInfo(kind="framework", code=framework.id, title=framework.title))
        laws.extend(RuleInfo(kind="control", code=c.id, title=c.title) for c in framework.control)
    return (*checks, *policies, *laws, *_entity_types(folder), *_detectors(folder))


def _entity_types(folder: Path | None) -> tuple[RuleInfo, ...]:
    return tuple(
        RuleInfo(kind="entity", code=code, title=f"{record.title} ({record.role})")
        for code, record in vocabulary.known_types(folder).items()
    )


def _detectors(folder: Path | None) -> tuple[RuleInfo, ...]:
    from privaudit.detect.catalogue import detectors  # lazily: listing checks does not need detection

    return tuple(
        RuleInfo(kind="detector", code=one.label, title=f"{one.title} (pack {one.pack}{', yours' if one.user else ''})")
        for one in detectors.load(folder)
    )
