"""Names that no list contains, recognised by the word formation of their script and language.

Question: does this word have the ending of a family name; is this run of Han or Hangul characters a name?
Method: endings of family names and patronymics in the scripts they are written in; names without blanks by their
length, their first character (a listed family name) and the characters common in given names.
Limits: ordinary words have such endings, too; the share of cells of a column decides.
"""

from __future__ import annotations

import re
from functools import cache

from privaudit.detect import wordlists

# Folded endings of family names and patronymics by the least number of letters of the word.
_ENDINGS = {
    6: (
        "ski ska sky wicz vich ova eva enko escu sson dottir opoulos opoulou akis idis yan shvili adze idze oglu "
        "skiy skyi chuk czyk czak wska evic ovic ovna evna auskas iene aitis unas nnen inen zade yev yeva dzhyan "
        "ович евич овна евна івна енко ский ская ська ський цький цька чук щук юк ов ова ев ева ин ина ић "
        "οπουλος οπουλου ιδης ιδου ακης ακη ογλου ιαδης ιαδου ελης ατος ιτης εας "
        "ძე შვილი ავა აია ურია იანი ული յան زاده پور نژاد وند یان"
    ).split(),
    4: "ძე յան оглу оглы кызы".split(),
}
_RAW = re.compile(r"(?:[iouea]ć|ич|ić)$", re.IGNORECASE)
_HANGUL = (
    "민준서연지우현수영은정성호진미경희숙자순옥철상훈동재승태윤하예나린아혜선주원빈건도유시후율"
    "채다인소라보람슬기한별광석용기종병춘명복금말"
)
_HAN_GIVEN = (
    "伟偉芳娜敏静靜秀英丽麗强強磊军軍洋勇艳艷杰傑娟涛濤明超霞平刚剛桂芝建国國华華玉兰蘭红紅梅凤鳳云雲"
    "鹏鵬飞飛辉輝波斌宇浩凯凱鑫雪婷欣怡佳俊志文雅淑惠美春秋冬月娥琴珍莲蓮香燕莉丹晨阳陽博峰龙龍健康宁"
    "寧琳倩颖穎瑜慧萍萌瑞瑶瑤子轩軒涵梓雨诗詩思嘉家豪成進财財宗翰承恩冠廷柏宏哲彦彥育翔雄貞鈺宜君如珊"
    "蓉柔筱芬太郎大輔拓也直樹一和達裕聡修学充介晃稔治零京助篤司亮弘由加奈結衣舞織千代桃花里七夏幹知実"
    "真綾愛彩葵菜誠茂隆勝清正幸節智士朗光仁将悠斗奏湊颯陸海空凛咲優希朱"
)
_PLACES = "市县縣省区區镇鎮郡町県府州시군구읍면"  # final characters of place names
_SPLIT = re.compile(r"[ ,、・·．.]+")
_ONE_SCRIPT = re.compile(r"[㐀-鿿豈-﫿々]+|[가-힣]+|[぀-ヿー]+")


def has_family_name_ending(token: str, raw: str) -> bool:
    """Whether a folded word has the ending of a family name; `raw` is the cell as written."""
    if _RAW.search(raw) and len(token) >= 4:
        return True
    return any(len(token) >= fewest and token.endswith(endings) for fewest, endings in _endings())


@cache
def _endings() -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple((fewest, tuple(wordlists.fold(e) for e in endings)) for fewest, endings in _ENDINGS.items())


def unspaced(text: str) -> frozenset[str]:
    """Return which parts a name in Han, Hangul or Kana has: ``given``, ``family``, both or none.

    Examples
    --------
    >>> sorted(unspaced("王小明")), sorted(unspaced("김, 민준")), sorted(unspaced("山田")), sorted(unspaced("東京駅前"))
    (['family', 'given'], ['family', 'given'], ['family'], [])
    """
    parts = [part for part in _SPLIT.split(text.strip()) if part]
    if not 1 <= len(parts) <= 2 or not all(_ONE_SCRIPT.fullmatch(part) for part in parts):
        return frozenset()
    surnames = wordlists.names("han_surnames")
    if len(parts) == 2:
        listed = any(wordlists.fold(part) in surnames for part in parts)
        return frozenset({"given", "family"}) if listed and max(map(len, parts)) <= 4 else frozenset()
    return _one(wordlists.fold(parts[0]), surnames)


def _one(name: str, surnames: frozenset[str]) -> frozenset[str]:
    if name in surnames:
        return frozenset({"family"})
    given = _HANGUL if "가" <= name[0] <= "힣" else _HAN_GIVEN
    if len(name) > 5 or (len(name) >= 3 and name[-1] in _PLACES):
        return frozenset()
    for size in (3, 2, 1):
        rest = name[size:]
        if name[:size] in surnames and 1 <= len(rest) <= 3 and any(char in given for char in rest):
            return frozenset({"given", "family"})
    if len(name) <= 3 and all(char in given for char in name):
        return frozenset({"given"})
    return frozenset()
