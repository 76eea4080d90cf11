"""Text that is not UTF-8 is read in the encoding in which its words are words, or refused; never with other letters."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from privaudit.base.errors import UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source import Dataset, open_dataset
from privaudit.source.files.formats.guessed_encoding import ENCODINGS, HighWords, decided, guess_encoding, weigh

TEXTS = {
    "de": (
        "Jürgen Schäfer Köln;Käthe Größmann Nürnberg;Günther Müller Osnabrück;Jörg Weiß Lübeck;Jörg Bäcker Düsseldorf"
    ),
    "es": (
        "José Muñoz Málaga;María Peña Cádiz;Íñigo Núñez Logroño;"
        "Ángel Ibáñez León;Sofía Martínez Almería;Raúl Gómez Jaén"
    ),
    "fr": (
        "Hélène Lefèvre Orléans;François Béranger Nîmes;Zoé Gauthier Besançon;Chloé Français Mâcon;"
        "Jérôme Crété Châlons;Benoît Forêt Évreux;Agnès Guérin Angoulême;Célestin Fabrègue Béziers;"
        "Léa Brûlé Sète;Noël Maçon Épinal"
    ),
    "pt": (
        "João Gonçalves Évora;Conceição Magalhães Guimarães;Inês Simões Portimão;António Leitão Beja;Lúcia Araújo Faro"
    ),
    "pl": (
        "Łukasz Wiśniewski Gdańsk;Małgorzata Dąbrowska Łódź;Paweł Zieliński Kraków;"
        "Grażyna Wójcik Poznań;Jan Żak Wrocław"
    ),
    "cs": ("Jiří Dvořák Plzeň;Božena Němcová Děčín;Václav Růžička Třebíč;Lukáš Černý Olomouc;Kateřina Šťastná Břeclav"),
    "ru": "Иванов Иван Москва;Смирнова Ольга Казань;Кузнецов Пётр Самара;Попова Анна Омск;Соколов Юрий Тверь",
    "el": "Γιώργος Παπαδόπουλος Αθήνα;Ελένη Νικολάου Πάτρα;Κώστας Αγγέλου Λάρισα;Μαρία Δήμου Βόλος",
    "ja": "佐藤太郎 東京;鈴木花子 大阪;高橋一郎 名古屋;田中美咲 横浜;伊藤さくら 札幌;渡辺ケンジ 福岡;山本直美 京都",
    "zh": "王伟 北京;李娜 上海;张敏 广州;刘洋 深圳;陈静 天津;杨丽 重庆;赵强 成都;黄磊 武汉;周杰 南京;吴芳 西安",
    "ko": "김민준 서울;이서연 부산;박지훈 대구;최수빈 인천;정우진 광주;강하은 대전;조현우 울산;윤지아 수원",
}
WRITTEN = [
    *((language, encoding) for language in ("de", "es", "fr", "pt") for encoding in ("cp1252", "latin-1", "mac-roman")),
    ("pl", "cp1250"), ("cs", "cp1250"), ("ru", "cp1251"), ("ru", "koi8-r"), ("el", "cp1253"), ("ja", "shift_jis"),
    ("zh", "gb18030"), ("ko", "euc-kr"),
]  # fmt: skip


def rows_of(language: str) -> list[str]:
    return TEXTS[language].split(";")


def content_of(language: str, encoding: str) -> bytes:
    lines = [f"{i},{row.rpartition(' ')[0]},{row.rpartition(' ')[2]}" for i, row in enumerate(rows_of(language))]
    return "\n".join(["id,name,city", *lines]).encode(encoding)


def words_of(content: bytes) -> set[bytes]:
    words = HighWords()
    words.add(content)
    return words.finish()


def cells(dataset: Dataset) -> list[str]:
    table = dataset.rows(dataset.columns)
    return [" ".join(row) for row in zip(*(column.to_pylist() for column in table.columns[1:]), strict=True)]


@pytest.mark.parametrize(("language", "encoding"), WRITTEN)
@pytest.mark.quick_cases(7)
def test_the_letters_that_were_written_are_read_and_the_guess_is_stated(tmp_path, language, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes(content_of(language, encoding))
    with open_dataset(path, Settings()) as found:
        assert cells(found) == rows_of(language)
        (stated,) = (one for one in found.limits if one.code == "source.encoding_guessed")
        assert not stated.incomplete
    with open_dataset(path, Settings(encoding=encoding)) as named:
        assert cells(named) == rows_of(language)
        assert not any(one.code == "source.encoding_guessed" for one in named.limits)


@pytest.mark.parametrize(("language", "encoding"), WRITTEN)
@pytest.mark.quick_cases(7)
def test_part_of_a_table_is_read_right_or_refused(language, encoding):
    """With few words the answer may be open; it is never one with other letters."""
    draw = random.Random(7)
    for size in (1, 1, 2, 2, 3):
        text = "\n".join(draw.sample(rows_of(language), size))
        guess = guess_encoding(words_of(text.encode(encoding)))
        if guess.encoding is not None and guess.rival is None:
            assert text.encode(encoding).decode(guess.encoding) == text


def test_two_plausible_readings_are_an_error_that_names_both(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("name,age\nNicolò,33\nAnn,34\n".encode("cp1252"))
    guess = guess_encoding(words_of(path.read_bytes()))
    likelihoods = weigh(words_of(path.read_bytes()))
    open_between = decided(likelihoods, 0.0).encoding, decided(likelihoods, 1e9)
    assert guess.encoding is None or guess.rival is not None
    assert open_between[0] is not None and open_between[1].encoding is None
    with pytest.raises(UnreadableSource, match="--encoding"):
        open_dataset(path, Settings())


def test_the_error_of_an_open_answer_names_two_encodings(tmp_path):
    """Italian words with one letter are also words of an encoding of Cyrillic letters, by their pairs of letters."""
    path = tmp_path / "t.csv"
    for n in range(1, 8):
        rows = ["Nicolò", "Forlì", "Cantù", "Niccolò", "Patanè", "Canicattì", "Salò"][:n]
        path.write_bytes("\n".join(["name", *rows]).encode("cp1252"))
        guess = guess_encoding(words_of(path.read_bytes()))
        if guess.rival is not None:
            with pytest.raises(UnreadableSource) as raised:
                open_dataset(path, Settings())
            assert guess.encoding in raised.value.message and guess.rival in raised.value.message
            assert "Nicol" not in str(raised.value)
            return
    pytest.fail("each of the words is decided")


@pytest.mark.parametrize("damage", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf"])
def test_damaged_utf8_is_not_another_encoding(tmp_path, damage):
    text = "\n".join(["name", *rows_of("de"), *rows_of("pl")]).encode()
    for place in (text.index(b"\n") + 1, len(text) // 2, len(text)):
        path = tmp_path / "t.csv"
        path.write_bytes(text[:place] + damage + b"\n" + text[place:])
        with pytest.raises(UnreadableSource, match="not valid UTF-8 in line"):
            open_dataset(path, Settings())


def test_the_order_of_the_rows_has_no_effect():
    content = content_of("pl", "cp1250")
    lines = content.split(b"\n")
    assert weigh(words_of(content)) == weigh(words_of(b"\n".join(reversed(lines))))


def test_words_are_the_same_in_blocks_of_any_size():
    content = content_of("ja", "cp932") + b"\n" + content_of("zh", "gb18030")
    for size in (1, 2, 7, 64):
        words = HighWords()
        for start in range(0, len(content), size):
            words.add(content[start : start + size])
        assert words.finish() == words_of(content)


def test_json_and_compressed_text_are_read_alike(tmp_path):
    lines = [json.dumps({"name": row, "age": i}, ensure_ascii=False) for i, row in enumerate(rows_of("fr"))]
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode("cp1252")))
    with open_dataset(path, Settings()) as found:
        assert found.rows(("name",)).columns[0].to_pylist() == rows_of("fr")


def test_every_encoding_that_is_guessed_is_one_that_python_reads():
    for name in ENCODINGS:
        assert "a".encode(name) == b"a"
