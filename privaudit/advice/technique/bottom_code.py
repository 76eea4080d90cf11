"""Bottom-code numbers: all up to a limit become one value."""

from __future__ import annotations

from privaudit.advice.technique.record import Technique
from privaudit.advice.technique.top_code import PARAMETERS, recode_bottom

TECHNIQUE = Technique(
    name="bottom_code",
    meaning='Replaces all numbers up to a limit by one value, such as "up to 18".',
    parameters=PARAMETERS,
    recode=recode_bottom,
)
