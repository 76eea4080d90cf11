"""Write the table of techniques in docs/remedies.md from their records: python docs/make_remedies.py."""

from __future__ import annotations

import re
from pathlib import Path

from privaudit.advice.technique import names, technique

PAGE = Path(__file__).with_name("remedies.md")
START, END = "<!-- techniques -->\n", "<!-- end of techniques -->\n"
SCOPES = {"column": "`column`", "columns": "`columns`", "records": "records"}


def table() -> str:
    """Return one row for each technique."""
    lines = ["| technique | what it does | applied to | parameters | perturbation |", "|---|---|---|---|---|"]
    for name in names():
        found = technique(name)
        parameters = ", ".join(
            f"`{key}`" if parameter.required else f"[`{key}`]" for key, parameter in found.parameters.items()
        )
        perturbs = "yes" if found.is_perturbation else ""
        lines.append(f"| `{name}` | {found.meaning} | {SCOPES[found.scope]} | {parameters} | {perturbs} |")
    return "\n".join(lines) + "\n"


def text(page: str) -> str:
    """Return the page with the present table."""
    pattern = re.compile(re.escape(START) + ".*?" + re.escape(END), re.DOTALL)
    return pattern.sub(lambda _: START + table() + END, page)


if __name__ == "__main__":
    PAGE.write_text(text(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
