"""Data classes whose methods are compiled when they are first called.

Question: how does a process define hundreds of records without compiling six methods of each, most of which it never
calls?
Method: the fields are those that `dataclasses` finds, so that its functions work as for its own classes. Each method is
a function of the class that compiles the method when it is first called, and puts it in its own place. Records with
equally many fields share the code of a method; only the names in it differ.
Limits: the options are those that this package uses. These data classes and those of `dataclasses` do not inherit from
each other. `inspect.signature` shows the parameters of a class only after its first record is made: estimators, whose
parameters scikit-learn reads, and the classes of the Python interface, whose parameters editors show, use
`dataclasses`.
"""

from __future__ import annotations

import builtins
import dataclasses
import re
from collections.abc import Callable, Collection, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(of=None, /, *, frozen=False, slots=False, kw_only=False, eq=True):
        """Make a class a data class; the options are those of `dataclasses.dataclass`."""

        def make(of):
            own, stated = _defined(of), of.__annotations__
            of.__doc__ = of.__doc__ or of.__name__  # `dataclasses` takes longer than for the class to write a signature
            # `dataclasses` searches each annotation that is a text for the types of what is not a field.
            of.__annotations__ = {
                name: kind if _NOT_A_FIELD.search(str(kind)) else Any for name, kind in stated.items()
            }
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(of)
            made.__annotations__ = stated
            for name, field in made.__dataclass_fields__.items():
                field.type = stated.get(name, field.type)
            _complete(made, own, frozen=frozen, slots=slots, eq=eq)
            return made

        return make if of is None else make(of)


Method = Callable[..., Any]
Fields = Sequence["dataclasses.Field[Any]"]
_MISSING = dataclasses.MISSING
_NOT_A_FIELD = re.compile("ClassVar|InitVar|KW_ONLY")


def _defined(of: type) -> set[str]:
    """Return the names that the body of a class defines; one with ``__eq__`` alone gets a ``__hash__`` from Python."""
    own = set(vars(of))
    return own - {"__hash__"} if "__eq__" in own and vars(of)["__hash__"] is None else own


def _complete(of: Any, own: set[str], *, frozen: bool, slots: bool, eq: bool) -> None:
    """Add the methods that the body of the class does not define."""
    makers: dict[str, Callable[[Any], Method]] = {"__init__": _init_of_frozen if frozen else _init, "__repr__": _repr}
    if eq:
        makers["__eq__"] = _eq
        if frozen:
            makers["__hash__"] = _hash
        elif "__hash__" not in own:
            of.__hash__ = None
    if frozen:
        of.__setattr__ = _refusing(of, "assign to", "__setattr__")
        of.__delattr__ = _refusing(of, "delete", "__delattr__")
        if slots:
            of.__getstate__, of.__setstate__ = _state, _set_state
    for name in makers.keys() - own:
        setattr(of, name, _compiled_at_first_call(of, name, makers[name]))


def _compiled_at_first_call(of: Any, name: str, make: Callable[[Any], Method]) -> Method:
    def method(self: Any, *values: Any, **named: Any) -> Any:
        compiled = make(of)
        setattr(of, name, compiled)
        return compiled(self, *values, **named)

    method.__name__, method.__qualname__ = name, f"{of.__qualname__}.{name}"
    method.make = make  # type: ignore[attr-defined]
    return method


def compile_methods(of: type) -> None:
    """Compile the methods of a class that are compiled when they are first called."""
    for method in vars(of).values():
        if hasattr(method, "make"):
            method.make(of)


def _text(name: str, parameters: str, body: Sequence[str]) -> str:
    lines = "\n ".join(body or ["pass"])
    return f"def {name}({parameters}):\n {lines}"


def _compiled(text: str) -> CodeType:
    from privaudit.base import compiled_code  # here: mypy takes aliases of records for variables in an import cycle

    return compiled_code.function(text)


