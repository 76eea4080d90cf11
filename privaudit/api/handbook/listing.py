"""List the contents of the packs: every check, policy, framework, control, entity type and detector on one line.

Question: which rules exist?
Method: read from the packs and the vocabulary.
Limits: titles only; `privaudit explain` has the rest.
"""

from __future__ import annotations

from pathlib import Path

from privaudit.base.records import dataclass
from privaudit.model import vocabulary
from privaudit.rulebook import load_checks, load_frameworks, load_policy, policy_names


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
