"""Data classes whose methods are compiled when they are first called behave as those of `dataclasses`."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from dataclasses import field

import pytest

import privaudit.model
from privaudit.base import compiled_code, records


def behaviour(dataclass) -> list[object]:
    """Return what classes made by a decorator do."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Point:
        x: int
        y: float = 0.5

    @dataclass
    class Named:
        name: str
        tags: list[str] = field(default_factory=list, compare=False)
        later: int = field(init=False)

        def __post_init__(self) -> None:
            self.later = len(self.name)

    @dataclass(frozen=True)
    class Base:
        key: str = field(default="k", repr=False)

        def __eq__(self, other: object) -> bool:
            return True

    @dataclass(frozen=True, eq=False)
    class Derived(Base):
        more: tuple[int, ...] = ()

    class Open(Base):
        """A class that is not a data class may have other attributes."""

    one, other, opened = Point(x=1), Point(x=1, y=2.0), Open()
    opened.extra = 5
    return [
        *(refused(act) for act in (
            lambda: setattr(one, "x", 3), lambda: delattr(one, "x"), lambda: Point(1), lambda: Point(), lambda: Named(),
            lambda: Point(x=1, z=2), lambda: hash(Named("a")), lambda: setattr(opened, "key", "other"),
            lambda: setattr(Derived(), "more", ()),
        )),
        repr(one), one == Point(x=1), one == other, one == 1, hash(one), dataclasses.asdict(other),
        dataclasses.replace(one, y=3.0).y, dataclasses.astuple(copy.copy(one)), copy.deepcopy(other) == other,
        Named("a", ["t"]) == Named("a"), Named("a").tags is Named("a").tags, Named("abc").later, Point.__match_args__,
        repr(Derived("x", (1,))), Derived() == 3, hash(Base()) == hash(("k",)), opened.extra,
        Derived("a").key, [one.name for one in dataclasses.fields(Derived)], Named("b", ["c"]).tags,
    ]  # fmt: skip


def refused(act) -> type | None:
    """Return the kind of error of a call."""
    try:
        act()
    except (AttributeError, TypeError) as error:
        return type(error)
    return None


def test_records_behave_as_data_classes_do():
    assert behaviour(records.dataclass) == behaviour(dataclasses.dataclass)


@records.dataclass(frozen=True, slots=True)
class Stored:
    """A record that is pickled."""

    value: int
    names: tuple[str, ...] = ()


def test_frozen_records_with_slots_are_pickled():
    assert pickle.loads(pickle.dumps(Stored(3, ("a",)))) == Stored(3, ("a",))


def test_a_method_is_compiled_once_and_only_where_it_is_called():
    @records.dataclass(frozen=True)
    class Pair:
        x: int
        y: int

    def changed_by_calls():
        before = dict(vars(Pair))
        assert [Pair(1, i) == Pair(1, 2) for i in range(3)] == [False, False, True]
        return {name for name, method in vars(Pair).items() if method is not before.get(name)}

    assert changed_by_calls() == {"__init__", "__eq__"}
    assert changed_by_calls() == set()


def test_records_of_the_same_form_share_code_and_have_their_own_names_and_defaults():
    @records.dataclass(kw_only=True)
    class One:
        x: str
        _0: str = "_1"
        made: list[str] = field(default_factory=lambda: ["one"])

    @records.dataclass(kw_only=True)
    class Other:
        _1: str
        x: str = "x"
        other: list[str] = field(default_factory=lambda: ["other"])

    compiled_code._functions.clear()
    assert dataclasses.asdict(One(x="_0")) == {"x": "_0", "_0": "_1", "made": ["one"]}
    assert dataclasses.asdict(Other(_1="a")) == {"_1": "a", "x": "x", "other": ["other"]}
    assert dataclasses.asdict(Other(_1="a", x="b", other=[])) == {"_1": "a", "x": "b", "other": []}
    assert len(compiled_code._functions) == 1
    with pytest.raises(TypeError, match=r"Other.*'_1'"):
        Other()


def every_record() -> list[type]:
    """Return the records that the rooms hand to each other."""
    for found in pkgutil.walk_packages(privaudit.model.__path__, "privaudit.model."):
        importlib.import_module(found.name)
    held = vars(importlib.import_module("privaudit.model.report")).values()
    classes = {each for each in held if isinstance(each, type) and dataclasses.is_dataclass(each)}
    return sorted(classes, key=lambda each: each.__name__)


def test_the_arguments_of_records_are_those_of_data_classes():
    found = every_record()
    assert len(found) > 10
    for record in found:
        fields = [(one.name, one.type, copy.copy(one)) for one in dataclasses.fields(record)]
        twin = inspect.signature(dataclasses.make_dataclass(record.__name__, fields)).parameters.values()
        ours = [*inspect.signature(records._init(record)).parameters.values()][1:]
        assert [(one.name, one.kind, one.default is one.empty) for one in ours] == [
            (one.name, one.kind, one.default is one.empty) for one in twin
        ]


def test_a_frozen_record_is_not_changed():
    with pytest.raises(dataclasses.FrozenInstanceError, match="value"):
        Stored(1).value = 2
