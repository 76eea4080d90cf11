# ruff: noqa: E501 - tables of words and templates are read whole
"""Names and places that every installed text engine finds in sentences of thirteen languages; prints Markdown.

    python benchmarks/text_languages.py

Models for one language are scored on notes of their language (``text_notes.toml``) with names from Faker, and on texts
without names, which are the translated interfaces of Django and of its packages (oscar, wagtail, allauth) where these
are installed.

Six templates with a person and a place are filled with eight full names and eight towns of the language, and three
sentences have neither. Names keep one form, so that inflection plays no part. A name or place counts as found when a
predicted span of its type overlaps it; a false alarm is a sentence without names in which a person or place is reported.
The sentences are simpler than real notes: a language that fails here is not read, one that succeeds may still fail.
"""

from __future__ import annotations

import random
import re
import time
import tomllib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from text_engines import _entity

from privaudit.detect.text.assignment import is_sentence
from privaudit.detect.text.engines.interface import EngineInfo, TextEngine
from privaudit.detect.text.engines.registry import available_engines, load_engine
from privaudit.detect.text.spans import read_spans

if TYPE_CHECKING:
    from faker import Faker

NOTES = Path(__file__).with_name("text_notes.toml")
# Language code and locale of the languages that have a model of their own.
LOCALES = {"French": ("fr", "fr"), "Russian": ("ru", "ru"), "Chinese": ("zh", "zh_Hans"), "Japanese": ("ja", "ja")}

