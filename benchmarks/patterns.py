"""Patterns over a large table, and over free text: processor seconds of every stage.

    python benchmarks/patterns.py [ROWS [NOTES]]

Makes a seeded table of ROWS x 40 columns (1,000,000 where not given), most of them different in every row, and
judges it without the language model; then reads NOTES cells of free text (100,000) of two lengths for what is
embedded in them. Every distinct value is read. Prints Markdown.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.detect.detection import detect
from privaudit.detect.text.embedded import find_embedded
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile

GIVEN = "anna brian chen dalia esi farah grace hugo ines juma kofi lena maria noor otieno priya".split()
FAMILY = "abara brown costa diaz eze fischer gupta hassan ito jensen kamau lopez mensah novak okafor".split()
HEX = "0123456789abcdef"
Draw = Callable[[np.random.Generator, int], "pa.Array"]


def digits(rng: np.random.Generator, n: int, width: int) -> pa.Array:
    """Return `n` texts of `width` digits, leading zeros kept."""
    return letters(rng, n, width, "0123456789")


def letters(rng: np.random.Generator, n: int, width: int, alphabet: str) -> pa.Array:
    """Return `n` texts of `width` characters of an ASCII `alphabet`."""
    drawn = np.frombuffer(alphabet.encode(), np.uint8)[rng.integers(0, len(alphabet), n * width)]
    offsets = np.arange(0, n * width + 1, width, dtype=np.int32)
    return pa.StringArray.from_buffers(n, pa.py_buffer(offsets), pa.py_buffer(drawn))


def words(rng: np.random.Generator, n: int, chosen: list[str]) -> pa.Array:
    """Return `n` of the `chosen` words."""
    return pa.array(chosen).take(pa.array(rng.integers(0, len(chosen), n)))


def join(*parts: pa.Array | str) -> pa.Array:
    """Return the texts joined cell by cell."""
    return pc.binary_join_element_wise(*parts, "")


def text(numbers: npt.NDArray[np.generic]) -> pa.Array:
    """Return numbers as text."""
    return pa.array(numbers).cast(pa.string())


def _days(rng: np.random.Generator, n: int) -> npt.NDArray[np.datetime64]:
    return np.datetime64("1940-01-01") + rng.integers(0, 30_000, n).astype("timedelta64[D]")


KINDS: dict[str, Draw] = {
    "e-mail": lambda rng, n: (
        join(words(rng, n, GIVEN), ".", digits(rng, n, 7), "@", words(rng, n, FAMILY), ".example.org")
    ),
    "telephone, plus sign": lambda rng, n: join("+2547", digits(rng, n, 8)),
    "telephone, grouped": lambda rng, n: join("(415) ", digits(rng, n, 3), "-", digits(rng, n, 4)),
    "person": lambda rng, n: (
        join(words(rng, n, GIVEN), " ", letters(rng, n, 4, "aeioulmnrst"), " ", words(rng, n, FAMILY))
    ),
    "digits, 9": lambda rng, n: digits(rng, n, 9),
    "digits, 11": lambda rng, n: digits(rng, n, 11),
    "digits, 16": lambda rng, n: join("4", digits(rng, n, 15)),
    "address": lambda rng, n: join(digits(rng, n, 4), " ", words(rng, n, FAMILY), " Street ", digits(rng, n, 3)),
    "IPv4": lambda rng, n: join(
        "10.", text(rng.integers(0, 256, n)), ".", text(rng.integers(0, 256, n)), ".",
        text(rng.integers(0, 256, n))
    ),
    "UUID": lambda rng, n: join(
        *[part for width in (8, 4, 4, 4) for part in (letters(rng, n, width, HEX), "-")],
        letters(rng, n, 12, HEX),
    ),
    "digest": lambda rng, n: letters(rng, n, 40, HEX),
    "product code": lambda rng, n: join(letters(rng, n, 3, "ABCDEFG"), "-", digits(rng, n, 6)),
    "web address": lambda rng, n: join("https://example.org/item/", digits(rng, n, 8)),
    "timestamp": lambda rng, n: (
        pa.array(_days(rng, n).astype("datetime64[s]") + rng.integers(0, 86_400, n)).cast(pa.string())
    ),
    "date": lambda rng, n: pa.array(_days(rng, n)).cast(pa.string()),
    "amount": lambda rng, n: text(rng.lognormal(8, 1, n).round(2)),
    "degrees": lambda rng, n: text(rng.uniform(-80, 80, n).round(5)),
    "whole number": lambda rng, n: text(rng.integers(0, 10**6, n)),
    "category": lambda rng, n: words(rng, n, [f"class {i}" for i in range(60)]),
    "short text": lambda rng, n: join("item ", words(rng, n, FAMILY), " of lot ", digits(rng, n, 6)),
}  # fmt: skip


def table(n: int) -> pa.Table:
    """Return `n` rows of forty columns without telling names: every kind twice."""
    rng = np.random.default_rng(3)
    made = {f"{kind}{i}": draw for i in (1, 2) for kind, draw in KINDS.items()}
    return pa.table([draw(rng, n) for draw in made.values()], names=[f"c{i:02}" for i in range(len(made))])


class Clock:
    """Processor seconds by what the progress messages say is being done."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._doing, self._since = "", time.process_time()

    def __call__(self, doing: str, share: float | None = None) -> None:
        """Add the time since the last message to the stage which that message named."""
        now = time.process_time()
        self.spent[self._doing] += now - self._since
        self._doing, self._since = doing, now


