"""The commands about invented tables: synthesize and example."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from privaudit.base.errors import ConfigError
from privaudit.cli import arguments, console
from privaudit.model.headers import shown_file
from privaudit.settings.config import Settings, with_parts

REPORTS = (".html", ".md", ".json")


@click.command("synthesize")
@click.argument("source")
@arguments.options("synthesize")
def synthesize_command(source: str, **options: Any) -> int:
    """Make a table of people who do not exist from SOURCE, compare it, attack it, and certify it."""
    from privaudit.api import synthesis

    example, hierarchies, codebook, advice = (
        options.pop(name) for name in ("example", "hierarchies", "codebook", "advice")
    )
    settings = _reading(source, options)
    if example:
        text = synthesis.example_domain(source, hierarchies=hierarchies, codebook=codebook, settings=settings)
        console.print_text(text.rstrip("\n"))
        return 0
    if options["domain"] is None:
        raise ConfigError("A synthesis needs --domain.", hint="privaudit synthesize --example SOURCE > domain.toml")
    if advice:
        console.print_text("\n".join(map(str, _advice(options))))
        return 0
    return _synthesize(source, options, settings)


def _reading(source: str, options: dict[str, Any]) -> Any:
    """Take the options about the reading of files out of `options`, and return them as settings."""
    from dataclasses import fields

    # Options of the command that mean something else than the settings of the same name.
    own = {"method", "policy", "seed"}
    names = {setting.name for setting in fields(Settings)} - own
    given = {name: options.pop(name) for name in [*options] if name in names or name == "parts"}
    stated = with_parts({name: value for name, value in given.items() if value is not None}, (source,))
    return Settings(**stated)


def _advice(options: dict[str, Any]) -> Any:
    from privaudit.api import synthesis

    if options["epsilon"] is None:
        raise ConfigError("The advice needs --epsilon.", hint="for example --epsilon 1")
    epsilon = float(_number(options["epsilon"]))
    return synthesis.advise(options["domain"], epsilon=epsilon, delta=options["delta"], rows=options["rows"])


def _number(text: str) -> Any:
    from privaudit.releases.privacy.accounting import exact

    try:
        number = exact(text)
    except (ValueError, ZeroDivisionError):
        raise ConfigError("epsilon must be a number.", hint="for example --epsilon 1") from None
    if number <= 0:
        raise ConfigError("epsilon must be above 0.", hint="for example --epsilon 1")
    return number


def _synthesize(source: str, options: dict[str, Any], settings: Any) -> int:
    from privaudit.api import synthesis
    from privaudit.releases.synthetic.result import written_sentence

    outputs, internal, public, of_children = (
        options.pop(name) for name in ("outputs", "internal", "public", "children_output")
    )
    model = options["model"]
    inputs = [options[name] for name in ("domain", "ledger", "children", "control")]
    _check(
        source,
        (*outputs, *([of_children] if of_children else [])),
        (*internal, *public),
        [model] if model else [],
        inputs,
    )
    for name in ("epsilon", "paid_comparison"):
        # As a fraction: 0.1 as a float is more than a tenth, and a ledger adds exactly.
        if options[name] is not None:
            options[name] = _number(options[name])
    if not console.is_quiet():
        _note_advice(options)
    with console.progress() as progress:
        made = synthesis.synthesize(source, **options, settings=settings, progress=progress)
        for path in outputs:
            made.write_table(path)
        if of_children is not None:
            made.write_children(of_children)
        for path in internal:
            made.write(path)
        for path in public:
            made.write_public(path)
    if not console.is_quiet():
        lines = [made.text(internal), *(str(written_sentence(path)) for path in outputs)]
        console.print_text("\n".join(lines))
    elif made.verdict.exit_code == 3:
        console.complain(str(made.verdict.reasons[0]), "E303")
    return made.verdict.exit_code


def _note_advice(options: dict[str, Any]) -> None:
    """Say, before anything is spent, that another method is expected to be better."""
    from privaudit.api import synthesis

    stated = {name: options[name] for name in ("method", "epsilon", "delta")}
    for line in synthesis.advice_before(options["domain"], **stated):
        console.note(line)


def _check(
    source: str, tables: tuple[str, ...], reports: tuple[str, ...], others: list[str], inputs: list[str | None]
) -> None:
    """Refuse, before anything is spent, outputs that could not or must not be written."""
    from privaudit.releases.output import target_of
    from privaudit.releases.synthetic.result import check_target
    from privaudit.report import files

    for report in map(Path, reports):
        if report.suffix.lower() not in REPORTS:
            raise ConfigError(f"{shown_file(report)}: unknown suffix.", hint=f"use one of: {' '.join(REPORTS)}")
    read = [each.partition("#")[0] for each in (source, *inputs) if each is not None]
    targets = [target_of(each) for each in tables]
    paths = [each for target in targets for each in (target.path, target.certificate)]
    rest = [Path(each) for each in (*reports, *others)]
    # `a.csv` and `a.parquet` would both have the certificate `a.privaudit.json`.
    if len({str(path.absolute()) for path in (*paths, *rest)}) < len(paths) + len(rest):
        raise ConfigError("An output is named twice, or two tables would share a certificate.")
    for target in targets:
        check_target(target, read)
    for other in rest:
        files.check(other, read)


@click.command("example")
@arguments.options("example")
def example_command(kind: str, rows: int, seed: int, output: str) -> int:
    """Write a seeded table of people, visits, numbers or readings that exist nowhere, for tutorials and bug reports."""
    from privaudit.api import synthesis

    written = synthesis.write_example(kind, output, rows=rows, seed=seed)
    console.print_unless_quiet(str(written))
    return 0
