"""A detector gives the same evidence in a shipped pack and in one of the user's."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from privaudit.detect import patterns
from privaudit.detect.catalogue import detectors
from privaudit.detect.witnesses import build
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.profile import profile

ROWS = 200
WITH_CELLS = [one for one in detectors.load() if one.recognises_cells and (one.regex or one.listed) and one.match]


@pytest.mark.quick_cases(14)
@pytest.mark.parametrize("detector", WITH_CELLS, ids=lambda one: f"{one.label}-{one.title[:20]}")
def test_a_shipped_detector_works_the_same_way_in_a_pack_of_the_user(detector):
    cells = [detector.match[row % len(detector.match)] for row in range(ROWS)]
    with open_dataset(pa.table({"c0": pa.array(cells, pa.string())}), Settings()) as dataset:
        (found,) = profile(dataset)
        column = build(dataset, found, Settings())
    if column.data_type != "text":
        pytest.skip("values that are numbers or dates: a pack of the user is asked about all of them")
    own = replace(detector, user=True, pack="own")
    shipped, users = ([*patterns.run(column, patterns.screen([column], [one])[0])] for one in (detector, own))
    assert list(map(repr, shipped)) == list(map(repr, users)) and shipped
