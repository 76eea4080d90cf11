"""What a program calls: `scan`, `attack`, `judge`, `load` and `explain`.

Question: how does a notebook or a pipeline call privaudit?
Method: keyword arguments become `Settings`; the stages run; the record of the report is wrapped in a `ScanReport`,
which writes, shows and gates itself.
Limits: holds no measurement of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from privaudit.audit.result import ScanReport
from privaudit.base.errors import ConfigError
from privaudit.base.wire import assembled
from privaudit.model import Limit, Report, Severity, limit
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Name, Threshold
from privaudit.settings.acceptance import parse_entries
from privaudit.settings.answers import AnswerBook, parse_answers
from privaudit.settings.config import LISTS, Progress, Settings, check, silent, with_parts
from privaudit.settings.options import AttackOptions, ScanOptions, explicit

if TYPE_CHECKING:
    from privaudit.api.handbook import Explanation
    from privaudit.audit.cache.evidence import Cache
    from privaudit.rulebook import KnownBefore


@explicit(ScanOptions)
def scan(
    source: Any,
    *,
    policy: str = "public",
    seed: int = 0,
    auxiliary: Any = None,
    framework: Iterable[str] | str | None = None,
    progress: Progress = silent,
    scores: str | Path | None = None,
    config: str | Path | None = None,
    advice: bool = True,
    pictures: bool = True,
    cache: str | Path | Cache | None = None,
    **settings: Unpack[ScanOptions],
) -> ScanReport:
    """Measure, judge and advise.

    Parameters
    ----------
    source : path or table
        A file, ``file.xlsx#sheet``, ``file.sqlite#table``, or a pandas, Polars, PyArrow or Ibis table, or
        anything with ``__arrow_c_stream__``.
    policy : str
        A shipped policy or the path of a policy file.
    seed : int
        Decides every sample; the same seed gives the same report.
    auxiliary : path or table, optional
        What an attacker is assumed to hold; it is linked to the table.
    framework : str or several, optional
        Frameworks whose controls are answered.
    progress : callable, optional
        Called with the stage and the share of it that is done.
    scores : path, optional
        Where to write class size and special-unique scores of every row, by row number.
    config : path, optional
        The settings file that `settings` come from: the report names it, and no output replaces it. It is not read.
    advice : bool, default True
        Whether remedies are searched; they do not decide about the gate.
    pictures : bool, default True
        Whether the map of categories and the regions of records are measured, which the HTML report draws. They are
        part of what a `cache` stores, and then always measured.
    cache : path or "user", optional
        Folder of evidence: a file that did not change is judged anew, not measured again. It must be outside of
        repositories and belong to the user alone; "user" is a folder among the caches of the user.
    **settings
        Any other setting (`privaudit.settings.options.ScanOptions`), by its name. One text stands for a list of one.

    Returns
    -------
    ScanReport

    Raises
    ------
    SourceError, ConfigError
        For a table that cannot be read as asked, or a wrong option (exit code 2).
    ScanIncomplete, EngineError
        Where nothing could be assessed (exit code 3).
    """
    from privaudit.audit.inputs import opened
    from privaudit.audit.pipeline import STAGES, run_stages

    wanted = {"advice": advice, "pictures": pictures or cache is not None}
    stages = tuple(stage for stage in STAGES if wanted.get(stage[0], True))
    stated, population = population_apart(with_parts(settings, (source,)))
    chosen = settings_of(stated, policy=policy, seed=seed, framework=framework)
    target = None if scores is None else Path(scores)
    place = os.fspath(source) if isinstance(source, str | os.PathLike) else None
    file = None if config is None else Path(config)
    read = opened(source, chosen, auxiliary, file)
    try:
        wire = run_stages(
            source,
            chosen,
            auxiliary=auxiliary,
            population=population,
            stages=stages,
            progress=progress,
            scores=target,
            config=file,
            in_order=place is not None and _is_in_order(place),
            cache=_cache_of(cache),
        )
    finally:
        settings.pop("population", None)
        source = auxiliary = population = None  # a debugger shows the variables of the frames that an error passed
    return ScanReport(wire, read, place)


def _cache_of(given: str | Path | Cache | None) -> Cache | None:
    if given is None:
        return None
    from privaudit.audit.cache.evidence import Cache

    return given if isinstance(given, Cache) else Cache(given)


def _is_in_order(place: str) -> bool:
    """Whether a file is a remedied table in the order of its source."""
    from privaudit.report.seals import certificate_of

    file = Path(place.partition("#")[0])
    if not (os.path.isfile(file) and certificate_of(file).is_file()):
        return False
    from privaudit.releases.remedy.certificate import keeps_order

    return keeps_order(file)


@explicit(AttackOptions)
def attack(
    release: Any,
    *,
    auxiliary: Any = None,
    original: Any = None,
    control: Any = None,
    earlier: Any = None,
    reconstruct: bool = False,
    published: Iterable[Any] = (),
    cells: str | Path | None = None,
    progress: Progress = silent,
    seed: int = 0,
    config: str | Path | None = None,
    **settings: Unpack[AttackOptions],
) -> ScanReport:
    """Attack `release`, without the search over combinations.

    Without a second table: what partial knowledge of a person singles out, and what the table reveals about sensitive
    columns. With `auxiliary` linkage, with `original` what a release that was made of it discloses, with `earlier` what
    two releases of one table disclose together.

    Parameters
    ----------
    release, auxiliary : path or table
    original : path or table, optional
        The table that the release was made of: synthetic or anonymised data are compared with it.
    control : path or table, optional
        People of the same population who are not in the original or, without one, not in the release.
    earlier : path or table, optional
        An earlier release of the same table.
    reconstruct : bool, default False
        Whether `release` and the tables in `published` are published counts whose hidden cells are to be computed. A
        ``report.json`` as `release` means the public edition of that report, whose withheld counts are to be computed.
    published : several paths or tables
    cells : path, optional
        TOML file with one ``[[table]]`` for each of these tables: its dimensions, count, hidden and total.
    on : mapping of release column to auxiliary column, optional
        What to link on; found by name, data type and overlap of values where absent.
    truth : mapping of release column to auxiliary column, optional
        Columns that name the same person on both sides, used only to count the correct links.
    subject : str, optional
        Column of `release` that identifies the data subject, where a person has several rows.
    population : str, optional
        The population that `release` was drawn from: the number of people, or a table. Bounds the success where the
        true matches are not known.
    """
    from privaudit.attacks.inputs import CellsFile
    from privaudit.audit.inputs import opened
    from privaudit.audit.pipeline import ATTACK_STAGES, run_stages
    from privaudit.report.json import is_report

    if reconstruct and isinstance(release, str | os.PathLike) and is_report(Path(release)):
        given_too = [auxiliary, original, control, earlier, cells, *published]
        return _attack_edition(Path(release), given_too, settings, seed, progress)
    given = {"original": original, "control": control, "earlier": earlier}
    given |= {f"published {i}": table for i, table in enumerate(published, 1)}
    second = {name: table for name, table in given.items() if table is not None}
    # Attacks compare values: what a language model finds in texts changes none of them.
    chosen = settings_of({"ner": False, **with_parts(settings, (release,))}, seed=seed)
    file = None if config is None else Path(config)
    read = opened(release, chosen, auxiliary, file, second.values())
    try:
        wire = run_stages(
            release,
            chosen,
            auxiliary=auxiliary,
            second=second,
            cells=CellsFile(None if cells is None else Path(cells)) if reconstruct or cells is not None else None,
            stages=ATTACK_STAGES,
            progress=progress,
            config=file,
        )
    finally:
        release = auxiliary = original = control = earlier = published = None  # type: ignore[assignment]  # as in `scan`
        given.clear()
        second.clear()
    return ScanReport(_attacks_alone(wire, chosen.fail_on), read)


def _attack_edition(
    file: Path, given_too: Iterable[Any], settings: AttackOptions, seed: int, progress: Progress
) -> ScanReport:
    """Attack the public edition of a saved report, and judge the attack.

    Raises
    ------
    ConfigError
        If a table is given, too.
    """
    from privaudit.attacks import simulate_all
    from privaudit.attacks.inputs import EditionInputs
    from privaudit.audit import provenance
    from privaudit.model.headers import shown_file
    from privaudit.report.public import publish, threshold

    # The attacker of an edition has nothing else: with a table, the attack on that table is the question.
    if any(one is not None for one in given_too):
        raise ConfigError("A report is attacked alone.", hint="name neither further tables nor --cells")
    chosen = settings_of({**settings}, seed=seed)
    progress("computing withheld counts", None)
    full = load(file).wire
    inputs = EditionInputs(report=full, published=publish(full), k=threshold(full.policy))
    results = simulate_all(inputs)
    command = provenance.command(shown_file(file), chosen, cells="", attack=True)
    attacked = replace(
        full, command=command, attacks=results.attacks, limits=results.limits, combinations=(), risk=None,
        potential=None, pictures=None, cells=(), advice=(), acceptances=(), answers=(), baseline=None, timings={},
    )  # fmt: skip
    judged = judge(ScanReport(attacked), policy=settings.get("policy"), rules=chosen.rules, fail_on=chosen.fail_on)
    return ScanReport(_attacks_alone(judged.wire, chosen.fail_on))


def _attacks_alone(wire: Report, fail_on: Severity | None) -> Report:
    """Return a report with the findings and limits of attacks only, judged by them."""
    from privaudit.rulebook.gate import decide

    links = tuple(found for found in wire.findings if _is_of_attack(found.code, found.measure))
    checks = tuple(found for found in wire.checks if _is_of_attack(found.code, found.measure))
    names = {check.name for check in checks}
    limits = tuple(found for found in wire.limits if _concerns(found, names))
    gate = decide(links, limits, wire.policy, fail_on)
    return replace(wire, findings=links, checks=checks, controls=(), limits=limits, gate_=gate)


def _concerns(found: Limit, names: set[str]) -> bool:
    """Return whether a limit belongs in the report of an attack: not those of checks that only a scan answers."""
    check = found.values.get("check")
    return found.code != "rulebook.check_not_measured" or (isinstance(check, Name) and check.text in names)


def _is_of_attack(code: str, measure: str) -> bool:
    return family(measure).attack or code.startswith("RUN")


def judge(
    report: ScanReport | str | Path,
    *,
    policy: str | None = None,
    framework: Iterable[str] | str | None = None,
    rules: str | Path | None = None,
    fail_on: Severity | None = None,
    accept: Iterable[Any] | None = None,
    answers: AnswerBook | Mapping[str, Any] | None = None,
    baseline: str | Path | None = None,
    tolerance: float = 0.1,
) -> ScanReport:
    """Judge a saved report again, under another policy or framework, without the data.

    Parameters
    ----------
    report : ScanReport or path of a report.json
    policy : str, optional
        Kept as it was where absent.
    framework : str or several, optional
        Kept as they were where absent.
    rules : path, optional
        Folder with checks and frameworks of your own; name the one the scan used, or its checks do not run.
    fail_on : str, optional
        Lowest severity that fails the gate; that of the policy where absent.
    accept : several mappings, optional
        The acceptances that apply, with the keys of ``[[accept]]``; those of the report where absent.
    answers : mapping, optional
        The answers of people, with the keys of ``[answers]``; those of the report where absent.
    baseline : path, optional
        A baseline: only findings that are new or worse fail. Without one, every finding counts.
    tolerance : float
        Share by which counts and shares may grow before a finding of the baseline is worse.
    """
    from privaudit.rulebook import book_of, entries_of, load_policy
    from privaudit.rulebook import judge as judge_evidence
    from privaudit.rulebook.gate import decide

    wire = loaded(report).wire
    terms = load_policy(policy) if policy is not None else wire.policy
    frameworks = several(framework) or tuple(dict.fromkeys(control.framework for control in wire.controls))
    folder = None if rules is None else Path(rules)
    entries = entries_of(wire.acceptances) if accept is None else parse_entries(tuple(accept), "the arguments")
    book = book_of(wire.answers) if answers is None else parse_answers(answers, "the arguments")
    known = None if baseline is None else _known_before(wire, Path(baseline))
    judgement = judge_evidence(
        wire.evidence, terms, frameworks,
        rules=folder, accept=entries, answers=book, baseline=known, tolerance=tolerance,
    )  # fmt: skip
    limits = judgement.limits
    # A remedy's effect is counted at one k, and a plan is judged under one policy with its acceptances.
    advice = wire.advice if terms.k == wire.policy.k else ()
    if (terms, entries, fail_on) != (wire.policy, entries_of(wire.acceptances), wire.gate_.fail_on):
        advice = tuple(remedy for remedy in advice if remedy.technique != "plan")
    if len(advice) < len(wire.advice):
        measured, wanted = Threshold(wire.policy.k), Threshold(terms.k)
        limits += (limit("pipeline.advice_for_another_k", measured=measured, wanted=wanted),)
    gate = decide(judgement.findings, limits, terms, fail_on)
    return ScanReport(assembled(Report, judgement, wire, policy=terms, advice=advice, limits=limits, gate_=gate))


def _known_before(wire: Report, file: Path) -> KnownBefore:
    from privaudit.rulebook import KnownBefore, read_baseline

    held, key = read_baseline(file), key_of_report(wire, file.parent)
    if not wire.dataset.path:
        key = _with_place(key, held.tables)
    return KnownBefore(key=key, table=held.tables.get(key))


def _with_place(key: str, held: Iterable[str]) -> str:
    """Return the key of a table on a server, whose report withholds the place, if one place alone is held."""
    from privaudit.source.places.location import PLACE

    # Of two stores with the same table, neither may be guessed: the numbers of one would excuse the other.
    places = [each for each in held if each.startswith(f"{key}{PLACE}")]
    return places[0] if len(places) == 1 else key


def key_of_report(wire: Report, folder: Path) -> str:
    """Return the key of a table in a baseline in `folder`; its report names the path below the current folder."""
    from privaudit.source.places.location import table_key

    if not wire.dataset.path:
        return wire.dataset.name
    return table_key(wire.dataset.path, folder) + place_of(wire).removeprefix(wire.dataset.path)


def place_of(wire: Report) -> str:
    """Return the path of a table below the current folder, with #sheet or #table; empty where its report has none."""
    # In "book.xlsx#sheet" the part after the path names the table in the file.
    file = wire.dataset.path.rpartition("/")[2]
    part = wire.dataset.name.partition(f"{file}#")[2]
    return wire.dataset.path + (f"#{part}" if part and file else "")


