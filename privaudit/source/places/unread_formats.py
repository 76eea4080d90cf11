"""Which formats hold data that no reader takes?

Question: is a file in a format of data, and does a file of XML, YAML or SQL hold records rather than settings?
Method: the suffix, or the signature of archives, arrays, objects of R and Python and dumps. XML holds records where the
names of a record and two cells occur as often as in a table, YAML where two keys do, and SQL where it writes rows.
Limits: reads `MOST_BYTES`; a larger file of these formats counts as data, and so does one that is not text.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from privaudit.base.patterns import Expression
from privaudit.model.file_formats import FORMAT_OF_SUFFIX
from privaudit.source.places.content_format import narrow

UNREAD = frozenset(
    """.zip .bz2 .xz .7z .tar .tgz .rar .z .lz4 .avro .rds .rda .rdata .h5 .hdf5 .nc .mdb .accdb .dbf .pkl .pickle .npy
    .npz .mat .geojson .gpkg .shp .kml .gpx .fits .numbers .wk1 .prn .dif .sas7bcat .jmp .vcf .ics .ldif .mbox .eml .pst
    .bak .dump""".split()
).difference(FORMAT_OF_SUFFIX)
"""Suffixes of data that no reader takes."""
SIGNATURES = (
    b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x04\x22\x4d\x18", b"Obj\x01",
    b"\x89HDF\r\n\x1a\n", b"\x93NUMPY", b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"FEA1", b"CDF\x01", b"CDF\x02",
    b"MATLAB 5.0 MAT-file", b"PGDMP", b"!BDN", b"\x80\x02}", b"\x80\x02]", b"\x80\x03}", b"\x80\x03]", b"\x80\x03c",
    b"\x80\x04\x95", b"\x80\x05\x95",
)  # fmt: skip
"""How files of such formats begin: archives, arrays, objects of R, dumps, letters, and what `pickle` writes."""
LEAST_INSIDE = 20
"""Records of a table inside a document (product default): shorter lists are in settings."""
MOST_BYTES = 1 << 24
SETTINGS = frozenset({".yaml", ".yml", ".xml"})
"""Suffixes of texts in which programs keep settings."""
_KEY = Expression(
    rb"(?m)(?:^|[{,])[ \t-]{0,99}(?:\"([^\"\n]{1,64})\"[ \t]{0,9}:"
    rb"|'?([^\s:#{}\[\],\"'][^:#{}\[\],\"'\n]{0,63})'?:(?=\s|$))"
)
_TAG = Expression(rb"(?:<|\s(?=[^\s<>=\"']{1,64}\s{0,9}=\s{0,9}[\"']))([^\s<>/=\"'!?][^\s<>/=\"']{0,63})")
_WRITES_ROWS = Expression(
    rb"(?im)\b(?:insert|replace)\s{1,9}(?:\w{1,20}\s{1,9}){0,3}into\b|^[ \t]{0,99}(?:insert|merge|copy)\s"
)


def holds_records(file: Path) -> bool:
    """Whether a file of XML, YAML or SQL holds records of two cells or more; False for another suffix."""
    suffix = file.suffix.lower()
    if suffix not in SETTINGS | {".sql"}:
        return False
    if file.stat().st_size > MOST_BYTES:
        return True
    text = narrow(file.read_bytes())
    if b"\0" in text:
        return True
    if suffix == ".sql":
        return _WRITES_ROWS.search(text) is not None
    field, least = (_TAG, 3) if suffix == ".xml" else (_KEY, 2)  # of XML, a record and its cells
    return sum(n >= LEAST_INSIDE for n in Counter(field.findall(text)).values()) >= least
