"""The dialect of a delimited text: delimiter, quote, lines above the table, and whether the first row is a header.

Question: where does the table begin, and what separates its cells?
Method: the first records are parsed with every candidate delimiter; the one under which most records have one width
wins. Narrow lines before the first record of that width are a preamble. Whether the first record is a header is
decided by `privaudit.source.files.formats.first_row`.
Limits: judged on the first megabyte. The detected dialect is checked against every record when the table is read.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate

from privaudit.base.errors import ConfigError
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.model.headers import has_header_words
from privaudit.settings.config import Settings
from privaudit.source.files.formats.first_row import is_header, type_of

SAMPLE_CHARS = 1 << 20
SAMPLE_RECORDS = 2000
CANDIDATES = ("\t", ";", "|", ",", "\x1f", "\x01")
RARE = ("@", "^", "~")
"""Delimiters only where they cut every record, the first one included, into the same three cells or more."""
LEAST_WITH_NOTES, MOST_NOTES = 3, 5
"""Columns from which a row with one text may be a note, and the most notes below a table (product defaults)."""
PREAMBLE_LINES = 30
LEAST_ROWS, MANY_ROWS = 5, 10
"""Rows above a table that are another table, as a file with as many lines is one; whatever they hold (defaults)."""
NAMED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_ESCAPED = Expression(r'\\"(?!["\s,;|]|\Z)')
_DOUBLED = Expression(r'(?<![\\\s,;|"])""(?!["\s,;|]|\Z)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What was found.

    Attributes
    ----------
    width : int
        Cells in every record.
    skip : int
        Characters before the first record of data.
    lines_before : int
        Lines of the file among them.
    names : tuple of str or None
        The header, None where there is none.
    n_preamble : int
        Lines above the header that are not part of the table.
    row_names : bool
        The header has one name fewer than the records have cells.
    shifted : bool
        The same, and nothing shows which cell has no name: the first cells are not names of rows, which differ, and the
        last cells are not empty.
    above : tuple of str
        The texts of these lines, cell by cell put together.
    table_above : bool
        They are rows of another table.
    """

    delimiter: str
    quote: str = '"'
    escape: str | None = None
    width: int
    skip: int
    lines_before: int
    names: tuple[str, ...] | None
    n_preamble: int = 0
    row_names: bool = False
    shifted: bool = False
    above: tuple[str, ...] = ()
    table_above: bool = False


@dataclass(frozen=True, slots=True)
class _Record:
    cells: list[str]
    end: int  # characters up to and with its line end
    line: int  # lines up to and with it


def detect(text: str, *, whole: bool, settings: Settings, tabs_first: bool = False) -> Dialect | None:
    """Return the dialect of `text`, the beginning of a file, or None where it holds no record.

    Parameters
    ----------
    text : str
        At most `SAMPLE_CHARS` characters.
    whole : bool
        Whether `text` is the whole file; else the last record may be cut and is ignored.
    tabs_first : bool
        The suffix of the file indicates that tabs separate the cells.
    """
    declared = _declared_delimiter(text)
    wanted = _wanted(settings) or declared
    quote, escape = _quoting(text)
    lines = io.StringIO(text, newline="").readlines()
    ends = list(accumulate(map(len, lines), initial=0))

    def parse(delimiters: Iterable[str]) -> dict[str, list[_Record]]:
        return {d: list(_records(lines, ends, d, quote, escape, whole)) for d in delimiters}

    # A delimiter that does not occur leaves one cell in each record.
    parsed = parse(d for d in ((wanted,) if wanted else CANDIDATES) if d in text)
    delimiter = _best(parsed, otherwise=wanted or ("\t" if tabs_first else ","), tabs_first=tabs_first)
    records = parsed[delimiter] if delimiter in parsed else parse([delimiter])[delimiter]
    if not wanted and records and len(records[0].cells) < max(2, _width(records)):
        rare = parse(d for d in RARE if d in text)
        delimiter, records = next(((d, found) for d, found in rare.items() if _cuts_all(found)), (delimiter, records))
    if not records:
        return None
    width = _width(records)
    start = _preamble(records, width, has_line=declared is not None)
    return _placed(
        records,
        start,
        width,
        settings,
        Dialect(delimiter=delimiter, quote=quote, escape=escape, width=width, skip=0, lines_before=0, names=None),
    )


