"""Provinces, towns, jobs and nationalities, recognised by the word or character that begins or ends the cell.

Question: is this a column of provinces, towns, jobs or nationalities that no list contains?
Method: administrative words ("область", "県", "시", "Thành phố") and the characters that Chinese, Japanese and Korean
append to a town, a province, a nationality and a profession. Nearly all cells must contain one.
Limits: shops and sales districts of a company may have such names, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.wording import EntityType, fact

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
# Entity type, expression, whether in Chinese, Japanese and Korean only, least share of cells, strength, least number
# of different values.
_AFFIXES = (
    ("STATE", _STATE, False, 0.7, 0.68, 3),
    ("CITY", _TOWN, False, 0.75, 0.7, 5),
    ("NATIONALITY", _NATION, True, 0.9, 0.8, 4),
    ("OCCUPATION", _JOB, True, 0.72, 0.6, 12),
)


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims that the beginnings and endings of the cells of `column` suggest."""
    if column.data_type != "text" or not column.foreign or column.n_distinct < 3 or column.longest > 80:
        return
    if column.digits > 0.1:
        return
    cjk = column.matching(_CJK) >= 0.8
    for entity, pattern, only_cjk, least_share, strength, least_values in _AFFIXES:
        if only_cjk and not cjk:
            continue
        marked = column.matches(pattern)
        share = column.share(marked)
        if share < least_share or int(marked.sum()) < least_values or _unusual_length(column, entity):
            continue
        yield claim_for(
            column,
            entity,
            strength,
            "pattern",
            fact("detect.affixes", share=column.cell_share(share), entity=EntityType(code=entity)),
            n_cells=column.cells(marked),
            generic=True,
        )


def _unusual_length(column: Column, entity: str) -> bool:
    """Whether the cells are too short for jobs (as names in Han or Hangul are) or too long for places."""
    mean = float(column.lengths.mean())
    return mean < 2.6 if entity == "OCCUPATION" else mean > 30
