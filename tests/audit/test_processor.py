"""NumPy sorts without AVX-512 where AVX-512 is slow, and NumPy knows the features that are disabled."""

from __future__ import annotations

import sys

import pytest

from privaudit.base import supervision

AMD = "vendor_id\t: AuthenticAMD\nflags\t\t: fpu avx avx2 avx512f avx512dq"
INTEL = AMD.replace("AuthenticAMD", "GenuineIntel")
WHEEL = "Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_28_x86_64\n"


@pytest.mark.parametrize("version", ["2.0.2", "2.3.5"])
def test_older_versions_of_numpy_are_given_their_own_names_of_features(version):
    assert "AVX512_SKX" in supervision.slow_features(AMD, WHEEL, version).split()


def test_every_disabled_feature_is_one_that_numpy_can_disable():
    from numpy import __version__
    from numpy._core._multiarray_umath import __cpu_dispatch__

    disabled = set(supervision.slow_features(AMD, WHEEL, __version__).split())
    if "AVX2" in __cpu_dispatch__ or "X86_V3" in __cpu_dispatch__:  # x86-64
        assert disabled and disabled <= set(__cpu_dispatch__)


@pytest.mark.parametrize(
    ("described", "wheel"),
    [(INTEL, WHEEL), (AMD.replace("avx512f", ""), WHEEL), (AMD, "Tag: cp311-cp311-linux_x86_64"), ("", WHEEL)],
)
def test_nothing_is_disabled_on_other_processors_and_in_other_builds(described, wheel):
    assert supervision.slow_features(described, wheel, "2.4.0") == ""


def test_what_the_user_set_stays(monkeypatch):
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    environment = {supervision.VARIABLE: ""}
    supervision.choose_instructions(environment)
    assert environment == {supervision.VARIABLE: ""}


def test_nothing_is_set_once_numpy_is_imported():
    import numpy as np

    environment: dict[str, str] = {}
    supervision.choose_instructions(environment)
    assert np and not environment
