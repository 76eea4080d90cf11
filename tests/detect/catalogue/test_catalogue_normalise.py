"""Disguise comes off, plain text stays, nothing crashes."""

import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.detect.catalogue.normalise import normalise, plain_text
from privaudit.detect.text.embedded import find_spans

EVASIONS = {
    "fullwidth": ("ｊｏｈｎ＠ｅｘａｍｐｌｅ．ｃｏｍ", "john@example.com"),
    "fullwidth digits": ("４１１１ １１１１ １１１１ １１１１", "4111 1111 1111 1111"),
    "zero width": ("jo\u200bhn@\u2060example.c\ufeffom", "john@example.com"),
    "soft hyphen": ("john@exam\u00adple.com", "john@example.com"),
    "non-breaking hyphen": ("536‑22‑1234", "536-22-1234"),
    "en dash": ("536–22–1234", "536-22-1234"),
    "minus": ("536−22−1234", "536-22-1234"),
    "no-break space": ("4111\u00a01111\u20091111\u30001111", "4111 1111 1111 1111"),
    "arabic digits": ("٤١١١ ١١١١", "4111 1111"),
    "devanagari digits": ("०७१२", "0712"),
    "bold mathematical digits": ("\U0001d7d2\U0001d7cf\U0001d7cf\U0001d7cf", "4111"),
    "cyrillic in latin": ("jоhn@exаmple.com", "john@example.com"),
    "greek in latin": ("jοhn@example.com", "john@example.com"),
    "cyrillic in a code": ("А123456789К", "A123456789K"),
    "variation selector": ("0712\ufe0f345", "0712345"),
    "right-to-left mark": ("john\u200f@example.com", "john@example.com"),
}
UNTOUCHED = ["Привет мир", "Ελληνικά", "Zoë Müller", "日本語テスト", "データ", "naïve café", "Москва-2020", "مرحبا"]


@pytest.mark.parametrize("name", EVASIONS)
def test_disguise_comes_off(name):
    disguised, plain = EVASIONS[name]
    assert normalise(pa.array([disguised])).to_pylist() == [plain]
    assert plain_text(disguised) == plain


@pytest.mark.parametrize("text", UNTOUCHED)
def test_words_of_other_scripts_stay(text):
    assert normalise(pa.array([text])).to_pylist() == [unicodedata.normalize("NFKC", text)]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_type_length_and_missing_cells_are_kept(kind):
    values = pa.array(["abc", None, "ｘ", ""], type=kind)
    assert normalise(values).type == kind
    assert normalise(values).to_pylist() == ["abc", None, "x", ""]


def test_ascii_is_the_same_object():
    values = pa.array(["abc", None, "12-34"])
    assert normalise(values) is values


# Libraries of different Unicode versions may differ on code points that are not assigned.
_ASSIGNED = st.characters(exclude_categories=("Cs", "Cn"))


def test_vectorised_equals_one_by_one_on_every_character():
    characters = [chr(code) for code in range(0x80, 0x20000) if unicodedata.category(chr(code)) not in ("Cs", "Cn")]
    texts = [f"a{character}1" for character in characters]
    assert normalise(pa.array(texts)).to_pylist() == [plain_text(text) for text in texts]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(_ASSIGNED, max_size=30)), max_size=8))
def test_vectorised_equals_one_by_one(texts):
    values = pa.array(texts, type=pa.string())
    assert normalise(values).to_pylist() == [None if text is None else plain_text(text) for text in texts]


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_spans_of_any_code_points_are_apart_and_inside_the_text(text):
    plain = plain_text(text)
    places = sorted(span[:2] for span in find_spans(plain))
    ends = [0, *(end for _, end in places)]
    assert all(before <= start < end <= len(plain) for before, (start, end) in zip(ends, places, strict=False))


def test_bytes_that_are_not_text_are_read_with_replacements():
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.array([0, 4, 8], pa.int32()).buffers()[1], pa.py_buffer(b"ab\xff\xfeabcd")]
    )
    assert normalise(broken).to_pylist() == ["ab��", "abcd"]
