"""What an expression matches is the same whether it is kept or not."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from privaudit.source.profile import matches as module
from privaudit.source.profile.matches import matches

COLUMNS = (
    ["0", "1"], ["1", "0"], ["10", "2", "300"], ["0", None], ["0", "x"], ["٣", "3"], [], ["1234"], ["007", "7"],
    [str(i) for i in range(30)], ["a", "b"], ["", "1"], [f"{i}-0{i % 7}" for i in range(60)], ["00-00", "0 0"],
)  # fmt: skip
EXPRESSIONS = ("1", "^[0-9]+$", "^0", r"\p{L}", "^$", r"^\d{3}$", r"\d-0[0-5]", r"^\d+-\d{2}$")


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.quick_cases(8)
def test_all_of_the_same_values_match(expression):
    for _ in range(2):  # the second time they are known
        for column in COLUMNS:
            for kind in (pa.string(), pa.large_string()):
                values = pa.array(column, kind)
                expected = pc.match_substring_regex(values, expression).fill_null(False)
                np.testing.assert_array_equal(matches(values, expression), np.asarray(expected, dtype=bool))


def test_only_small_numbers_and_shapes_without_letters_are_kept():
    matches(pa.array(["Ada", "17"]), "kept?")
    matches(pa.array(["12345"]), "kept?")
    matches(pa.array(["17", "3"]), "kept?")
    matches(pa.array([f"12-{i}" for i in range(100, 130)]), "kept?")
    matches(pa.array([f"Ada {i}" for i in range(100, 130)]), "kept?")
    assert module._known("kept?") == {"17": False, "3": False, "00-000": False}


def test_an_expression_that_is_not_one_is_refused():
    with pytest.raises(pa.ArrowInvalid, match="Invalid regular expression"):
        matches(pa.array(["1"]), "[")
