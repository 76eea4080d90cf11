"""Private models next to those of diffprivlib, and a margin next to OpenDP, in one run.

``python benchmarks/private_models.py --diffprivlib PYTHON --opendp PYTHON`` prints accuracies on the heart table,
inertia on the mall table, and seconds for a margin of 10,000 cells over 1,000,000 rows. PYTHON is the interpreter of an
environment of its own with the library; without it, only the figures of privaudit are printed. The exact accuracies
are those of public tables.

``--worker NAME`` is how the script calls itself in these environments; there it needs the library, NumPy and
scikit-learn only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
EPSILONS = (0.1, 0.5, 1.0, 10.0)
SPLITS = 20
BOUNDS: dict[str, Any] = {
    "age": (20, 100), "sex": range(2), "cp": range(4), "trestbps": (80, 220), "chol": (100, 600), "fbs": range(2),
    "restecg": range(3), "thalach": (60, 220), "exang": range(2), "oldpeak": (0, 7), "slope": range(3), "ca": range(5),
    "thal": range(4),
}  # fmt: skip
MALL = [(0, 150), (0, 100)]


def heart() -> tuple[Any, Any]:
    """Return features and target of the heart table."""
    rows = np.genfromtxt(DATA / "heart" / "heart_disease.csv", delimiter=",", skip_header=1)
    return rows[:, :-1], rows[:, -1].astype(int)


def mall() -> Any:
    """Return income and spending score of the mall table."""
    text = (DATA / "mall" / "Mall_Customers.csv").read_text().splitlines()[1:]
    return np.array([line.split(",")[3:5] for line in text if line], dtype=float)


def splits(n: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield train and test parts of the heart table."""
    from sklearn.model_selection import train_test_split

    X, y = heart()
    for seed in range(n):
        yield train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)


def accuracy(make: Callable[[float], Any], epsilon: float, n: int = SPLITS) -> tuple[float, float]:
    """Return mean and standard deviation of the accuracy over splits."""
    found = []
    for X, X_test, y, y_test in splits(n):
        found.append(float((make(epsilon).fit(X, y).predict(X_test) == y_test).mean()))
    return float(np.mean(found)), float(np.std(found))


def inertia(make: Callable[[float], Any], epsilon: float) -> tuple[float, float]:
    """Return mean and standard deviation of the inertia, as a multiple of that without privacy, over 20 runs."""
    from sklearn.cluster import KMeans

    X = mall()
    base = KMeans(5, n_init=10, random_state=0).fit(X).inertia_
    found = []
    for _ in range(SPLITS):
        centres = make(epsilon).fit(X).cluster_centers_
        found.append(((X[:, None] - centres[None]) ** 2).sum(axis=2).min(axis=1).sum() / base)
    return float(np.mean(found)), float(np.std(found))


def functional(epsilon: float) -> Any:
    """Return a logistic regression by functional perturbation (Zhang et al. 2012), for comparison."""
    rng = np.random.default_rng()

    class Functional:
        def scaled(self, X: Any) -> Any:
            low, high = (np.array([f(pair) for pair in BOUNDS.values()], dtype=float) for f in (min, max))
            return np.column_stack([np.ones(len(X)), 2 * (np.clip(X, low, high) - low) / (high - low) - 1])

        def fit(self, X: Any, y: Any) -> Functional:
            Z = self.scaled(X)
            d = Z.shape[1]
            scale = (d * (d + 1) / 2 + d / 2) / epsilon
            above = np.triu(rng.laplace(0, scale, (d, d)))
            left = Z.T @ Z + above + np.triu(above, 1).T + 2 * scale * np.sqrt(d) * np.eye(d)
            self.weights = np.linalg.solve(left / 4, Z.T @ (y - 0.5) + rng.laplace(0, scale, d))
            return self

        def predict(self, X: Any) -> Any:
            return (self.scaled(X) @ self.weights > 0).astype(int)

    return Functional()


def ours() -> dict[str, Any]:
    """Return the figures of privaudit."""
    import privaudit

    with tempfile.TemporaryDirectory() as folder:
        ledger = privaudit.Ledger.create(Path(folder) / "heart.ledger", dataset="heart", epsilon=10**6, delta=1e-6)
        shared = {"bounds": [*BOUNDS.values()], "ledger": ledger, "classes": [0, 1]}
        models = {
            "naive Bayes": lambda e: privaudit.PrivateNaiveBayes(epsilon=e, **shared),
            "logistic regression": lambda e: privaudit.PrivateLogisticRegression(epsilon=e, **shared),
            "random forest": lambda e: privaudit.PrivateForest(epsilon=e, **shared),
        }
        found = {name: {str(e): accuracy(make, e) for e in EPSILONS} for name, make in models.items()}
        found["functional perturbation"] = {str(e): accuracy(functional, e) for e in EPSILONS}
        found["k-means"] = {str(e): inertia(lambda e: privaudit.PrivateKMeans(5, MALL, e, ledger), e) for e in EPSILONS}
        return found | {"margin": margin(ledger)}


