"""Plan files: TOML that a person can read, edit and review.

Question: how is a plan written down, and read again?
Method: one table ``[[step]]`` for each technique, above it a comment with what it does. Unknown keys, wrong types and
values out of bounds are errors that name the step.
Limits: comments are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from privaudit.advice.technique import technique
from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.toml_text import toml_text
from privaudit.model.headers import shown_file
from privaudit.model.wording import Name, fact
from privaudit.releases.remedy.plan import ORDERS, Plan, Step, parse_step

VERSION = 1
_KEYS = ("version", "order", "seed", "hierarchies", "step")


def read_plan(path: str | Path) -> Plan:
    """Read a plan file.

    Raises
    ------
    ConfigError
        If it cannot be read, is not TOML, or states something that is unknown or not allowed.
    """
    file = Path(path)
    return parse_plan(resources.read_stated(file, shown_file(file), "plan"), shown_file(file))


def parse_plan(content: Mapping[str, Any], name: str) -> Plan:
    """Return the plan that the content of a plan file states."""
    resources.check_keys(content, _KEYS, name)
    if content.get("version") != VERSION:
        raise ConfigError(f"{name} must state version = {VERSION}.")
    steps = content.get("step", [])
    if not isinstance(steps, list | tuple):
        raise ConfigError(f"The steps of {name} must be written as [[step]].")
    order, seed = content.get("order", "sorted"), content.get("seed")
    if order not in ORDERS:
        raise ConfigError(f'"order" in {name} must be one of: {", ".join(ORDERS)}.')
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
        raise ConfigError(f'"seed" in {name} must be a whole number, 0 or more.')
    hierarchies = content.get("hierarchies", {})
    if not isinstance(hierarchies, dict) or not all(isinstance(path, str) for path in hierarchies.values()):
        raise ConfigError(f'"hierarchies" in {name} must be a table of column = file.')
    return Plan(steps=parse_steps(steps, name), order=order, hierarchies=hierarchies, seed=seed)


def parse_steps(steps: Sequence[Any], name: str) -> tuple[Step, ...]:
    """Return the steps of a plan, each a table of a plan file or already a step.

    Raises
    ------
    ConfigError
        If one of them is neither, or is wrong.
    """
    if not all(isinstance(step, Mapping | Step) for step in steps):
        raise ConfigError(f"The steps of {name} must be written as [[step]].", hint="or made by privaudit.steps")
    return tuple(
        step if isinstance(step, Step) else parse_step(step, f"Step {i} of {name}") for i, step in enumerate(steps, 1)
    )


def plan_text(plan: Plan, *, head: Sequence[str] = ()) -> str:
    """Return a plan as the text of a plan file.

    Parameters
    ----------
    head : sequence of str
        Comments at the top.
    """
    lines = [*map(_comment, head), "", f"version = {VERSION}"]
    orders = fact("remedies.plan_orders", orders=Name(", ".join(ORDERS)))
    lines.append(f"order = {toml_text(plan.order)}  {_comment(str(orders))}")
    if plan.seed is not None:
        lines.append(f"seed = {plan.seed}  {_comment(str(fact('remedies.plan_seed')))}")
    for step in plan.steps:
        lines += ["", _comment(technique(step.technique).meaning), "[[step]]", *_step(step)]
    if plan.hierarchies:
        lines += [
            "",
            "[hierarchies]",
            *(f"{toml_text(name)} = {toml_text(path)}" for name, path in plan.hierarchies.items()),
        ]
    return "\n".join(lines).strip() + "\n"


def _step(step: Step) -> Iterator[str]:
    yield f"technique = {toml_text(step.technique)}"
    found = technique(step.technique)
    if step.columns:
        named = step.columns[0] if found.scope == "column" else list(step.columns)
        yield f"{found.scope} = {toml_text(named)}"
    known = found.parameters
    for name, value in step.parameters.items():
        yield f"{name} = {toml_text(value)}  {_comment(known[name].meaning)}"


def _comment(text: str) -> str:
    one = " ".join(text.split())
    return "# " + "".join(character if character.isprintable() else "�" for character in one)
