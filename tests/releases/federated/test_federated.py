"""Federated models are the average by rows, nobody can decrypt one party's model, and the noise is paid for."""

from __future__ import annotations

import csv
import itertools
import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import BudgetExceeded, ConfigError
from privaudit.releases.federated import models, private, secure_sums
from privaudit.releases.federated.parties import Reading
from privaudit.releases.privacy.accounting import epsilon_of
from privaudit.releases.privacy.ledger import Ledger
from tests.helpers.command import refusal

PARTIES = {"north": 60, "south": 90, "west": 300}


def numbers(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    inputs = rng.random((n, 3))
    return inputs, (inputs @ [3, -2, 1] + rng.normal(0, 0.3, n) > 1).astype(int)


def parties() -> dict:
    return {name: lambda i=i, n=n: numbers(i, n) for i, (name, n) in enumerate(PARTIES.items())}


def messages(seed: int, n: int) -> tuple[list[str], list[str]]:
    """Return invented messages: words of one of two topics among common words."""
    rng = np.random.default_rng(seed)
    made, kinds = [], []
    for i in range(n):
        topic = "ab"[i % 2]
        words = [f"{topic}{rng.integers(40)}" for _ in range(3)] + [f"c{rng.integers(300)}" for _ in range(9)]
        made.append(" ".join(words))
        kinds.append(topic)
    return made, kinds


VOCABULARY = [f"{k}{i}" for k, n in (("a", 40), ("b", 40), ("c", 300), ("z", 200)) for i in range(n)]


def test_one_round_is_the_average_by_rows():
    """By hand: the mean of the models of the parties, weighted by their rows."""
    report = privaudit.federated.train(parties(), model="logistic", classes=(0, 1), rounds=1, seed=3)
    local = models.SgdModel(3, (0, 1), seed=3)
    each = [(n, local.fit(np.zeros(4), *numbers(i, n))) for i, n in enumerate(PARTIES.values())]
    expected = sum(n * weights for n, weights in each) / sum(PARTIES.values())
    assert np.allclose(report.weights, expected, atol=1e-6)
    assert not np.allclose(report.weights, np.mean([weights for _, weights in each], axis=0), atol=1e-3)


@pytest.mark.slow
def test_masks_and_encryption_give_the_same_model_and_one_party_cannot_be_decrypted():
    """Whoever decrypts the model of one party and divides it by three gets wrong weights; accuracy does not show it."""
    holder = privaudit.federated.KeyHolder()
    both = [
        privaudit.federated.train(parties(), classes=(0, 1), rounds=2, sums=sums, holder=holder)
        for sums in ("masks", "paillier")
    ]
    assert np.allclose(both[0].weights, both[1].weights, atol=1e-8)
    names = list(PARTIES)
    encrypted = secure_sums.EncryptedSum(names, holder)
    sent = {name: encrypted.message(name, np.array([1.5, -2.25]) * (i + 1), 1) for i, name in enumerate(names)}
    assert encrypted.total(sent, 2).tolist() == [9.0, -13.5]
    with pytest.raises(ConfigError, match="each of the 3 parties once"):
        holder.open(sent["west"], 2, 3)
    with pytest.raises(ConfigError, match="each of the 3 parties once"):
        holder.open(encrypted.add({name: sent[name] for name in names[:2]}), 2, 3)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8), st.integers(3, 6))
def test_masked_sums_are_the_sums_to_the_last_fractional_bit(values, n):
    names = [f"p{i}" for i in range(n)]
    summed = secure_sums.MaskedSum(names)
    sent = {name: summed.message(name, np.array(values) * (i + 1), 7) for i, name in enumerate(names)}
    total = sum(np.array(values) * (i + 1) for i in range(n))
    assert np.allclose(summed.total(sent, len(values)), total, atol=n * 2.0**-32)
    with pytest.raises(ConfigError, match="no message"):
        summed.total({name: sent[name] for name in names[1:]}, len(values))


def test_weights_that_could_overflow_are_refused():
    with pytest.raises(ConfigError, match="too large"):
        secure_sums.to_fixed(np.array([2.0**30]), 3)
    with pytest.raises(ConfigError, match="too large"):
        secure_sums.to_fixed(np.array([np.nan]), 3)


