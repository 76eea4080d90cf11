"""The HTML report: one file without external resources, for screen, print, dark mode and screen readers.

Question: how does a person read the report?
Method: the contents (plain data) go through templates that escape by default and refuse undefined names. Style and
script are inlined, and each is allowed by its own hash in a content-security policy that allows nothing else. The
script sorts, filters and folds what the page has; without it, everything is still there to read.
Limits: at most some five megabytes: long tables are cut and the cut is counted.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any

from privaudit.base import resources
from privaudit.model import Report
from privaudit.model.wording import Edition
from privaudit.report import view
from privaudit.report.json import digest_of
from privaudit.report.public import publish
from privaudit.report.templates import environment

LANGUAGE = "en"
_DIGITS = frozenset("0123456789")


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as one HTML page, with the digest of the JSON of its own edition.

    The digest of the full report in a public page would let a reader try out the numbers that are withheld.
    """
    digest = digest_of(publish(report) if edition == "public" else report)
    return page_of("report.html.j2", {**view.build(report, edition, on_page=True), "digest": digest})


def page_of(template: str, contents: Mapping[str, Any]) -> str:
    """Return a page with the style, the script and the content-security policy of all reports."""
    from markupsafe import Markup

    style, script, running = _asset("report.css"), _script(), _running_title(contents)
    return _unbroken(
        environment()
        .get_template(template)
        .render(
            view=contents,
            style=Markup(style),  # shipped files, and a title of which all but letters and digits is escaped
            running=Markup(running),
            script=Markup(script),
            policy=_policy(style, running, script),
            language=LANGUAGE,
        )
    )


def notebook(report: Report) -> str:
    """Return the verdict of `report` as a fragment for a notebook cell."""
    return fragment_of("notebook.html.j2", view.build(report, on_page=True))


def fragment_of(template: str, contents: Mapping[str, Any]) -> str:
    """Return a fragment without style, for a notebook cell."""
    return environment().get_template(template).render(view=contents)


def _unbroken(page: str) -> str:
    """Return a page in which no line ends between a number and its percent sign; commands, which are copied, are kept.

    Only pages do: in the other formats a search for "19 %" must match.
    """
    parts = page.split("<pre")
    for i, part in enumerate(parts):
        command, end, rest = part.partition("</pre>") if i else ("", "", part)
        pieces = rest.split(" %")
        signs = ["\N{NO-BREAK SPACE}%" if piece[-1:] in _DIGITS else " %" for piece in pieces[:-1]]
        parts[i] = command + end + "".join(chain(*zip(pieces, [*signs, ""], strict=True)))
    return "<pre".join(parts)


def _running_title(contents: Mapping[str, Any]) -> str:
    """Return the style that puts the title of a page on each of its printed pages."""
    title = str(contents["page"].title if "page" in contents else contents.get("title", ""))
    quoted = "".join(char if char.isascii() and char.isalnum() else f"\\{ord(char):06x}" for char in title)
    return f'@page {{ @top-left {{ content: "{quoted}"; }} }}'


def _policy(style: str, running: str, script: str) -> str:
    styles = f"style-src '{_digest(style)}' '{_digest(running)}'"
    allowed = f"{styles}; script-src '{_digest(script)}'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


@cache
def _script() -> str:
    """Return the script without its comments and indentation: a quarter of its size."""
    lines = (line.strip() for line in _asset("report.js").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


@cache
def _asset(name: str) -> str:
    return resources.path("reports", "assets", name).read_text(encoding="utf-8").strip()
