"""Parts of joint audits and of sums of parties: keys of combinations, orders, checks of sums, slots and rounds."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest

from privaudit.base.errors import ConfigError
from privaudit.releases.federated import secure_sums
from privaudit.releases.federated.parties import Reading
from privaudit.releases.joint import classes, first_round, masks, paillier, second_round
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.joint.secret import Secret
from privaudit.settings.config import Settings
from privaudit.source import open_dataset

SILOS = ("north", "south", "west")
KEY = bytes(range(32))


def silo(table, **options):
    """Return a plan over all columns, a secret of the first silo, and the dataset."""
    plan = JointPlan(columns=tuple(table), silos=SILOS, **options)
    return plan, Secret.new("north", plan), open_dataset(pa.table(table), Settings())


def keys_by_set(table, **options):
    plan, secret, dataset = silo(table, **options)
    coded = classes.silo_table(dataset, plan.columns)
    found = first_round.keys_of(coded, plan, KEY, secret, lambda *_: None)
    return dict(zip(plan.sets, (set(part.tolist()) for part in found), strict=True))


def test_equal_cells_have_other_keys_in_other_columns():
    """Otherwise the combiner would see which ages are numbers of rooms."""
    found = keys_by_set({"age": ["30", "31", "32"], "room": ["30", "31", "32"]}, max_size=1)
    assert not found[0,] & found[1,] and len(found[0,]) == len(found[1,]) == 3


def test_combinations_whose_texts_joined_are_equal_have_different_keys():
    for between in ("", "\0", "\1", "\1\0\0\0\1"):
        table = {"a": ["x", f"x{between}y", "xy"], "b": [f"y{between}z", "z", "z"]}
        assert len(keys_by_set(table, max_size=2)[0, 1]) == len(set(zip(*table.values(), strict=True)))


def test_a_missing_cell_is_not_an_empty_text():
    assert all(classes._encoded(text) != classes._MISSING for text in ("", "\0", " "))
    plan, _, dataset = silo({"a": ["x", None]})
    assert classes._MISSING in classes.silo_table(dataset, plan.columns).values[0]


def test_sent_keys_are_sorted_within_each_set():
    """The order of the table would show which of them are those of combinations, and their order."""
    random = np.random.default_rng(0)
    plan, secret, dataset = silo({name: [str(x) for x in random.integers(0, 30, 200)] for name in "abc"}, max_size=2)
    sent = first_round.keys_message(dataset, plan, secret, KEY, lambda *_: None)
    for part in first_round.by_sets(sent):
        assert (part == np.sort(part)).all() and len(part) > 30


def test_the_sums_of_each_set_are_in_an_order_of_their_own(monkeypatch):
    random = np.random.default_rng(1)
    plan, _, dataset = silo({name: [str(x) for x in random.integers(0, 9, 50)] for name in "abc"}, max_size=2)
    secrets_ = {name: Secret.new(name, plan) for name in SILOS}
    sent = [first_round.keys_message(dataset, plan, each, KEY, lambda *_: None) for each in secrets_.values()]
    union, contexts, kept = first_round.union_message(sent), [], masks.order
    monkeypatch.setattr(
        masks, "order", lambda secret, context, n: (contexts.append(context), kept(secret, context, n))[1]
    )
    given = {"key": KEY, "masked": None, "public": None, "progress": lambda *_: None}
    second_round.counts_message(dataset, union, secrets_["north"], **given)
    assert len(contexts) == len(set(contexts)) == len(plan.sets)
    assert (kept(KEY, b"a", 50) != kept(KEY, b"b", 50)).any()


def checked(*parts, dummies):
    total = np.array([*itertools.chain(*parts), *dummies], dtype=np.uint64)
    return second_round.checked_sums(total, [len(part) for part in parts])


def test_sums_that_cannot_be_class_sizes_are_refused():
    found = checked([3, 0, 2], [4, 1], dummies=(1, 0))
    assert [part.tolist() for part in found] == [[3, 2], [4, 1]]
    for parts, dummies in (
        (([3, 0, 2], [4, 2]), (1, 0)),  # two sets of other records
        (([3, 0, 2], [4, 1]), (0, 0)),  # a combination without a record
        (([3, 0, 2], [4, 1]), (2, 0)),  # a key without a combination has records
        (([1 << 40, 0], [1 << 40]), (1, 0)),  # masks that did not cancel
        (([0], [0]), (0, 0)),
    ):
        with pytest.raises(ConfigError, match="not class sizes"):
            checked(*parts, dummies=dummies)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("bits", [32, 64])
def test_the_largest_numbers_of_all_parties_fill_a_slot_and_never_overflow_it(bits):
    for parties in range(1, 70):
        free = paillier.bits_left(parties, bits)
        assert parties * (2**free - 1) < 2**bits <= parties * 2 ** (free + 1)
        if free < 64:
            with pytest.raises(ConfigError, match=rf"numbers below 2\^{free} can be added"):
                paillier.PublicKey(2**3072, 3).encrypt(np.array([2**free], dtype=np.uint64), parties, bits)


def test_encrypted_sums_are_the_sums_of_positive_and_negative_numbers(monkeypatch):
    pytest.importorskip("gmpy2")
    monkeypatch.setattr(paillier, "BITS", 512)  # a short key, because a long one takes seconds
    holder = secure_sums.KeyHolder(paillier.generate(512))
    summed = secure_sums.EncryptedSum(SILOS, holder)
    numbers = np.random.default_rng(2).normal(0, 1_000, (3, 7))
    sent = {name: summed.message(name, each, 1) for name, each in zip(SILOS, numbers, strict=True)}
    assert summed.total(sent, 7) == pytest.approx(numbers.sum(axis=0), abs=1e-8)
    with pytest.raises(ConfigError, match="each of the 3 parties once"):
        summed.total({name: sent[name] for name in SILOS[:2]}, 7)


def test_a_sum_that_counts_another_number_of_parties_is_refused():
    fixed = secure_sums.to_fixed(np.array([1.5, -2.0]), 3)
    for n in (1, 2, 3, 4):
        total = fixed * np.uint64(n)
        if n == 3:
            assert secure_sums.to_floats(total, 3).tolist() == [4.5, -6.0]
        else:
            with pytest.raises(ConfigError, match="each of the 3 parties once"):
                secure_sums.to_floats(total, 3)


def test_a_party_has_other_masks_in_each_round():
    """With the masks of another round, the difference of two messages is the change of one model."""
    summed, numbers = secure_sums.MaskedSum(SILOS), np.arange(5.0)
    first, second = (summed.message("north", numbers, number) for number in (1, 2))
    assert (first != second).all()
    sent = {name: summed.message(name, numbers, 1) for name in SILOS}
    assert summed.total(sent, 5).tolist() == (3 * numbers).tolist()


def test_features_are_scaled_to_their_bounds_and_cut_at_them(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("age,kind\n20,a\n-5,b\n70,a\n500,b\n,a\n30,\n")
    reading = Reading(features={"age": (20.0, 70.0)}, text="", target="kind", is_number=False, every_row=False)
    (inputs, outputs), n_rows = reading.read(str(path))
    assert n_rows == 6
    assert inputs.ravel().tolist() == [0, 0, 1, 1] and outputs.tolist() == ["a", "b", "a", "b"]
