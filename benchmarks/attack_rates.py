"""Rates of Anonymeter and of privaudit for the same attacks on the same people and five releases.

    python benchmarks/attack_rates.py SHARED PYTHON_WITH_ANONYMETER

`SHARED` is the folder with Adult of Anonymeter's example and of selva86 (the recipe is in
`tests/attacks/test_attacks_on_releases.py`). Both tools get the same 500 members and 500 outsiders for linkability and
inference, the same halves of the columns, and the same tables of equal length for singling out; each draws its own
statements. The releases: a table of the synthesizer `aim` without privacy, 30 % of its rows replaced by records of
members, the members themselves, the members with every column in an order of its own, and a bootstrap of the members.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.members import singling_out
from privaudit.attacks.members.compared_tables import read_compared
from privaudit.attacks.members.inference import infer
from privaudit.attacks.members.linkability import join_halves
from privaudit.model import Attack
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from tests.attacks import test_attacks_on_releases

ATTACKS = 500
SECRETS = ("income", "occupation", "capital_gain")
HALVES = (
    ("type_employer", "education", "hr_per_week", "capital_loss", "capital_gain"),
    ("race", "sex", "fnlwgt", "age", "country"),
)
PEER = """
import json, sys, warnings
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
syn, members, outsiders, some, others = (pd.read_csv(name, keep_default_na=False) for name in sys.argv[1:6])
n, secrets, halves = json.loads(sys.argv[6])
found = {}
def run(name, kind, people, mode=None, **options):
    np.random.seed(0)
    try:
        made = kind(ori=people[0], syn=syn, control=people[1], n_attacks=n, **options)
        made.evaluate(**({} if mode is None else {"mode": mode}))
        one = made.results()
        risk = made.risk()
        found[name] = [one.n_success / n, one.n_control / n, one.n_baseline / n, risk.value, *risk.ci]
    except Exception as error:
        found[name] = type(error).__name__
whole, drawn = (members, outsiders), (some, others)
run("singling out, one column", SinglingOutEvaluator, whole, "univariate", seed=0)
run("singling out, four columns", SinglingOutEvaluator, whole, "multivariate", n_cols=4, max_attempts=10000, seed=0)
run("linkability", LinkabilityEvaluator, drawn, aux_cols=tuple(halves), n_neighbors=10)
for secret in secrets:
    known = [column for column in members.columns if column != secret]
    run(f"inference of {secret}", InferenceEvaluator, drawn, aux_cols=known, secret=secret)
