"""Names and places that lists find in sentences of ten languages, without a model; prints Markdown.

    python benchmarks/listed_names.py       needs Faker

The names are drawn by Faker, the sentences are templates of `text_languages.py` and those below. A labelled name counts
as found when a span of a person overlaps it; any other span is false.
"""

from __future__ import annotations

import random
import time

from faker import Faker
from text_languages import LANGUAGES

from privaudit.detect.text.engines.listed import ListedNames
from privaudit.detect.text.spans import read_spans

OTHERS = {
    "Italian": (
        "Il paziente {p} è arrivato da {c} ieri.|Chiamare domani {p} a {c}.|La lettera è di {p} di {c}.|"
        "{p} si è trasferito a {c}.",
        "Il pacco è arrivato tardi.|La pressione era normale.|Inviare di nuovo i documenti.",
    ),
    "Swahili": (
        "Mgonjwa {p} alitoka {c} jana.|Tafadhali mpigie {p} kesho.|Barua iliandikwa na {p} wa {c}.|"
        "{p} alihamia {c} mwaka jana.",
        "Kifurushi kilichelewa.|Shinikizo la damu lilikuwa la kawaida.|Tuma hati tena.",
    ),
}
LOCALES = {
    "English": "en_US", "German": "de_DE", "Spanish": "es_ES", "Portuguese": "pt_BR", "Italian": "it_IT",
    "French": "fr_FR", "Indonesian": "id_ID", "Arabic": "ar_EG", "Hindi": "hi_IN", "Swahili": "sw",
}  # fmt: skip
TOWNS = {
    "Italian": "Roma|Milano|Napoli|Torino|Bari|Palermo",
    "Arabic": "القاهرة|دبي|بغداد|دمشق|الرباط|تونس",
    "Hindi": "दिल्ली|मुंबई|जयपुर|लखनऊ|पटना|भोपाल",
    "Swahili": "Nairobi|Mombasa|Dodoma|Arusha|Kisumu|Mwanza",
}
N = 240


def sentences(language: str) -> list[tuple[str, str, str]]:
    """Return sentences with a name and a town."""
    draw, faker = random.Random(35), Faker(LOCALES[language])
    faker.seed_instance(35)
    templates = OTHERS[language][0] if language in OTHERS else LANGUAGES[language][0]
    towns = TOWNS[language] if language in TOWNS else LANGUAGES[language][3]
    found = []
    for _ in range(N):
        name, town = f"{faker.first_name()} {faker.last_name()}", draw.choice(towns.split("|"))
        found.append((draw.choice(templates.split("|")).format(p=name, c=town), name, town))
    return found


def main() -> None:
    """Print precision, recall and F1 by language."""
    engine = ListedNames()
    print("| language | names P | names R | F1 | places P | places R | F1 | false alarms | sentences/s |")
    print("|---" * 9 + "|")
    for language in LOCALES:
        made = sentences(language)
        start = time.process_time()
        spans = read_spans(engine, [text for text, _, _ in made])
        speed = len(made) / (time.process_time() - start)
        cells = []
        for entity, at in (("PERSON_NAME", 1), ("CITY", 2)):
            hits = wrong = 0
            for one, found in zip(made, spans, strict=True):
                if one[at] not in one[0]:
                    continue
                begin = one[0].index(one[at])
                right = [s for s in found if s.entity == entity and s.start < begin + len(one[at]) and s.end > begin]
                hits += bool(right)
                wrong += sum(s.entity == entity for s in found) - len(right)
            labelled = sum(one[at] in one[0] for one in made)
            precision, recall = hits / max(hits + wrong, 1), hits / labelled
            f1 = 2 * precision * recall / max(precision + recall, 1e-9)
            cells += [f"{precision:.2f}", f"{recall:.2f}", f"{f1:.2f}"]
        plain = (OTHERS[language][1] if language in OTHERS else LANGUAGES[language][1]).split("|")
        alarms = sum(map(bool, read_spans(engine, plain)))
        print(f"| {language} | {' | '.join(cells)} | {alarms} of {len(plain)} | {speed:,.0f} |")


if __name__ == "__main__":
    main()
