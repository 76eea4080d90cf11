"""What is learned from labels: honest scores, plain numbers, and nothing of the tables."""

from __future__ import annotations

import csv
import gzip
import json
import random
import tomllib
from pathlib import Path

import pytest

from privaudit.base.errors import ConfigError, RuleError
from privaudit.detect import resolver
from privaudit.detect.learning import labels, learn
from privaudit.detect.ledger import log_odds
from privaudit.detect.resolver import Reading, Weights
from privaudit.settings.config import Settings
from tests.helpers.detection import judge

SETTINGS = Settings(ner=False)
BY_HAND = Weights(prior=0.25, slope=1.0, intercept=0.0)
CASES = Path(__file__).resolve().parents[2] / "reference" / "fusion_cases.json.gz"


def reading(entity: str, by_values: float, by_name: float = 0.0) -> Reading:
    return Reading(entity, log_odds(by_values), None, 1, None, (), by_values, by_name)


def case(source: str, probability: float, right: bool) -> labels.Case:
    return labels.Case(source, frozenset(["EMAIL" if right else "NONE"]), (reading("EMAIL", probability),))


def lied_to(share_right: float, n: int = 200) -> list[labels.Case]:
    """Verdicts with confidence 0.9, of which another share is right, in four sources."""
    r = random.Random(0)
    return [case(f"s{i % 4}", 0.9, r.random() < share_right) for i in range(n)]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("share", [0.4, 0.6, 0.98])
def test_confidence_moves_to_the_share_that_is_right(share: float) -> None:
    trained = learn.learn(lied_to(share), BY_HAND)
    assert trained.after.log_loss < trained.before.log_loss
    assert trained.after.brier < trained.before.brier
    assert trained.weights.confidence(log_odds(0.9)) == pytest.approx(share, abs=0.08)


def test_what_is_true_already_is_left_as_it_was() -> None:
    trained = learn.learn(lied_to(0.9), BY_HAND)
    assert not trained.is_new
    assert trained.weights == BY_HAND


def test_the_prior_is_the_one_that_decides_best() -> None:
    """Two claims of 0.4 are right together; a single claim of 0.6 is right against them only with a high prior."""
    two, one = reading("EMAIL", 0.4, 0.4), reading("PHONE", 0.6)
    cases = [labels.Case(f"s{i % 4}", frozenset(["EMAIL"]), (two, one)) for i in range(40)]
    cases += [labels.Case(f"s{i % 4}", frozenset(["NONE"]), (reading("EMAIL", 0.3),)) for i in range(4)]
    start = Weights(prior=0.4, slope=1.0, intercept=0.0)
    trained = learn.learn(cases, start)
    assert trained.before.f1 == 0
    assert trained.after.f1 == 1
    assert trained.weights.prior < 0.35


def test_the_order_of_cases_within_a_source_changes_nothing() -> None:
    cases = lied_to(0.6)
    one, other = learn.learn(cases, BY_HAND), learn.learn(cases[::-1], BY_HAND)
    assert learn.as_toml(one) == learn.as_toml(other)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    trained = learn.learn(lied_to(0.6), BY_HAND)
    (tmp_path / "fusion.toml").write_text(learn.as_toml(trained))
    read = resolver.load_weights(tmp_path)
    assert read.prior == trained.weights.prior
    assert read.slope == pytest.approx(trained.weights.slope, abs=1e-6)
    assert read.intercept == pytest.approx(trained.weights.intercept, abs=1e-6)


def test_the_shipped_confidence_never_falls_with_the_sum_of_weights() -> None:
    shipped = resolver.load_weights()
    reported = [shipped.confidence(x / 10) for x in range(50)]
    assert reported == sorted(reported)
    assert 0.5 <= reported[0] <= reported[-1] <= 1


def test_the_calibration_of_a_user_never_lowers_the_confidence_of_the_shipped_packs(tmp_path: Path) -> None:
    cells = {"email": [f"a{i}@example.org" for i in range(60)]}
    scores = learn.score([])
    low = learn.Trained(
        weights=Weights(prior=0.25, slope=0.0, intercept=-1.0), before=scores, fitted=scores, is_new=True, n_sources=1
    )  # fmt: skip
    (tmp_path / "fusion.toml").write_text(learn.as_toml(low))
    labelled = judge(cells, Settings(ner=False, rules=str(tmp_path)))["email"].is_
    assert labelled.entity == "EMAIL"
    assert labelled.confidence == judge(cells)["email"].is_.confidence > 0.9


HEAD = 'version = "2"\nprior = 0.25\n'
BROKEN = {
    "not toml": "version = ",
    "another version": 'version = "1"\nprior = 0.25\n[confidence]\nslope = 1\nintercept = 0',
    "no numbers": HEAD,
    "a key is missing": f"{HEAD}[confidence]\nslope = 1",
    "not finite": f"{HEAD}[confidence]\nslope = 1\nintercept = nan",
    "words": f"{HEAD}[confidence]\nslope = 1\nintercept = 'x'",
    "a prior that silences detection": 'version = "2"\nprior = 0.9\n[confidence]\nslope = 1\nintercept = 0',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "fusion.toml").write_text(text)
    with pytest.raises(RuleError) as error:
        resolver.load_weights(tmp_path)
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
        labelled[f"t{t}.csv"] = {c: {"entity": "EMAIL" if c[0] == "e" else "NONE", "role": "none"} for c in columns}
    (folder / "labels.json").write_text(json.dumps(labelled))
    return labelled


