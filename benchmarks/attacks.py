"""Rates and costs of the attacks on a release, next to those of Anonymeter and SDMetrics, in one run; prints Markdown.

    python3.11 -m venv PEERS && PEERS/bin/pip install anonymeter==1.1.0 sdmetrics==0.32.0 "pandas<3" "numpy<2"
    python benchmarks/attacks.py SHARED PEERS/bin/python

`SHARED` is the folder with Adult of Anonymeter's example and of selva86 (the recipe is in
`tests/attacks/test_attacks_on_releases.py`). Both tools get the same 500 members and 500 outsiders for linkability and
inference, the same halves of the columns, and the same tables of equal length for singling out; each draws its own
statements. The releases: a table of the synthesizer `aim` without privacy, 30 % of its rows replaced by records of
members, the members themselves, the members with every column in an order of its own, and a bootstrap of the members.
Seconds are those of the processor on the release `TIMED`, tables in memory; privaudit brings them to comparable codes
once for all attacks, which is a row of its own. SDMetrics states its score of the distance to the closest record.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.members import singling_out
from privaudit.attacks.members.compared_tables import read_compared
from privaudit.attacks.members.inference import infer
from privaudit.attacks.members.linkability import join_halves
from privaudit.attacks.members.near_copies import simulate_near_copies
from privaudit.model import Attack
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from tests.attacks import test_attacks_on_releases

ATTACKS = 500
TIMED = "30 % copies"
ONE, SEVERAL = "singling out, one column", "singling out, four columns"
SECRETS = ("occupation", "income", "capital_gain")
SHOWN = 4
"""Attacks in the table of rates, the first secret included; how much the others differ is printed below it."""
HALVES = (
    ("type_employer", "education", "hr_per_week", "capital_loss", "capital_gain"),
    ("race", "sex", "fnlwgt", "age", "country"),
)
PEER = """
import importlib.metadata, json, sys, time, warnings
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from sdmetrics.single_table import DCROverfittingProtection
syn, members, outsiders, some, others = (pd.read_csv(name, keep_default_na=False) for name in sys.argv[1:6])
n, secrets, halves, one, several = json.loads(sys.argv[6])
rates, seconds = {}, {}
def run(name, kind, people, mode=None, **options):
    np.random.seed(0)
    start = time.process_time()
    try:
        made = kind(ori=people[0], syn=syn, control=people[1], n_attacks=n, **options)
        made.evaluate(**({} if mode is None else {"mode": mode}))
        found, risk = made.results(), made.risk()
        rates[name] = [found.n_success / n, found.n_control / n, risk.value, *risk.ci]
    except Exception as error:
        rates[name] = type(error).__name__
    seconds[name] = time.process_time() - start
whole, drawn = (members, outsiders), (some, others)
run(one, SinglingOutEvaluator, whole, "univariate", seed=0)
run(several, SinglingOutEvaluator, whole, "multivariate", n_cols=4, max_attempts=10000, seed=0)
run("linkability", LinkabilityEvaluator, drawn, aux_cols=tuple(halves), n_neighbors=10)
for secret in secrets:
    known = [column for column in members.columns if column != secret]
    run(f"inference of {secret}", InferenceEvaluator, drawn, aux_cols=known, secret=secret)
kinds = {name: {"sdtype": "numerical" if of.dtype.kind in "if" else "categorical"} for name, of in members.items()}
np.random.seed(0)
closest = DCROverfittingProtection.compute_breakdown(
    members, syn, outsiders, {"columns": kinds}, table_name=None, num_rows_subsample=1000)
versions = {name: importlib.metadata.version(name) for name in ("anonymeter", "sdmetrics", "pandas", "numpy")}
print(json.dumps([rates, seconds, closest["score"], versions]))
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


@dataclass
class Run:
    """What a tool found: the rates of each attack, or the kind of its error, and the processor seconds it took."""

    rates: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def timed(self, name: str, work: Callable[[], Any]) -> Any:
        """Return the result of `work`, and note its processor seconds."""
        start = time.process_time()
        result = work()
        self.seconds[name] = time.process_time() - start
        return result


def ours(release: Any, members: Any, outsiders: Any, some: Any, others: Any) -> Run:
    """Return the rates of privaudit."""
    run = Run()
    whole, drawn = run.timed("codes of the tables", lambda: (
        compared(release, members, outsiders), compared(release, some, others)
    ))  # fmt: skip
    halves = [[drawn.columns.index(name) for name in half] for half in HALVES]
    people = drawn.members, drawn.outsiders
    attacks: dict[str, Callable[[], Attack]] = {
        ONE: lambda: one_column(whole),
        SEVERAL: lambda: isolated(whole, *singling_out.multivariate(whole, np.random.default_rng(0))),
        "linkability": lambda: join_halves(drawn, (halves[0], halves[1]), *people),
    }
    for name in SECRETS:
        attacks[f"inference of {name}"] = partial(infer, drawn, drawn.columns.index(name), *people)
    run.rates = {name: rates(run.timed(name, attack)) for name, attack in attacks.items()}
    return run


