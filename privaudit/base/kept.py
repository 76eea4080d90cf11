"""What is computed of an object is kept as long as the object is in memory.

Question: how do stages that are handed the same array share what was computed of it?
Method: results are found by the identity of the object; a weak reference removes them when it is freed.
Limits: the object must not change, nor may what was computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import ref

T = TypeVar("T")
Result = TypeVar("Result")


def kept(compute: Callable[[T], Result]) -> Callable[[T], Result]:
    """Make `compute` run once for each object, which needs neither a hash nor equality; threads may run it twice."""
    known: dict[int, tuple[Any, Result]] = {}

    def computed(of: T) -> Result:
        key = id(of)
        found = known.get(key)
        if found is None or found[0]() is not of:  # the identity of a freed object may be given to another
            found = known[key] = ref(of, lambda _: known.pop(key, None)), compute(of)
        return found[1]

    return computed