print(json.dumps(found))
"""


def releases(members: Any) -> Mapping[str, Any]:
    """Return the five releases by name."""
    import pandas as pd

    random, n = np.random.default_rng(0), len(members)
    made = synthetic(members, n)
    copied = members.sample(3 * n // 10, random_state=1)
    independent = {name: random.permutation(members[name].to_numpy()) for name in members.columns}
    return {
        "synthetic": made,
        "30 % copies": pd.concat([made[: n - len(copied)], copied]).sample(frac=1, random_state=2),
        "a copy": members.sample(frac=1, random_state=3),
        "independent columns": pd.DataFrame(independent),
        "bootstrap": members.sample(n, replace=True, random_state=4),
    }


def synthetic(members: Any, n: int) -> Any:
    """Return a table of `aim` without privacy: numbers of many values in bands of equal frequency."""
    from privaudit.releases.synthetic.budget import OpenBudget
    from privaudit.releases.synthetic.engine.margins import CodedTable
    from privaudit.releases.synthetic.engine.network import as_codes
    from privaudit.releases.synthetic.methods.aim import fit_aim
    from privaudit.releases.synthetic.methods.registry import Bounds

    codes, values = [], []
    for name in members.columns:
        column = members[name].to_numpy()
        known, code = np.unique(column, return_inverse=True)
        if len(known) > 100:  # about as many records in each of 32 bands
            edges = np.unique(np.quantile(column, np.linspace(0, 1, 33)[1:-1]))
            code = np.searchsorted(edges, column, side="right")
        values.append([column[code == one] for one in range(int(code.max()) + 1)])
        codes.append(code)
    sizes = tuple(map(len, values))
    fitted = fit_aim(CodedTable(as_codes(codes, sizes), sizes), OpenBudget(), Bounds(max_cells=2_000_000))
    random = np.random.default_rng(0)
    drawn = fitted.model.sample(n, random)
    columns = {
        name: [random.choice(held[code]) for code in drawn.codes[i].tolist()]
        for i, (name, held) in enumerate(zip(members.columns, values, strict=True))
    }
    return type(members)(columns)


def ours(release: Any, members: Any, outsiders: Any, some: Any, others: Any) -> dict[str, list[float]]:
    """Return the rates of privaudit."""
    whole, drawn = compared(release, members, outsiders), compared(release, some, others)
    random = np.random.default_rng(0)
    statements = singling_out.univariate(whole, random)
    guesses = singling_out.shuffled(whole, statements, random)
    found = {"singling out, one column": stated(whole, statements, guesses)}
    found["singling out, four columns"] = stated(whole, *singling_out.multivariate(whole, random))
    halves = [[drawn.columns.index(name) for name in half] for half in HALVES]
    attacks = {"linkability": join_halves(drawn, (halves[0], halves[1]), drawn.members, drawn.outsiders)}
    for name in SECRETS:
        attacks[f"inference of {name}"] = infer(drawn, drawn.columns.index(name), drawn.members, drawn.outsiders)
    return found | {name: rates(attack) for name, attack in attacks.items()}


def compared(*tables: Any) -> Any:
    """Return the release, members and outsiders as privaudit compares them."""
    settings = Settings()
    opened = [open_dataset(pa.Table.from_pandas(table.astype(str), preserve_index=False), settings) for table in tables]
    return read_compared(AttackInputs(release=opened[0], original=opened[1], outsiders=opened[2], settings=settings))[0]


def stated(whole: Any, statements: Any, guesses: Any) -> list[float]:
    """Return the rates of singling out."""
    return rates(singling_out.isolate(whole, statements, guesses, whole.members, whole.outsiders, "multivariate"))


def rates(attack: Attack) -> list[float]:
    """Return success, control, guessing, and the advantage with its interval."""
    gain = attack.advantage
    rates = [attack.success.value, attack.control or 0.0, attack.baseline or 0.0]
    return [*rates, gain.value, gain.low, gain.high, attack.success.n]


def theirs(interpreter: str, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rates of Anonymeter."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, table in tables.items():
            files.append(str(Path(folder, f"{name}.csv")))
            table.to_csv(files[-1], index=False)
        stated = json.dumps([ATTACKS, SECRETS, HALVES])
        run = subprocess.run([interpreter, "-c", PEER, *files, stated], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def shown(found: Any) -> str:
    """Return rates as cells of a table."""
    if isinstance(found, str):
        return f"{found} | | | "
    success, control, guess, value, low, high, *n = found
    counted = f" of {n[0]}" if n and n[0] < ATTACKS else ""
    return f"{success:.3f}{counted} | {control:.3f} | {guess:.3f} | {value:.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    """Run both tools on every release, and print a row for each attack."""
    import pandas as pd

    released: Any = test_attacks_on_releases
    released.SHARED = Path(sys.argv[1])
    singling_out.MOST_STATEMENTS = ATTACKS
    tables = released.reference_tables(pd)
    n = min(len(tables["members"]), len(tables["outsiders"]))
    members, outsiders = (tables[name].sample(n, random_state=5) for name in ("members", "outsiders"))
    some, others = members[:ATTACKS], outsiders[:ATTACKS]
    print("| release | attack | tool | members | outsiders | guessing | advantage |")
    print("|---|---|---|---:|---:|---:|---:|")
    for name, release in releases(members).items():
        mine = ours(release, members, outsiders, some, others)
        peer = theirs(
            sys.argv[2],
            {"release": release, "members": members, "outsiders": outsiders, "some": some, "others": others},
        )
        for attack, found in mine.items():
            print(f"| {name} | {attack} | privaudit | {shown(found)} |")
            print(f"| | | Anonymeter | {shown(peer[attack])} |", flush=True)


if __name__ == "__main__":
    main()
