"""The code that the build keeps is what a run would compile, and a run finds the code of what the package states."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from privaudit.base import compiled_code, compiled_tables

MAKE = "from privaudit.base.code_of_modules import compile_code; print(compile_code())"


@pytest.fixture(scope="module")
def kept() -> dict:
    """What the build keeps, made in a process in which no test states anything."""
    done = subprocess.run([sys.executable, "-c", MAKE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(compiled_tables.folder())
    compiled_code._kept.cache_clear()
    return compiled_code._kept()


def test_expressions_are_those_of_re(kept):
    stated = [key for key in kept if isinstance(key, tuple)]
    assert len(stated) > 100
    for text, flags in stated:
        # Patterns are equal where their texts, flags and codes are.
        assert compiled_code.expression(text, flags) == re.compile(text, flags)
        assert compiled_code.expression(text, flags).groupindex == re.compile(text, flags).groupindex


def test_functions_are_those_of_their_texts(kept):
    texts = [key for key in kept if isinstance(key, str)]
    assert len(texts) > 100
    for text in texts:
        compiled_code._functions.pop(text, None)
        assert compiled_code.function(text) == compiled_code._compiled_function(text)


def test_what_is_not_kept_is_compiled(kept):
    text = "def one(self):\n return 'not stated by the package'"
    assert text not in kept and ("not stated", 0) not in kept
    assert compiled_code.function(text).co_name == "one"
    assert compiled_code.expression("not stated").search("what is not stated")


def test_a_run_compiles_no_method_of_a_record(kept, tmp_path):
    (tmp_path / "t.csv").write_text("name,age\n" + "".join(f"Ann,{n}\n" for n in range(30)))
    script = (
        "import privaudit\nfrom privaudit.base import compiled_code as code\n"
        "privaudit.scan('t.csv', ner=False)\n"
        "print(len(code._functions), len(code._functions.keys() - code._kept().keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    asked, compiled = map(int, done.stdout.split())
    assert asked > 20 and compiled == 0
