"""Whether the files that a command is to write may be written.

Question: would an output overwrite an input, repeat another output, or be impossible to write?
Method: paths are compared after links are resolved, and by file with every file that the run opens.
Limits: nothing is written here; a file that appears later is seen when the output is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_file
from privaudit.settings.config import Settings, check

if TYPE_CHECKING:
    from privaudit.model.wording import Edition


def check_arguments(words: Iterable[str]) -> None:
    """Refuse an argument that begins with a hyphen and is, as a whole, the name of a file.

    A hook passes the names of the files of a commit: ``--config=x.csv`` would set an option.

    Raises
    ------
    ConfigError
    """
    for word in words:
        if word == "--":
            return
        # Where both readings are possible, neither is chosen: an option from a file name could disable the gate.
        if word.startswith("-") and os.path.lexists(word):
            raise ConfigError(
                f"{shown_file(word)} is the name of a file and reads as an option.", hint=f"write ./{shown_file(word)}"
            )


def check_outputs(
    sources: Sequence[str], outputs: Sequence[str], *, suffixes: Sequence[str] = (), edition: Edition = "full"
) -> None:
    """Refuse, before any work, an output that could not or must not be written.

    Raises
    ------
    ConfigError
        For an unknown suffix, a folder that is missing, the same file twice, or an input.
    UnsupportedFormat
        For a format that has no public edition.
    """
    from privaudit.report import files, formats

    seen: set[str] = set()
    if any("\0" in text for text in (*sources, *outputs)):
        raise ConfigError("A path contains a NUL character.", hint="check the path")
    for output in outputs:
        path = Path(output)
        shown = shown_file(path)
        if not output.lower().endswith(tuple(suffixes) or formats.endings()):
            known = ", ".join(suffixes or formats.suffixes())
            raise ConfigError(f"{shown}: unknown suffix.", hint=f"use one of: {known}")
        if not suffixes:
            formats.by_suffix(path).check(edition)
        # What else the run opens, and whether an older file may be replaced, is checked where all inputs are known.
        files.check(path, [source.partition("#")[0] for source in sources], may_replace=lambda _: True)
        # `realpath` never fails, not even for circular links.
        if os.path.realpath(path) in seen:
            raise ConfigError(f"{shown} is named twice.")
        seen.add(os.path.realpath(path))


def check_inputs(
    outputs: Iterable[str], source: str, chosen: Mapping[str, Any], config: Path | None, *, second: Iterable[str] = ()
) -> None:
    """Refuse, before any work, an output that is a file of the input under any name; `second` are further tables.

    Raises
    ------
    ConfigError
    """
    from privaudit.audit import inputs
    from privaudit.report import files

    # Acceptances name no file, and their messages belong to the scan.
    values = {name: value for name, value in chosen.items() if name != "accept"}
    settings = Settings(**check(values, where="the arguments"))
    opened = inputs.opened(source, settings, config=config, second=second)
    for output in outputs:
        files.check(Path(output), opened)