def test_numbers_that_are_kept_are_not_stated_as_fitted_to_these_labels() -> None:
    kept = learn.learn(lied_to(0.9), BY_HAND)
    assert not kept.is_new and set(tomllib.loads(learn.as_toml(kept))) == {
        "version", "prior", "confidence", "scored"
    }  # fmt: skip
    assert "trained" in tomllib.loads(learn.as_toml(learn.learn(lied_to(0.5), BY_HAND)))


@pytest.mark.slow
def test_training_writes_numbers_only(tmp_path: Path) -> None:
    write(tmp_path)
    trained = learn.train(tmp_path / "labels.json", SETTINGS)
    text = learn.as_toml(trained)
    content = tomllib.loads(text)
    assert content["trained"]["columns"] == 40
    assert content["trained"]["sources"] == 4
    assert not any(word in text for word in ("t0.csv", "email_0", "example.org", "qty", "phone"))
    assert "40 labelled columns of 4 sources" in learn.summary(trained)


@pytest.mark.slow
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
    assert "Too few" in refused(tmp_path, {"t0.csv": first})
    assert "does not exist" in refused(tmp_path, {**labelled, "gone.csv": first})
    assert "not a column" in refused(tmp_path, {**labelled, "t0.csv": {**first, "gone": {"entity": "EMAIL"}}})
    assert "not a known entity type" in refused(tmp_path, {"t0.csv": {"email_0": {"entity": "E-MAIL"}}})
    assert "role" in refused(tmp_path, {"t0.csv": {"email_0": {"entity": "EMAIL", "role": "secret"}}})
    assert "entity" in refused(tmp_path, {"t0.csv": {"email_0": "EMAIL"}})
    assert "must contain" in refused(tmp_path, {"t0.csv": ["email_0"]})
    assert "JSON" in refused(tmp_path, "{")
    (tmp_path / "labels.json").unlink()
    with pytest.raises(ConfigError, match="does not exist"):
        learn.train(tmp_path / "labels.json", SETTINGS)


@pytest.mark.slow
def test_the_command_prints_scores_and_writes_what_a_scan_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from privaudit.cli.rules import rules_train

    train = rules_train.callback
    assert train is not None
    write(tmp_path)
    target = tmp_path / "mine" / "fusion.toml"
    target.parent.mkdir()
    assert train(str(tmp_path / "labels.json"), str(target), None) == 0
    assert "log-loss" in capsys.readouterr().out
    assert resolver.load_weights(target.parent).slope
    assert train(str(tmp_path / "labels.json"), str(target), None) == 0
    with pytest.raises(ConfigError, match="unknown suffix"):
        train(str(tmp_path / "labels.json"), str(tmp_path / "fusion.json"), None)
    other = tmp_path / "pyproject.toml"
    other.write_text("[project]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="exists"):
        train(str(tmp_path / "labels.json"), str(other), None)


@pytest.mark.slow
@pytest.mark.shared
def test_what_is_learned_holds_on_publishers_it_has_not_seen() -> None:
    data = Path(__file__).resolve().parents[3].parent / "shared" / "data"
    if not (data / "labels_open.json").is_file():
        pytest.skip("reference tables are not beside the project")
    trained = learn.learn(labels.read(data / "labels_open.json", SETTINGS), BY_HAND)
    assert trained.n_sources >= 15
    assert trained.after.f1 >= 0.97
    assert trained.fitted.brier < trained.before.brier
    assert trained.fitted.log_loss < trained.before.log_loss
    assert trained.after.log_loss <= trained.before.log_loss


def test_labels_without_a_verdict_or_without_a_right_reading_teach_nothing() -> None:
    silent = [labels.Case("s", frozenset(["NONE"]), ()) for _ in range(40)]
    with pytest.raises(ConfigError, match="a verdict to learn from"):
        learn.learn(silent, BY_HAND)
    with pytest.raises(ConfigError, match="No verdict on any column matches its label"):
        learn.learn([case("s", 0.9, right=False) for _ in range(40)], BY_HAND)


def shipped_cases() -> list[labels.Case]:
    """Return the readings of the columns that the shipped numbers are fitted to (benchmarks/train_detection.py)."""
    rows = json.loads(gzip.decompress(CASES.read_bytes()))
    return [
        labels.Case(str(source), frozenset(accepted), tuple(reading(*one) for one in readings))
        for source, accepted, readings in rows
    ]


def test_the_shipped_numbers_are_those_that_are_fitted_to_their_corpus() -> None:
    cases, shipped = shipped_cases(), resolver.load_weights()
    trained = learn.fitted(cases, BY_HAND)
    assert trained.prior == shipped.prior
    assert (trained.slope, trained.intercept) == pytest.approx((shipped.slope, shipped.intercept), abs=2e-6)
    stated = tomllib.loads(Path("rules/reference/fusion.toml").read_text(encoding="utf-8"))["trained"]
    assert (stated["columns"], stated["sources"]) == (len(cases), len({case.source for case in cases}))


@pytest.mark.slow
def test_training_on_their_corpus_reproduces_the_shipped_numbers_and_scores() -> None:
    shipped = resolver.load_weights()
    trained = learn.learn(shipped_cases(), shipped)
    written = tomllib.loads(learn.as_toml(trained))
    assert (written["prior"], written["confidence"]) == (
        shipped.prior,
        {"slope": shipped.slope, "intercept": shipped.intercept},
    )
    stated = tomllib.loads(Path("rules/reference/fusion.toml").read_text(encoding="utf-8"))["trained"]
    assert trained.fitted.log_loss == pytest.approx(stated["log_loss"], abs=1e-4)
    assert trained.fitted.f1 == pytest.approx(stated["f1"], abs=1e-4)
