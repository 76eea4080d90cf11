"""What is learned from labels: honest scores, plain numbers, and nothing of the tables."""

from __future__ import annotations

import csv
import json
import random
import tomllib
from pathlib import Path

import numpy as np
import pytest

from privaudit.config import Settings
from privaudit.detect import fusion
from privaudit.detect.learning import labels, learn
from privaudit.detect.verdict import Reading
from privaudit.errors import ConfigError, RuleError
from tests.helpers.detection import judge

N = len(fusion.FEATURES)
SETTINGS = Settings(ner=False)


def by_weight(slope: float = 1.0, intercept: float = 0.0) -> fusion.Logistic:
    weights = (slope, *(0.0,) * (N - 1))
    return fusion.Logistic(center=(0.0,) * N, scale=(1.0,) * N, weights=weights, intercept=intercept)


BY_HAND = fusion.Fusion(confidence=by_weight())


def case(source: str, probability: float, right: bool, entity: str = "EMAIL") -> labels.Case:
    reading = Reading(entity, probability, None, 1, None, ())
    features = np.zeros((1, N))
    features[0, 0] = np.log(probability / (1 - probability))
    return labels.Case(source, frozenset(["EMAIL" if right else "NONE"]), (reading,), features)


def lied_to(share_right: float, n: int = 200) -> list[labels.Case]:
    """Verdicts with confidence 0.9, of which another share is right, in four sources."""
    r = random.Random(0)
    return [case(f"s{i % 4}", 0.9, r.random() < share_right) for i in range(n)]


@pytest.mark.parametrize("share", [0.4, 0.6, 0.98])
def test_confidence_moves_to_the_share_that_is_right(share: float) -> None:
    trained = learn.learn(lied_to(share), BY_HAND)
    assert trained.after.log_loss < trained.before.log_loss
    assert trained.after.brier < trained.before.brier
    reported = trained.fusion.confidence.probability(lied_to(share)[0].features)[0]
    assert reported == pytest.approx(share, abs=0.08)


def test_what_is_true_already_is_left_as_it_was() -> None:
    trained = learn.learn(lied_to(0.9), BY_HAND)
    assert trained.confidence == "as before"
    assert trained.fusion == BY_HAND


def test_readings_are_chosen_anew_only_where_that_is_better_on_sources_held_out() -> None:
    """The name's reading is always wrong here, and the check digit's always right."""
    cases = []
    for i in range(80):
        strong = Reading("PHONE", 0.9, None, 1, None, ())
        weak = Reading("CREDIT_CARD", 0.7, None, 1, None, ())
        features = np.zeros((2, N))
        features[:, 0] = np.log([9, 7 / 3])
        features[1, fusion.FEATURES.index("check_digit")] = 1
        cases.append(labels.Case(f"s{i % 4}", frozenset(["CREDIT_CARD"]), (strong, weak), features))
    trained = learn.learn(cases, BY_HAND)
    assert trained.chooses
    assert trained.before.f1 == 0
    assert trained.after.f1 == 1
    assert not learn.learn(lied_to(0.9), BY_HAND).chooses


def test_the_order_of_cases_within_a_source_changes_nothing() -> None:
    cases = lied_to(0.6)
    one, other = learn.learn(cases, BY_HAND), learn.learn(cases[::-1], BY_HAND)
    assert learn.as_toml(one) == learn.as_toml(other)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    trained = learn.learn(lied_to(0.6), BY_HAND)
    (tmp_path / "fusion.toml").write_text(learn.as_toml(trained))
    read = fusion.load(tmp_path).confidence
    assert read.weights == pytest.approx(trained.fusion.confidence.weights, abs=1e-6)
    assert read.intercept == pytest.approx(trained.fusion.confidence.intercept, abs=1e-6)


def test_the_shipped_confidence_never_falls_with_the_weight_of_evidence() -> None:
    shipped = fusion.load()
    assert shipped.choice is None
    features = np.zeros((50, N))
    features[:, 0] = np.linspace(0, 5, 50)
    features[:, 1:] = shipped.confidence.center[1:]
    reported = shipped.confidence.probability(features)
    assert (np.diff(reported) >= 0).all()
    assert 0.5 <= reported[0] <= reported[-1] <= 1


def test_the_calibration_of_a_user_never_lowers_the_confidence_of_the_shipped_packs(tmp_path: Path) -> None:
    cells = {"email": [f"a{i}@example.org" for i in range(60)]}
    low = learn.Trained(
        fusion=fusion.Fusion(confidence=by_weight(0.0, -1.0)),
        before=learn.score([]), after=learn.score([]), confidence="weight", chooses=False, compared={}, n_sources=1,
    )  # fmt: skip
    (tmp_path / "fusion.toml").write_text(learn.as_toml(low))
    labelled = judge(cells, Settings(ner=False, rules=str(tmp_path)))["email"].is_
    assert labelled.entity == "EMAIL"
    assert labelled.confidence == judge(cells)["email"].is_.confidence > 0.9


