"""The functions of pyarrow are the same without their documentation."""

import subprocess
import sys

import pytest

LINES = """
import sys
from privaudit.source.files.formats.arrow_import import PARSER, import_functions
{}
import_functions()
import pyarrow as pa, pyarrow.compute as pc
names = "{names}".split() or [name for name in dir(pc) if callable(getattr(pc, name))]
print(" ".join(sorted(name for name in names if callable(getattr(pc, name)))))
print(pc.match_substring_regex(pa.array(["a1", "b"]), "[0-9]", ignore_case=True).to_pylist(), PARSER in sys.modules)
print(pc.utf8_length.__name__, pc.index_in(pa.array(["x"]), value_set=pa.array(["x"])).to_pylist())
"""
OTHER_VERSION = """
import privaudit.source.files.formats.arrow_import as module
module._NoText = type("Refuses", (dict,), {"__init__": lambda self, text: {}["Parameters"]})
"""


GLOBALS = """
import builtins, dis, types
from privaudit.source.files.formats.arrow_import import import_functions
import_functions()
import pyarrow.compute as pc
def missing(code):
    used = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    inner = (missing(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return (used - vars(pc).keys() - vars(builtins).keys()).union(*inner)
own = [each for each in vars(pc).values() if isinstance(each, types.FunctionType) and each.__globals__ is vars(pc)]
print(len(own) > 10, set().union(*(missing(each.__code__) for each in own)))
"""


def printed(before: str, names: str = "") -> list[str]:
    code = LINES.format(before, names=names)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_functions_are_those_of_pyarrow():
    theirs = printed("import pyarrow.compute")
    ours = printed("", theirs[0])
    assert [ours[0], ours[2]] == [theirs[0], theirs[2]]
    assert ours[1] == "[True, False] False" and theirs[1] == "[True, False] True"


def test_the_module_itself_uses_no_function_that_is_not_made():
    found = subprocess.run([sys.executable, "-c", GLOBALS], capture_output=True, text=True, check=True).stdout
    assert found.split() == ["True", "set()"]


@pytest.mark.slow
def test_a_version_that_needs_more_of_the_parser_is_imported_as_it_is():
    assert printed(OTHER_VERSION)[1] == "[True, False] True"


def test_a_command_imports_no_documentation_whatever_it_imports_first():
    code = (
        "import sys\nfrom privaudit.cli.console import progress\n"
        "with progress():\n"
        "    print('pyarrow.compute' in sys.modules, 'pyarrow.vendored.docscrape' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.split() == ["True", "False"]