def load(path: str | Path) -> ScanReport:
    """Read a report.json."""
    from privaudit.report import read

    return ScanReport(read(path))


def loaded(report: ScanReport | str | Path) -> ScanReport:
    """Return a report; that of a path is read."""
    if isinstance(report, ScanReport):
        return report
    if not isinstance(report, str | os.PathLike):
        raise ConfigError(
            f"An object of type {type(report).__name__} is not a report.",
            hint="give what scan returns, or the path of its .json report; compare_tables compares tables",
        )
    return load(report)


def explain(code: str, *, rules: str | Path | None = None, policy: str | Path | None = None, source: Any = None) -> str:
    """Return what a check, a policy, a control or an entity is, or why a column is of its entity type, in plain words.

    Parameters
    ----------
    code : str
        Such as ``QI001``, ``smallest-class-too-small``, ``EMAIL``, ``HIPAA-b2i-A`` or ``public``. With `source`, the
        name of a column.
    rules : path, optional
        Folder with packs of your own.
    policy : str or path, optional
        A policy, or a policy file, whose severity of a check is listed with those of the shipped policies.
    source : optional
        A table as `scan` takes it: the claims about its column are listed, with their weights and the decision.
    """
    if source is not None:
        from privaudit.api.handbook.ledger import explain_column
        from privaudit.source import open_dataset

        settings = Settings(rules=None if rules is None else str(rules), ner=False)
        with open_dataset(source, settings) as dataset:
            return explain_column(dataset, code, settings)
    return str(explanation(code, rules=rules, policy=policy))