@contextmanager
def long_fields() -> Iterator[None]:
    """Lift the module-wide limit on the length of a cell while a text is parsed, then set it back."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _wanted(settings: Settings) -> str | None:
    if settings.delimiter is None:
        return None
    delimiter = NAMED.get(settings.delimiter.lower(), settings.delimiter)
    if len(delimiter) != 1 or delimiter in '"\r\n\0' or ord(delimiter) > 127:
        raise ConfigError('"delimiter" must be one ASCII character, or tab, comma, semicolon, pipe or space.')
    return delimiter


def _declared_delimiter(text: str) -> str | None:
    first = text[:8].splitlines()[:1]
    return first[0][4] if first and len(first[0]) == 5 and first[0].lower().startswith("sep=") else None


def _quoting(text: str) -> tuple[str, str | None]:
    """Return quote and escape character: single quotes or backslashes only where double quotes do not explain it."""
    if '"' not in text:
        plain = text.count("'")
        if plain < 4:
            return '"', None
        openings = sum(text.count(f"{d}'") for d in CANDIDATES) + text.count("\n'")
        closings = sum(text.count(f"'{d}") for d in CANDIDATES) + text.count("'\n") + text.count("'\r")
        return ("'" if min(openings, closings) * 2.5 >= plain else '"'), None
    # A backslash before the quote that closes its cell belongs to the cell; one before a quote inside it escapes.
    return '"', "\\" if _ESCAPED.search(text) and not _DOUBLED.search(text) else None


def _records(
    lines: Sequence[str], ends: Sequence[int], delimiter: str, quote: str, escape: str | None, whole: bool
) -> Iterator[_Record]:
    """Yield the non-empty records of a text with the place each one ends; i lines end at ``ends[i]``."""
    with long_fields():
        reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, escapechar=escape, doublequote=True)
        held: _Record | None = None
        for found, cells in enumerate(reader, start=1):
            if held is not None:
                yield held
            held = _Record(cells, ends[reader.line_num], reader.line_num) if cells else None
            if found > SAMPLE_RECORDS:
                return
        if held is not None and whole:
            yield held


def _best(parsed: dict[str, list[_Record]], *, otherwise: str, tabs_first: bool) -> str:
    """Return the delimiter under which most records have one width, wider than one; `otherwise` where none has."""
    scores: dict[str, tuple[float, int]] = {}
    for delimiter, records in parsed.items():
        width = _width(records)
        if width >= 2:
            agree = sum(len(record.cells) == width for record in records) / len(records)
            scores[delimiter] = (round(agree, 2), width)
    if tabs_first and scores.get("\t", (0.0, 0))[0] >= 0.5:
        return "\t"
    if not scores:
        return otherwise
    most = max(agree for agree, _ in scores.values())
    if most < 0.5:
        return "," if "," in scores else max(scores, key=lambda d: scores[d])
    near = [d for d in scores if scores[d][0] >= most - 0.02]
    # Bars in the cells of one column are in every record but the header, which the true delimiter cuts as well.
    near = [d for d in near if len(parsed[d][0].cells) == scores[d][1]] or near
    # A comma is also a decimal mark and a part of sentences, so it yields to a rarer character that fits as well.
    widest = max(scores[d][1] for d in near)
    return next(d for d in CANDIDATES + tuple(parsed) if d in near and scores[d][1] * 3 > widest)


def _cuts_all(records: Sequence[_Record]) -> bool:
    widths = {len(record.cells) for record in records}
    return len(records) > 1 and len(widths) == 1 and min(widths) > 2


def _width(records: Sequence[_Record]) -> int:
    """Return the most frequent number of cells; of equally frequent ones the largest."""
    counts = Counter(len(record.cells) for record in records)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def _preamble(records: Sequence[_Record], width: int, *, has_line: bool) -> int:
    """Return the number of records above the table."""
    start = 1 if has_line else 0
    while start < min(len(records) - 1, PREAMBLE_LINES) and _outside(records[start].cells, width):
        if _marked_header(records, start, width):
            return start
        start += 1
    start += n_above([record.cells for record in records[start:]], width)
    return _up_to_header(records, start, width)


def _up_to_header(records: Sequence[_Record], start: int, width: int) -> int:
    """Move `start` past narrower records where a clear header follows them and every record after it fits."""
    first = next((i for i in range(start, len(records)) if len(records[i].cells) == width), start)
    following = [record.cells for record in records[first + 1 :]]
    if first == start or first > PREAMBLE_LINES or any(len(cells) != width for cells in following):
        return start
    return first if is_header(records[first].cells, following) else start


def _marked_header(records: Sequence[_Record], start: int, width: int) -> bool:
    """Return whether a record that begins with one ``#`` names the columns: ``#,name,size`` or ``#chrom,start,end``."""
    cells = records[start].cells
    following = [record.cells for record in records[start + 1 :] if len(record.cells) == width]
    if len(cells) != width or width < 2 or cells[0].startswith(("##", "%")) or not following:
        return False
    noted = following[0][0].startswith("#") or is_header(following[0], following[1:])  # a note above a header
    return not noted and is_header(cells, following)


