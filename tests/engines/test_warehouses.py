"""The statements for warehouses: compiled and compared with stored text, never run here.

Question: which SQL would a warehouse get?
Method: the statements for a small table in the dialects of Snowflake, BigQuery, Databricks and Trino; SQLGlot parses
each, and the test compares it with the text below.
Limits: no warehouse was asked; that its answers are right is not shown.
"""

from __future__ import annotations

import pytest

from privaudit.source.engine.queries import Queries

sqlglot = pytest.importorskip("sqlglot", minversion="30")  # the stored text is that of this release

RELATIONS = {
    "snowflake": 'SELECT "age" AS c0, "a-b" AS c1 FROM "clinic"."visits"',
    "bigquery": "SELECT `age` AS c0, `a-b` AS c1 FROM `clinic`.`visits`",
    "databricks": "SELECT `age` AS c0, `a-b` AS c1 FROM `clinic`.`visits`",
    "trino": 'SELECT "age" AS c0, "a-b" AS c1 FROM "clinic"."visits"',
}
FREQUENCIES = (
    "SELECT c0, c1, CASE WHEN GROUPING(c0) = 0 THEN 0 WHEN GROUPING(c1) = 0 THEN 1 END AS part, COUNT(*) AS weight "
    "FROM ({relation}) AS source GROUP BY GROUPING SETS ((c0), (c1))"
)
DISTINCT = "SELECT c0, c1, COUNT(*) AS weight FROM ({relation}) AS source GROUP BY c0, c1"
SIZES = (
    "SELECT weight, COUNT(*) AS classes FROM (SELECT COUNT(*) AS weight FROM ({relation}) AS source GROUP BY c0, c1) "
    "AS sizes GROUP BY weight"
)
SAMPLE = {
    "snowflake": "SUBSTRING(MD5('7' || '|' || COALESCE(CAST(c0 AS VARCHAR), '~') || '|' || COALESCE(c1, '~')), 1, 8)",
    "bigquery": "SUBSTRING(TO_HEX(MD5('7' || '|' || COALESCE(CAST(c0 AS STRING), '~') || '|' || COALESCE(c1, '~'))), "
    "1, 8)",
    "databricks": "SUBSTRING(MD5('7' || '|' || COALESCE(CAST(c0 AS STRING), '~') || '|' || COALESCE(c1, '~')), 1, 8)",
    "trino": "SUBSTR(LOWER(TO_HEX(MD5(TO_UTF8(CONCAT(CAST('7' AS VARCHAR), CAST('|' AS VARCHAR), "
    "CAST(COALESCE(CAST(c0 AS VARCHAR), '~') AS VARCHAR), CAST('|' AS VARCHAR), CAST(COALESCE(c1, '~') AS VARCHAR))))))"
    ", 1, 8)",
}


@pytest.mark.parametrize("dialect", RELATIONS)
def test_statements_are_those_that_are_stored(dialect):
    queries = Queries(dialect, RELATIONS[dialect])
    stored = {"relation": RELATIONS[dialect]}
    assert queries.frequencies(["c0", "c1"]) == FREQUENCIES.format(**stored)
    assert queries.distinct(["c0", "c1"]) == DISTINCT.format(**stored)
    assert queries.class_sizes(["c0", "c1"]) == [SIZES.format(**stored)]
    sample = queries.sample(["c0"], {"c0": "integer", "c1": None}, "0fffffff", 7, frozenset())
    assert sample == f"SELECT c0 FROM ({RELATIONS[dialect]}) AS source WHERE {SAMPLE[dialect]} < '0fffffff'"
    for statement in (queries.count(), queries.rows(["c0"]), queries.schema(["c0"]), sample):
        assert sqlglot.parse_one(statement, read=dialect).sql(dialect=dialect) == statement
