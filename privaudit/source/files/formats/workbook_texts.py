"""The text of a workbook outside of its cells, whichever part of the file holds it.

Question: which text goes to whoever gets the workbook, although no cell of the table shows it?
Method: every part of the file is read that can be: of worksheets all but the cells, formulas with a text in them, and
texts of the shared list that no cell refers to; of other XML all texts and the attributes that people write; of files
inside the file everything. The comments of the archive count, too. Parts that are neither text nor known to hold none
are counted and make the scan incomplete; pictures are counted.
Limits: pictures and macros are not read. Of binary workbooks only what `workbooks` names.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Number
from privaudit.source.files.formats.workbooks import DAMAGED, SHEET, unexamined
from privaudit.source.input.table import Outside

MOST_BYTES_OF_A_PART = 512 * 1024**2
"""Most bytes of one part of a workbook that are read; a larger one makes the scan incomplete."""
DEEPEST = 3
"""Files inside files that are opened."""

_PLACES = (
    ("properties", re.compile(r"docProps/.*\.xml|meta\.xml")),
    ("comments", re.compile(r"xl/(?:[^/]+/)*(?:comments?|threadedComment|person)[^/]*\.xml")),
    ("sheet_settings", re.compile(r"xl/worksheets/.*|xl/tables/.*|xl/styles\.xml")),
)
_WITHOUT_TEXT = re.compile(
    r"mimetype|\[Content_Types\]\.xml|META-INF/.*|manifest\.rdf|settings\.xml|layout-cache|.*/"
    r"|xl/(?:theme/.*|calcChain\.xml|metadata\.xml|printerSettings/.*|sharedStrings\.(?:xml|bin)|styles\.bin)"
    r"|xl/(?:worksheets/(?:[^/]*|binaryIndex/[^/]*)|workbook|calcChain|metadata|comments.*|pivotCache.*|tables/.*)\.bin"
    r"|xl/(?:[^/]+/)*(?:externalLink|queryTable|slicerCache|pivotTable|persons?)[^/]*\.bin|Configurations2/.*"
    r"|docMetadata/LabelInfo\.xml|xl/featurePropertyBag/.*|xl/richData/.*"
)
"""Parts that hold no text of a user, and those of binary workbooks, which `workbooks` reports."""
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|ico|webp)", re.IGNORECASE)
_TEXT_FILE = re.compile(r".*\.(?:xml|rels|vml|svg|rdf|x?html?|txt|csv|tsv|json|jsonl|bas|cls|css|js|md)", re.IGNORECASE)
_ARCHIVE = b"PK\x03\x04"

_ATTRIBUTES = (
    rb"displayName|author|userId|title|prompt|error|promptTitle|errorTitle|descr|name|v|val|tooltip|display|location"
    rb"|formatCode|text|alt|comment|totalsRowLabel|xlink:href|table:value|calcext:value|office:title|office:string-value"
)
_TEXTS = re.compile(rb">([^<>]{2,})<|[\s](?:" + _ATTRIBUTES + rb")=\"([^\"]{2,})\"")
_EXTERNAL = re.compile(rb"<Relationship\b(?=[^>]*TargetMode=\"External\")[^>]*\bTarget=\"([^\"]+)\"")
_CELLS = re.compile(rb"<sheetData\b.*</sheetData>", re.DOTALL)
_FORMULA_WITH_TEXT = re.compile(rb"<f\b[^>]*>([^<]*(?:&quot;|\")[^<]*)</f>")
_FORMULA = re.compile(rb"<c\b[^>]*>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_ERROR = re.compile(rb"<c\b[^>]*\bt=\"e\"")
_REFERENCE = re.compile(rb"<c\b[^>]*\bt=\"s\"[^>]*>\s*(?:<f\b[^>]*>[^<]*</f>\s*|<f\b[^>]*/>\s*)?<v>(\d+)</v>")
_SHARED = re.compile(rb"<si>(.*?)</si>|<si/>", re.DOTALL)
_SHARED_TEXT = re.compile(rb"<t\b[^>]*>([^<]*)</t>")
_OPEN_DOCUMENT = re.compile(r"(?:Object [^/]*/)?(?:content|styles)\.xml")
_OUTSIDE_OF_OPEN_DOCUMENT = re.compile(
    rb"<(office:annotation|table:content-validations|table:tracked-changes|draw:frame|draw:custom-shape|style:header"
    rb"|style:footer|style:header-left|style:footer-left|table:named-expressions|table:database-ranges|number:[a-z-]+-style"
    rb"|calcext:conditional-formats|office:scripts|table:dde-links|table:data-pilot-tables)\b.*?</\1>",
    re.DOTALL,
)
_LINK = re.compile(rb"\b(?:xlink:href|office:target-frame-name)=\"([^\"#][^\"]+)\"")


@dataclass(slots=True)
class _Found:
    texts: list[Outside] = field(default_factory=list)
    formulas: int = 0
    errors: int = 0
    damaged: int = 0
    unread: int = 0
    pictures: int = 0
    used: set[bytes] = field(default_factory=set)
    shared: list[bytes] = field(default_factory=list)


def of_workbook(path: Path) -> tuple[list[Outside], list[Limit]]:
    """Return the texts of a workbook outside of its cells, and limits for what could not be read."""
    found, limits = _Found(), unexamined(path)
    try:
        with zipfile.ZipFile(path) as book:
            _read_archive(book, found, 0)
    except DAMAGED:
        return found.texts, limits or [limit("source.workbook_parts_not_examined", incomplete=True)]
    unused = (text for i, text in enumerate(found.shared) if b"%d" % i not in found.used)
    found.texts += [one for text in unused for one in _outside("dictionary", _SHARED_TEXT.findall(text))]
    counts = (
        ("workbook_parts_unreadable", found.damaged, True, "parts"),
        ("workbook_parts_unread", found.unread, True, "parts"),
        ("formula_cells", found.formulas, True, "cells"),
        ("error_cells", found.errors, False, "cells"),
        ("pictures", found.pictures, False, "pictures"),
    )
    for code, n, incomplete, what in counts:
        if n:
            limits.append(limit(f"source.{code}", incomplete=incomplete, **{what: Number(n)}))
    return found.texts, limits


def _read_archive(book: zipfile.ZipFile, found: _Found, depth: int) -> None:
    comments = (book.comment, *(part.comment for part in book.infolist()))
    found.texts += _outside("properties", comments)
    for part in book.infolist():
        if depth == 0 and part.filename == "xl/sharedStrings.xml":
            content = _content(book, part, found)
            found.shared = [si[1] or b"" for si in _SHARED.finditer(content or b"")]
        elif depth == 0 and _WITHOUT_TEXT.fullmatch(part.filename) and not SHEET.fullmatch(part.filename):
            continue
        elif not part.is_dir():
            _read_part(book, part, found, depth)


def _read_part(book: zipfile.ZipFile, part: zipfile.ZipInfo, found: _Found, depth: int) -> None:
    name = part.filename
    if _PICTURE.fullmatch(name):
        found.pictures += 1
        return
    content = _content(book, part, found)
    if content is None:
        return
    if content.startswith(_ARCHIVE):
        _read_inside(content, found, depth)
    elif depth == 0 and SHEET.fullmatch(name):
        _read_sheet(content, found)
    elif depth == 0 and _OPEN_DOCUMENT.fullmatch(name):
        for each in _OUTSIDE_OF_OPEN_DOCUMENT.finditer(content):
            place = "comments" if each[1] == b"office:annotation" else "sheet_settings"
            found.texts += _texts(place, each[0])
        found.texts += _outside("sheet_settings", _LINK.findall(content))
    elif name.endswith(".rels"):
        found.texts += _outside("sheet_settings", _EXTERNAL.findall(content))
    elif _TEXT_FILE.fullmatch(name):
        found.texts += _texts(_place(name) if depth == 0 else "workbook_parts", content)
    else:
        found.unread += 1


def _read_sheet(content: bytes, found: _Found) -> None:
    found.formulas += len(_FORMULA.findall(content))
    found.errors += len(_ERROR.findall(content))
    found.used.update(_REFERENCE.findall(content))
    found.texts += _outside("sheet_settings", set(_FORMULA_WITH_TEXT.findall(content)))
    found.texts += _texts("sheet_settings", _CELLS.sub(b"", content))


def _read_inside(content: bytes, found: _Found, depth: int) -> None:
    """Read a file inside the workbook: an embedded workbook, document or presentation."""
    if depth == DEEPEST:
        found.unread += 1
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as inside:
            _read_archive(inside, found, depth + 1)
    except DAMAGED:
        found.unread += 1


def _content(book: zipfile.ZipFile, part: zipfile.ZipInfo, found: _Found) -> bytes | None:
    """Return the content of a part; None, and one more that is damaged, where it cannot be read."""
    if part.file_size <= MOST_BYTES_OF_A_PART:
        try:
            return book.read(part)
        except DAMAGED:
            pass
    found.damaged += 1
    return None


def _place(name: str) -> str:
    return next((place for place, form in _PLACES if form.fullmatch(name)), "workbook_parts")


def _texts(place: str, content: bytes) -> list[Outside]:
    if not content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return _outside(place, content.splitlines())
    return _outside(place, (first or second for first, second in _TEXTS.findall(content)))


def _outside(place: str, texts: Iterator[bytes] | list[bytes] | tuple[bytes, ...] | set[bytes]) -> list[Outside]:
    plain = {html.unescape(text.decode("utf-8", "replace")).strip() for text in texts}
    return [Outside(place, text) for text in sorted(plain) if text]
