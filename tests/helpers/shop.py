"""A folder with stores of invented people, their map, and the commands on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from privaudit.settings.config import Settings
from privaudit.stewardship import stores
from tests.helpers import people_stores as people

ORDERS = [i for i in range(people.N_ORDERS) if i % people.N_CUSTOMERS == people.WHO]
"""The orders of the person who is erased."""


def expected(table: str, without: list[int]) -> list[tuple[str, ...]]:
    """Return the rows of a table as text, without some of them."""
    rows = people.rows_of({name: list(map(str, column)) for name, column in people.TABLES[table]().items()})
    return [row for i, row in enumerate(rows) if i not in without]  # type: ignore[misc]


class Shop:
    """Stores in a format, their map, and the commands."""

    def __init__(self, folder: Path, run: Any, suffix: str) -> None:
        self.folder, self.run = folder, run
        self.files = people.write(folder, suffix)
        self.who(people.EMAIL.upper())
        names = [path.name for path in self.files]
        self.ok(run("inventory", "build", *names, "--no-ner", "-o", "inventory.toml"))

    def who(self, identifier: object) -> None:
        (self.folder / "who.txt").write_text(f"{identifier}\n", encoding="utf-8")

    def subject(self, command: str, *more: str) -> Any:
        identifier = () if command == "check" else ("--identifier", "who.txt")
        return self.run("subject", command, "--inventory", "inventory.toml", *identifier, *more)

    def erase(self, *more: str) -> Any:
        planned = self.subject("erase", "-o", "plan.json")
        assert planned.returncode in (0, 3), planned.stderr
        return self.subject("erase", "--apply", "plan.json", "-o", "certificate.json", *more)

    def map(self) -> str:
        return (self.folder / "inventory.toml").read_text(encoding="utf-8")

    def edit(self, old: str, new: str, n: int = 1, *, after: str = "") -> None:
        """Replace text of the map `n` times, from the first place of `after` on."""
        text = self.map()
        start = text.index(after)
        assert text.count(old, start) >= n
        changed = text[:start] + text[start:].replace(old, new, n)
        (self.folder / "inventory.toml").write_text(changed, encoding="utf-8")

    def rows(self, table: str) -> list[tuple[str | None, ...]]:
        """Return the rows of a table as text."""
        columns = list(people.TABLES[table]())
        one = next((file for file in self.files if file.name.startswith(table)), self.files[0])
        name = table if one.suffix[1:] in people.IN_ONE_FILE else ""
        found = stores.read_rows(str(one), name, columns, Settings())
        return list(zip(*(found[column].to_pylist() for column in columns), strict=True))

    @staticmethod
    def ok(done: Any) -> None:
        assert done.returncode == 0, done.stderr
