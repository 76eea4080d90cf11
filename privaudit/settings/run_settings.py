"""The settings of one command, each with the place it comes from.

Question: which settings apply to this table, and who set them?
Method: defaults, then the settings file, then its section for the table, then the options of the command; the last one
wins. With ``--policy-from`` the settings file, the policy, the rule packs and the baseline are those of another commit.
Limits: files of data, such as the auxiliary table, are always those of the working tree.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model.headers import shown_file
from privaudit.settings.acceptance import joined
from privaudit.settings.config import Settings
from privaudit.settings.config_files import EXACTLY, find_config, load_config, load_tables

if TYPE_CHECKING:
    from privaudit.settings.base_revision import Notice, Revision

_OPTION_OF = {"field_metadata": "policy_from"}
"""Settings that an option of another name sets."""
JUDGING = ("policy", "rules", "baseline")
"""Settings whose files decide about a table; ``--policy-from`` reads them from the other commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What the settings file and the options state, before it becomes `Settings`.

    Attributes
    ----------
    file : Path or None
        The settings file that was read.
    origin : str
        How that file is named to people.
    from_file, from_options : mapping of name to value
    tables : mapping of pattern to settings
        The sections of the settings file for tables whose path matches a pattern.
    home : Path
        The folder that the patterns are relative to.
    commit : Revision or None
        The commit that the files which judge were copied from.
    """

    file: Path | None
    origin: str
    from_file: Mapping[str, Any]
    from_options: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    home: Path = Path()
    commit: Revision | None = None

    def baseline_folder(self, file: str) -> Path:
        """Return the folder that the tables of a baseline are relative to: that of the file in the working tree."""
        return (Path(file) if self.commit is None else self.commit.original(Path(file))).parent

    def of(self, source: str = "") -> dict[str, Any]:
        """Return the settings that apply to a table."""
        return {name: value for name, (value, _) in self.with_origins(source).items()}

    def with_origins(self, source: str = "") -> dict[str, tuple[Any, str]]:
        """Return every setting that was stated for a table, and its origin."""
        found = {name: (value, self.origin) for name, value in self.from_file.items()}
        for pattern, values in self.tables.items():
            if source and self._matches(source, pattern):
                origin = f'{self.origin} [tables."{pattern}"]'
                if "accept" in values:
                    earlier = found["accept"][0] if "accept" in found else ()
                    values = {**values, "accept": joined(earlier, values["accept"])}
                found.update({name: (value, origin) for name, value in values.items()})
        if "answers" in found:
            book, origin = found["answers"]
            found["answers"] = (book.of(lambda pattern: bool(source) and self._matches(source, pattern)), origin)
        # Last: what someone typed for this run decides over any file.
        for name, value in self.from_options.items():
            found[name] = (value, "option --" + _OPTION_OF.get(name, name).replace("_", "-"))
        return found

    def _matches(self, source: str, pattern: str) -> bool:
        path, mark, part = re.sub(r"^(sqlite|duckdb|delta|iceberg):", "", source).partition("#")
        # From the folder of the file, so that a pattern means the same wherever the command is started.
        relative = os.path.relpath(path, self.home).replace(os.sep, "/")
        whole = relative + mark + part
        if pattern.startswith(EXACTLY):
            return fnmatchcase(whole, pattern.removeprefix(EXACTLY))
        return any(
            text == pattern or fnmatchcase(text, pattern)
            for text in (relative, whole, Path(path).name, Path(path).name + mark + part)
        )

    def listing(self, source: str = "") -> list[tuple[str, Any, str]]:
        """Return name, value and origin of every setting, stated or not, sorted by name."""
        stated = self.with_origins(source)
        settings = Settings(**{name: value for name, (value, _) in stated.items()})
        return [
            (item.name, getattr(settings, item.name), stated[item.name][1] if item.name in stated else "default")
            for item in sorted(dataclasses.fields(Settings), key=lambda one: one.name)
        ]


def resolve(
    config: str | None, options: Mapping[str, Any], *, policy_from: str | None, keep: ExitStack, notice: Notice
) -> RunSettings:
    """Return the settings of a command.

    Parameters
    ----------
    config : str or None
        The settings file that was named; None finds the nearest one, an empty text reads none.
    options : mapping
        The options of the command; those that were not given are None or empty.
    policy_from : str or None
        The commit whose settings file, policy and rule packs decide.
    keep : ExitStack
        Removes copies of files of that commit when it closes.

    Raises
    ------
    ConfigError
        If the file does not exist or is not valid, or the commit cannot be read.
    """
    given = {name: value for name, value in options.items() if value not in (None, (), {})}
    if policy_from is not None:
        from privaudit.settings.base_revision import Revision

        return _from_commit(Revision(policy_from, Path.cwd(), keep, notice), config, given)
    file = settings_file(config)
    if file is None:
        return RunSettings(file=None, origin="", from_file={}, from_options=given)
    return RunSettings(
        file=file,
        origin=os.path.relpath(file),
        from_file=load_config(file),
        from_options=given,
        tables=load_tables(file),
        home=file.parent,
    )


def settings_file(config: str | None) -> Path | None:
    """Return the settings file: the one that is named, the nearest one where none is, None for an empty name.

    Raises
    ------
    ConfigError
        If the one that is named does not exist.
    """
    if config is None:
        return find_config(Path.cwd())
    if not config:
        return None
    if not os.path.isfile(config):
        shown = shown_file(config)
        raise ConfigError(f"The configuration file {shown} does not exist.", hint="check the path")
    return Path(config)


def _from_commit(revision: Revision, config: str | None, given: dict[str, Any]) -> RunSettings:
    copy = _settings_copy(revision, config)
    if given.get("field_metadata"):
        raise ConfigError(
            "--field-metadata and --policy-from exclude each other.",
            hint="a pull request can change the metadata of a file",
        )
    # Like the settings file, the table is a file that the branch can change.
    options = {**_judging_copies(revision, given), "field_metadata": False}
    if copy is None:
        return RunSettings(file=None, origin="", from_file={}, from_options=options, commit=revision)
    original = revision.original(copy)
    tables = load_tables(copy, folder=original.parent)
    return RunSettings(
        file=copy,
        origin=f"{os.path.relpath(original)} at {revision.ref}",
        from_file=_judging_copies(revision, load_config(copy, folder=original.parent)),
        from_options=options,
        tables={pattern: _judging_copies(revision, values) for pattern, values in tables.items()},
        home=original.parent,
        commit=revision,
    )


def _settings_copy(revision: Revision, config: str | None) -> Path | None:
    if config is None:
        return revision.find_settings()
    if not config:
        return None
    copy = revision.copy(Path(config)) if revision.holds(Path(config)) else None
    if copy is None:
        shown = shown_file(config)
        raise ConfigError(f"{revision.ref} has no settings file {shown}.", hint="name a file of that commit")
    return copy


def _judging_copies(revision: Revision, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return `values` with the files that judge replaced by copies of the commit.

    Raises
    ------
    ConfigError
        If the commit does not have such a file.
    """
    found = dict(values)
    shipped = resources.names("rules", "policies")
    for name in JUDGING:
        path = found.get(name)
        # A file outside the repository is not part of the pull request: it is read where it is.
        if path is None or path in shipped or not revision.holds(Path(path)):
            continue
        copy = revision.copy(Path(path))
        if copy is None:
            shown = shown_file(path)
            raise ConfigError(f"{revision.ref} does not have the {name} {shown}.", hint="merge it there first")
        found[name] = str(copy)
    return found
