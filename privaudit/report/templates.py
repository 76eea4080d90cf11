"""The templates of pages and of Markdown: every value is escaped as its format requires.

Question: how does what a report contains become a text, without a value that is read as markup?
Method: templates escape by default, HTML as the engine does it and Markdown by `escape.markdown`, and refuse undefined
names. What a template itself writes, and what is marked as escaped, stays as it is. The build compiles all of them.
Limits: knows no content; style and script of pages are in `html`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base import compiled_rules, extras, resources
from privaudit.model.wording import plural
from privaudit.report.escape import markdown

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment

MARKDOWN = ".md.j2"


def markdown_of(page: Any) -> str:
    """Return a page as Markdown."""
    return environment(is_markdown=True).get_template("page.md.j2").render(view={"page": page})


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
    import shutil

    # A wheel takes the whole folder, which in a checkout may have templates of earlier commits.
    shutil.rmtree(_folder(), ignore_errors=True)
    templates = resources.path("reports", "templates")
    for file in sorted(templates.rglob("*.j2")):
        environment(is_markdown=file.name.endswith(MARKDOWN)).get_template(file.relative_to(templates).as_posix())
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
