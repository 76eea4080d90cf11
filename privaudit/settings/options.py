"""The options of `scan` and `attack` in Python, so that editors complete them and type checkers find wrong ones.

Question: which keyword arguments does a scan take?
Method: one key for each field of `settings.config.Settings`, with the types a caller may use: a list of names may be
any iterable of texts, or one text where a list of one is meant. `docs/make_settings.py` writes the keys.
`explicit` lists the keys in the signature of a function, which `help` and the completion of notebooks read.
Limits: types only; values are validated by `privaudit.settings.config`.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, TypedDict, TypeVar

from privaudit.model.file_formats import InputFormat
from privaudit.model.vocabulary.records import Role, Severity
from privaudit.model.vocabulary.statements import MissingSemantics
from privaudit.settings.acceptance import AcceptanceEntry
from privaudit.settings.answers import AnswerBook
from privaudit.settings.config import Bound, Linkage, LossMeasure, Method, Progress, Settings, Unit

Names = Iterable[str] | str
Path = str | os.PathLike[str]
"""A path as text or as an object."""


# `python docs/make_settings.py` writes the next two classes from `privaudit.settings.config`.


class ReadingOptions(TypedDict, total=False):
    """How a table is read; docs/configuration.md explains each."""

    bad_rows: Literal["error", "skip"]
    input_format: InputFormat
    delimiter: str
    encoding: str
    header: bool
    memory: str
    threads: int
    cap: Mapping[str, int]
    password_env: str
    parts: Names | bool
    ignore: Names


class ScanOptions(ReadingOptions, total=False):
    """Settings of a scan, besides those that `scan` names itself; docs/configuration.md explains each.

    ``population`` is a number of people, the path of a table, or a table in memory. ``parts`` lists the folders and
    patterns whose files are parts of one table; True stands for the source itself.
    """

    role: Mapping[str, Role]
    quasi: Names
    sensitive: Names
    accept: Iterable[AcceptanceEntry | Mapping[str, Any]]
    answers: AnswerBook | Mapping[str, Any]
    field_metadata: bool
    baseline: Path
    tolerance: float
    max_size: int
    on: Mapping[str, str]
    truth: Mapping[str, str]
    population: Any
    hierarchy: Mapping[str, str]
    keep: Names
    importance: Mapping[str, float]
    loss_measure: LossMeasure
    choose: int
    method: Method
    missing: MissingSemantics
    weight: str
    subject: str
    unit: Unit
    sample_ner: int
    ner: bool
    rules: Path
    name: str
    budget: float | str
    bound: Bound
    fail_on: Severity


class AttackOptions(ScanOptions, total=False):
    """Settings of an attack, besides those that `attack` names itself."""

    policy: str
    framework: Names
    anonymised: bool
    linkage: Linkage


class RemedyOptions(ScanOptions, total=False):
    """Options of `plan` and `remedy`: settings of both scans, and what steers the plan.

    ``drop`` names columns that the plan drops in any case. ``key`` is the key file for tokens; a random key that is not
    kept where absent. ``choose`` is the point of the risk-utility picture that an automatic plan takes.
    """

    policy: str
    seed: int
    framework: Names
    auxiliary: Any
    config: Path | None
    progress: Progress
    drop: Names
    key: Path | None


F = TypeVar("F", bound=Callable[..., Any])


def explicit(options: type) -> Callable[[F], F]:
    """Return a decorator that lists the keys of `options` as keyword arguments in the signature of a function.

    Parameters
    ----------
    options : TypedDict
        That of the ``**`` argument of the function; defaults are those of `Settings`.
    """
    defaults = {item.name: None if item.default is MISSING else item.default for item in fields(Settings)}

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        named = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        further = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=hint.__forward_arg__
            )
            for name, hint in _hints(options).items()
            if name not in signature.parameters
        ]
        function.__signature__ = signature.replace(parameters=[*named, *further])  # type: ignore[attr-defined]
        return function

    return decorate


def _hints(options: type) -> dict[str, Any]:
    """Return the keys of a TypedDict with their types as they are written."""
    return dict(options.__annotations__)
