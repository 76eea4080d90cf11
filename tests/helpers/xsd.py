"""Question: does an XML document have the elements and attributes that an XML Schema allows?

Method: reads the parts of XML Schema that the JUnit schema uses: elements, references, choices and sequences of any
length, attributes with `use`, named complex types. A part that it does not know raises an error.
Limits: patterns of simple types are not evaluated; every choice of the JUnit schema may repeat, so that the order of
children is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as xml

XS = "{http://www.w3.org/2001/XMLSchema}"


class Schema:
    """The schema of a file."""

    def __init__(self, file: Path) -> None:
        root = xml.parse(file).getroot()
        self._elements = {one.get("name"): one for one in root.findall(f"{XS}element")}
        self._types = {one.get("name"): one for one in root.findall(f"{XS}complexType")}

    def errors(self, document: str) -> list[str]:
        """Return what the schema does not allow in a document."""
        root = xml.fromstring(document)
        if root.tag not in self._elements:
            return [f"{root.tag} is not an element of the schema"]
        return list(self._check(root, self._elements[root.tag]))

    def _check(self, found: xml.Element, declared: xml.Element) -> Iterator[str]:
        kind = declared.find(f"{XS}complexType")
        if kind is None:
            kind = self._types.get(declared.get("type"))
        attributes = {} if kind is None else {one.get("name"): one for one in kind.findall(f"{XS}attribute")}
        for key in found.keys() - attributes.keys():
            yield f"{found.tag} has no attribute {key}"
        for key, one in attributes.items():
            if one.get("use") == "required" and key not in found.attrib:
                yield f"{found.tag} lacks the attribute {key}"
        allowed = dict(self._children(kind)) if kind is not None else {}
        if found.text and found.text.strip() and kind is not None and kind.get("mixed") != "true":
            yield f"{found.tag} contains text"
        for child in found:
            if child.tag in allowed:
                yield from self._check(child, allowed[child.tag])
            else:
                yield f"{found.tag} contains {child.tag}"

    def _children(self, group: xml.Element) -> Iterator[tuple[str | None, xml.Element]]:
        for one in group:
            if one.tag in (f"{XS}sequence", f"{XS}choice"):
                yield from self._children(one)
            elif one.tag == f"{XS}element":
                name = one.get("ref") or one.get("name")
                yield name, self._elements[name] if one.get("ref") else one
            elif one.tag != f"{XS}attribute":
                raise ValueError(f"the schema uses {one.tag}")