LANGUAGES = {
    "English": (
        "Patient {p} came from {c} and was admitted.|Please call {p} in {c} tomorrow.|We met {p} at the office in {c}.|The letter was written by {p} from {c}.|{p} moved to {c} last year.|Spoke with {p}, who lives in {c}.",
        "The parcel arrived late.|Please send the documents again.|The blood pressure was normal.",
        "John Miller|Mary Johnson|Peter Brown|Susan Clark|David Wilson|Emma Harris|Robert Lewis|Laura Walker",
        "London|Chicago|Dublin|Toronto|Manchester|Boston|Sydney|Houston",
    ),
    "Chinese": (
        "患者{p}来自{c},已经入院。|请明天打电话给{c}的{p}。|我们在{c}的办公室见到了{p}。|这封信是{c}的{p}写的。|{p}去年搬到了{c}。|我和住在{c}的{p}谈过。",
        "包裹到得很晚。|请再次发送文件。|血压正常。",
        "王小明|李建国|张丽华|刘志强|陈美玲|杨立伟|赵文静|黄海燕",
        "北京|上海|广州|成都|武汉|南京|西安|杭州",
    ),
    "Hindi": (
        "मरीज {p} {c} से आए और भर्ती हुए।|कृपया कल {c} में {p} को फोन करें।|हम {c} के कार्यालय में {p} से मिले।|यह पत्र {c} के {p} ने लिखा।|{p} पिछले साल {c} चले गए।|मैंने {c} में रहने वाले {p} से बात की।",
        "पार्सल देर से पहुँचा।|कृपया दस्तावेज़ फिर से भेजें।|रक्तचाप सामान्य था।",
        "राजेश कुमार|सुनीता शर्मा|अमित सिंह|प्रिया गुप्ता|विजय यादव|अनीता वर्मा|मोहन लाल|कविता जोशी",
        "दिल्ली|मुंबई|लखनऊ|जयपुर|कानपुर|वाराणसी|भोपाल|पटना",
    ),
    "Spanish": (
        "El paciente {p} llegó de {c} y fue ingresado.|Por favor llame mañana a {p} en {c}.|Vimos a {p} en la oficina de {c}.|La carta la escribió {p} desde {c}.|{p} se mudó a {c} el año pasado.|Hablé con {p}, que vive en {c}.",
        "El paquete llegó tarde.|Envíe otra vez los documentos.|La presión arterial era normal.",
        "Juan Pérez|María García|Carlos Fernández|Ana Martínez|Luis Rodríguez|Carmen Sánchez|Javier Gómez|Lucía Díaz",
        "Madrid|Sevilla|Bogotá|Lima|Valencia|Guadalajara|Santiago|Zaragoza",
    ),
    "French": (
        "Le patient {p} est venu de {c} et a été admis.|Merci d'appeler {p} à {c} demain.|Nous avons vu {p} au bureau de {c}.|La lettre a été écrite par {p} de {c}.|{p} a déménagé à {c} l'an dernier.|J'ai parlé avec {p}, qui habite à {c}.",
        "Le colis est arrivé en retard.|Veuillez renvoyer les documents.|La tension était normale.",
        "Jean Dupont|Marie Lefebvre|Pierre Martin|Sophie Bernard|Luc Moreau|Claire Dubois|Antoine Girard|Julie Fournier",
        "Paris|Lyon|Marseille|Bruxelles|Bordeaux|Genève|Toulouse|Dakar",
    ),
    "Arabic": (
        "جاء المريض {p} من {c} وتم إدخاله.|يرجى الاتصال غدا مع {p} في {c}.|التقينا {p} في مكتب {c}.|كتب الرسالة {p} من {c}.|انتقل {p} إلى {c} العام الماضي.|تحدثت مع {p} الذي يعيش في {c}.",
        "وصل الطرد متأخرا.|يرجى إرسال المستندات مرة أخرى.|كان ضغط الدم طبيعيا.",
        "محمد علي|فاطمة حسن|أحمد إبراهيم|سارة خالد|عمر يوسف|ليلى محمود|حسين عبدالله|مريم سعيد",
        "القاهرة|بغداد|دمشق|الرياض|عمان|بيروت|الدوحة|تونس",
    ),
    "Bengali": (
        "রোগী {p} {c} থেকে এসে ভর্তি হয়েছেন।|অনুগ্রহ করে আগামীকাল {c} এ {p} কে ফোন করুন।|আমরা {c} অফিসে {p} এর সাথে দেখা করেছি।|চিঠিটি {c} থেকে {p} লিখেছেন।|{p} গত বছর {c} চলে গেছেন।|আমি {c} এর বাসিন্দা {p} এর সাথে কথা বলেছি।",
        "পার্সেল দেরিতে এসেছে।|অনুগ্রহ করে কাগজপত্র আবার পাঠান।|রক্তচাপ স্বাভাবিক ছিল।",
        "রহিম উদ্দিন|ফাতেমা বেগম|করিম হোসেন|সুমিত্রা দাস|আনিস রহমান|শর্মিলা ঘোষ|তারেক আহমেদ|মিতা রায়",
        "ঢাকা|কলকাতা|চট্টগ্রাম|সিলেট|খুলনা|রাজশাহী|বরিশাল|ময়মনসিংহ",
    ),
    "Portuguese": (
        "O paciente {p} veio de {c} e foi internado.|Por favor ligue amanhã para {p} em {c}.|Vimos {p} no escritório de {c}.|A carta foi escrita por {p} de {c}.|{p} mudou-se para {c} no ano passado.|Falei com {p}, que mora em {c}.",
        "A encomenda chegou tarde.|Envie outra vez os documentos.|A pressão arterial estava normal.",
        "João Silva|Maria Santos|Pedro Oliveira|Ana Souza|Carlos Pereira|Beatriz Costa|Rafael Almeida|Juliana Rocha",
        "Lisboa|Porto|Recife|Salvador|Curitiba|Luanda|Coimbra|Fortaleza",
    ),
    "Russian": (
        "Пациент {p} приехал из города {c} и был принят.|Позвоните завтра: {p}, город {c}.|В офисе города {c} был {p}.|Письмо написал {p} из города {c}.|{p} переехал в город {c} в прошлом году.|Со мной говорил {p} из города {c}.",
        "Посылка пришла поздно.|Пришлите документы ещё раз.|Давление было в норме.",
        "Иван Петров|Сергей Иванов|Алексей Смирнов|Дмитрий Кузнецов|Михаил Попов|Андрей Соколов|Николай Морозов|Павел Волков",
        "Москва|Казань|Самара|Омск|Тула|Пермь|Воронеж|Новосибирск",
    ),
    "Urdu": (
        "مریض {p} {c} سے آیا اور داخل ہوا۔|براہ کرم کل {c} میں {p} کو فون کریں۔|ہم {c} کے دفتر میں {p} سے ملے۔|یہ خط {c} سے {p} نے لکھا۔|{p} پچھلے سال {c} چلے گئے۔|میں نے {c} میں رہنے والے {p} سے بات کی۔",
        "پارسل دیر سے پہنچا۔|براہ کرم کاغذات دوبارہ بھیجیں۔|بلڈ پریشر معمول پر تھا۔",
        "عمران خان|عائشہ صدیقی|بلال احمد|زینب فاطمہ|حمزہ ملک|ثنا اقبال|فیصل قریشی|نادیہ حسین",
        "لاہور|کراچی|پشاور|ملتان|کوئٹہ|راولپنڈی|فیصل آباد|حیدرآباد",
    ),
    "Indonesian": (
        "Pasien {p} datang dari {c} dan dirawat.|Tolong telepon {p} di {c} besok.|Kami bertemu {p} di kantor {c}.|Surat itu ditulis oleh {p} dari {c}.|{p} pindah ke {c} tahun lalu.|Saya berbicara dengan {p} yang tinggal di {c}.",
        "Paket tiba terlambat.|Tolong kirim dokumen lagi.|Tekanan darah normal.",
        "Budi Santoso|Siti Rahayu|Agus Wijaya|Dewi Lestari|Andi Saputra|Rina Wulandari|Joko Susilo|Putri Handayani",
        "Jakarta|Bandung|Surabaya|Medan|Semarang|Makassar|Palembang|Denpasar",
    ),
    "German": (
        "Der Patient {p} kam aus {c} und wurde aufgenommen.|Bitte rufen Sie morgen {p} in {c} an.|Wir trafen {p} im Büro in {c}.|Den Brief schrieb {p} aus {c}.|{p} zog letztes Jahr nach {c}.|Gespräch mit {p}, wohnhaft in {c}.",
        "Das Paket kam zu spät.|Bitte senden Sie die Unterlagen noch einmal.|Der Blutdruck war normal.",
        "Hans Müller|Anna Schmidt|Peter Schneider|Sabine Fischer|Klaus Weber|Monika Wagner|Stefan Becker|Julia Hoffmann",
        "Berlin|Hamburg|Wien|Köln|Zürich|Leipzig|Dresden|Stuttgart",
    ),
    "Japanese": (
        "患者の{p}さんは{c}から来て入院しました。|明日{c}の{p}さんに電話してください。|{c}の事務所で{p}さんに会いました。|手紙は{c}の{p}さんが書きました。|{p}さんは昨年{c}に引っ越しました。|{c}に住む{p}さんと話しました。",
        "荷物は遅れて届きました。|書類をもう一度送ってください。|血圧は正常でした。",
        "佐藤健一|鈴木花子|高橋誠|田中美咲|伊藤直樹|渡辺由美|山本大輔|中村真理",
        "東京|大阪|名古屋|札幌|福岡|京都|神戸|仙台",
    ),
}
KINDS = ("PERSON_NAME", "PLACE")
Truth = tuple[str, list[tuple[str, int, int]]]


