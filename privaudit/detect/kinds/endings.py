"""Places, jobs and nationalities told by the word or sign they end or begin with.

Question: is this a column of provinces, towns, jobs or nationalities that no list holds?
Method: administrative words ("область", "県", "시", "Thành phố") and the signs that Chinese, Japanese and Korean put
behind a town, a province, a person of a country and a person of a trade. Nearly all cells must bear one.
Limits: shops and districts of a firm may be named so, too.
"""

from __future__ import annotations

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.model import Clue

_STATE = (
    r"(?i)(?:省|自治区|自治州|特别行政区|都|道|府|県|縣|특별시|광역시|특별자치시|특별자치도|남도|북도|경기도|강원도|제주도)$"
    r"|(?:область|обл\.?|край|ао|автономный округ|автономная область)$|^республика |(?: область| обл\.?)$"
    r"|^(?:tỉnh|estado de|provincia de|provincia di|województwo|județul|județ|استان|محافظة|إمارة|منطقة|จังหวัด) "
    r"|(?: megye|s län| län|n maakunta|maakunta|ska županija| županija| kraj| fylke| prefecture| province| oblast"
    r"|maakond| apskritis|novads)$"
)
_TOWN = (
    r"(?i)(?:市|区|區|町|村|镇|鎮|鄉|乡|縣|县|郡|旗|[시군구읍면])$"
    r"|^(?:г|гор|с|д|п|пос|ст|х|клх|к|м|смт|сел|місто|село|хутір|селище|город|деревня|гр|δ)\.? "
    r"|^(?:thành phố|tp\.?|thị xã|thị trấn|huyện|quận|kota|kabupaten|kab\.|kec\.|municipio de|comune di|ville de|"
    r"شهر|شهرستان|مدينة|เมือง|อำเภอ|เขต|עיר) "
    r"|(?: қаласы| город| vald| linn| mesto| grad| city)$"
)
_JOB = r"[师師員员工士家者手长長官生职職匠婦夫]$|[사원가자관장직수공부]$"
_NATION = r"[人籍]$|(?:인)$"
_CJK = r"[\p{Han}\p{Hangul}\p{Katakana}]"
_READINGS = (
    ("STATE", _STATE, 0.7, 0.68, 3, "a word or sign of provinces"),
    ("CITY", _TOWN, 0.75, 0.7, 5, "a word or sign of towns"),
    ("NATIONALITY", _NATION, 0.9, 0.8, 4, "the sign of people of a country"),
    ("OCCUPATION", _JOB, 0.72, 0.6, 12, "a sign of people of a trade"),
)


def run(column: Column, found: Findings) -> None:
    """Add what the endings and beginnings of the cells of `column` say."""
    if column.data_type != "text" or not column.foreign or column.n_distinct < 3 or column.longest > 80:
        return
    if column.digits > 0.1:
        return
    cjk = column.matching(_CJK) >= 0.8
    for entity, pattern, least, strength, kinds, what in _READINGS:
        if entity in ("NATIONALITY", "OCCUPATION") and not cjk:
            continue
        marked = column.matches(pattern)
        share = column.share(marked)
        if share < least or int(marked.sum()) < kinds or _longer(column, entity):
            continue
        clue = Clue(kind="pattern", because=f"{percent(share)} of the cells begin or end with {what}")
        found.add(
            Candidate(
                entity=entity, n_cells=column.cells(marked), strength=strength, clues=(clue,), generic=True
            )
        )


def _longer(column: Column, entity: str) -> bool:
    """Return whether cells of Han or Hangul are too short to be a job, as names are, or too long for a place."""
    mean = float(column.lengths.mean())
    return mean < 2.6 if entity == "OCCUPATION" else mean > 30
