"""Tests of privaudit. The workers of pytest share the cores: libraries that wait in a busy loop get one thread each."""

import os

for _library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_library, "1")
