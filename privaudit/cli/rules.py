"""The commands about rule packs: list, test, train."""

from __future__ import annotations

import click

from privaudit.cli import arguments, console
from privaudit.cli.lazy_group import Group


@click.group(cls=Group)
def rules() -> None:
    """List or test the rule packs."""


@rules.command("list")
@arguments.options("rules list")
def rules_list(rules: str | None, as_json: bool) -> int:
    """List every check, policy, framework, control, entity type and detector."""
    console.list_rules(rules, as_json=as_json)
    return 0


@rules.command("test")
@click.argument("directory", required=False)
def rules_test(directory: str | None) -> int:
    """Run the test cases of the shipped packs and of those in DIRECTORY."""
    return console.test_rules(directory)


@rules.command("train")
@click.argument("labels")
@arguments.options("rules train")
def rules_train(labels: str, output: str | None, rules: str | None) -> int:
    """Fit the prior and the calibration to LABELS, a JSON file; print scores before and after."""
    return console.train(labels, output, rules)
