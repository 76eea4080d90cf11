"""A cache of results by object, which lasts as long as the object.

Question: how do stages that use the same array share a result that was computed from it?
Method: results are found by the identity of the object; a weak reference removes the entry when the object is freed.
Limits: neither the object nor the result may be changed. Two threads may both compute the first result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import ref

T = TypeVar("T")
Result = TypeVar("Result")


def cached_by_object(compute: Callable[[T], Result]) -> Callable[[T], Result]:
    """Return `compute` with a cache by object identity, for objects that cannot be hashed, such as Arrow arrays."""
    known: dict[int, tuple[Any, Result]] = {}

    def computed(of: T) -> Result:
        key = id(of)
        found = known.get(key)
        if found is None or found[0]() is not of:  # the identity of a freed object may be given to another
            found = known[key] = ref(of, lambda _: known.pop(key, None)), compute(of)
        return found[1]

    return computed