def sentences(language: str) -> list[Truth]:
    """Return every sentence of a language with its labelled spans."""
    templates, free, people, places = (text.split("|") for text in LANGUAGES[language])
    made: list[Truth] = [(text, []) for text in free]
    for i, template in enumerate(templates):
        for k, person in enumerate(people):
            place = places[(i + k) % len(places)]
            text = template.replace("{p}", person).replace("{c}", place)
            spans = [("PERSON_NAME", person), ("PLACE", place)]
            made.append((text, [(kind, text.index(word), text.index(word) + len(word)) for kind, word in spans]))
    return made


def notes(language: str, n: int = 240) -> list[Truth]:
    """Return the sentences of ``text_notes.toml`` without names, then `n` notes with names, of a language."""
    from faker import Faker

    record = tomllib.loads(NOTES.read_text(encoding="utf-8"))[language]
    faker, chance = Faker(record["locale"]), random.Random(1)
    faker.seed_instance(1)
    templates, towns = record["notes"].strip().splitlines(), record["towns"].split("|")
    made: list[Truth] = [(text, []) for text in record["free"].strip().splitlines()]
    for number in range(n):
        text, spans = "", []
        for part in re.split(r"(\{[pc]\})", templates[number % len(templates)]):
            kind = {"{p}": "PERSON_NAME", "{c}": "PLACE"}.get(part)
            if kind is not None:
                part = _person(faker, language) if kind == "PERSON_NAME" else chance.choice(towns)
                spans.append((kind, len(text), len(text) + len(part)))
            text += part
        made.append((text, spans))
    return made