def _method(of: Any, name: str, code: CodeType, known: dict[str, Any]) -> FunctionType:
    # What a library imports while the method runs, as NumPy for the text of an array, looks for them here.
    method = FunctionType(code, {"__builtins__": builtins, **known}, name)
    method.__qualname__ = f"{of.__qualname__}.{name}"
    return method


def _init_of_frozen(of: Any) -> Method:
    return _init(of, "_assign(self, {0!r}, {1})")


def _init(of: Any, assignment: str = "self.{0} = {1}") -> Method:
    """Return the method that assigns the fields: the compiled code of all such records, with the names of this one."""
    fields = sorted((field for field in dataclasses.fields(of) if field.init), key=lambda field: bool(field.kw_only))
    by_place = [field for field in fields if not field.kw_only]
    made = {n: field.default_factory for n, field in enumerate(fields) if field.default_factory is not _MISSING}
    calls = ("self.__post_init__()",) if hasattr(of, "__post_init__") else ()
    code = _compiled(_text_of_init(len(by_place), len(fields), made, assignment, calls))
    known = {"_assign": object.__setattr__, "_MISSING": _MISSING} | {f"_make_{n}": make for n, make in made.items()}
    method = _method(of, "__init__", _renamed(code, [field.name for field in fields]), known)
    method.__defaults__ = tuple(_defaults(by_place).values())
    method.__kwdefaults__ = _defaults(fields[len(by_place) :])
    return method


def _text_of_init(by_place: int, size: int, made: Collection[int], assignment: str, calls: Sequence[str]) -> str:
    """Return the text of ``__init__`` for `size` fields called ``_0``, ``_1``, ..., the first ones given by place."""
    names = [f"_{n}" for n in range(size)]
    values = [f"_make_{n}() if _{n} is _MISSING else _{n}" if n in made else f"_{n}" for n in range(size)]
    parameters = ["self", *names[:by_place], *(["*", *names[by_place:]] if by_place < size else [])]
    body = [assignment.format(name, value) for name, value in zip(names, values, strict=True)]
    return _text("__init__", ", ".join(parameters), [*body, *calls])


def _renamed(code: CodeType, fields: Sequence[str]) -> CodeType:
    """Return code whose fields ``_0``, ``_1``, ... have other names."""
    names = {f"_{n}": name for n, name in enumerate(fields)}
    return code.replace(
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
        co_names=tuple(names.get(name, name) for name in code.co_names),
        co_consts=tuple(names.get(value, value) if isinstance(value, str) else value for value in code.co_consts),
    )


def _defaults(fields: Fields) -> dict[str, Any]:
    """Return the default of each field that has one; ``_MISSING`` where it is made for each record."""
    # Without a default, both are the same mark.
    return {field.name: field.default for field in fields if field.default is not field.default_factory}


def _repr(of: Any) -> Method:
    names = [field.name for field in dataclasses.fields(of) if field.repr]

    def method(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    method.__name__, method.__qualname__ = "__repr__", f"{of.__qualname__}.__repr__"
    return method


def _eq(of: Any) -> Method:
    compared = [field.name for field in dataclasses.fields(of) if field.compare]
    body = [
        "if other.__class__ is not self.__class__: return NotImplemented",
        f"return {_tuple('self', len(compared))} == {_tuple('other', len(compared))}",
    ]
    code = _compiled(_text("__eq__", "self, other", body))
    return _method(of, "__eq__", _renamed(code, compared), {})


def _hash(of: Any) -> Method:
    fields = dataclasses.fields(of)
    hashed = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    code = _compiled(_text("__hash__", "self", [f"return hash({_tuple('self', len(hashed))})"]))
    return _method(of, "__hash__", _renamed(code, hashed), {})


def _tuple(of: str, size: int) -> str:
    return f"({''.join(f'{of}._{n}, ' for n in range(size))})"


def _refusing(of: Any, action: str, name: str) -> Method:
    """Return the method by which a frozen record refuses to change its fields."""

    def method(self: Any, attribute: str, *value: Any) -> None:
        if type(self) is of or attribute in of.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot {action} field {attribute!r}")
        getattr(super(of, self), name)(attribute, *value)

    return method


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: Sequence[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