def patterns(n: int) -> None:
    """Judge the table and print the seconds by stage and by kind of column."""
    made = table(n)
    started = time.process_time()
    with from_arrow(made) as dataset:
        opened = time.process_time()
        profiles = profile(dataset)
        profiled = time.process_time()
        clock = Clock()
        detect(dataset, profiles, Settings(ner=False), clock)
    ended = time.process_time()
    distinct = sum(one.n_distinct for one in profiles)
    print(f"\n{n:,} rows x {made.num_columns} columns, {distinct:,} distinct values, all read\n")
    print("| stage | CPU s |\n|---|---:|")
    stages = (("opening", opened - started), ("profile", profiled - opened), ("detect", ended - profiled))
    for stage, seconds in stages:
        print(f"| {stage} | {seconds:.1f} |")
    print("\nThe last kind bears what all columns share: lists, checks loaded once, the look at the siblings.\n")
    print("| kind of column, detect | CPU s a column |\n|---|---:|")
    for place, kind in enumerate(KINDS):
        columns = tuple(f"c{i:02}" for i in (place, place + len(KINDS)))
        seconds = sum(spent for doing, spent in clock.spent.items() if doing.endswith(columns))
        print(f"| {kind} | {seconds / 2:.2f} |")


SENTENCES = (
    "Called back about the delivery and left a message.", "The meter was read on the second floor.",
    "Asked for a copy of the invoice, sent on Monday.", "No answer at the door, will try again.",
)  # fmt: skip
HOLDING = ("Write to {}.{}@example.org.", "Reach her on +2547{:.0}{:08}.", "Ticket {:.0}{} is closed.")


def free_text(n: int) -> None:
    """Read notes and print cells a second."""
    rng = np.random.default_rng(5)
    print("\n| free text | cells | characters a cell | one cell in ten holds a value | CPU s | cells a second |")
    print("|---|---:|---:|---|---:|---:|")
    for title, length in (("short notes", 1), ("long notes", 12)):
        picked = rng.integers(0, len(SENTENCES), (n, length))
        cells = [" ".join(SENTENCES[i] for i in row) + f" ({number})" for number, row in enumerate(picked.tolist())]
        for number in range(0, n, 10):
            cells[number] += " " + HOLDING[number % 3].format(GIVEN[number % 16], number)
        values = pa.array(cells)
        started = time.process_time()
        found = find_embedded(values, np.ones(n, dtype=np.int64))
        spent = time.process_time() - started
        mean = sum(map(len, cells)) / n
        kinds = ", ".join(f"{one.entity} {one.n_cells:,}" for one in found)
        print(f"| {title} | {n:,} | {mean:.0f} | found: {kinds} | {spent:.1f} | {n / spent:,.0f} |")


def main() -> None:
    """Print both tables and the peak memory."""
    given = [int(argument) for argument in sys.argv[1:]]
    patterns(given[0] if given else 1_000_000)
    free_text(given[1] if len(given) > 1 else 100_000)
    print(f"\nPeak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")


if __name__ == "__main__":
    main()
