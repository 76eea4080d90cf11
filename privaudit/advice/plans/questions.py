"""Whether a requirement is worth what a plan loses for it: a question to a person, who may accept the finding instead.

Question: would a plan lose half as much, or less, without one requirement?
Method: the search is repeated without diversity, and without each of a few checks of the content of columns. A search
is skipped where bounds prove that it would not halve the loss; the question is the one that saves most.
Limits: asked of the first plan alone, and only where the methods were compared, because their loss is what is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import NamedTuple

from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.lattices.loss_proof import all_lose, most_saved
from privaudit.advice.plans.facts import question
from privaudit.advice.plans.searches import DIVERSITY, Attempt, Draft, Searches, Solution
from privaudit.model import Remedy
from privaudit.model.wording import Fact, Share, fact

SAVES = 2.0
"""How many times less a plan must lose without a requirement for the plan to ask whether it is needed."""
MOST_QUESTIONS = 3
"""Checks of the content of columns of which it is measured what the plan loses without them (product default)."""
MOST_PROVED, MOST_PROVED_ROWS = 1_000, 20_000_000
"""States that are measured to prove that a question is not worth a search, and rows that are read."""


class _Without(NamedTuple):
    """A search without one requirement: the question that it answers, and what each of its states loses at least."""

    asks: Fact
    attempt: Attempt
    at_least: float = 0.0


def asked(searches: Searches, remedy: Remedy, draft: Draft) -> Remedy:
    """Return a plan with the question whether the requirement that costs most is worth it."""
    if not remedy.alternatives or draft.solution is None:
        return remedy
    now = min(each.loss for each in remedy.alternatives)
    most = now / SAVES
    saving: list[tuple[float, Fact]] = []
    for asks, tried, at_least in _without_one(searches, draft.solution, draft.drops):
        compared = searches.compared(tried)
        limit = compared.ruling_out_loss(most)
        if compared.others_exceed(most) and (at_least >= limit or _all_lose(searches, tried, limit)):
            continue
        search = searches.search(tried)
        found = least_loss(search)
        then = inf if found is None else compared.least(search.lattice.steps(found.state), most)
        if then * SAVES <= now:
            stated = fact(asks.code, **asks.values, loss=Share(now), without=Share(then))
            saving.append((then, stated))
    return replace(remedy, question=min(saving, key=lambda one: one[0])[1]) if saving else remedy


def _without_one(searches: Searches, solution: Solution, drops: bool) -> Iterator[_Without]:
    """Yield searches without one requirement that a person may accept."""
    attempt = solution.attempt
    if attempt.protection.attributes:
        failed = sorted({finding.code for finding in searches.open if finding.code in DIVERSITY})
        names = tuple(attribute.name for attribute in attempt.protection.attributes)
        plain = replace(attempt, protection=searches.protection(attempt.trial, (), {}, {}), generalised={})
        yield _Without(question("advice.question_diversity", failed, names), plain)
    for code in searches.content_codes()[:MOST_QUESTIONS]:
        freed = replace(attempt, levels=searches.levels(drops, accepted=code))
        names = tuple(name for name in freed.levels if freed.levels[name] != attempt.levels[name])
        if names:
            stated = question("advice.question_content", [code], names)
            yield _Without(stated, freed, _at_least(searches, solution, freed))


def _at_least(searches: Searches, solution: Solution, freed: Attempt) -> float:
    """Return what a plan with further steps loses at least, by the measure that compares the methods."""
    if searches.loss is None or searches.loss.measure != "loss":
        return 0.0
    lattice = searches.lattice(freed)
    return solution.found.search.bound - most_saved(lattice, solution.attempt.usable, freed.usable)


def _all_lose(searches: Searches, attempt: Attempt, least: float) -> bool:
    """Whether every recoding that meets what an attempt requires certainly loses `least` or more."""
    if searches.loss is None or searches.loss.measure != "loss" or least > 1:
        return False
    search = Search(
        # In a lattice of its own: tables that it caches would change what a later search reads until its limit.
        searches.new_lattice(attempt),
        max_suppressed=attempt.allowed,
        levels=attempt.usable,
        keeps_a_column=attempt.keeps_a_column,
        most_measured=MOST_PROVED,
        most_rows=MOST_PROVED_ROWS,
    )
    return all_lose(search, least)