BROKEN = {
    "not toml": "version = ",
    "another version": 'version = "0"\nfeatures = []',
    "no numbers": "{head}",
    "too few": "{head}[confidence]\ncenter=[0]\nscale=[1]\nweights=[1]\nintercept=0",
    "not finite": "{head}[confidence]\ncenter={zeros}\nscale={ones}\nweights={zeros}\nintercept=nan",
    "no spread": "{head}[confidence]\ncenter={zeros}\nscale={zeros}\nweights={zeros}\nintercept=0",
    "words": "{head}[confidence]\ncenter={zeros}\nscale={ones}\nweights={zeros}\nintercept='x'",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    head = f'version = "1"\nfeatures = {list(fusion.FEATURES)}\n'
    filled = text.format(head=head, zeros=[0.0] * N, ones=[1.0] * N) if "{" in text else text
    (tmp_path / "fusion.toml").write_text(filled)
    with pytest.raises(RuleError) as error:
        fusion.load(tmp_path)
    assert "fusion.toml" in error.value.line()


# The command


def write(folder: Path, n_tables: int = 4) -> dict[str, dict[str, dict[str, str]]]:
    """Write tables of ten columns, half of them mislabelled by their names, and return their labels."""
    r = random.Random(1)
    labelled = {}
    for t in range(n_tables):
        columns = {f"email_{i}": [f"u{r.random()}@example.org" for _ in range(40)] for i in range(4)}
        columns |= {f"qty_{i}": [str(r.randint(1, 9)) for _ in range(40)] for i in range(5)}
        columns["phone"] = [str(r.randint(10**9, 10**10)) for _ in range(40)]
        with (folder / f"t{t}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
        labelled[f"t{t}.csv"] = {
            c: {"entity": "EMAIL" if c[0] == "e" else "NONE", "role": "none"} for c in columns
        }
    (folder / "labels.json").write_text(json.dumps(labelled))
    return labelled


def test_training_writes_numbers_only(tmp_path: Path) -> None:
    write(tmp_path)
    trained = learn.train(tmp_path / "labels.json", SETTINGS)
    text = learn.as_toml(trained)
    content = tomllib.loads(text)
    assert content["trained"]["columns"] == 40
    assert content["trained"]["sources"] == 4
    assert not any(word in text for word in ("t0.csv", "email_0", "example.org", "qty", "phone"))
    assert "40 labelled columns of 4 sources" in learn.summary(trained)


def test_columns_of_one_table_are_held_out_in_folds(tmp_path: Path) -> None:
    labelled = write(tmp_path, n_tables=4)
    meta = {table: {"source": "one", "sep": ",", "header": True} for table in labelled}
    (tmp_path / "labels_meta.json").write_text(json.dumps(meta))
    assert learn.train(tmp_path / "labels.json", SETTINGS).n_sources == 1


def refused(folder: Path, content: object) -> str:
    (folder / "labels.json").write_text(json.dumps(content) if not isinstance(content, str) else content)
    with pytest.raises(ConfigError) as error:
        learn.train(folder / "labels.json", SETTINGS)
    line = error.value.line()
    assert "\n" not in line
    return line


def test_labels_that_cannot_be_used_are_refused_in_one_line(tmp_path: Path) -> None:
    labelled = write(tmp_path)
    first = labelled["t0.csv"]
    assert "too few" in refused(tmp_path, {"t0.csv": first})
    assert "does not exist" in refused(tmp_path, {**labelled, "gone.csv": first})
    assert "not a column" in refused(tmp_path, {**labelled, "t0.csv": {**first, "gone": {"entity": "EMAIL"}}})
    assert "not a known entity type" in refused(tmp_path, {"t0.csv": {"email_0": {"entity": "E-MAIL"}}})
    assert "role" in refused(tmp_path, {"t0.csv": {"email_0": {"entity": "EMAIL", "role": "secret"}}})
    assert "entity" in refused(tmp_path, {"t0.csv": {"email_0": "EMAIL"}})
    assert "must contain" in refused(tmp_path, {"t0.csv": ["email_0"]})
    assert "JSON" in refused(tmp_path, "{")
    (tmp_path / "labels.json").unlink()
    with pytest.raises(ConfigError, match="no labels file"):
        learn.train(tmp_path / "labels.json", SETTINGS)


def test_the_command_prints_scores_and_writes_what_a_scan_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from privaudit import console

    write(tmp_path)
    target = tmp_path / "mine" / "fusion.toml"
    target.parent.mkdir()
    assert console.train(str(tmp_path / "labels.json"), str(target), None, quiet=False) == 0
    assert "log-loss" in capsys.readouterr().out
    assert fusion.load(target.parent).confidence
    with pytest.raises(ConfigError):
        console.train(str(tmp_path / "labels.json"), str(tmp_path / "fusion.json"), None, quiet=True)


@pytest.mark.slow
@pytest.mark.shared
def test_what_is_learned_holds_on_publishers_it_has_not_seen() -> None:
    data = Path(__file__).resolve().parents[2].parent / "shared" / "data"
    if not (data / "labels_open.json").is_file():
        pytest.skip("reference tables are not beside the project")
    trained = learn.learn(labels.read(data / "labels_open.json", SETTINGS), BY_HAND)
    assert trained.n_sources >= 15
    assert trained.compared["evidence chooses"].f1 >= 0.95
    assert trained.after.f1 >= 0.97
    assert trained.after.brier < trained.before.brier
    assert trained.after.log_loss < trained.before.log_loss


def test_labels_without_a_verdict_or_without_a_right_reading_teach_nothing() -> None:
    silent = [labels.Case("s", frozenset(["NONE"]), (), np.zeros((0, N))) for _ in range(40)]
    with pytest.raises(ConfigError, match="a verdict to learn from"):
        learn.learn(silent, BY_HAND)
    with pytest.raises(ConfigError, match="No verdict on any column matches its label"):
        learn.learn([case("s", 0.9, right=False) for _ in range(40)], BY_HAND)
