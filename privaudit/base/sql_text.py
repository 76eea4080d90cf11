"""Names and texts as SQL.

Question: how is the name of a table or column, or a text, written into a statement?
Method: as in the SQL standard, which SQLite, DuckDB and PostgreSQL share: names in double quotes, texts in single ones,
and a quote inside twice.
Limits: a name or text with a null character is written as it is, and the database refuses it.
"""

from __future__ import annotations


def sql_name(name: str) -> str:
    """Return a name as an identifier."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """Return a text as a literal."""
    return "'" + text.replace("'", "''") + "'"
