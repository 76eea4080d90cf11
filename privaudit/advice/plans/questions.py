"""Whether a requirement is worth what a plan loses for it: a question to a person, who may accept the finding instead.

Question: would a plan lose half as much, or less, without one requirement?
Method: the search is repeated without diversity, and without each of a few checks of the content of columns. A search
is skipped where bounds prove that it would not halve the loss; the question is the one that saves most.
Limits: asked of the first plan alone, and only where the methods were compared, because their loss is what is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.lattices.loss_proof import all_lose, most_saved
from privaudit.advice.plans.facts import question
from privaudit.advice.plans.searches import DIVERSITY, Attempt, Draft, Searches
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
    levels: Mapping[str, Sequence[int]]
    at_least: float = 0.0


def asked(searches: Searches, remedy: Remedy, draft: Draft) -> Remedy:
    """Return a plan with the question whether the requirement that costs most is worth it."""
    attempt, trial = draft.attempt, searches.check.trial
    if not remedy.alternatives or attempt is None or trial is None:
        return remedy
    now = min(each.loss for each in remedy.alternatives)
    most = now / SAVES
    saving: list[tuple[float, Fact]] = []
    for asks, tried, levels, at_least in _without_one(searches, trial, attempt, draft):
        compared = searches.compared(trial, tried, levels)
        limit = compared.ruling_out_loss(most)
        if compared.others_exceed(most) and (at_least >= limit or _all_lose(searches, trial, tried, levels, limit)):
            continue
        search = searches.search(trial, tried, levels)
        found = least_loss(search)
        then = inf if found is None else compared.least(search.lattice.steps(found.state), most)
        if then * SAVES <= now:
            stated = fact(asks.code, **asks.values, loss=Share(value=now), without=Share(value=then))
            saving.append((then, stated))
    return replace(remedy, question=min(saving, key=lambda one: one[0])[1]) if saving else remedy


def _without_one(searches: Searches, trial: TrialTable, attempt: Attempt, draft: Draft) -> Iterator[_Without]:
    """Yield searches without one requirement that a person may accept."""
    required = searches.levels(draft.drops)
    if attempt.protection.attributes:
        failed = sorted({finding.code for finding in searches.open if finding.code in DIVERSITY})
        names = tuple(attribute.name for attribute in attempt.protection.attributes)
        plain = replace(attempt, protection=searches.protection(trial, (), {}, {}), generalised={})
        yield _Without(question("advice.question_diversity", failed, names), plain, required)
    for code in searches.content_codes()[:MOST_QUESTIONS]:
        freed = searches.levels(draft.drops, accepted=code)
        names = tuple(name for name in freed if freed[name] != required[name])
        if names:
            stated = question("advice.question_content", [code], names)
            yield _Without(stated, attempt, freed, _at_least(searches, trial, draft, required, freed))


def _at_least(
    searches: Searches,
    trial: TrialTable,
    draft: Draft,
    required: Mapping[str, Sequence[int]],
    freed: Mapping[str, Sequence[int]],
) -> float:
    """Return what a plan with further steps loses at least, by the measure that compares the methods."""
    found, attempt, loss = draft.found, draft.attempt, searches.loss
    if found is None or attempt is None or loss is None or loss.measure != "loss":
        return 0.0
    lattice = searches.lattice(trial, attempt.protection)
    before, after = ([levels[name] for name in trial.names] for levels in (required, freed))
    return found.search.bound - most_saved(lattice, before, after)


def _all_lose(
    searches: Searches, trial: TrialTable, attempt: Attempt, levels: Mapping[str, Sequence[int]], least: float
) -> bool:
    """Whether every recoding that meets what an attempt requires certainly loses `least` or more."""
    if searches.loss is None or searches.loss.measure != "loss" or least > 1:
        return False
    # In a lattice of its own: tables that it caches would change what a later search reads until its limit.
    lattice = searches.new_lattice(trial, attempt.protection)
    search = Search(
        lattice,
        max_suppressed=attempt.allowed,
        levels=[levels[name] for name in trial.names],
        keeps_a_column=attempt.keeps_a_column,
        most_measured=MOST_PROVED,
        most_rows=MOST_PROVED_ROWS,
    )
    return all_lose(search, least)