def explanation(code: str, *, rules: str | Path | None = None, policy: str | Path | None = None) -> Explanation:
    """Return what `explain` writes about a code, in sections."""
    from privaudit.api.handbook import explain as explain_code

    return explain_code(
        code, rules=None if rules is None else Path(rules), policy=None if policy is None else str(policy)
    )


def several(value: Iterable[str] | str | None) -> tuple[str, ...]:
    """Return one text or several as a tuple."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _plain(name: str, value: Any) -> Any:
    """Return an option as a settings file would hold it: a list for one name, a text for a path."""
    if name in LISTS:
        return several(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def population_apart(values: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return the settings of a call without a population that is a table in memory, and this table or None."""
    population = values.get("population")
    if population is None or isinstance(population, int | str | os.PathLike):
        return dict(values), None
    return {name: value for name, value in values.items() if name != "population"}, population


def settings_of(values: Mapping[str, Any], **named: Any) -> Settings:
    """Return the settings that the arguments of a call state, checked."""
    return Settings(**check(_given(values, named), where="the arguments"))


def plain_settings(values: Mapping[str, Any], **named: Any) -> dict[str, Any]:
    """Return the settings that the arguments of a call state, checked, by name: those not stated are absent."""
    return check(_given(values, named), where="the arguments")


def _given(values: Mapping[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    chosen = {name: _plain(name, value) for name, value in values.items()}
    framework = several(named.pop("framework", None))
    return {**chosen, **({"framework": framework} if framework else {}), **named}
