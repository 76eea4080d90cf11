"""How the cost of a whole scan, and of a remedy, grows with the rows of a table of people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BLOCK = 1_000_000
SEXES, EDUCATION = ("F", "M"), ("primary", "secondary", "vocational", "bachelor", "master", "doctorate")
INCOMES = tuple(f"{10 * i},000 to {10 * i + 9},999" for i in range(12))
DISEASES = ("none", "asthma", "diabetes", "hypertension", "depression", "arthritis", "cancer", "epilepsy", "HIV")
MARITAL = ("single", "married", "divorced", "widowed")
N_ZIPS = 900


def block(n: int, seed: int) -> pa.Table:
    """Return `n` seeded people: 8 columns, of which those that describe a person depend on each other."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(41, 21, n), 0, 99).astype(np.int64)
    zips = np.minimum(N_ZIPS * rng.random(n) ** 3, N_ZIPS - 1).astype(np.int64)
    education = np.clip(rng.normal(1 + zips / N_ZIPS + (age > 24), 1.1, n), 0, 5).astype(np.int64)
    income = np.clip(rng.normal(1 + 1.3 * education, 1.5, n), 0, 11).astype(np.int64)
    marital = np.where(age < 20, 0, np.clip(rng.normal(age / 28, 0.7, n), 0, 3)).astype(np.int64)
    disease = np.where(rng.random(n) < 0.55, 0, rng.integers(0, 9, n) * (age > rng.integers(0, 80, n)))
    texts = {
        "sex": (rng.integers(0, 2, n), SEXES),
        "zip": (zips, [f"{10_000 + 100 * i}" for i in range(N_ZIPS)]),
        "education": (education, EDUCATION),
        "income_band": (income, INCOMES),
        "marital_status": (marital, MARITAL),
        "disease": (disease, DISEASES),
    }
    columns = {name: pa.array(of).take(pa.array(codes)) for name, (codes, of) in texts.items()}
    return pa.table({"age": age, "birth_year": 2025 - age - rng.integers(0, 2, n), **columns})


def write_people(path: Path, rows: int) -> None:
    """Write people as Parquet, in row groups of a block each."""
    with pq.ParquetWriter(path, block(1, 0).schema, compression="zstd") as writer:
        for start in range(0, rows, BLOCK):
            writer.write_table(block(min(BLOCK, rows - start), start))
if __name__ == "__main__":
    import sys
    write_people(Path(sys.argv[1]), int(sys.argv[2]))
