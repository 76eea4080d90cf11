"""Addresses of tables on servers: outputs show the table, and neither the place nor anything secret."""

from __future__ import annotations

import pytest

import privaudit
from privaudit.source.places.location import shown_source
from tests.conftest import Runner

SECRET = "qzxvkjw"


@pytest.mark.quick_cases(30)
@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"postgresql://reader@{SECRET}.example.org/{SECRET}?table=public.visits", "postgresql://?table=public.visits"),
        (f"postgresql://u:{SECRET}@localhost/d?table=visits", "postgresql://?table=visits"),
        (f"postgresql://localhost/d?table=visits&password={SECRET}", "postgresql://?table=visits"),
        (f"postgresql://?service={SECRET}&table=visits", "postgresql://?table=visits"),
        (f"s3://{SECRET}/folder/visits.parquet", "visits.parquet"),
        (f"abfs://c@{SECRET}.dfs.core.windows.net/visits.parquet?sig={SECRET}", "visits.parquet"),
        (f"delta:s3://{SECRET}/visits#version=3", "delta:visits#version=3"),
        (f"delta:/home/{SECRET}/visits", "delta:visits"),
        ("iceberg:catalog.clinic.visits", "iceberg:catalog.clinic.visits"),
        ("spark:clinic.visits", "spark:clinic.visits"),
        (f"postgresql://reader@{SECRET}/{SECRET}", "postgresql://"),
        (f"postgresql:reader:{SECRET}@localhost", "postgresql://"),
        (f"s3://key:{SECRET}@bucket", "s3://"),
        (f"s3://key:x/{SECRET}@bucket/", "s3://"),
        (f"gs://{SECRET}@bucket", "gs://"),
        ("s3://bucket//folder/visits.parquet", "visits.parquet"),
        (f"delta:s3://key:{SECRET}@bucket", "delta:"),
        (f"delta:visits#version={SECRET}", "delta:visits"),
        (f"https://u:{SECRET}@host", "https://"),
        (f"https://host/t.csv?token={SECRET}", "https://"),
        (f"jdbc:mysql://host/db?password={SECRET}", "jdbc:mysql://"),
    ],
)
def test_an_address_is_shown_without_its_place_and_its_secrets(address: str, shown: str) -> None:
    assert shown_source(address) == (shown, None)
    assert shown_source(shown) == (shown, None)


def test_a_run_over_several_tables_shows_no_part_of_an_address_that_is_refused(run: Runner, tmp_path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    address = f"postgresql://localhost/{SECRET}?table=visits&password={SECRET}"
    others = (f"s3://key:{SECRET}@bucket", f"mysql://root:{SECRET}@host", f"jdbc:x://h;password={SECRET}")
    done = run("scan", "t.csv", address, *others, "--no-ner", "-o", "reports/")
    written = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "reports").rglob("*.*"))
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr + written
    with pytest.raises(privaudit.PrivauditError) as caught:
        privaudit.scan(address)
    assert SECRET not in str(caught.value)


@pytest.mark.quick_cases(10)
@pytest.mark.parametrize(
    "address",
    [
        f"s3://key:{SECRET}@bucket/visits.parquet",
        f"s3://bucket/visits.parquet?secret_key={SECRET}",
        f"abfs://c@a.dfs.core.windows.net/visits.parquet?se=2030&sig={SECRET}",
        f"abfs://c@a.dfs.core.windows.net/visits.parquet?client_secret={SECRET}",
        f"gs://bucket/visits.parquet?access_token={SECRET}",
        f"delta:s3://key:{SECRET}@bucket/visits",
        f"delta:abfs://c@a/visits?account_key={SECRET}",
        f"s3://bucket/visits.parquet?X-Amz-Signature={SECRET}",
    ],
)
def test_an_address_with_a_secret_is_refused(address: str) -> None:
    with pytest.raises(privaudit.ConfigError, match="remove it") as caught:
        privaudit.scan(address)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("address", ["mysql://u@h/db", "jdbc:postgresql://h/db", "https://h/t.csv?a=1|2"])
def test_an_address_of_another_scheme_is_named_as_what_it_is(address: str) -> None:
    with pytest.raises(privaudit.PrivauditError, match=r"not read.*postgresql:.*spark:") as caught:
        privaudit.scan(address)
    assert caught.value.exit_code == 2
