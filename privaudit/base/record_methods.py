"""The methods of records, compiled once and not in each process.

Question: how does a command define hundreds of records without compiling six methods of each?
Method: `dataclasses` writes the text of each method and runs it with `exec`. In a process that runs nothing but
privaudit, the byte code of a text that was compiled before is run in its place. The text is the key, so that what runs
is always what Python would compile.
Limits: a version of Python that defines records in another way is not affected. In a checkout a process adds the texts
that it met first; an installed package has those of its build. The file is trusted as byte code in the same folders is.
"""

from __future__ import annotations

import atexit
import builtins
import dataclasses
from types import CodeType
from typing import Any

from privaudit.base import compiled_tables

NAME, KEY = "record_methods", bytes(compiled_tables.KEY_SIZE)
OWN = "privaudit."
"""Records of other packages, which the build loads and no scan does, are not kept."""
MOST = 20_000
"""Texts that are kept in a checkout, where they change; an installation has 2,000."""


def use_compiled() -> None:
    """Define the records of this process by byte code that is kept."""
    known: dict[str, bytes] = compiled_tables.kept(NAME, KEY) or {}
    if len(known) > MOST:
        known = {}
    new: dict[str, bytes] = {}

    def run(text: str, *names: dict[str, Any]) -> None:
        kept = known.get(text) or new.get(text)
        if kept is None:
            # As `exec` does it there: without the future statements of this module.
            code: CodeType = compile(text, "<string>", "exec", dont_inherit=True)
            if str(names[0].get("__name__")).startswith(OWN):
                new[text] = compiled_tables.packed(code)
        else:
            code = compiled_tables.unpacked(kept)
        builtins.exec(code, *names)

    def keep() -> None:
        if new:
            compiled_tables.keep(NAME, KEY, known | new)

    dataclasses.exec = run  # type: ignore[attr-defined]
    atexit.register(keep)


def make() -> str:
    """Compile the methods of all records of the package, and return the folder with them."""
    import importlib
    import pkgutil
    from contextlib import suppress
    from pathlib import Path

    use_compiled()
    for found in pkgutil.walk_packages([str(Path(__file__).parents[1])], "privaudit."):
        if not found.name.endswith("__main__"):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(found.name)
    return str(compiled_tables.folder())
