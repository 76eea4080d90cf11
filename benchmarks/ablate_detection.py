"""What each witness and each relation adds to detection; prints Markdown.

    python benchmarks/ablate_detection.py labelled=FOLDER generated=FOLDER held-out=FOLDER

Each argument is a corpus: its title and a folder of tables with `labels.json` or `labels_open.json`;
`make_generated.py` writes the second and the third. Each table is read once with its column names and once under the
names c0, c1, ... Then every witness and every relation is switched off in turn, and each labelled column is judged
again: its entity type is right if it belongs to the group of the label (`GROUPS` of evaluate_detection.py), its role if
it is the usual role of a right entity type.

The table is the unit of the comparison: ``worse`` and ``better`` count the tables in which fewer or more columns are
right without the witness. A star marks a witness whose removal does not make at least `NOISE` more tables worse than
better: what changes a single table may be due to that table alone. Witnesses that do not read the ledger give the same
claims every time, so that they run once for each column.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate_detection import GROUP_OF, PERSONAL, read

from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry
from privaudit.detect.witnesses import RELATIONS, WITNESSES, Prepared, Witness, fill_ledgers, prepare
from privaudit.model.vocabulary import entity_type
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile

NOISE = 2
SETTINGS = Settings(ner=False)
READ_THE_LEDGER = frozenset({"versions", "UUIDs", "user names"})
Right = dict[tuple[str, str, str], tuple[bool, bool]]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A prepared table with the label of each of its columns, by position."""

    corpus: str
    name: str
    known: Prepared
    labels: Mapping[int, Mapping[str, Any]]


def load(folder: Path, corpus: str, opened: ExitStack) -> Iterator[Labelled]:
    """Yield the tables of a folder with their column names and without."""
    file = next(file for file in (folder / "labels.json", folder / "labels_open.json") if file.is_file())
    for name, labels in json.loads(file.read_text(encoding="utf-8")).items():
        table = read(folder / name)
        places = {column: place for place, column in enumerate(table.column_names)}
        complete = len(labels) == len(places)
        by_place = {
            place if complete else places[column]: label
            for place, (column, label) in enumerate(labels.items())
            if complete or column in places
        }
        for hidden in (False, True):
            names = [f"c{i}" for i in range(table.num_columns)] if hidden else table.column_names
            dataset = opened.enter_context(from_arrow(table.rename_columns(names)))
            known = prepare(dataset, profile(dataset), SETTINGS)
            yield Labelled(f"{corpus}, {'without' if hidden else 'with'} names", name, known, by_place)


def once(name: str, witness: Witness) -> Witness:
    """Return a witness that keeps its claims on each column."""
    kept: dict[int, list[Entry]] = {}

    def remembering(item: ColumnEvidence, known: Prepared) -> Iterable[Entry]:
        if id(item.column) not in kept:
            kept[id(item.column)] = list(witness(item, known))
        return kept[id(item.column)]

    return witness if name in READ_THE_LEDGER else remembering


def judge(
    tables: Iterable[Labelled], witnesses: Mapping[str, Witness], without: str = ""
) -> tuple[Right, dict[str, float]]:
    """Return whether the entity type and the role of each column are right, and F1 by corpus."""
    right: Right = {}
    counts: dict[str, Counter[str]] = {}
    active = {name: witness for name, witness in witnesses.items() if name != without}
    relations = {name: relation for name, relation in RELATIONS.items() if name != without}
    for table in tables:
        ledgers = fill_ledgers(table.known, witnesses=active, relations=relations)
        count = counts.setdefault(table.corpus, Counter())
        for place, label in table.labels.items():
            found = ledgers[place].entity or "NONE"
            want, got = GROUP_OF.get(label["entity"], label["entity"]), GROUP_OF.get(found, found)
            roles = (label["role"], *(label.get("alt_roles") or ()))
            role = "none" if found == "NONE" else entity_type(found).role
            right[table.corpus, table.name, str(place)] = want == got, role in roles
            count["right"] += want == got and want in PERSONAL
            count["all"] += (want in PERSONAL) + (got in PERSONAL)
    return right, {corpus: 2 * count["right"] / count["all"] for corpus, count in counts.items()}


def compare(before: Right, after: Right) -> tuple[Counter[str], int, int]:
    """Return how many columns changed, and the tables with fewer and with more right judgements."""
    columns: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    for key, old in before.items():
        new = after[key]
        columns["worse"] += sum(old) > sum(new)
        columns["better"] += sum(new) > sum(old)
        tables[key[1]] += sum(new) - sum(old)
    return columns, sum(n < 0 for n in tables.values()), sum(n > 0 for n in tables.values())


def main() -> None:
    """Print what each witness and each relation adds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="TITLE=FOLDER")
    options = parser.parse_args()
    with ExitStack() as opened:
        tables = [
            table
            for title, _, folder in (corpus.partition("=") for corpus in options.corpora)
            for table in load(Path(folder), title, opened)
        ]
        witnesses = {name: once(name, witness) for name, witness in WITNESSES.items()}
        before, scores = judge(tables, witnesses)
        print(f"| switched off | columns worse | better | tables worse | better | {' | '.join(scores)} |")
        print("| --- " * (5 + len(scores)) + "|")
        print("| nothing | | | | | " + " | ".join(f"{score:.3f}" for score in scores.values()) + " |")
        for name in [*WITNESSES, *RELATIONS]:
            after, changed = judge(tables, witnesses, name)
            columns, worse, better = compare(before, after)
            noise = "" if worse - better >= NOISE else " *"
            cells = [f"{name}{noise}", columns["worse"], columns["better"], worse, better]
            cells += [f"{changed[corpus] - scores[corpus]:+.3f}" for corpus in scores]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
