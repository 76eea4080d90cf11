"""What a program calls for synthetic tables: `synthesize`, `advise`, `example_domain`, `write_example`.

Question: how does a notebook or a pipeline get a table of people who do not exist?
Method: domain and ledger are opened, `privaudit.releases.synthetic` does the work, and the result is attacked.
Limits: holds no mechanism of its own; the seed decides about the draw of records, never about noise.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base.errors import guarded
from privaudit.model.wording import Count, Fact, Name, Number, fact
from privaudit.settings.config import Progress, Settings, silent

if TYPE_CHECKING:
    from privaudit.model import PolicyInfo
    from privaudit.releases.privacy.ledger import Ledger
    from privaudit.releases.synthetic.domain import Domain
    from privaudit.releases.synthetic.result import SyntheticTable
    from privaudit.releases.synthetic.task import Task

USUAL_DELTA = 1e-9
"""Delta of the advice where none is declared."""


def synthesize(
    source: Any,
    *,
    domain: str | Path | Mapping[str, Any],
    epsilon: float | str | Fraction | None = None,
    delta: float | None = None,
    ledger: str | Path | Ledger | None = None,
    dataset: str | None = None,
    paid_comparison: float | str | Fraction | None = None,
    no_privacy: bool = False,
    method: str = "aim",
    rows: int | None = None,
    children: Any = None,
    control: Any = None,
    hold_out: float = 0.0,
    max_cells: int = 1_000_000,
    target: str | None = None,
    policy: str = "public",
    seed: int | None = None,
    output: str | Path | None = None,
    model: str | Path | None = None,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> SyntheticTable:
    """Make a synthetic table, compare it with the original, attack it, and decide whether it passes.

    Parameters
    ----------
    source : path or table
        As for `privaudit.scan`.
    domain : path or mapping
        A domain file, or its content: ``{"version": 1, "column": {...}}``.
    epsilon : number
        What the synthesis spends; `ledger` pays. Both are omitted with ``no_privacy=True``.
    delta : number, optional
        For methods with Gaussian noise (default: a tenth of the delta of the ledger).
    ledger : path or Ledger
        `privaudit.Ledger.create` makes one.
    dataset : str, optional
        The declared dataset of the ledger.
    paid_comparison : number, optional
        A further epsilon, which the ledger pays for a comparison with noise that the public report shows.
    no_privacy : bool
        State that the table is not differentially private; the certificate and the report state it as well.
    method : {"aim", "privbayes", "mst", "independent", "gan", "cart"}
        "cart" has no private form.
    rows : int, optional
        Number of records (default: the estimated number of the source).
    children : path or table, optional
        A second table with several records for each record of the source, declared as ``[children]`` in the domain.
    control : path or table, optional
        People of the same population who are not in the source.
    hold_out : float
        Share of the records that are not synthesised; the attacks compare with them.
    max_cells : int
        Most cells of all tables of the fitted distribution.
    target : str, optional
        The column that models predict in the comparison.
    policy : str
        Name or path of the policy with the limits of the attacks and of epsilon.
    seed : int, optional
        Of the draw of records and of the attacks.
    output : path, optional
        Where to write the table, with its certificate.
    model : path, optional
        Where to write the fitted generator, as soon as it is fitted: if the run fails later, `Synthesizer.load` draws
        the table that was paid for.

    Returns
    -------
    SyntheticTable
        With ``frame``, ``synthesizer``, ``comparison``, ``verdict``, ``write(path)``.

    Raises
    ------
    MissingBounds
        If bounds, bands or categories are not declared: they are never read from the data.
    IdentifierRefused
        If a column would hold direct identifiers or free text.
    BudgetExceeded
        If the ledger has too little left; the refusal is an entry.
    """
    from privaudit.releases.synthetic.domain_file import domain_of
    from privaudit.releases.synthetic.task import Task, open_ledger
    from privaudit.rulebook import load_policy

    with guarded("synthesis"):
        paying, limits = open_ledger(ledger, epsilon, no_privacy=no_privacy), load_policy(policy)
        task = Task(
            source=source,
            domain=domain_of(domain),
            method=method,
            epsilon=epsilon,
            delta=delta,
            ledger=paying,
            dataset=dataset,
            paid_comparison=paid_comparison,
            children=children,
            hold_out=hold_out,
            control=control,
            n_rows=rows,
            max_cells=max_cells,
            target=target,
            seed=seed,
            keep=None if model is None else lambda generator: generator.save(model),
            settings=settings or Settings(),
            progress=progress,
        )
        return _made(task, limits, output, model)


def _made(task: Task, limits: PolicyInfo, output: str | Path | None, model: str | Path | None) -> SyntheticTable:
    """Make, attack and judge a table, and write it where an output is named."""
    from privaudit.releases.synthetic.judgement import attack_sides, decide
    from privaudit.releases.synthetic.result import SyntheticTable
    from privaudit.releases.synthetic.run import run
    from privaudit.report import files

    # Checked before the ledger is charged: spent budget cannot be refunded if the file cannot be written.
    _check_output(output, task.source, task.children, task.control)
    if model is not None:
        files.check(Path(model))
    made = run(task)
    task.progress("Attacking the synthetic table", None)
    attempts = attack_sides(made.sides, settings=task.settings, progress=task.progress)
    notes = (*better_method(task.domain, task.method, task.epsilon, task.delta), *made.misfits())
    found = SyntheticTable(made, decide(made.statement, limits, attempts), task.source, notes)
    if output is not None:
        found.write_table(output)
    return found


def _check_output(output: str | Path | None, *tables: Any) -> None:
    """Refuse an output that is an input or cannot be written, before anything is spent."""
    from privaudit.releases.output import target_of
    from privaudit.releases.synthetic.result import check_target

    if output is None:
        return
    target = target_of(output)
    read = [str(table).partition("#")[0] for table in tables if isinstance(table, str | os.PathLike)]
    check_target(target, read)


def advise(
    domain: str | Path | Mapping[str, Any], *, epsilon: float, delta: float | None = None, rows: int | None = None
) -> tuple[Fact, ...]:
    """Return what each method can pay for, from the declared domain alone.

    Parameters
    ----------
    rows : int, optional
        About how many records there are (default: what the domain states; else several numbers).
    """
    from privaudit.releases.synthetic.advice import DEPENDENCE, SIZES, prospects, recommended
    from privaudit.releases.synthetic.domain_file import domain_of

    with guarded("advice"):
        found = domain_of(domain)
        allowed = USUAL_DELTA if delta is None else delta
        stated = rows or found.rows
        lines: list[Fact] = [] if stated else [fact("synthesis.advice_rows")]
        for n in (stated,) if stated else SIZES:
            each = prospects(found, n, epsilon, allowed, found.rows_per_person)
            lines.append(
                fact("synthesis.advice_title", rows=Number(n), epsilon=Number(epsilon), delta=Name(f"{allowed:.3g}"))
            )
            lines += [
                fact(
                    "synthesis.advice_row",
                    method=Name(one.method),
                    noise=Name(f"{one.noise:.1f}"),
                    error=Name(f"{one.error:.3f}"),
                    low=Name(f"{one.error_at(DEPENDENCE[0]):.3f}"),
                    high=Name(f"{one.error_at(DEPENDENCE[-1]):.3f}"),
                )
                for one in each
            ]
            lines.append(fact("synthesis.advice_use", method=Name(recommended(each).method)))
        return (*lines, fact("synthesis.advice_note"))


def better_method(domain: Domain, method: str, epsilon: Any, delta: float | None) -> tuple[Fact, ...]:
    """Return a note where another method is expected to be better, by the declared number of records alone."""
    from privaudit.releases.synthetic.advice import WITHIN, prospects, recommended

    if domain.rows is None or epsilon is None:
        return ()
    found = prospects(domain, domain.rows, float(Fraction(epsilon)), delta or USUAL_DELTA, domain.rows_per_person)
    best = recommended(found)
    own = next((each for each in found if each.method == method), None)
    if own is None or own.error <= WITHIN * best.error:
        return ()
    return (
        fact(
            "synthesis.advice_other",
            rows=Number(domain.rows),
            best=Name(best.method),
            method=Name(method),
            error=Name(f"{best.error:.3f}"),
            other=Name(f"{own.error:.3f}"),
        ),
    )


def advice_before(
    domain: str | Path | Mapping[str, Any], *, method: str, epsilon: Any, delta: float | None
) -> tuple[str, ...]:
    """Return, before anything is spent, whether another method is expected to be better, as sentences."""
    from privaudit.releases.synthetic.domain_file import domain_of

    with guarded("advice"):
        return tuple(map(str, better_method(domain_of(domain), method, epsilon, delta)))


def example_domain(
    source: Any,
    *,
    hierarchies: Mapping[str, str] | None = None,
    codebook: str | None = None,
    settings: Settings | None = None,
) -> str:
    """Return the skeleton of a domain file, from column names, code books and hierarchies alone."""
    from privaudit.releases.synthetic.skeleton import skeleton
    from privaudit.source import open_dataset

    with guarded("domain"), open_dataset(source, settings or Settings()) as opened:
        return skeleton(opened.columns, opened.name, hierarchies=hierarchies, codebook=codebook)


def write_example(kind: str, output: str | Path, *, rows: int = 1_000, seed: int = 0) -> Fact:
    """Write a seeded example table, and return the sentence about it.

    Parameters
    ----------
    kind : {"people", "visits", "classification", "blobs", "sensors"}

    Raises
    ------
    ConfigError
        If a file is in the way, or cannot be written.
    """
    from privaudit.model.headers import shown_file
    from privaudit.releases.output import target_of, written_apart
    from privaudit.releases.synthetic.examples import example_table
    from privaudit.report import files

    target = target_of(output)
    files.check(target.path, may_replace=lambda path: path.stat().st_size == 0)
    with guarded("example"):
        table = example_table(kind, rows, seed)
        with written_apart(target, table) as part:
            files.move(part, target.path)
    return fact(
        "synthesis.example_written",
        file=Name(shown_file(target.path)),
        rows=Count(table.num_rows, unit="record"),
        columns=Number(table.num_columns),
    )