def one_column(whole: Any) -> Attack:
    """Return the attack by statements about one column."""
    random = np.random.default_rng(0)
    statements = singling_out.univariate(whole, random)
    return isolated(whole, statements, singling_out.shuffled(whole, statements, random))


def isolated(whole: Any, statements: Any, guesses: Any) -> Attack:
    """Return the attack by statements that fit one released row."""
    return singling_out.isolate(whole, statements, guesses, whole.members, whole.outsiders, "multivariate")


def inputs(*tables: Any) -> AttackInputs:
    """Return a release, its members and outsiders as texts."""
    settings = Settings(sensitive=SECRETS)
    opened = [open_dataset(pa.Table.from_pandas(table.astype(str), preserve_index=False), settings) for table in tables]
    return AttackInputs(release=opened[0], original=opened[1], outsiders=opened[2], settings=settings)


def compared(*tables: Any) -> Any:
    """Return the release, members and outsiders as privaudit compares them."""
    return read_compared(inputs(*tables))[0]


def rates(attack: Attack) -> list[float]:
    """Return success, control, and the advantage with its interval."""
    gain = attack.advantage
    return [attack.success.value, attack.control or 0.0, gain.value, gain.low, gain.high, attack.success.n]


def theirs(interpreter: str, tables: Mapping[str, Any]) -> tuple[Run, float, dict[str, str]]:
    """Return the rates of Anonymeter, the score of SDMetrics, and the versions of both and of what they use."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, table in tables.items():
            files.append(str(Path(folder, f"{name}.csv")))
            table.to_csv(files[-1], index=False)
        stated = json.dumps([ATTACKS, SECRETS, HALVES, ONE, SEVERAL])
        run = subprocess.run([interpreter, "-c", PEER, *files, stated], check=True, capture_output=True, text=True)
    found, seconds, score, versions = json.loads(run.stdout.splitlines()[-1])
    return Run(found, seconds), score, versions


def shown(found: Any) -> str:
    """Return rates as cells of a table."""
    if isinstance(found, str):
        return f"{found} | "
    success, control, value, low, high, *n = found
    counted = f" of {n[0]}" if n and n[0] < ATTACKS else ""
    value, low, high = (round(each, 2) + 0.0 for each in (value, low, high))  # no -0.00
    return f"{success:.2f}{counted}, {control:.2f} | {value:.2f} [{low:.2f}, {high:.2f}]"


def differences(mine: Run, peer: Run) -> list[str]:
    """Return by how much the rates of members and of outsiders differ where both attack the same people."""
    same = [name for name in mine.rates if not name.startswith("singling out")]
    both = [
        (name, [abs(a - b) for a, b in zip(mine.rates[name][:2], peer.rates[name][:2], strict=True)]) for name in same
    ]
    return [f"{name}: {members:.3f} of members, {outsiders:.3f} of outsiders" for name, (members, outsiders) in both]


def main() -> None:
    """Run the tools on every release, and print their rates, how they differ, and what they cost."""
    import pandas as pd

    released: Any = test_attacks_on_releases
    released.SHARED = Path(sys.argv[1])
    singling_out.MOST_STATEMENTS = ATTACKS
    tables = released.reference_tables(pd)
    n = min(len(tables["members"]), len(tables["outsiders"]))
    people = {name: tables[name].sample(n, random_state=5) for name in ("members", "outsiders")}
    drawn = {"some": people["members"][:ATTACKS], "others": people["outsiders"][:ATTACKS]}
    print("| release | attack | privaudit: members, outsiders | advantage | Anonymeter: members, outsiders | risk |")
    print("|---|---|---|---|---|---|")
    notes, costs, guessed = [], [], []
    for name, release in releases(people["members"]).items():
        given = {"release": release, **people, **drawn}
        mine, (peer, score, versions) = ours(*given.values()), theirs(sys.argv[2], given)
        for attack, found in list(mine.rates.items())[:SHOWN]:
            print(f"| {name} | {attack} | {shown(found)} | {shown(peer.rates[attack])} |", flush=True)
        guessed += [(mine.rates[one][0], peer.rates[one][0]) for one in mine.rates if one.startswith("inference")]
        near = simulate_near_copies(inputs(release, *people.values())).attacks[0]
        notes += [f"{name}, difference in {each}" for each in differences(mine, peer)]
        notes.append(f"{name}, distances: SDMetrics {score:.2f}, near copies of privaudit {near.advantage.value:.2f}")
        if name == TIMED:
            costs = [
                f"| {attack} | {took:.1f} | {peer.seconds.get(attack, 0):.1f} |"
                for attack, took in mine.seconds.items()
            ]
            costs.append(f"| all | {sum(mine.seconds.values()):.1f} | {sum(peer.seconds.values()):.1f} |")
    notes.append("mean success of {} inferences: {:.3f}, {:.3f}".format(len(guessed), *np.mean(guessed, axis=0)))
    print("", *notes, "", "| attack | privaudit, CPU seconds | Anonymeter |", "|---|---|---|", *costs, "", sep="\n")
    print(", ".join(f"{name} {version}" for name, version in versions.items()))


if __name__ == "__main__":
    main()
