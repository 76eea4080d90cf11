"""An erasure from the plan to the certificate, and its end after an interruption.

Question: in which order do servers, files, map, register and certificate change?
Method: all new files are made and verified; servers commit; a journal is written; files are swapped; then map, register
and certificate are written from the notes of the journal. A run that finds a journal does the rest of it.
Limits: a crash after the commit of a server and before the journal leaves the server erased and the files as they were;
erasing again finds the person in the files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base import clock
from privaudit.base.errors import ConfigError
from privaudit.base.typed import convert
from privaudit.model.headers import shown_file
from privaudit.model.wording import Count, Name, Number, Term, fact
from privaudit.report import files
from privaudit.report.json import plain
from privaudit.report.pages import page as pages
from privaudit.settings.config import Progress
from privaudit.stewardship import map_file, postgres, register, swap
from privaudit.stewardship.changes import TablePlan
from privaudit.stewardship.data_map import Inventory
from privaudit.stewardship.erase import ErasePlan, StoreResult, apply, rehearse
from privaudit.stewardship.person import Reader

SCHEMA = "privaudit erasure certificate 1"


def read_plan(path: Path) -> ErasePlan:
    """Return the plan of a dry run.

    Raises
    ------
    ConfigError
        If the file does not exist, or is not a plan.
    """
    hint = "make one by a dry run: privaudit subject erase --inventory FILE --identifier FILE -o PLAN"
    if not path.exists():
        raise ConfigError(f"The plan {shown_file(path)} does not exist.", hint=hint)
    refusal = ConfigError(
        f"{shown_file(path)} is not the plan of a dry run.", hint="write one: privaudit subject erase ... -o FILE"
    )
    return files.read_json(path, lambda content: convert(content, ErasePlan), refusal)


def dry_run(identifier: str, reader: Reader, inventory: Path, progress: Progress) -> ErasePlan:
    """Return what an erasure would do, after all new files were made, verified and removed.

    Raises
    ------
    PrivauditError
        As `privaudit.stewardship.erase.rehearse`: what stops the erasure stops its dry run.
    """
    with _alone(reader, inventory):
        return rehearse(identifier, reader, inventory, progress)


def _alone(reader: Reader, inventory: Path) -> AbstractContextManager[None]:
    return swap.alone([inventory.parent, *(file.parent for file in reader.files())])


def run(
    plan: ErasePlan,
    identifier: str,
    reader: Reader,
    inventory: Path,
    *,
    certificate: Path,
    key: bytes | None,
    register_file: Path | None,
    progress: Progress,
) -> dict[str, Any]:
    """Erase a person as planned and return the certificate.

    Raises
    ------
    ConfigError, ScanIncomplete
        As `privaudit.stewardship.erase.apply`; nothing was replaced then.
    """
    with _alone(reader, inventory):
        prepared = apply(plan, identifier, reader, inventory, progress)
        with ExitStack() as if_it_fails:
            if_it_fails.callback(prepared.discard)
            entries = () if key is None else register.entries(key, prepared, identifier)
            of_servers = [postgres.erase(store, changes, reader) for store, changes in prepared.servers]
            results = [*prepared.results, *of_servers]
            notes = {
                "certificate": _certificate(plan, results, reader.inventory),
                "output": str(certificate.absolute()),
                "register": None if register_file is None else str(register_file.absolute()),
                "entries": list(entries),
            }
            swap.write_journal(inventory, prepared.moves, notes)
            if_it_fails.pop_all()
        made = _complete(inventory)
        prepared.release()
        assert made is not None
        return made


def complete(inventory: Path) -> dict[str, Any] | None:
    """Finish the erasure of which a journal is there, and return its certificate, or None without a journal.

    Raises
    ------
    ConfigError
        If a new file is missing or damaged, or an output cannot be written; the journal stays. If the erasure is
        still running.
    """
    files_left = swap.journaled(inventory)
    if files_left is None:
        return None
    with swap.alone([inventory.parent, *(file.parent for file in files_left)]):
        return _complete(inventory)


def _complete(inventory: Path) -> dict[str, Any] | None:
    notes = swap.finish(inventory)
    if notes is None:
        return None
    made: dict[str, Any] = notes["certificate"]
    if notes["register"] is not None:
        register.add(Path(notes["register"]), notes["entries"], made["erased_at"][:10])
    current = map_file.read_map(inventory)
    map_file.write_map(_with_open_lines(current, made["erased_at"][:10]), inventory)
    files.replace(Path(notes["output"]), json.dumps(made, indent=2) + "\n", private=True)
    swap.forget(inventory)
    return made


def _with_open_lines(inventory: Inventory, day: str) -> Inventory:
    """Return the map with every unreachable place open since `day`, unless it is open already."""
    lines = tuple(
        line if line.is_open else replace(line, open_since=day, confirmed="") for line in inventory.unreachable
    )
    return replace(inventory, unreachable=lines)


def _certificate(plan: ErasePlan, results: Sequence[StoreResult], inventory: Inventory) -> dict[str, Any]:
    """Return what was done, in counts: no value and no row number of the person."""
    tables = [
        {name: value for name, value in plain(table).items() if name != "rows"} | {"complete": table.is_complete}
        for table in plan.tables
    ]
    return {
        "schema": SCHEMA,
        "tool": {"name": "privaudit", "version": __version__},
        "erased_at": clock.stamp(),
        "complete": all(table.is_complete for table in plan.tables),
        "tables": tables,
        "stores": [plain(result) for result in results],
        "open": [line.what for line in inventory.unreachable],
    }


def plan_page(plan: ErasePlan) -> pages.Page:
    """Return what an erasure would do, for readers."""
    return _page(plan.tables, "planned", ())


def certificate_page(made: dict[str, Any]) -> pages.Page:
    """Return what an erasure did, for readers."""
    tables = [
        TablePlan(rows=(), **{name: value for name, value in table.items() if name != "complete"})
        for table in made["tables"]
    ]
    verified = tuple(
        fact(
            "subject.verified",
            store=Name(one["store"]),
            searched=Number(one["n_searched"]),
            compared=Number(one["n_compared"]),
        )
        for one in made["stores"]
    )
    unreached = tuple(fact("subject.open", what=Term(f"inventory.{what}")) for what in made["open"])
    sections = [
        pages.Section(key="verified", title="Verified", sentences=verified),
        pages.Section(key="open", title="Open until a person confirms", sentences=unreached),
    ]
    return _page(tables, "done", sections)


def _page(tables: Sequence[TablePlan], state: str, more: Sequence[pages.Section]) -> pages.Page:
    rows = [
        (f"{t.store}/{t.table}".rstrip("/"), t.strategy, *(f"{n:,}" for n in (t.n_deleted, t.n_changed)),
         *(f"{n:,}" for n in (t.n_undecided, t.n_held, t.n_in_texts)))
        for t in tables
    ]  # fmt: skip
    head = ("table", "strategy", "deleted", "changed", "undecided", "legal hold", "other rows with an identifier")
    n = sum(t.n_deleted + t.n_changed for t in tables)
    left = sum(t.n_undecided + t.n_held + t.n_in_texts for t in tables)
    notes = []
    if any(t.n_undecided for t in tables):
        notes.append(fact("subject.undecided"))
    if any(t.n_in_texts for t in tables):
        notes.append(fact("subject.in_texts"))
    return pages.Page(
        kicker="Erasure of one person",
        title=fact(f"subject.title_{state}"),
        lead=fact(f"subject.lead_{state}", n=Count(n, unit="row"), left=Count(left, unit="row")),
        sections=(pages.Section(key="tables", title="Tables", sentences=notes, head=head, rows=rows), *more),
        footer=fact("subject.footer"),
    )
