"""What can be done to a table, by technique: how it is measured, and what it writes.

Question: which values become equal under a technique, and what is written in their place?
Method: a `Technique` is a record with a name, its parameters and one function. Where each value of a column has one new
value, the function is ``recode(column, parameters) -> Recoding``. The `Recoding` has ``lookup``, the new code of each
value of the dictionary, on which advice measures classes, and ``labels()``, the text of each new code, which remedies
write. Equal codes have equal labels and different codes have different labels: what was measured is what is written.
Limits: parameters contain no value of the table. Which parameters suit a table is decided by `privaudit.advice`.

How to add one: a table in ``rules/techniques.toml``, and its function in the module of its subject.
"""

from __future__ import annotations

from privaudit.advice.technique.recoding import Column, Hierarchy, Lookup, Recoding, RecodingKey
from privaudit.advice.technique.record import Context, Parameter, Technique, names, recode, technique
