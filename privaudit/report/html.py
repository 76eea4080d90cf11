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
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base import compiled_rules, extras, resources
from privaudit.model import Report
from privaudit.model.wording.numbers import plural
from privaudit.model.wording.render import Edition
from privaudit.report import view
from privaudit.report.escape import markdown
from privaudit.report.json import digest_of
from privaudit.report.public import publish

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment

LANGUAGE = "en"


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
    return (
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


@cache
def environment(*, is_markdown: bool = False) -> Environment:
    """Return how templates are read: every value is escaped as its format requires, unless it is escaped already."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def as_markdown(value: object) -> Markup:
        return value if isinstance(value, Markup) else Markup(markdown(str(value)))

    made = Environment(
        loader=FunctionLoader(_template),
        bytecode_cache=_compiled_templates(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[],
        finalize=as_markdown if is_markdown else None,
    )
    made.globals["plural"] = plural
    made.filters["md"] = as_markdown
    return made


def _template(name: str) -> str:
    return resources.path("reports", "templates", name).read_text(encoding="utf-8")


def compile_templates() -> Path:
    """Compile every template, when the package is built, and return the folder with the results."""
    templates = resources.path("reports", "templates")
    for file in sorted(templates.rglob("*.j2")):
        environment(is_markdown=file.name.endswith(".md.j2")).get_template(file.relative_to(templates).as_posix())
    return _folder()


def _folder() -> Path:
    """Return where compiled templates are: results of another Jinja or Python are not in it."""
    with_ = f"jinja-{extras.version('jinja2')}-{sys.implementation.cache_tag}"
    return compiled_rules.place(resources.path(), "compiled_templates") / with_


def _compiled_templates() -> BytecodeCache:
    """Return the compiled templates of the build; a template that is not among them is added if a file may be written.

    Compiling takes longer than writing a report. An entry counts only for the same text of the template.
    """
    from jinja2 import FileSystemBytecodeCache

    class CompiledTemplates(FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Any) -> None:
            if not sys.dont_write_bytecode:
                with suppress(OSError):
                    Path(self.directory).mkdir(parents=True, exist_ok=True)
                    super().dump_bytecode(bucket)

    return CompiledTemplates(str(_folder()))
