"""All attacks, each with the inputs it needs.

Question: which attacks can be simulated on this table?
Method: an attack declares the fields of `AttackInputs` it needs; its module is imported if all of them are given. An
attack that needs no second table runs where none is given, and for its headline number in a scan.

A release that was made of an original table, such as a synthetic one, is attacked by one call::

    attack_release(release, original, control=None, *, settings=Settings(), columns=(), progress=silent)
        -> AttackResults

Each of the three is a frame (pandas, Polars, PyArrow), a path or an open `Dataset`; ``control`` holds people of the
same population who are not in the original. The result has ``attacks``, a tuple of `privaudit.model.Attack` (copies,
near copies, membership, singling out, linkability, inference, as far as the tables allow), and ``limits``, what could
not be measured. Without a control copies are counted, not judged. The secrets of the inference attack are the columns
with the role sensitive in ``columns``, or without it those of ``settings.sensitive``.
Limits: none of the attacks reads the result of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Any, NamedTuple

from privaudit.attacks.inputs import AnyInputs, AttackInputs, AttackResults, EditionInputs, Levels, UpdateInputs
from privaudit.model import Attack, ColumnReport, Limit
from privaudit.settings.config import Progress, Settings, silent

_DEFAULT = Settings()
Simulation = Callable[[], AttackResults]
Attempt = Callable[[str, Simulation], tuple[AttackResults | None, tuple[Limit, ...]]]


class RegisteredAttack(NamedTuple):
    """An attack, ``simulate_<kind>`` in the module ``<room>.<kind>``: its room, its kind, and what it needs.

    It reads one kind of inputs. Of `AttackInputs` it needs some fields, and it does not run where the field ``unless``
    is given; an attack that needs none of them reads the table alone.
    """

    room: str
    kind: str
    needs: frozenset[str] = frozenset()
    unless: str | None = None
    reads: type[AnyInputs] = AttackInputs

    def simulate(self, inputs: AnyInputs) -> AttackResults:
        """Simulate the attack."""
        module = import_module(f"privaudit.attacks.{self.room}.{self.kind}")
        return getattr(module, f"simulate_{self.kind}")(inputs)

    def can_run(self, inputs: AnyInputs) -> bool:
        """Whether all needed inputs are given; of an attack that needs none, whether it is asked for."""
        if not isinstance(inputs, self.reads):
            return False
        if not isinstance(inputs, AttackInputs):
            return True  # all fields of the other inputs are for one attack
        if not self.needs:
            return inputs.is_alone or inputs.is_headline
        if inputs.cells is not None and "cells" not in self.needs:
            return False  # published counts are not a table of records
        if self.unless is not None and getattr(inputs, self.unless) is not None:
            return False
        return all(getattr(inputs, name) is not None for name in self.needs)


_ORIGINAL = frozenset({"original"})
ATTACKS = (
    RegisteredAttack("links", "linkage", frozenset({"auxiliary"})),
    RegisteredAttack("links", "linkage_of_similar", frozenset({"auxiliary"})),
    RegisteredAttack("facts", "partial_knowledge"),
    RegisteredAttack("facts", "attribute_disclosure"),
    RegisteredAttack("masked", "masking"),
    RegisteredAttack("members", "copies", _ORIGINAL),
    RegisteredAttack("members", "near_copies", _ORIGINAL, unless="labels"),
    RegisteredAttack("members", "membership", _ORIGINAL, unless="labels"),
    RegisteredAttack("members", "singling_out", _ORIGINAL, unless="labels"),
    RegisteredAttack("members", "linkability", _ORIGINAL, unless="labels"),
    RegisteredAttack("members", "inference", _ORIGINAL, unless="labels"),
    RegisteredAttack("members", "fitting_records", _ORIGINAL | {"labels"}),
    RegisteredAttack("masked", "rotation", _ORIGINAL),
    RegisteredAttack("masked", "order_codes", _ORIGINAL | {"outsiders"}, unless="labels"),
    RegisteredAttack("masked", "repeated_noise", _ORIGINAL),
    RegisteredAttack("masked", "column_names", _ORIGINAL | {"outsiders"}, unless="labels"),
    RegisteredAttack("published", "reconstruction", frozenset({"cells"})),
    RegisteredAttack("published", "public_edition", reads=EditionInputs),
    RegisteredAttack("links", "releases", frozenset({"earlier"})),
    RegisteredAttack("members", "model_updates", reads=UpdateInputs),
)


def _attempt(kind: str, simulation: Simulation) -> tuple[AttackResults | None, tuple[Limit, ...]]:
    return simulation(), ()


def simulate_all(inputs: AnyInputs, *, attempt: Attempt = _attempt) -> AttackResults:
    """Simulate every attack whose inputs are given.

    Parameters
    ----------
    inputs : AttackInputs, UpdateInputs or EditionInputs
    attempt : callable, optional
        Runs one simulation, given its kind; returns None and limits where it fails, so that the others still run.
    """
    attacks: list[Attack] = []
    limits: list[Limit] = []
    for attack in ATTACKS:
        if attack.can_run(inputs):
            results, failed = attempt(attack.kind, lambda simulate=attack.simulate: simulate(inputs))  # type: ignore[misc]
            limits += failed
            if results is not None:
                attacks += results.attacks
                limits += results.limits
    return AttackResults(tuple(attacks), tuple(limits))


def attack_release(
    release: Any,
    original: Any,
    control: Any = None,
    *,
    settings: Settings = _DEFAULT,
    columns: tuple[ColumnReport, ...] = (),
    labels: Mapping[str, Levels] | None = None,
    progress: Progress = silent,
    attempt: Attempt = _attempt,
) -> AttackResults:
    """Simulate every attack on a release by someone who compares it with people of the original and others.

    Parameters
    ----------
    release, original, control : frame, path or Dataset
        The release, the table it was made of, and people of the same population who are not in the original.
    settings : Settings
        ``seed`` decides every sample, ``sensitive`` names the secrets where `columns` is empty.
    columns : tuple of ColumnReport
        The columns of the release as a scan describes them.
    labels : mapping, optional
        Given where the release keeps the records of people, anonymised, and invents none (`AttackInputs.labels`): the
        attacker then knows the quasi-identifiers, and copies are counted and not judged.
    attempt : callable, optional
        As for `simulate_all`.

    Raises
    ------
    SourceError
        If a table cannot be read.
    """
    from privaudit.source import open_dataset
    from privaudit.source.dataset import Dataset

    with ExitStack() as opened:

        def read(table: Any) -> Dataset:
            if isinstance(table, Dataset):
                return table
            return opened.enter_context(open_dataset(table, settings, whole=True))

        inputs = AttackInputs(
            release=read(release),
            original=read(original),
            outsiders=None if control is None else read(control),
            columns=columns,
            labels=labels,
            settings=settings,
            progress=progress,
        )
        return simulate_all(inputs, attempt=attempt)
