"""Write docs/frameworks from the packs, one page for each framework: python docs/make_frameworks.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from privaudit.rulebook import load_frameworks
from privaudit.rulebook.packs import ControlSpec, Framework, FrameworkLimits

FOLDER = Path(__file__).resolve().parent / "frameworks"
MARKS = {
    "primary": "read in the text of the source",
    "secondary": "read in a copy or a description by others",
    "unverified": "not verified; not judged",
    "product": "a default of privaudit, not of the source",
}
SILENT = {
    "yes": "yes, if every check was measured completely",
    "no": "no, if every check was measured completely",
    "person": "a person answers",
    "not_measured": "not measured: no check shows the absence",
}
TABLES = {
    "people": "tables about people, and counts of people",
    "records": "tables of records about people; of counts, a person answers",
    "aggregates": "tables of counts or sums",
    "any": "any table",
}


def pages() -> dict[str, str]:
    """Return the text of every page, by its file name."""
    return {f"{framework.id}.md": page(framework) for framework in load_frameworks()}


def page(framework: Framework) -> str:
    """Return the page of a framework."""
    return "\n".join(_lines(framework)) + "\n"


def _lines(framework: Framework) -> Iterator[str]:
    yield f"# {framework.title}"
    yield ""
    yield f"`privaudit scan TABLE --framework {framework.id}` answers these questions. {framework.disclaimer}"
    yield ""
    yield f"Jurisdiction: {framework.jurisdiction}. Pack {framework.version}, state of the sources: {framework.as_of}."
    yield f"Status: {framework.status}. Written from `rules/frameworks/{framework.id}.toml` by"
    yield "`python docs/make_frameworks.py`; [compliance](../compliance.md) explains the answers, and"
    yield "[rules](../rules.md#checks) the checks."
    if framework.limits is not None:
        yield ""
        yield f"Limits of the framework, whatever the policy: {_limits(framework.limits)}."
    for control in framework.control:
        yield ""
        yield from _control(control)


def _control(control: ControlSpec) -> Iterator[str]:
    yield f"## {control.id}: {control.title}"
    yield ""
    yield f"**{control.question}** {control.requirement}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for title, text in _rows(control):
        yield f"| {title} | {text} |"


def _rows(control: ControlSpec) -> Iterator[tuple[str, str]]:
    if control.good is not None:
        yield "favourable answer", control.good
    for title, codes in (
        ("yes, if one of these checks fires", control.answers_yes),
        ("no, if one of these checks fires", control.answers_no),
        ("unfavourable, if it was run and fires", control.if_run),
        ("for a person to answer, if one of these checks fires", control.asks),
        ("applies only if one of these checks fires", control.presupposes),
        ("facts", control.facts),
    ):
        if codes:
            yield title, ", ".join(codes)
    if control.any_of:
        yield "follows from", ", ".join(control.any_of)
    elif control.checks:
        yield "if none fires", SILENT[control.silent]
    else:
        yield "answer", "always for a person to give"
    if control.entities:
        yield "entity types", ", ".join(f"`{code}`" for code in control.entities)
    if control.limits is not None:
        yield "limits, whatever the policy", _limits(control.limits)
    if control.person:
        yield "a person adds", control.person
    yield "applies to", TABLES[control.of]
    yield "source", control.source
    yield "text of the source", f"{control.verified}: {MARKS[control.verified]}"


def _limits(limits: FrameworkLimits) -> str:
    stated = [
        f"{title} {value}"
        for title, value in (
            ("k", limits.k),
            ("probability", limits.probability),
            ("dates not finer than", limits.date),
            ("places not finer than", limits.geo),
            ("also allowed:", ", ".join(limits.places) or None),
        )
        if value is not None
    ]
    return f"{'; '.join(stated)} ({limits.origin})"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    written = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
