"""CPU time of the attacks on a synthetic table, and of Anonymeter on the same tables where its interpreter is named.

    python benchmarks/attacks.py RELEASE ORIGINAL CONTROL [PYTHON_WITH_ANONYMETER]

Both run 500 attacks of each kind, in one run: singling out with one and with several columns, linkability, inference.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from privaudit.attacks.members import near_copies, singling_out
from privaudit.attacks.members.compared_tables import Points
from privaudit.attacks.members.nearest import nearest_distance
from privaudit.attacks.registry import attack_release
from privaudit.settings.config import Settings

ATTACKS = 500
SECRETS = ("income", "occupation", "capital_gain")
PEER = """
import sys, time, warnings
import numpy as np, pandas as pd
warnings.simplefilter("ignore")
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
syn, ori, control = (pd.read_csv(name, keep_default_na=False) for name in sys.argv[1:4])
n, secrets = int(sys.argv[4]), sys.argv[5].split(",")
halves = (["type_employer", "education", "hr_per_week", "capital_loss", "capital_gain"],
          ["race", "sex", "fnlwgt", "age", "country"])
def timed(name, kind, mode=None, **options):
    np.random.seed(0)
    start = time.process_time()
    evaluator = kind(ori=ori, syn=syn, control=control, n_attacks=n, **options)
    evaluator.evaluate(**({} if mode is None else {"mode": mode}))
    print(f"anonymeter {name}: {time.process_time() - start:.1f} s CPU", flush=True)
timed("univariate", SinglingOutEvaluator, "univariate")
timed("multivariate", SinglingOutEvaluator, "multivariate", n_cols=4)
timed("linkability", LinkabilityEvaluator, aux_cols=halves, n_neighbors=10)
for secret in secrets:
    known = [c for c in ori.columns if c != secret]
    timed(f"inference {secret}", InferenceEvaluator, aux_cols=known, secret=secret)
"""


def timed(name: str, work: Callable[[], object]) -> None:
    """Print the CPU time of `work`, and the memory used so far."""
    start = time.process_time()
    work()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"privaudit {name}: {time.process_time() - start:.1f} s CPU, {memory:,.0f} MB", flush=True)


def main() -> None:
    """Run both."""
    release, original, control = sys.argv[1:4]
    near_copies.MOST_TARGETS, singling_out.MOST_STATEMENTS = ATTACKS, ATTACKS
    kinds = ("singling_out", "linkability", "inference")

    def only(kind: str) -> Callable[[], object]:
        settings = Settings(sensitive=SECRETS)
        none = (None, ())
        return lambda: attack_release(
            release, original, control,
            settings=settings,
            attempt=lambda name, run: (run(), ()) if name == kind else none,
        )  # fmt: skip

    for kind in kinds:
        timed(kind, only(kind))
    random = np.random.default_rng(0)
    points = [
        Points(random.random((10_000, 6), dtype=np.float32), random.integers(0, 9, (10_000, 9)).astype(np.float32))
        for _ in range(2)
    ]
    start = time.perf_counter()
    timed("10,000 x 10,000 x 15 nearest", lambda: nearest_distance(*points))
    print(f"  {time.perf_counter() - start:.1f} s wall")
    for interpreter in sys.argv[4:5]:
        words = [interpreter, "-c", PEER, release, original, control, str(ATTACKS), ",".join(SECRETS)]
        subprocess.run(words, check=True)


if __name__ == "__main__":
    main()
