"""Records whose methods are kept as byte code are those that Python defines."""

from __future__ import annotations

import atexit
import dataclasses
import inspect

import pytest

from privaudit.base import compiled_tables, record_methods, resources


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Return a function that begins as a new process of a checkout does, and one that ends it."""
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(resources, "_root", lambda: tmp_path)
    monkeypatch.setattr(record_methods, "OWN", __name__)
    ends: list = []
    monkeypatch.setattr(atexit, "register", ends.append)
    yield record_methods.use_compiled, lambda: ends.pop()()
    if hasattr(dataclasses, "exec"):
        del dataclasses.exec


def define() -> tuple[type, type]:
    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Point:
        x: int
        y: float = 0.5

    @dataclasses.dataclass(order=True)
    class Named:
        name: str
        tags: list[str] = dataclasses.field(default_factory=list, compare=False)

    return Point, Named


def behaviour(point: type, named: type) -> list[object]:
    one, other = point(x=1), point(x=1, y=2.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.x = 3
    return [
        repr(one), one == point(x=1), one == other, hash(one), str(inspect.signature(point)), dataclasses.asdict(other),
        dataclasses.replace(one, y=3.0).y, named("a") < named("b"), named("a", ["t"]) == named("a"), named("a").tags,
        str(inspect.signature(named)),
    ]  # fmt: skip


def test_records_behave_as_python_defines_them(start):
    begin, end = start
    expected = behaviour(*define())
    for _ in range(2):
        begin()
        assert behaviour(*define()) == expected
        end()


def test_the_second_process_compiles_nothing(start, monkeypatch):
    begin, end = start
    begin()
    define()
    end()
    texts = compiled_tables.kept(record_methods.NAME, record_methods.KEY)
    assert any("__init__" in text for text in texts)
    begin()
    fails = lambda *_, **__: pytest.fail("compiled again")  # noqa: E731
    monkeypatch.setattr(record_methods, "compile", fails, raising=False)
    behaviour(*define())


def test_a_checkout_does_not_keep_texts_without_end(start, monkeypatch):
    begin, end = start
    monkeypatch.setattr(record_methods, "MOST", 1)
    for _ in range(3):
        begin()
        define()
        end()
    assert 0 < len(compiled_tables.kept(record_methods.NAME, record_methods.KEY)) < 30
