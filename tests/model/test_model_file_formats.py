"""The records of the formats that are read agree with each other and with the readers."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from privaudit.model.file_formats import FILE_FORMATS, FORMAT_OF_SUFFIX, InputFormat
from privaudit.source.places.content_format import format_of_content


def test_every_format_that_can_be_named_has_one_record():
    assert sorted(FILE_FORMATS) == sorted(get_args(InputFormat))
    stated = [suffix for record in FILE_FORMATS.values() for suffix in record.suffixes]
    assert sorted(stated) == sorted(FORMAT_OF_SUFFIX), "two formats have the same suffix"


@pytest.mark.parametrize("record", FILE_FORMATS.values(), ids=lambda record: record.name)
def test_the_functions_of_a_format_exist(record):
    for name in filter(None, (record.reader, record.lister)):
        module, _, function = name.partition(".")
        assert callable(getattr(import_module(f"privaudit.source.files.formats.{module}"), function))


def test_the_first_bytes_show_the_format(tmp_path):
    file = tmp_path / "table"
    for record in FILE_FORMATS.values():
        for start, mark in record.signatures:
            file.write_bytes(b"\0" * start + mark + b"\0" * 64)
            assert format_of_content(file) == (record.name, None)
