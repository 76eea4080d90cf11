"""Bottom-code numbers: all up to a limit become one value, "up to 18" or the limit itself."""

from __future__ import annotations

from privaudit.advice.technique.numbers.top_code import PARAMETERS, recode_bottom
from privaudit.advice.technique.record import Technique

TECHNIQUE = Technique(
    name="bottom_code",
    meaning='Replaces all numbers up to a limit by one value, such as "up to 18", or by the limit.',
    parameters=PARAMETERS,
    recode=recode_bottom,
)
