"""Sums of ciphertexts decrypt to the sums, packed numbers never overflow, masks cancel in the whole sum only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError, KeyTooShort
from privaudit.releases.joint import masks, paillier

pytest.importorskip("gmpy2")


@pytest.fixture(scope="module")
def key() -> paillier.PrivateKey:
    return paillier.generate()


@pytest.mark.slow
def test_sums_are_those_of_the_numbers_up_to_the_largest_that_fits(key):
    rng = np.random.default_rng(1)
    most = (1 << paillier.bits_left(3)) - 1
    arrays = [rng.integers(0, most, 100, dtype=np.uint64, endpoint=True) for _ in range(3)]
    for array in arrays:
        array[:3] = most  # neighbours at the limit: an overflow would change them
    encrypted = [key.public.encrypt(array, 3) for array in arrays]
    total = key.decrypt(key.public.add(encrypted), 100)
    assert (total == arrays[0] + arrays[1] + arrays[2]).all()
    assert [int(x) for x in total[:3]] == [3 * most] * 3


@pytest.mark.slow
def test_a_number_that_could_overflow_is_refused_before_it_is_encrypted(key):
    for parties, bits in ((2, 63), (3, 62), (4, 62), (5, 61), (8, 61), (9, 60)):
        assert paillier.bits_left(parties) == bits
        with pytest.raises(ConfigError, match="does not fit"):
            key.public.encrypt(np.array([1 << bits], dtype=np.uint64), parties)


@pytest.mark.slow
def test_equal_numbers_have_different_ciphertexts(key):
    numbers = np.arange(5, dtype=np.uint64)
    assert (key.public.encrypt(numbers, 3) != key.public.encrypt(numbers, 3)).any()


@pytest.mark.slow
def test_the_textbook_formula_decrypts_the_same(key):
    """m = L(c^lambda mod n^2) / L((n+1)^lambda mod n^2) mod n, L(x) = (x - 1) / n (Paillier 1999)."""
    from math import lcm

    n, numbers = key.public.n, np.array([7, 2**40, 0], dtype=np.uint64)
    cipher = int.from_bytes(key.public.encrypt(numbers, 3)[0].tobytes(), "big")
    exponent = lcm(key.p - 1, key.q - 1)
    part = lambda x: (pow(x, exponent, n * n) - 1) // n  # noqa: E731
    plain = part(cipher) * pow(part(1 + n), -1, n) % n
    assert plain == sum(int(x) << (64 * i) for i, x in enumerate(numbers))


@pytest.mark.slow
def test_short_keys_and_foreign_ciphertexts_are_refused(key, tmp_path):
    with pytest.raises(ConfigError, match="3072 bits"):
        paillier.PublicKey(key.p, 2)
    public = paillier.write_keys(key, tmp_path / "key")
    assert paillier.read_public(public) == key.public and paillier.read_private(tmp_path / "key") == key
    with pytest.raises(ConfigError, match="private key"):
        paillier.read_private(_secret(public, tmp_path))
    with pytest.raises(ConfigError, match="not a ciphertext"):
        key.public.add([np.zeros((1, key.public.n_bytes), dtype=np.uint8)] * 2)


def _secret(public, folder):
    target = folder / "other"
    target.write_bytes(public.read_bytes())
    target.chmod(0o600)
    return target


@given(st.integers(3, 6), st.integers(1, 40), st.binary(min_size=1, max_size=8))
def test_masks_cancel_in_the_sum_of_all_parties_and_in_no_smaller_sum(parties, n, context):
    private = {f"p{i}": masks.new_private() for i in range(parties)}
    public = {name: masks.public_of(key) for name, key in private.items()}
    each = [masks.masks(private[name], name, public, context, n) for name in private]
    assert (np.sum(each, axis=0, dtype=np.uint64) == 0).all()
    assert (np.sum(each[:-1], axis=0, dtype=np.uint64) != 0).any()
    other = masks.masks(private["p0"], "p0", public, context + b"x", n)
    assert (other != each[0]).any()


def test_a_short_or_a_wrong_key_encrypts_nothing():
    with pytest.raises(KeyTooShort, match="at least 3072 bits; this one has 3071"):
        paillier.PublicKey((1 << 3071) - 1, 2)
    with pytest.raises(ConfigError, match="not valid"):
        paillier.PublicKey((1 << 3072) - 2, 2)


@pytest.mark.slow
def test_ciphertexts_of_another_length_and_missing_ones_are_refused(key):
    encrypted = [key.public.encrypt(np.arange(n, dtype=np.uint64), 3) for n in (1, 200)]
    with pytest.raises(ConfigError, match="different lengths"):
        key.public.add(encrypted)
    with pytest.raises(ConfigError, match="missing"):
        key.decrypt(encrypted[0], 200)
