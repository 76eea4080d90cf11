"""How many street addresses in notes are found, and how many of them whole, by country.

    python benchmarks/addresses_in_text.py       needs Faker; prints a table for docs/text-engines.md

The addresses are street and number by Faker, each in a sentence of its language. An address is found if a reported
street address overlaps it, and whole if all of it is inside. The last row has sentences without an address that contain
the words of streets.
"""

from __future__ import annotations

from faker import Faker

from privaudit.detect.text.embedded import find_spans

SENTENCES = {
    "en_US": ("She lives at {} since May.", "Mail returned from {}, try again.", "Please deliver to {} before noon"),
    "en_GB": ("The visit was at {} in the end.", "Moved from {} last year.", "Keys left with the neighbour, {}."),
    "en_AU": ("Her address is {} now.", "Collected the dog from {}."),
    "de_DE": ("Sie wohnt {} im zweiten Stock.", "Neue Anschrift: {}", "Lieferung an {} erbeten."),
    "de_AT": ("Umzug nach {} im Mai.", "Bitte an {} senden."),
    "fr_FR": ("Elle habite {} depuis mai.", "Livraison au {} demain."),
    "es_ES": ("Vive en {} desde mayo.", "Enviar a {} por favor."),
    "es_MX": ("Vive en {} con su madre.", "Entregar en {} mañana."),
    "it_IT": ("Abita in {} da maggio.", "Consegna in {} domani."),
    "pt_BR": ("Mora na {} desde maio.", "Entregar na {} amanhã."),
    "pt_PT": ("Reside na {} desde maio.", "Enviar para {} amanhã."),
    "nl_NL": ("Zij woont {} sinds mei.", "Bezorgen op {} graag."),
    "pl_PL": ("Mieszka przy {} od maja.", "Dostawa: {} jutro."),
    "sv_SE": ("Hon bor på {} sedan maj.", "Leverans till {} i morgon."),
}
PLAIN = (
    "The road was closed for 3 hours.",
    "Ein Weg von 12 Minuten.",
    "He drove 20 Miles Way too fast.",
    "On the way 2 boxes fell.",
    "Unit 4 passed the test.",
    "Der Platz 3 ist frei.",
    "La calle estaba llena, 12 coches.",
    "Sent via email 12 times.",
    "Room 12, Building 4 was cold.",
    "The court 5 hearing is over.",
    "Drive 2 failed, disk 3 is fine.",
    "Rua sem saída, 20 casas.",
)
PER_SENTENCE = 20


def main() -> None:
    """Print the counts by locale."""
    print("| locale | addresses | found | whole |\n|---|---|---|---|")
    totals = [0, 0, 0]
    for locale, sentences in SENTENCES.items():
        faker = Faker(locale)
        faker.seed_instance(35)
        counts = [0, 0, 0]
        for sentence in sentences:
            for _ in range(PER_SENTENCE):
                address = faker.street_address().split("\n")[0]
                start = sentence.index("{}")
                end = start + len(address)
                spans = [
                    (a, b) for a, b, entity, _ in find_spans(sentence.format(address)) if entity == "STREET_ADDRESS"
                ]
                counts[0] += 1
                counts[1] += any(a < end and b > start for a, b in spans)
                counts[2] += any(a <= start and b >= end for a, b in spans)
        totals = [total + n for total, n in zip(totals, counts, strict=True)]
        print(f"| {locale} | {' | '.join(map(str, counts))} |")
    print(f"| all | {' | '.join(map(str, totals))} |")
    alarms = sum(any(span[2] == "STREET_ADDRESS" for span in find_spans(text)) for text in PLAIN)
    print(f"| sentences without an address | {len(PLAIN)} | {alarms} | |")


if __name__ == "__main__":
    main()
