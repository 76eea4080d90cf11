"""The commands about rule packs: list, test, train."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from privaudit.cli import arguments, console, output_checks
from privaudit.cli.lazy_group import Group


@click.group(cls=Group)
def rules() -> None:
    """List or test the rule packs."""


@rules.command("list")
@arguments.options("rules list")
def rules_list(rules: str | None, as_json: bool) -> int:
    """List every check, policy, framework, control, entity type and detector."""
    from privaudit.api.handbook import list_rules

    rows = [(rule.kind, rule.code, rule.title) for rule in list_rules(None if rules is None else Path(rules))]
    if as_json:
        console.print_json([dict(zip(("kind", "code", "title"), row, strict=True)) for row in rows])
        return 0
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = (f"{kind:<{wide[0]}}  {code:<{wide[1]}}  {title}" for kind, code, title in rows)
    console.print_text("\n".join(map(console.plain, lines)))
    return 0


@rules.command("test")
@click.argument("directory", required=False)
def rules_test(directory: str | None) -> int:
    """Run the test cases of the shipped packs and of those in DIRECTORY."""
    from privaudit.detect.catalogue.cases import test_packs
    from privaudit.detect.table_cases import run_tables
    from privaudit.detect.text.engines.presidio import RECOGNIZERS
    from privaudit.rulebook.cases import test_rules
    from privaudit.source.files.readers.pandas_import import skip_pandas

    skip_pandas()
    folder = Path(directory) if directory is not None else None
    cases: list[Any] = [*test_packs(folder), *test_rules(folder), *run_tables(folder)]
    failed = [case for case in cases if not case.passed]
    lines = [f"FAILED  {console.plain(case.name)}: {console.plain(case.why)}" for case in failed]
    counts = console.sentence("console.cases", passed=len(cases) - len(failed), failed=len(failed))
    has_recognizers = folder is not None and (folder / RECOGNIZERS).is_file()
    not_tested = [console.sentence("console.recognizers_not_tested", file=RECOGNIZERS)] if has_recognizers else []
    console.print_text("\n".join([*lines, counts, *not_tested]))
    return 2 if failed else 0


@rules.command("train")
@click.argument("labels")
@arguments.options("rules train")
def rules_train(labels: str, output: str | None, rules: str | None) -> int:
    """Fit the prior and the calibration to LABELS, a JSON file; print scores before and after."""
    from privaudit.detect.learning import learn
    from privaudit.report import files
    from privaudit.settings.config import Settings

    if output is not None:
        output_checks.check_outputs((labels,), (output,), suffixes=(".toml",))
        files.check(Path(output), [labels])
    with console.progress() as progress:
        trained = learn.train(labels, Settings(rules=rules, ner=False), progress)
    if output is not None:
        files.replace(Path(output), learn.as_toml(trained))
    console.print_unless_quiet(learn.summary(trained))
    return 0