def _outside(cells: list[str], width: int) -> bool:
    return (len(cells) != width and len(cells) <= max(1, width // 2)) or cells[0].startswith(("#", "%%"))


def n_above(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return the number of rows above the table: those above a header of twice as many cells, else titles."""
    start, most = 0, 0
    # Of two columns, a row with one value may be the first of a person as well.
    for i, row in enumerate(rows[: PREAMBLE_LINES + 1] if width >= LEAST_WITH_NOTES else ()):
        filled = _n_filled(row)
        is_wide = most and filled >= 2 * most and 2 * filled > width
        if is_wide and is_header(row, [later for later in rows[i + 1 :] if len(later) == len(row)]):
            return i
        if filled > max(1, width // 2):
            break
        most = max(most, filled)
    while start < min(len(rows) - 1, PREAMBLE_LINES) and _is_title(rows[start : start + 3], width):
        start += 1
    return start


def n_below(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return the number of rows below the table: after an empty row, a few with one cell at most, as none above it has.

    A row of a person may have one cell or none as well, and notes may follow without an empty row: all stay rows. Of
    more than a few rows without a cell none does: spreadsheets write them.
    """
    filled = [_n_filled(row) for row in rows]
    start = next((i + 1 for i in range(len(filled) - 1, -1, -1) if filled[i] > 1), 0)
    below = filled[start:]
    if width < LEAST_WITH_NOTES or not start or not below or below[0] or sum(below) > MOST_NOTES:
        return 0
    if not sum(below) and len(below) <= MOST_NOTES:
        return 0
    return len(below) if all(n > 1 for n in filled[:start]) else 0


def are_rows(above: Sequence[Sequence[str]]) -> bool:
    """Return whether rows above a table are those of another one, not titles, or values that the first cells name.

    Many rows with as many cells, three or more, are those of a table, whatever the cells are, and so are rows below
    column names of their own.
    """
    several = [row for row in above if _n_filled(row) > 1 and not _is_one_text(row)]
    first = [next(filter(None, map(str.strip, row))) for row in several]
    are_labels = len(set(first)) == len(first) and not any(map(str.isdigit, "".join(first)))
    alike = Counter(n for n in map(_n_filled, above) if n > 2)
    is_long = max(alike.values(), default=0) >= MANY_ROWS
    return is_long or _have_header(several) or (len(several) >= LEAST_ROWS and not are_labels)


def _have_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether most cells of the first row are column names, and the rows below begin with none, as labels do."""
    names, *below = [[cell for cell in row if cell.strip()] for row in rows] or [[]]
    begin_with_name = any(has_header_words(row[0]) for row in below)
    return len(below) > 1 and 2 * sum(map(has_header_words, names)) > len(names) and not begin_with_name


def is_note(cells: Sequence[str], width: int) -> bool:
    """Return whether a record with fewer cells than the table has columns is one text, as a note below it is."""
    is_text = bool(cells[0].strip()) and _is_one_text(cells)
    return width >= LEAST_WITH_NOTES and len(cells) <= max(1, width // 2) and is_text


def _is_one_text(cells: Sequence[str]) -> bool:
    """Return whether the cells after the first are parts of a text that a separator cut: they begin with a blank."""
    return all(not cell.strip() or cell.startswith(" ") for cell in cells[1:])


def _n_filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _is_title(following: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether the first of three records holds one text at most, as a title in a spreadsheet does."""
    filled = [_n_filled(cells) for cells in following]
    return width >= 3 and len(filled) == 3 and filled[0] <= 1 and max(filled[1:]) > 2


def _placed(records: Sequence[_Record], start: int, width: int, settings: Settings, found: Dialect) -> Dialect:
    """Complete `found` with header and offsets, the table beginning at record `start`."""
    first, rest = records[start].cells, [record.cells for record in records[start + 1 :]]
    if not any(cell.strip() for cell in first[width:]):
        first = first[:width]  # a separator at the end of the header only
    row_names = len(first) == width - 1 and bool(rest) and sum(len(r) == width for r in rest) >= 0.9 * len(rest)
    body = [cells for cells in rest if len(cells) == width]
    aligned = _names(first, width, body) if row_names else first
    header = settings.header
    if len(first) > width:
        header = False  # names of which some have no column: the record is reported as one of another width
    elif header is None:
        header = len(first) in (width, width - row_names) and (is_header(aligned, body) or _is_single_line(first, rest))
    taken = start + 1 if header else start
    before = records[taken - 1] if taken else None
    is_short = bool(header and len(first) < width)
    repeats = len({cells[0] for cells in body}) < len(body)
    return replace(
        found,
        skip=before.end if before else 0,
        lines_before=before.line if before else 0,
        names=_names(first, width, body) if header else None,
        n_preamble=start,
        above=tuple(" ".join(record.cells) for record in records[:start]),
        table_above=are_rows([record.cells for record in records[:start]]),
        row_names=is_short,
        shifted=is_short and repeats and _place_of_unnamed(width, width - len(first), body) == 0,
    )


def _is_single_line(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Return whether a file is one line of words: more likely a header without rows than a row."""
    return not rest and all(type_of(cell.strip()) is None for cell in first)


def _names(first: list[str], width: int, body: Sequence[list[str]]) -> tuple[str, ...]:
    """Return the header padded to `width` where the columns without a name are."""
    missing = width - len(first)
    if missing <= 0:
        return tuple(first)
    place = _place_of_unnamed(width, missing, body)
    return (*first[:place], *[""] * missing, *first[place:])


def _place_of_unnamed(width: int, missing: int, body: Sequence[list[str]]) -> int:
    """Return where the columns without a name are: at the end if their cells are empty, else in front of the others.

    One column of words that all begin with a blank, as no other column does, is the second part of a text that nobody
    quoted: "Main Street 1, back yard".
    """
    if _ends_empty(body, missing):
        return width - missing
    blank = [i for i, cells in enumerate(zip(*body, strict=True)) if all(cell.startswith(" ") for cell in cells)]
    is_cut = missing == len(blank) == 1 and any(type_of(cells[blank[0]].strip()) is None for cells in body)
    return blank[0] if is_cut else 0


def _ends_empty(body: Sequence[list[str]], n: int) -> bool:
    """Return whether the last `n` cells of every record are empty."""
    return all(not cell.strip() for cells in body for cell in cells[-n:])