def margin(ledger: Any) -> list[float]:
    """Return the seconds for a margin of 10,000 cells over 1,000,000 rows, from a frame in memory."""
    import pandas as pd

    import privaudit

    frame = pd.DataFrame(codes(), columns=["a", "b"])
    plan = {
        "dataset": "heart",
        "column": {name: {"kind": "category", "values": [*range(100)]} for name in frame.columns},
        "query": [{"kind": "margin", "columns": ["a", "b"], "epsilon": 1}],
    }
    start = time.perf_counter()
    made = privaudit.release(frame, plan, ledger=ledger)
    return [time.perf_counter() - start, float(made.answers[0].sd or 0)]


def codes() -> Any:
    """Return 1,000,000 rows of two columns with 100 values each."""
    return np.random.default_rng(1).integers(0, 100, (1_000_000, 2))


def with_diffprivlib() -> dict[str, Any]:
    """Return the figures of diffprivlib, which needs two names that scikit-learn has removed."""
    import sklearn.tree._tree as tree

    tree.DOUBLE, tree.DTYPE = getattr(tree, "DOUBLE", np.float64), getattr(tree, "DTYPE", np.float32)
    from diffprivlib import models

    low, high = (np.array([f(pair) for pair in BOUNDS.values()], dtype=float) for f in (min, max))
    square = (np.array([0, 0]), np.array([150, 100]))
    classifiers = {
        "naive Bayes": lambda e: models.GaussianNB(epsilon=e, bounds=(low, high)),
        "random forest": lambda e: models.RandomForestClassifier(
            n_estimators=10, max_depth=5, epsilon=e, bounds=(low, high), classes=[0, 1]
        ),
        "logistic regression": lambda e: models.LogisticRegression(epsilon=e, data_norm=float(np.linalg.norm(high))),
    }
    found: dict[str, Any] = {}
    for name, make in classifiers.items():
        try:
            found[name] = {str(e): accuracy(make, e, 8 if name == "random forest" else SPLITS) for e in EPSILONS}
        except (AttributeError, TypeError, ValueError) as error:
            found[name] = type(error).__name__
    found["k-means"] = {str(e): inertia(lambda e: models.KMeans(5, epsilon=e, bounds=square), e) for e in EPSILONS}
    return found


def with_opendp() -> dict[str, Any]:
    """Return the seconds of OpenDP for the same margin: its noise for 10,000 counts that NumPy counted."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    rows = codes()
    start = time.perf_counter()
    counts = np.bincount(rows[:, 0] * 100 + rows[:, 1], minlength=10_000)
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    measurement = dp.m.make_laplace(*space, scale=1.0)
    noisy = measurement(counts.tolist())
    return {"margin": [time.perf_counter() - start, float(np.std(np.array(noisy) - counts))]}


WORKERS = {"diffprivlib": with_diffprivlib, "opendp": with_opendp}


def in_environment(name: str, python: str) -> dict[str, Any]:
    """Return what a worker prints in another environment."""
    command = [python, __file__, "--worker", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def table(found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the comparison."""
    names = dict.fromkeys(name for figures in found.values() for name in figures if name != "margin")
    for name in names:
        yield f"\n{name}" + " (inertia)" * (name == "k-means")
        for library, figures in found.items():
            row = figures.get(name)
            if isinstance(row, dict):
                cells = "  ".join(f"{e}: {mean:.3f} ± {sd:.3f}" for e, (mean, sd) in row.items())
                yield f"  {library:12} {cells}"
            elif row:
                yield f"  {library:12} fails with {row}"
    yield "\nmargin of 10,000 cells over 1,000,000 rows"
    for library, figures in found.items():
        if "margin" in figures:
            yield f"  {library:12} {figures['margin'][0]:.2f} s, standard deviation {figures['margin'][1]:.3f}"


def main() -> None:
    """Run the comparison, or a worker of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    parser.add_argument("--opendp", metavar="PYTHON")
    parser.add_argument("--worker", choices=sorted(WORKERS))
    stated = parser.parse_args()
    warnings.filterwarnings("ignore")
    if stated.worker:
        print(json.dumps(WORKERS[stated.worker]()))
        return
    found = {"privaudit": ours()}
    for name in WORKERS:
        if python := getattr(stated, name):
            found[name] = in_environment(name, python)
    print("\n".join(table(found)), file=sys.stdout)


if __name__ == "__main__":
    main()
