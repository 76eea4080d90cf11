"""A session of Spark that privaudit starts writes nothing, and a table that it does not have is named as such.

Question: does the log of the Java process, or the text of an error of Spark, reach an output?
Method: a module in the place of pyspark, whose session writes marked text to the standard output and error of the
process as Java does, and raises errors with the texts of Spark 4.0.
Limits: no Java is started.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from privaudit.base.errors import UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source.places.addresses import address_of
from privaudit.source.servers import spark

SECRET = "qzxvkjw"


def install(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Put a module in the place of pyspark whose session has no table."""

    def table(name: str) -> Any:
        raise ValueError(text)

    def start() -> Any:
        for stream in (1, 2):
            os.write(stream, f"WARN {SECRET}\n".encode())
        return SimpleNamespace(table=table)

    session = SimpleNamespace(getActiveSession=lambda: None, builder=SimpleNamespace(getOrCreate=start))
    module = ModuleType("pyspark.sql")
    module.SparkSession = session  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.setitem(sys.modules, "pyspark.sql", module)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[TABLE_OR_VIEW_NOT_FOUND] The table or view `{SECRET}` cannot be found.", "no table or view"),
        (f"[PATH_NOT_FOUND] Path does not exist: file:/{SECRET}.", "no table or view"),
        (f"\n[PARSE_SYNTAX_ERROR] Syntax error at or near '{SECRET}'", "cannot read the table"),
        (f"{SECRET} [TABLE_OR_VIEW_NOT_FOUND]", "cannot read the table"),
    ],
)
def test_neither_the_log_of_a_session_nor_the_text_of_its_error_is_shown(text, expected, monkeypatch, capfd):
    install(monkeypatch, text)
    address = address_of("spark:clinic.visits")
    assert address is not None
    with pytest.raises(UnreadableSource, match=expected) as caught:
        spark.read(address, Settings())
    print("after")
    assert capfd.readouterr() == ("after\n", "")
    assert SECRET not in str(caught.value)
