"""What groups of categories and public hierarchies save against one group of all rare values.

usage: python benchmarks/groups.py FOLDER

FOLDER holds the labelled tables. For each table the optimal recoding of the quasi-identifiers is searched, at most 5 %
of the records suppressed, once with merged rare values as the only levels of categories and once with all levels. The
table is printed as it is in docs/remedies.md: mean loss, and the loss in bits in brackets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from privaudit.advice.effect.information_loss import InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.recodings.categories import rare_values
from privaudit.advice.recodings.options import RARE_SHARES, ColumnOptions, options
from privaudit.advice.technique import Recoding
from privaudit.audit.pipeline import STAGES, run_stages
from privaudit.settings.config import Settings

TABLES = {
    "Adult": ("arx/data/adult.csv", ()),
    "Adult, categories": ("arx/data/adult.csv", ("sex", "race", "marital-status", "education", "occupation")),
    "HR attrition": ("hr_attrition/WA_Fn-UseC_-HR-Employee-Attrition.csv", ()),
    "Wage": ("selva86/Wage.csv", ()),
    "Bank marketing": ("selva86/bank_marketing_test.csv", ()),
    "Kenya insurance": ("kenya_insurance/data/Insurance_data_ke.csv", ()),
    "Stroke": ("pycanon_kanon/data/processed/healthcare-dataset-stroke-data.csv", ()),
}
KS = (5, 15)


def measured(path: Path, quasi: tuple[str, ...]) -> Any:
    """Return the run of a scan after its measuring stages."""
    found: list[Any] = []

    def keep(run: Any) -> Any:
        found.append(run)
        return run

    stages = tuple(stage for stage in STAGES if stage[0] not in ("pictures", "attack", "advice"))
    at = [name for name, _ in stages].index("judge")
    run_stages(
        str(path), Settings(ner=False, quasi=quasi, framework=()), stages=(*stages[:at], ("keep", keep), *stages[at:])
    )
    return found[0]


def merged_alone(trial: TrialTable, name: str, made: ColumnOptions) -> tuple[Recoding, ...]:
    """Return the ladder of a column; that of categories with one group of all rare values at each level."""
    techniques = {step.technique for step in (*made.ladder, *made.extras)}
    if not techniques & {"group_values", "merge_rare"} or "prefix" in {step.technique for step in made.ladder}:
        return made.ladder
    column = trial.column(name)
    floors = sorted({trial.k, *(int(share * trial.coded.n_rows) for share in RARE_SHARES)} - set(range(trial.k)))
    ladder = [made.ladder[0]]
    for step in (rare_values(column, floor) for floor in floors):
        if step is not None and 1 < int(step.lookup.max()) < int(ladder[-1].lookup.max()):
            ladder.append(step)
    return (*ladder, made.ladder[-1])


def losses(run: Any, k: int) -> Iterator[tuple[float, float]]:
    """Yield the mean loss and the loss in bits of the optimum, with merged rare values alone and with all levels."""
    trial = TrialTable(run.assessment.coded, k)
    made, _ = options(trial, run.columns, None)
    for ladders in (
        {name: merged_alone(trial, name, found) for name, found in made.items()},
        {name: found.ladder for name, found in made.items()},
    ):
        yield _optimum(trial, ladders, "loss"), _optimum(trial, ladders, "entropy")


def _optimum(trial: TrialTable, ladders: Mapping[str, tuple[Recoding, ...]], measure: Any) -> float:
    lattice = Lattice(trial, ladders, InformationLoss(trial, measure, ladders=ladders))
    found = least_loss(Search(lattice, max_suppressed=0.05, keeps_a_column=True))
    return float("nan") if found is None else found.cost


def main() -> None:
    """Print one row for each table and k."""
    folder = Path(sys.argv[1])
    print("| table, quasi-identifiers | k | merged rare values alone | with all levels |\n|---|---|---|---|")
    for title, (path, quasi) in TABLES.items():
        run = measured(folder / path, quasi)
        for k in KS:
            alone, whole = (f"{mean:.4f} ({bits:.4f})" for mean, bits in losses(run, k))
            print(f"| {title}, {len(run.assessment.coded.names)} | {k} | {alone} | {whole} |", flush=True)


if __name__ == "__main__":
    main()
