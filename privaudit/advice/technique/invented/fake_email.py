"""Write e-mail addresses of invented names.

Method: the address is made of the invented name of the record, in a domain that is reserved for examples. With a person
column it ends with digits of the person, so that it is the same in every table; otherwise addresses that would be equal
are numbered, in the order of the table.
Limits: addresses of names that are not invented would disclose them, so a step before must invent the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.invented.people import invented_technique, people_of, with_values
from privaudit.advice.technique.invented.values import DOMAINS, emails_of, local_part
from privaudit.advice.technique.record import Context, Parameter

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write an address for each record with a name."""
    people = people_of(table, parameters, context)
    first = dict(zip(people.codes[::-1].tolist(), table[parameters["names"]].to_pylist()[::-1], strict=True))
    names = [first.get(person) for person in range(people.n)]
    if people.names is None:
        known = iter(emails_of([name for name in names if name is not None]))
        made = [None if name is None else next(known) for name in names]
    else:
        made = [
            None if name is None else _address(name, people.number(i, "fake_email"))
            for i, name in enumerate(names)
        ]
    for column in parameters["columns"]:
        table = with_values(table, column, people, made)
    return table


def _address(name: str, number: int) -> str:
    return f"{local_part(name)}{number % 10**9}@{DOMAINS[number % len(DOMAINS)]}"


TECHNIQUE = invented_technique(
    name="fake_email",
    meaning="Writes e-mail addresses of invented names; for test data.",
    parameters={
        "names": Parameter(
            kind="invented", meaning="The column of invented names, which a step before wrote."
        ),
    },
    apply=apply,
)
