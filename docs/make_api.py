"""Write docs/api.md from the signatures and docstrings of the public names: python docs/make_api.py."""

from __future__ import annotations

import inspect
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import privaudit

HEAD = """# Python interface

Every public name of `privaudit`, from its docstring, by `python docs/make_api.py`; a test compares. The keyword arguments of
`scan`, `attack`, `plan` and `remedy` that have no line below are settings: [configuration](configuration.md) explains each. Results
show themselves in a notebook ([notebook](notebook.md)).
"""
GROUPS = (
    ("Functions", inspect.isfunction),
    ("Errors", lambda found: inspect.isclass(found) and issubclass(found, BaseException)),
    ("Results and models", inspect.isclass),
    ("Modules and constants", lambda found: True),
)
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def text() -> str:
    """Return the page."""
    return HEAD + "\n" + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    left = {name: getattr(privaudit, name) for name in sorted(privaudit.__all__, key=str.lower)}
    for title, belongs in GROUPS:
        chosen = {name: found for name, found in left.items() if belongs(found)}
        left = {name: found for name, found in left.items() if name not in chosen}
        yield f"## {title}"
        yield ""
        if title != "Errors":  # their sections are as short
            yield from _overview(chosen)
        for name, found in chosen.items():
            yield from _described(name, found)


def _overview(chosen: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table of the names of a group, each with its first line and a link."""
    lines = {name: "" if isinstance(one, str) else (inspect.getdoc(one) or "").strip() for name, one in chosen.items()}
    yield "| name | |"
    yield "|---|---|"
    for name, doc in lines.items():
        yield f"| [`{name}`](#{name.lower()}) | {_escaped(' '.join(doc.partition(chr(10) * 2)[0].split()))} |"
    yield ""


def _described(name: str, found: Any) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    if (
        callable(found)
        and not (inspect.isclass(found) and issubclass(found, BaseException))
        and (stated := _signature(name, found))
    ):
        yield "```python"
        yield stated
        yield "```"
        yield ""
    yield from _docstring(f"`{found}`" if isinstance(found, str) else inspect.getdoc(found) or "")
    if inspect.isclass(found) and not issubclass(found, BaseException):
        yield from _members(found)


def _signature(name: str, found: Any) -> str:
    try:
        signature = inspect.signature(found)
    except ValueError:
        return ""
    named = [one for one in signature.parameters.values() if one.name != "self"]
    parts, keywords = [], False
    for one in named:
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not keywords:
            parts, keywords = [*parts, "*"], True
        parts.append(_parameter(one))
    lines = ",\n".join(f"    {part}" for part in parts)
    back = (
        "" if signature.return_annotation is inspect.Signature.empty else f" -> {_plain(signature.return_annotation)}"
    )
    return f"{name}(\n{lines},\n){back}" if parts else f"{name}(){back}"


def _parameter(one: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
    hint = "" if one.annotation is inspect.Parameter.empty else f": {_plain(one.annotation)}"
    if one.default is inspect.Parameter.empty:
        return f"{stars}{one.name}{hint}"
    default = one.default.__name__ if callable(one.default) else repr(one.default)
    return f"{stars}{one.name}{hint} = {default}"


def _plain(hint: Any) -> str:
    return hint if isinstance(hint, str) else getattr(hint, "__name__", str(hint))


def _docstring(doc: str) -> Iterator[str]:
    """Yield a docstring in the style of numpydoc as Markdown."""
    parts = _SECTION.split(doc)
    yield _escaped(parts[0].strip())
    yield ""
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        yield f"**{title}**"
        yield ""
        yield from _entries(body.strip("\n"))
        yield ""


def _entries(body: str) -> Iterator[str]:
    """Yield the entries of a section: a name with its type, and indented lines that describe it."""
    if body.lstrip().startswith(">>>"):
        yield from ("```python", body, "```")
        return
    described = False
    for line in body.splitlines():
        if not line.strip():
            continue
        if line.startswith(" ") and described:
            yield f"  {_escaped(line.strip())}"
        else:
            yield f"- `{line.strip()}`" if re.match(r"[\w, *]+( : .+)?$", line) else _escaped(line)
            described = True


def _members(found: type) -> Iterator[str]:
    own = [vars(each) for each in found.__mro__ if each.__module__.startswith("privaudit")]
    members = [
        (name, member)
        for name, member in sorted(ChainMap(*own).items())
        if not name.startswith("_") and (callable(member) or isinstance(member, property | classmethod))
    ]
    documented = [(name, inspect.getdoc(member) or "") for name, member in members]
    if any(doc for _, doc in documented):
        yield "| member | |"
        yield "|---|---|"
        yield from (f"| `{name}` | {_escaped(doc.splitlines()[0])} |" for name, doc in documented if doc)
        yield ""


def _escaped(line: str) -> str:
    return line.replace("``", "`").replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    (Path(__file__).resolve().parent / "api.md").write_text(text(), encoding="utf-8")
