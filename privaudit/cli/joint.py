"""The commands of joint audits: joint key, keys, mask, combine, collapse, open."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from privaudit.base.errors import ConfigError, guarded
from privaudit.cli import arguments, console
from privaudit.cli.lazy_group import Group
from privaudit.model.wording import Listing, Name
from privaudit.settings.config import Settings

if TYPE_CHECKING:
    from privaudit.releases.joint.result import JointAudit


@click.group("joint", cls=Group)
def joint_group() -> None:
    """Audit tables of several silos together, of which none leaves its silo: k, uniques and records below k."""


@joint_group.group("key")
def joint_key_group() -> None:
    """Make the keys of a joint audit."""


@joint_key_group.command("new")
@click.argument("file")
@arguments.options("joint key new")
def joint_key_new(file: str, paillier: bool) -> int:
    """Write a new key to FILE, mode 0600: the HMAC key that all silos share."""
    from privaudit.advice.technique.key_file import new_key

    if not paillier:
        new_key(file)
        console.state("joint.key_written", file=Path(file))
        return 0
    with guarded("joint key"):
        from privaudit.releases.joint import paillier as scheme

        public = scheme.write_keys(scheme.generate(), Path(file))
    console.state("joint.keys_of_holder_written", file=Path(file), public=public)
    return 0


@joint_group.command("keys")
@click.argument("source")
@arguments.options("joint keys")
def joint_keys(source: str, plan: str, silo: str, key: str | None, secret: str | None, output: str) -> int:
    """First round, in each silo: write the keyed combinations of SOURCE, without values."""
    from privaudit.releases.joint import first_round, message
    from privaudit.releases.joint.plan import read_plan
    from privaudit.releases.joint.secret import Secret, mark

    agreed, place = read_plan(plan), Path(secret or f"{output}.secret")
    _refuse_inputs(output, source, plan, key, str(place))
    made = Secret.new(silo, agreed)
    with console.progress() as progress, guarded("joint keys"), _opened(source, progress) as dataset:
        found = first_round.keys_message(dataset, agreed, made, _key(key), progress)
        with ExitStack() as if_it_fails:  # a key in use or a secret without a message would stop the next attempt
            if key is not None:
                if_it_fails.callback(mark(Path(key), silo, agreed).unlink, missing_ok=True)
            made.write(place)
            if_it_fails.callback(place.unlink, missing_ok=True)
            message.write(found, Path(output))
            if_it_fails.pop_all()
    n_keys, n_sets = len(found.arrays["keys"]), len(agreed.sets)
    console.state("joint.keys_written", file=Path(output), secret=place, keys=n_keys, sets=n_sets)
    return 0


@joint_group.command("mask")
@click.argument("message")
@arguments.options("joint mask")
def joint_mask(message: str, secret: str, output: str) -> int:
    """With double masking: mask the first MESSAGE of each other silo, and last the own one, which all others masked."""
    from privaudit.releases.joint import first_round
    from privaudit.releases.joint import message as messages
    from privaudit.releases.joint.secret import Secret

    _refuse_inputs(output, message, secret)
    with console.progress() as progress, guarded("joint mask"):
        given = messages.read(Path(message), "keys")
        found = first_round.mask_again(given, Secret.read(Path(secret)), progress)
        messages.write(found, Path(output))
    silos = Listing(tuple(Name(silo) for silo in found.stated["masked_by"]))
    console.state("joint.masked_written", file=Path(output), silos=silos)
    return 0


@joint_group.command("combine")
@click.argument("messages", nargs=-1, required=True, metavar="MESSAGE...")
@arguments.options("joint combine")
def joint_combine(messages: tuple[str, ...], is_union: bool, public_key: str | None, outputs: tuple[str, ...]) -> int:
    """Combine one MESSAGE of each silo: the union of the first round (--union), or the result of the second."""
    from privaudit.releases.joint import first_round, message, paillier, second_round
    from privaudit.releases.joint.result import audit_of

    for output in outputs:
        _refuse_inputs(output, *messages)
    with guarded("joint combine"):
        kind: Any = "keys" if is_union else "counts"
        given = [message.read(Path(file), kind) for file in messages]
        if is_union:
            found = first_round.union_message(given)
            message.write(found, _one(outputs))
            n_keys, silos = len(found.arrays["keys"]), ", ".join(found.plan.silos)
            console.state("joint.union_written", keys=n_keys, file=Path(outputs[0]), silos=silos)
            return 0
        if given[0].plan.counts == "paillier":
            if public_key is None:
                raise ConfigError("The counts are encrypted.", hint="add --public-key FILE")
            sums = second_round.add_encrypted(given, paillier.read_public(Path(public_key)))
            message.write(sums, _one(outputs))
            console.state("joint.sums_written", file=Path(outputs[0]))
            return 0
        audit = audit_of(given[0].plan, second_round.add_masked(given))
    return _show(audit, outputs)


@joint_group.command("collapse")
@click.argument("source")
@arguments.options("joint collapse")
def joint_collapse(
    source: str,
    union_file: str,
    secret: str,
    key: str | None,
    own_keys: str | None,
    public_key: str | None,
    output: str,
) -> int:
    """Second round, in each silo: write the hidden counts of SOURCE for every combination of the union."""
    from privaudit.releases.joint import message, paillier, second_round
    from privaudit.releases.joint.secret import Secret, forget

    _refuse_inputs(output, source, union_file, secret, key, own_keys, public_key)
    kept = Secret.read(Path(secret))
    with console.progress() as progress, guarded("joint collapse"), _opened(source, progress) as dataset:
        made = second_round.counts_message(
            dataset,
            message.read(Path(union_file), "union"),
            kept,
            key=_key(key),
            masked=None if own_keys is None else message.read(Path(own_keys), "keys"),
            public=None if public_key is None else paillier.read_public(Path(public_key)),
            progress=progress,
        )
        message.write(made, Path(output))
        # Last, so that a run that failed can be repeated.
        forget(Path(secret))
    console.state("joint.counts_written", file=Path(output))
    return 0


@joint_group.command("open")
@click.argument("message")
@arguments.options("joint open")
def joint_open(message: str, key: str, outputs: tuple[str, ...]) -> int:
    """Decrypt the sums in MESSAGE, as the key holder, who is not the combiner, and write the result."""
    from privaudit.releases.joint import message as messages
    from privaudit.releases.joint import paillier, second_round
    from privaudit.releases.joint.result import audit_of

    for output in outputs:
        _refuse_inputs(output, message, key)
    with guarded("joint open"):
        sums = messages.read(Path(message), "sums")
        audit = audit_of(sums.plan, second_round.open_sums(sums, paillier.read_private(Path(key))))
    return _show(audit, outputs)


def _show(audit: JointAudit, outputs: tuple[str, ...]) -> int:
    from privaudit.releases.joint import result
    from privaudit.report.pages import page as pages

    for output in outputs:
        result.write(audit, Path(output))
    console.print_unless_quiet(pages.text(result.page(audit)))
    return 0


def _one(outputs: tuple[str, ...]) -> Path:
    if len(outputs) != 1:
        raise ConfigError("The message needs one output.", hint="add -o FILE")
    return Path(outputs[0])


def _key(path: str | None) -> bytes | None:
    from privaudit.advice.technique.key_file import read_key

    return None if path is None else read_key(path)


def _opened(source: str, progress: Any) -> Any:
    from privaudit.source import open_dataset

    return open_dataset(source, Settings(), progress=progress)


def _refuse_inputs(output: str, *inputs: str | None) -> None:
    from privaudit.report import files

    given = [str(path).partition("#")[0] for path in inputs if path is not None]
    with suppress(ValueError):
        files.check(Path(output), given)