@pytest.mark.slow
def test_a_model_over_parties_comes_close_to_one_over_pooled_rows():
    report = privaudit.federated.train(parties(), classes=(0, 1), rounds=8, test=numbers(99, 400))
    last = report.rounds[-1]
    assert last.score > 0.85 and abs(last.score - last.pooled) < 0.05

    def exact(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        inputs = numbers(seed, n)[0]
        return inputs, inputs @ [1, 2, 3]

    linear = {name: lambda i=i, n=n: exact(i, n) for i, (name, n) in enumerate(PARTIES.items())}
    found = privaudit.federated.train(linear, model="linear", rounds=12, test=exact(98, 200))
    assert found.rounds[-1].score > 0.95


def test_the_update_of_one_party_discloses_its_words_and_rows():
    texts = {name: lambda i=i, n=n: messages(i, n) for i, (name, n) in enumerate(PARTIES.items())}
    report = privaudit.federated.train(
        texts, model="words", vocabulary=VOCABULARY, classes=("a", "b"), test=messages(9, 200), rounds=5
    )
    (attack,) = report.attacks
    balance: Counter[str] = Counter()
    for text, kind in zip(*messages(0, 60), strict=True):
        balance.update(dict.fromkeys(text.split(), 1 if kind == "b" else -1))
    assert attack.n_targets == len(balance)
    # All errors of the first batch are one half: a word stays at 0 only where it is in as many texts of both classes.
    assert attack.n_correct == sum(n != 0 for n in balance.values()) > 0.8 * len(balance)
    assert attack.control == 0 and attack.advantage.low > 0.75
    assert report.rounds[-1].score > 0.9
    (rows,) = privaudit.federated.train(parties(), classes=(0, 1), rounds=1).attacks
    assert rows.success.value == 1 and rows.n_targets == 60


def test_files_of_parties_are_read_in_declared_bounds_and_the_report_holds_no_row(tmp_path):
    canary = 41.98765
    for i, (name, n) in enumerate(PARTIES.items()):
        inputs, outputs = numbers(i, n)
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            rows = [(*(100 * row), value) for row, value in zip(inputs, outputs, strict=True)]
            csv.writer(file).writerows([("x", "y", "z", "ill"), (canary, 1, 1, 0), (canary, "", 1, 1), *rows])
    report = privaudit.federated.train(
        {name: tmp_path / f"{name}.csv" for name in PARTIES},
        target="ill",
        classes=("0", "1"),
        features={"x": (0, 100), "y": (0, 100), "z": (0, 100)},
        rounds=4,
        test=(numbers(9, 300)[0], np.array(list(map(str, numbers(9, 300)[1])))),
    )
    assert report.rounds[-1].score > 0.85
    for suffix in ("html", "md", "json"):
        report.write(tmp_path / f"report.{suffix}")
        text = (tmp_path / f"report.{suffix}").read_text()
        assert str(canary) not in text and "0.4198765" not in text
    assert len(json.loads((tmp_path / "report.json").read_text())["rounds"]) == 4


def ledgers(folder, epsilon: float) -> dict[str, Ledger]:
    made = {}
    for name in PARTIES:
        made[name] = Ledger.create(folder / f"{name}-{epsilon}.ledger", dataset=name, epsilon=epsilon, delta=1e-6)
    return made


def test_the_certificate_names_the_entry_of_every_party_and_each_can_confirm_its_own(tmp_path, run):
    paid = ledgers(tmp_path, 2.0)
    trained = privaudit.federated.train(parties(), classes=(0, 1), rounds=2, epsilon=2.0, delta=1e-6, ledgers=paid)
    file = tmp_path / "model.json"
    trained.write(file)
    certificate = json.loads((tmp_path / "model.privaudit.json").read_text())
    assert [each["dataset"] for each in certificate["ledger"]] == list(PARTIES)
    assert str(trained.weights[0]) not in json.dumps(certificate)
    options = [("--ledger", ledger.path) for ledger in paid.values()]
    everyone = run("verify", file, *itertools.chain(*options))
    assert everyone.returncode == 0 and everyone.stdout.count("is intact") == 3
    for named in ((), options[1], (*options[0], *options[2])):
        some = run("verify", file, *named)
        assert some.returncode == 3 and some.stdout.count("is intact") == len(named) // 2
    stranger = Ledger.create(tmp_path / "other.ledger", dataset="north", epsilon=2.0, delta=1e-6)
    assert run("verify", file, *itertools.chain(*options), "--ledger", stranger.path).returncode == 1
    assert run("ledger", "show", paid["west"].path, "--certificate", tmp_path / "model.privaudit.json").returncode == 0
    assert "lacks entry 1 of the certificate" in refusal(
        run("ledger", "show", stranger.path, "--certificate", tmp_path / "model.privaudit.json")
    )
    file.write_text(file.read_text().replace("logistic", "linear"))
    assert run("verify", file, *itertools.chain(*options)).returncode == 1


def test_the_certificate_of_a_model_without_epsilon_states_that_nothing_was_paid(tmp_path, run):
    trained = privaudit.federated.train(parties(), classes=(0, 1), rounds=1)
    trained.write(tmp_path / "model.json")
    done = run("verify", tmp_path / "model.json")
    assert done.returncode == 0 and "WITHOUT privacy" in done.stdout
    trained.write(tmp_path / "page.html")
    assert not (tmp_path / "page.privaudit.json").exists()


def test_training_with_epsilon_is_paid_by_each_party_before_its_rows_are_read(tmp_path):
    paid = ledgers(tmp_path, 2.0)
    report = privaudit.federated.train(
        parties(), classes=(0, 1), rounds=5, epsilon=2.0, delta=1e-6, ledgers=paid, test=numbers(9, 300)
    )
    for ledger in paid.values():
        (entry,) = ledger.account().entries
        assert len(entry["queries"]) == 5
    assert report.attacks == () and all(each.pooled is None for each in report.rounds)
    assert report.record.scored_on == "test"
    read = []

    def rows():
        read.append(1)
        return numbers(0, 60)

    poor = ledgers(tmp_path, 0.5)
    with pytest.raises(BudgetExceeded, match=r"costs epsilon 2; 0.5 of 0.5 is left"):
        privaudit.federated.train(
            dict.fromkeys(PARTIES, rows), classes=(0, 1), features=dict.fromkeys("xyz", (0, 1)), rounds=5,
            epsilon=2.0, ledgers=poor,
        )  # fmt: skip
    assert read == []
    with pytest.raises(ConfigError, match="ledger for each party"):
        privaudit.federated.train(parties(), classes=(0, 1), epsilon=1.0)


def test_every_sum_that_leaves_a_party_in_private_training_has_its_noise(tmp_path, monkeypatch):
    """Noise that is a recognisable number: each party sends it, in each round, with every weight."""
    sent, message = [], secure_sums.MaskedSum.message

    def kept(self, name, values, number):
        sent.append((name, values))
        return message(self, name, values, number)

    monkeypatch.setattr(secure_sums.MaskedSum, "message", kept)
    monkeypatch.setattr(private, "discrete_gaussian", lambda _, size: np.full(size, 1_000 * private.GRID))
    privaudit.federated.train(
        parties(), classes=(0, 1), rounds=2, epsilon=2.0, delta=1e-6, ledgers=ledgers(tmp_path, 2.0)
    )
    assert [name for name, _ in sent] == [*PARTIES] * 2
    for name, values in sent:
        assert (np.abs(values[:-1] - 1_000) <= PARTIES[name]).all() and values[-1] == PARTIES[name]


@given(st.integers(1, 20), st.integers(1, 6), st.integers(0, 10_000))
def test_replacing_a_row_changes_a_clipped_sum_by_at_most_the_declared_sensitivity(n, width, seed):
    rng = np.random.default_rng(seed)
    gradients = rng.normal(0, 3, (n, width)) * rng.choice([0.01, 1, 100], (n, 1))
    other = gradients.copy()
    other[rng.integers(n)] = rng.normal(0, 50, width)
    step = private.PrivateStep(epsilon=1.0, delta=1e-6, rounds=3, n_weights=width)
    difference = private.clipped(gradients).sum(axis=0) - private.clipped(other).sum(axis=0)
    assert np.linalg.norm(difference) <= float(step.sensitivity)


@pytest.mark.parametrize(("epsilon", "rounds"), [(0.5, 1), (1.0, 10), (3.0, 40)])
def test_the_noise_of_all_rounds_costs_at_most_the_declared_epsilon(epsilon, rounds):
    """Independent of the code under test: rho = sensitivity^2 / (2 sigma^2), added, converted by the curve."""
    step = private.PrivateStep(epsilon=epsilon, delta=1e-6, rounds=rounds, n_weights=10)
    rho = rounds * float(step.sensitivity) ** 2 / (2 * float(step.sigma2))
    assert 0.98 * epsilon < epsilon_of(rho, 1e-6) <= epsilon * (1 + 1e-9)
    step_noise = np.array([step.noisy_sum(_Zero(), np.zeros(400), None, None) for _ in range(3)])
    assert abs(step_noise.std() * private.GRID / float(step.sigma2) ** 0.5 - 1) < 0.15


def test_a_row_with_a_number_that_is_not_finite_changes_a_clipped_sum_by_nothing():
    """NaN as an integer is -2^63, which no noise hides; infinity divided by its norm is NaN."""
    rows = np.array([[3.0, 4.0], [np.nan, 1.0], [np.inf, 0.0], [-np.inf, np.inf], [0.25, 0.0]])
    assert private.clipped(rows).tolist() == [[154, 205], [0, 0], [0, 0], [0, 0], [64, 0]]


@pytest.mark.parametrize("cells", [("", "1"), ("41", ""), ("x", "1"), ("41", "inf"), ("41", "nan")])
@pytest.mark.quick_cases(3)
def test_with_epsilon_a_row_that_is_not_complete_counts_and_teaches_nothing(tmp_path, cells):
    """The model is a noisy sum over the number of rows: it must not be the number of complete rows."""
    rows = [("30", "1"), ("50", "0"), cells]
    (tmp_path / "a.csv").write_text("age,ill\n" + "".join(",".join(row) + "\n" for row in rows))
    reading = Reading(features={"age": (0, 100)}, text="", target="ill", is_number=True, every_row=True)
    (inputs, outputs), _ = reading.read(tmp_path / "a.csv")
    assert len(inputs) == len(outputs) == 3
    summed = private.clipped(models.SgdModel(1, None).gradients(np.zeros(2), inputs, outputs))
    assert summed[2].tolist() == [0, 0] and summed[0].tolist() != [0, 0]
    texts = Reading(features={}, text="age", target="ill", is_number=False, every_row=True)
    assert len(texts.read(tmp_path / "a.csv")[0][0]) == 3


def test_rows_that_are_not_complete_are_excluded_and_counted(tmp_path):
    rows = {"north": [("30", "1"), ("x", "0"), ("", "1"), ("50", "0")], "south": [("30", "1"), ("40", "0")]}
    rows["west"] = rows["south"]
    for name, cells in rows.items():
        (tmp_path / f"{name}.csv").write_text("age,ill\n" + "".join(",".join(row) + "\n" for row in cells))
    given = {name: tmp_path / f"{name}.csv" for name in rows}
    chosen = {"target": "ill", "classes": ("0", "1"), "features": {"age": (0, 100)}, "rounds": 1}
    report = privaudit.federated.train(given, **chosen)
    assert [(each.party, each.n, each.of) for each in report.record.excluded] == [("north", 2, 4)]
    assert "2 of 4 rows (50 %) of north were not used" in report.text()


def test_a_ledger_of_people_is_refused_before_any_party_pays(tmp_path):
    """Gradients are clipped row by row: a person with many rows would be protected less than the ledger promises."""
    paid = ledgers(tmp_path, 2.0)
    paid["west"] = Ledger.create(tmp_path / "people", dataset="west", unit="patient", epsilon=2, delta=1e-6)
    with pytest.raises(ConfigError, match="the unit of a ledger is a person"):
        privaudit.federated.train(parties(), classes=(0, 1), rounds=1, epsilon=1.0, delta=1e-7, ledgers=paid)
    assert all(ledger.account().entries == () for ledger in paid.values())


class _Zero:
    n_weights = 400

    def gradients(self, weights, inputs, outputs):
        return np.zeros((1, 400))


def test_two_parties_and_missing_declarations_are_refused():
    two = dict(list(parties().items())[:2])
    with pytest.raises(ConfigError, match="at least 3 parties"):
        privaudit.federated.train(two, classes=(0, 1))
    with pytest.raises(ConfigError, match="vocabulary"):
        privaudit.federated.train(parties(), model="words", classes=("a", "b"))
    with pytest.raises(ConfigError, match="two classes"):
        privaudit.federated.train(parties(), classes=(0, 1, 2))


def test_values_that_are_not_declared_classes_are_refused_before_training(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text("age,ill\n" + "".join(f"{20 + i},{i % 2}\n" for i in range(40)))
    files = {name: tmp_path / f"{name}.csv" for name in ("a", "b", "c")}
    declared = {"model": "logistic", "target": "ill", "features": {"age": (0, 100)}, "rounds": 1}
    with pytest.raises(ConfigError, match="not a declared class"):
        privaudit.federated.train(files, classes=(0, 1), **declared)
    assert privaudit.federated.train(files, classes=("0", "1"), **declared).record.rounds


def test_without_test_rows_the_rounds_are_scored_on_the_rows_of_the_parties_where_nothing_has_to_be_paid(tmp_path):
    report = privaudit.federated.train(parties(), classes=(0, 1), rounds=3)
    assert report.record.scored_on == "parties"
    assert all(each.score is not None and each.pooled is not None for each in report.rounds)
    assert "rows that the parties trained on" in report.text()
    paid = {name: Ledger.create(tmp_path / f"{name}.ledger", dataset=name, epsilon=3, delta=1e-5) for name in PARTIES}
    private = privaudit.federated.train(parties(), classes=(0, 1), rounds=3, epsilon=2.0, delta=1e-6, ledgers=paid)
    assert private.record.scored_on == "" and all(each.score is None for each in private.rounds)
    assert "3 rounds without a score" in private.text() and "pooled rows" not in private.text()