def _person(faker: Faker, language: str) -> str:
    if language == "Russian":  # both names of one gender
        return f"{faker.first_name_male()} {faker.last_name_male()}"
    if language in ("Chinese", "Japanese"):
        return f"{faker.last_name()}{faker.first_name()}"
    return f"{faker.first_name()} {faker.last_name()}"


def interface_texts(locale: str) -> list[str]:
    """Return the translated texts of the installed Django packages, which name hardly anybody."""
    from babel.messages.mofile import read_mo

    found: set[str] = set()
    for package in ("django", "oscar", "wagtail", "allauth"):
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            continue
        for file in sorted(Path(spec.origin).parent.glob(f"**/locale/{locale}/LC_MESSAGES/*.mo")):
            with file.open("rb") as stream:
                texts = [one.string if isinstance(one.string, str) else one.string[-1] for one in read_mo(stream)]
            found.update(text for text in texts if is_sentence(text) and not re.search(r"%\(|[<{]", text))
    return sorted(found)


def read(engine: TextEngine, texts: list[str]) -> tuple[list[list[tuple[str, int, int]]], float]:
    """Return the names and places that an engine finds in each text, and how many texts it reads in a CPU second."""
    read_spans(engine, texts[:1])
    started = time.process_time()
    found = read_spans(engine, texts)
    rate = len(texts) / (time.process_time() - started)
    return [[(_entity(s), s.start, s.end) for s in one if _entity(s) in KINDS] for one in found], rate


def score(found: list[list[tuple[str, int, int]]], truth: list[Truth]) -> list[str]:
    """Return the shares of names and of places that were found, and the number of false alarms."""
    cells = []
    for kind in KINDS:
        hits = [
            any(one == kind and first < end and start < last for one, first, last in spans)
            for spans, (_, labels) in zip(found, truth, strict=True)
            for entity, start, end in labels
            if entity == kind
        ]
        cells.append(f"{sum(hits) / len(hits):.2f}")
    alarms = sum(bool(spans) for spans, (_, labels) in zip(found, truth, strict=True) if not labels)
    return [*cells, str(alarms)]


def precision(found: list[list[tuple[str, int, int]]], truth: list[Truth], kind: str) -> float:
    """Return the share of the spans of a type that overlap a label of it."""
    right = [
        any(one == kind and start < last and first < end for one, start, end in labels)
        for spans, (_, labels) in zip(found, truth, strict=True)
        for entity, first, last in spans
        if entity == kind
    ]
    return sum(right) / max(len(right), 1)


def of_each_language(infos: list[EngineInfo]) -> None:
    """Print the share of names and places that each engine of any language finds in simple sentences."""
    print(f"| language | {' | '.join(f'{i.name}: names | places | false alarms' for i in infos)} |")
    print(f"|{'---|' * (1 + 3 * len(infos))}")
    for language in LANGUAGES:
        truth = sentences(language)
        cells = [cell for info in infos for cell in score(read(load_engine(info), [t for t, _ in truth])[0], truth)]
        print(f"| {language} | {' | '.join(cells)} |")


def of_one_language(infos: Sequence[EngineInfo]) -> None:
    """Print precision and recall in notes, and false alarms in texts of interfaces, for each engine of a language."""
    print("\n| language | model | names P | names R | places P | places R | names, none there | places | texts/s |")
    print(f"|{'---|' * 9}")
    for language, (code, locale) in LOCALES.items():
        for info in infos:
            if code not in info.languages and not (language == "French" and info.name == "onnx"):
                continue
            truth, free = notes(language), interface_texts(locale)
            found, rate = read(load_engine(info), [text for text, _ in truth])
            alarms, _ = read(load_engine(info), free)
            shares = score(found, truth)
            cells = [
                cell
                for kind, recall in zip(KINDS, shares, strict=False)
                for cell in (f"{precision(found, truth, kind):.2f}", recall)
            ]
            cells += [f"{sum(any(e == k for e, *_ in one) for one in alarms)} of {len(free)}" for k in KINDS]
            print(f"| {language} | {info.model} {info.version} | {' | '.join(cells)} | {rate:,.0f} |")


def main() -> None:
    """Print both tables."""
    infos = available_engines()
    of_each_language([info for info in infos if "en" in info.languages])
    of_one_language(infos)


if __name__ == "__main__":
    main()
