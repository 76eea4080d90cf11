"""The files that `privaudit init` writes, each explained in its comments.

Question: what does a project need so that its tables are checked before a commit and in each pull request?
Method: texts with the tables that were found filled in. A file that exists is not touched; its text is printed instead.
Limits: roles are suggested in comments; a person decides about them.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from privaudit._version import __version__
from privaudit.base import extras, resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.toml_text import toml_text
from privaudit.cli.starter.look import TableLook, look_at
from privaudit.settings.config import CONFIG_FILE, Progress, silent
from privaudit.source import shown_source

PRE_COMMIT = ".pre-commit-config.yaml"
GITHUB = ".github/workflows/privaudit.yml"
GITLAB = ".gitlab-ci.yml"
REPORTS = "privaudit-report"
_MOST_PATHS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file of `init`: its path, its text, and whether it was written or existed."""

    path: str
    text: str
    is_new: bool


def start(folder: Path, *, progress: Progress = silent) -> tuple[tuple[TableLook, ...], tuple[Written, ...]]:
    """Look at the tables below `folder`, write the files that do not exist, and return both.

    Raises
    ------
    ConfigError
        If a file cannot be written.
    """
    tables = tuple(_relative(table, folder) for table in look_at(folder, progress))
    ci = (GITLAB, gitlab_job) if _uses_gitlab(folder) else (GITHUB, github_job)
    texts = {CONFIG_FILE: settings_text(tables), PRE_COMMIT: hook_text(), ci[0]: ci[1](tables)}
    return tables, tuple(_write(folder, path, text) for path, text in texts.items())


def _relative(table: TableLook, folder: Path) -> TableLook:
    source = os.path.relpath(table.source, folder).replace(os.sep, "/")
    shown, withheld = shown_source(source)
    return replace(table, source=source, name=shown if withheld else source)


def _uses_gitlab(folder: Path) -> bool:
    if (folder / GITLAB).exists():
        return True
    try:
        return "gitlab" in (folder / ".git" / "config").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _write(folder: Path, path: str, text: str) -> Written:
    target = folder / path
    if os.path.lexists(target):
        return Written(path=path, text=text, is_new=False)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError:
        raise ConfigError(f"{path} cannot be written.", hint="check that the folder is writable") from None
    return Written(path=path, text=text, is_new=True)


def _filled(template: str, **values: str) -> str:
    """Return a template of ``rules/starter``, in which @name@ stands for a value."""
    text = resources.path("rules", "starter", template).read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def settings_text(tables: Sequence[TableLook]) -> str:
    """Return privaudit.toml for `tables`."""
    head = _filled("settings.txt", text_advice=_text_advice(tables))
    return "\n".join([head, *(_table_section(table) for table in tables)]).rstrip() + "\n"


def _text_advice(tables: Sequence[TableLook]) -> str:
    with_text = [table.name for table in tables if table.has_text]
    if not with_text:
        return "# ner = false\n"
    shown = ", ".join(map(toml_text, with_text[:5]))
    return f"# Tables with text: {shown}. {extras.TEXT.install}\n# ner = false\n"


def _table_section(table: TableLook) -> str:
    if table.name != table.source:
        return f"# {table.name}: the name of the file is personal data, so it has no section here.\n"
    if table.why_not:
        return f"# {toml_text(table.source)} was not read: {' '.join(table.why_not.split())}\n"
    if table.unit:
        why = f"# The rows of {toml_text(table.source)} are not people, as inferred. Remove this section if they are.\n"
        return f"{why}[tables.{toml_text(table.source)}]\nunit = {toml_text(table.unit)}\n"
    if not table.columns:
        return f"# {toml_text(table.source)}: no column was recognised as personal data.\n"
    lines = [
        f"# {toml_text(table.source)}: roles as inferred. Remove the # from the heading and from a line to set a role."
    ]
    lines.append(f"# [tables.{toml_text(table.source)}.role]")
    for column in table.columns:
        what = f"  # {column.entity}" if column.entity else ""
        lines.append(f"# {toml_text(column.name)} = {toml_text(column.role)}{what}")
    return "\n".join(lines) + "\n"


def hook_text() -> str:
    """Return a pre-commit configuration with the hook of this installation."""
    return _filled("pre-commit.yml", version=__version__)


def github_job(tables: Sequence[TableLook]) -> str:
    """Return a workflow of GitHub Actions."""
    return _filled("github.yml", requirement=requirement(tables), paths=_paths(tables), reports=REPORTS)


def gitlab_job(tables: Sequence[TableLook]) -> str:
    """Return a job of GitLab CI."""
    return _filled("gitlab.yml", requirement=requirement(tables), paths=_paths(tables), reports=REPORTS)


def requirement(tables: Iterable[TableLook]) -> str:
    """Return the requirement with the extras that the tables need."""
    found = list(tables)
    formats = {table.format for table in found}
    needed = [
        extra.name
        for extra, applies in (
            (extras.TEXT, any(table.has_text for table in found)),
            (extras.EXCEL, "excel" in formats),
            (extras.ENGINES, "duckdb" in formats),
            (extras.DELTA, "delta" in formats),
            (extras.ICEBERG, "iceberg" in formats),
        )
        if applies
    ]
    names = f"[{','.join(needed)}]" if needed else ""
    return f'"privaudit{names}=={__version__}"'


def _paths(tables: Sequence[TableLook]) -> str:
    """Return the sources of a scan of all tables: the top folders, and the files that are in none."""
    files = dict.fromkeys(table.file for table in tables)
    if any(table.name != table.source and "/" not in table.source for table in tables):
        return "."
    tops = dict.fromkeys(file.partition("/")[0] + "/" if "/" in file else file for file in files)
    # A workflow replaces ${{ }} before a shell sees it, and a list has no end.
    if not tops or len(tops) > _MOST_PATHS or any("${" in top or not top.isprintable() for top in tops):
        return "."
    return " ".join(shlex.quote(top) for top in tops)
