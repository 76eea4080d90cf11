"""No budget is spent twice, no entry is lost, changes of the file are noticed, and no door opens without an entry."""

from __future__ import annotations

import copy
import errno
import json
import os
import pickle
import platform
import re
import shutil
import signal
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.base import clock, spending
from privaudit.base.errors import BudgetExceeded, ConfigError, LedgerError, ReleaseError, UnreadableSource
from privaudit.releases.privacy import ledger_file
from privaudit.releases.privacy.accounting import exact, rho_of
from privaudit.releases.privacy.ledger import Account, Charge, Door, Ledger, Part, Receipt


def charge(*epsilons: float, rho: float | None = None, delta: float = 0) -> Charge:
    parts = [Part(query="count of rows", mechanism="discrete Laplace", epsilon=exact(e)) for e in epsilons]
    if rho is not None:
        parts.append(Part(query="margin of a", mechanism="discrete Gaussian", rho=exact(rho)))
    return Charge(parts=tuple(parts), delta=exact(delta))


def create(folder: Path, **options) -> Ledger:
    return Ledger.create(folder / "people.ledger", **({"dataset": "people", "epsilon": 1} | options))


def test_ten_tenths_are_one_and_the_eleventh_is_refused(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    for left in range(9, -1, -1):
        assert ledger.spend(charge(0.1), lambda: "table").open() == "table"
        assert ledger.account().more(Fraction(1, 10)) == left
    with pytest.raises(BudgetExceeded, match=r"epsilon 0\.1; 0 of 1 is left"):
        ledger.spend(charge(0.1), lambda: pytest.fail("the table was read"))
    account = ledger.account()
    assert [entry["state"] for entry in account.entries] == ["spent"] * 10 + ["refused"]
    assert account.spent("epsilon") == 1 and account.left("epsilon") == 0


def test_the_entry_is_on_disk_before_the_table_is_read(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    before = []

    def read() -> str:
        before.append(ledger.account().spent("epsilon"))
        return "table"

    door = ledger.spend(charge(0.25), read)
    assert before == []
    door.open()
    assert before == [Fraction(1, 4)]


def test_a_door_opens_once_and_only_the_ledger_makes_one(tmp_path: Path) -> None:
    door = create(tmp_path).spend(charge(0.1), lambda: 7)
    assert door.open() == 7
    with pytest.raises(ReleaseError) as refused:
        door.open()
    assert str(refused.value) == "This entry of the ledger was answered already. Hint: spend again"
    with pytest.raises(TypeError, match=r"^a door is made by Ledger\.spend only$"):
        Door(door.receipt, lambda: 7, proof=object())


def test_an_entry_states_every_mechanism_and_no_more(tmp_path: Path) -> None:
    ledger = create(tmp_path, delta=1e-6, unit="patient_id")
    ledger.spend(charge(0.1, rho=0.001, delta=1e-7), lambda: None, dataset="people", rows_per_unit=3)
    (entry,) = ledger.account().entries
    costs = {"epsilon", "delta", "rho"}
    assert set(entry) == costs | {
        "entry",
        "id",
        "time",
        "state",
        "unit",
        "rows_per_unit",
        "queries",
        "versions",
        "hash",
    }
    assert entry["queries"][0] == {
        "query": "count of rows", "mechanism": "discrete Laplace", "sensitivity": 1.0, "epsilon": 0.1
    }  # fmt: skip
    assert (entry["unit"], entry["rows_per_unit"], entry["delta"]) == ("patient_id", 3, 1e-7)
    assert set(entry["versions"]) == {"privaudit", "python", "numpy"}


def test_the_dataset_must_be_that_of_the_ledger(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    with pytest.raises(LedgerError) as refused:
        ledger.spend(charge(0.1), lambda: None, dataset="visits")
    assert str(refused.value) == (
        "people.ledger is the ledger of another dataset than the plan declares. "
        "Hint: use the ledger of this dataset, or correct the name of the dataset"
    )
    assert ledger.account().entries == ()


def test_a_ledger_that_adds_rho_has_the_budget_of_the_curve(tmp_path: Path) -> None:
    ledger = create(tmp_path, delta=1e-6, adds="rho")
    budget = exact(rho_of(1.0, 1e-6))
    assert ledger.account().budget("rho") == budget
    step = float(budget) / 4
    for _ in range(4):
        ledger.spend(charge(rho=step, delta=1e-7), lambda: None)
    with pytest.raises(BudgetExceeded, match="rho"):
        ledger.spend(charge(rho=step, delta=1e-7), lambda: None)


def test_gaussian_noise_needs_a_delta(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError) as without:
        create(tmp_path).spend(charge(rho=0.01), lambda: None)
    assert str(without.value) == (
        "The ledger has delta 0, and Gaussian noise needs a delta above 0. "
        "Hint: use pure epsilon, or create the ledger with --delta"
    )
    ledger = Ledger.create(tmp_path / "b", dataset="people", epsilon=1, delta=1e-6)
    assert ledger.account().default_delta() == Fraction(1, 10**7)
    with pytest.raises(ReleaseError) as undeclared:
        ledger.spend(charge(rho=0.01), lambda: None)
    assert str(undeclared.value) == (
        "A plan with Gaussian noise needs a delta above 0. Hint: declare delta in the plan"
    )
    with pytest.raises(BudgetExceeded, match="delta"):
        ledger.spend(charge(rho=0.001, delta=1e-5), lambda: None)


EPSILON = "The epsilon of a ledger must be above 0. Hint: for example --epsilon 1"
DELTA = "The delta of a ledger must be at least 0 and below 1. Hint: for example --delta 1e-9"
NUMBERS = "epsilon and delta must be numbers. Hint: for example --epsilon 1 --delta 1e-9"
NAMES = "A ledger needs the name of its dataset and its unit. Hint: --dataset NAME --unit row"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"epsilon": 0}, EPSILON),
        ({"epsilon": -1}, EPSILON),
        ({"epsilon": "1e-400"}, EPSILON),
        ({"epsilon": "1e400"}, NUMBERS),
        ({"epsilon": 10**400}, NUMBERS),
        ({"epsilon": float("nan")}, NUMBERS),
        ({"epsilon": "one"}, NUMBERS),
        ({"delta": float("inf")}, NUMBERS),
        ({"delta": -1e-9}, DELTA),
        ({"delta": 1}, DELTA),
        ({"adds": "both"}, "A ledger adds epsilon or rho. Hint: adds = epsilon or rho"),
        ({"adds": "rho"}, "A ledger that adds rho needs a delta above 0. Hint: for example --delta 1e-9"),
        ({"dataset": " "}, NAMES),
        ({"unit": ""}, NAMES),
    ],
)
def test_a_budget_out_of_bounds_is_refused(tmp_path: Path, wrong: dict, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        create(tmp_path, **wrong)
    assert str(refused.value) == message
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_states_what_the_plan_costs_and_what_is_left(tmp_path: Path) -> None:
    ledger = create(tmp_path, epsilon=2)
    ledger.spend(charge(1.23456), lambda: None)
    with pytest.raises(BudgetExceeded) as refused:
        ledger.spend(charge(0.987654), lambda: None)
    assert str(refused.value) == (
        "The plan costs epsilon 0.9877; 0.7654 of 2 is left. The refusal was written into the ledger. "
        "Hint: reduce the plan: privaudit ledger show prints what is left"
    )


def test_what_was_charged_is_known_to_the_process_and_to_the_receipt(tmp_path: Path) -> None:
    ledger = create(tmp_path, delta=1e-6, unit="patient_id")
    spending.take()
    receipt = ledger.spend(charge(0.25, delta=1e-7), lambda: None).receipt
    (entry,) = ledger.account().entries
    assert spending.take() == (spending.Charged("people", 1, entry["epsilon"], 1e-7),)
    assert entry["epsilon"] == pytest.approx(0.25, rel=1e-5) and entry["delta"] == 1e-7
    assert (receipt.dataset, receipt.unit, receipt.entry) == ("people", "patient_id", 1)
    assert receipt.ledger == ledger.account().head["id"]


@pytest.mark.parametrize("adds", ["epsilon", "rho"])
def test_the_head_states_the_budget_and_when_it_was_made(tmp_path: Path, adds: str) -> None:
    ledger = create(tmp_path, delta=1e-6, adds=adds)
    ledger.spend(charge(0.1) if adds == "epsilon" else charge(rho=0.001, delta=1e-7), lambda: None)
    head, entry = (json.loads(line) for line in ledger.path.read_bytes().splitlines())
    versions = {"privaudit": privaudit.__version__, "python": platform.python_version(), "numpy": np.__version__}
    assert {key: head[key] for key in ("dataset", "unit", "epsilon", "delta", "adds", "rho", "versions")} == {
        "dataset": "people",
        "unit": "row",
        "epsilon": 1.0,
        "delta": 1e-6,
        "adds": adds,
        "rho": rho_of(1.0, 1e-6) if adds == "rho" else 0.0,
        "versions": versions,
    }
    for row in (head, entry):
        assert row["time"] == clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        assert re.fullmatch("[0-9a-f]{16}", row["id"])


def test_a_ledger_on_a_read_only_medium_is_stated_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = create(tmp_path)
    content, opened = ledger.path.read_bytes(), os.open

    def read_only(path: str, flags: int, *rest: int) -> int:
        if flags & os.O_RDWR:
            raise OSError(errno.EROFS, "read-only")
        return opened(path, flags, *rest)

    monkeypatch.setattr(ledger_file.os, "open", read_only)
    with pytest.raises(LedgerError, match="is read-only here"):
        ledger.spend(charge(0.1), lambda: None)
    assert ledger.path.read_bytes() == content


def test_a_ledger_is_never_replaced_and_not_written_through_links(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    content = ledger.path.read_bytes()
    with pytest.raises(LedgerError, match="exists"):
        create(tmp_path, epsilon=100)
    assert ledger.path.read_bytes() == content
    (tmp_path / "link").symlink_to(ledger.path)
    with pytest.raises(LedgerError, match="does not exist or cannot be opened"):
        Ledger(tmp_path / "link").spend(charge(0.1), lambda: None)
    with pytest.raises(LedgerError, match="ledger new"):
        Ledger.open(tmp_path / "missing")


def spent_three_times(folder: Path) -> tuple[Ledger, Receipt, bytes]:
    ledger = create(folder, epsilon=10)
    for _ in range(3):
        receipt = ledger.spend(charge(0.5), lambda: None).receipt
    return ledger, receipt, ledger.path.read_bytes()


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    ledger, _, content = spent_three_times(tmp_path)
    for place in range(0, len(content), 5):
        changed = bytearray(content)
        changed[place] ^= 1
        ledger.path.write_bytes(bytes(changed))
        with pytest.raises(LedgerError, match=r"not a ledger|not fit the chain of hashes|ends inside an entry"):
            ledger.account()
    ledger.path.write_bytes(content)
    assert ledger.account().spent("epsilon") == Fraction(3, 2)


def test_a_ledger_that_was_cut_is_noticed_inside_an_entry_and_with_a_certificate_after_one(tmp_path: Path) -> None:
    ledger, receipt, content = spent_three_times(tmp_path)
    ends = [place + 1 for place, byte in enumerate(content) if byte == 10]
    for length in sorted({*range(0, len(content), 5), *ends[:-1]}):
        ledger.path.write_bytes(content[:length])
        with pytest.raises(LedgerError, match=r"ends inside an entry|lacks entry 3 of the certificate"):
            Ledger.open(ledger.path, certified=[[receipt]])
        if length not in ends:
            with pytest.raises(LedgerError, match="ends inside an entry"):
                ledger.spend(charge(0.5), lambda: pytest.fail("the table was read"))
    ledger.path.write_bytes(content)
    Ledger.open(ledger.path, certified=[[receipt]])


def test_an_older_copy_is_intact_until_a_certificate_names_a_later_entry(tmp_path: Path) -> None:
    ledger = create(tmp_path, epsilon=10)
    ledger.spend(charge(0.5), lambda: None)
    shutil.copy(ledger.path, tmp_path / "older")
    receipt = ledger.spend(charge(0.5), lambda: None).receipt
    os.replace(tmp_path / "older", ledger.path)
    assert len(Ledger.open(ledger.path).account().entries) == 1
    with pytest.raises(LedgerError, match="lacks entry 2"):
        Ledger.open(ledger.path, certified=[[receipt]])
    ledger.spend(charge(0.5), lambda: None)
    with pytest.raises(LedgerError, match="lacks entry 2"):
        Ledger.open(ledger.path, certified=[[receipt]])


def test_removed_swapped_and_repeated_entries_are_noticed(tmp_path: Path) -> None:
    ledger, _, content = spent_three_times(tmp_path)
    head, *entries = content.splitlines(keepends=True)
    for order in ([1, 2], [0, 2], [1, 0, 2], [0, 0, 1, 2]):
        ledger.path.write_bytes(head + b"".join(entries[i] for i in order))
        with pytest.raises(LedgerError, match="chain"):
            ledger.account()


@given(st.binary(max_size=300))
def test_any_other_file_is_not_a_ledger(tmp_path_factory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("ledger") / "a"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=r"ends inside an entry|is not a ledger"):
        Ledger.open(path)
    path.write_bytes(content + b"\n")
    with pytest.raises(LedgerError, match="is not a ledger"):
        Ledger.open(path)


def test_a_chain_of_other_content_is_not_a_ledger(tmp_path: Path) -> None:
    for head in ({"schema": "other"}, {"schema": ledger_file.SCHEMA, "epsilon": "1", "delta": 0, "rho": 0}):
        (tmp_path / "a").write_text(ledger_file.line_of(head, ledger_file.START) + "\n")
        with pytest.raises(LedgerError, match="not a ledger"):
            Ledger.open(tmp_path / "a")


def rewritten(lines: list[dict]) -> bytes:
    """Return lines with a chain of hashes that fits, which anyone who can write the file can compute."""
    found, previous = [], ledger_file.START
    for line in lines:
        found.append(ledger_file.line_of({key: value for key, value in line.items() if key != "hash"}, previous))
        previous = found[-1][-66:-2]
    return "".join(line + "\n" for line in found).encode()


def test_a_line_whose_hash_fits_and_that_is_not_an_entry_is_refused(tmp_path: Path) -> None:
    """An unknown state would be spent by nobody, and an error without a message is not a refusal."""
    ledger, _, content = spent_three_times(tmp_path)
    lines = [json.loads(line) for line in content.splitlines()]
    assert rewritten(lines) == content
    for number, keys in ((0, "id time dataset unit adds"), (2, "entry time state queries")):
        for key in (*keys.split(), "epsilon", "delta", "rho"):
            for wrong in ("none", None, [], {}, True, -1, 10**400, [{}], ...):
                if wrong == "none" and key in ("id", "time", "dataset", "unit"):
                    continue  # a text like any other
                if wrong == [] and key == "queries":
                    continue
                changed = [dict(line) for line in lines]
                changed[number][key] = wrong
                if wrong is ...:
                    del changed[number][key]
                ledger.path.write_bytes(rewritten(changed))
                with pytest.raises(LedgerError, match="not a ledger of privaudit"):
                    ledger.account()


def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(LedgerError):
            Ledger(path).account()


def test_an_entry_is_not_written_into_a_ledger_that_was_replaced_while_it_was_waited_for(
    tmp_path: Path, monkeypatch
) -> None:
    """The file that was opened has no name any more: its entries would be forgotten, and the budget spent again."""
    import fcntl

    ledger = create(tmp_path)
    shutil.copy(ledger.path, tmp_path / "copy")
    lock = fcntl.flock

    def wait(handle: int, operation: int) -> None:
        lock(handle, operation)
        os.replace(tmp_path / "copy", ledger.path)

    with monkeypatch.context() as restored:
        restored.setattr(fcntl, "flock", wait)
        with pytest.raises(LedgerError, match="was replaced while it was opened"):
            ledger.spend(charge(0.1), lambda: pytest.fail("the table was read"))
    assert ledger.account().entries == ()


def test_refusals_cost_nothing_and_cannot_make_a_ledger_too_long_to_read(tmp_path: Path, monkeypatch) -> None:
    ledger = create(tmp_path)
    most = ledger.path.stat().st_size + 2000
    monkeypatch.setattr(ledger_file, "MOST_BYTES_WITH_REFUSALS", most)
    messages = []
    for _ in range(10):
        with pytest.raises(BudgetExceeded) as refused:
            ledger.spend(charge(2), lambda: pytest.fail("the table was read"))
        messages.append(str(refused.value))
    n_written = len(ledger.account().entries)
    assert 1 < n_written < 10 and ledger.path.stat().st_size < most
    stated = ["was written into" in message for message in messages]
    assert stated == [True] * n_written + [False] * (10 - n_written)
    assert "was not written into the ledger, which has too many" in messages[-1]
    monkeypatch.setattr(ledger_file, "MOST_BYTES_WITH_REFUSALS", 0)
    ledger.spend(charge(1), lambda: None)
    assert ledger.account().left("epsilon") == 0


def test_a_refused_entry_and_one_of_another_declaration_paid_for_nothing(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    receipt = ledger.spend(charge(0.5), lambda: None).receipt
    with pytest.raises(BudgetExceeded):
        ledger.spend(charge(0.9), lambda: None)
    refused = ledger.account().entries[1]
    Ledger.open(ledger.path, certified=[[receipt]])
    for change in ({"entry": 2, "hash": refused["hash"]}, {"unit": "person"}, {"dataset": "others"}, {"entry": 3}):
        with pytest.raises(LedgerError, match="lacks entry"):
            Ledger.open(ledger.path, certified=[[replace(receipt, **change)]])


def test_a_certificate_that_another_ledger_paid_for_does_not_belong_to_this_one(tmp_path: Path) -> None:
    ledger, other = create(tmp_path), Ledger.create(tmp_path / "other.ledger", dataset="people", epsilon=1)
    receipts = [each.spend(charge(0.5), lambda: None).receipt for each in (ledger, other)]
    Ledger.open(ledger.path, certified=[receipts])  # of two parties; each has a ledger
    with pytest.raises(LedgerError, match="lacks entry 1") as raised:
        Ledger.open(ledger.path, certified=[receipts[1:]])
    assert raised.value.hint == "it is another ledger, or an older copy of this one: restore the newest copy"


@pytest.mark.parametrize("adds", ["epsilon", "rho"])
def test_as_many_further_queries_are_paid_as_the_ledger_states(tmp_path: Path, adds: str) -> None:
    ledger = create(tmp_path, delta=1e-6, adds=adds)
    ledger.spend(charge(0.1), lambda: None)
    more = ledger.account().more(Fraction(1, 20))
    assert more > 9
    for _ in range(more):
        ledger.spend(charge(0.05), lambda: None)
    with pytest.raises(BudgetExceeded):
        ledger.spend(charge(0.05), lambda: None)
    assert ledger.account().more(Fraction(1, 20)) == 0


def test_a_certificate_states_the_entries_that_paid_for_it(tmp_path: Path) -> None:
    receipt = create(tmp_path).spend(charge(0.5), lambda: None).receipt
    content, file = receipt.content(), tmp_path / "table.privaudit.json"
    for stated, expected in ((content, (receipt,)), ([content, content], (receipt, receipt))):
        file.write_text(json.dumps({"ledger": stated, "über": "ü"}, ensure_ascii=False), encoding="utf-8")
        assert Receipt.read(file) == Receipt.parse_all(stated) == expected
    assert Receipt.parse_all(None) == ()


WRONG = (
    "text", {}, {"entry": 1}, {**dict.fromkeys(Receipt.__slots__, "1")}, {**dict.fromkeys(Receipt.__slots__, 1)},
    {**dict.fromkeys(Receipt.__slots__, "1"), "entry": 1, "more": "1"}, [Receipt.__slots__], 7,
)  # fmt: skip


@pytest.mark.quick_cases(8)
@pytest.mark.parametrize("stated", WRONG, ids=str)
def test_what_names_no_entry_is_refused(tmp_path: Path, stated: object) -> None:
    with pytest.raises(UnreadableSource) as refused:
        Receipt.parse(stated)
    assert str(refused.value) == "The certificate names no entry of a ledger."
    file = tmp_path / "table.privaudit.json"
    for content in (json.dumps({"ledger": stated}), '{"ledger": null}', "{}", "[]", "text", "\xff"):
        file.write_text(content, encoding="latin-1")
        with pytest.raises(UnreadableSource, match=r"table\.privaudit\.json is not a certificate|names no entry"):
            Receipt.read(file)
    with pytest.raises(UnreadableSource, match=r"none\.json is not a certificate with an entry of a ledger"):
        Receipt.read(tmp_path / "none.json")


def test_a_ledger_that_others_read_can_be_read(tmp_path: Path) -> None:
    import fcntl

    ledger = create(tmp_path)
    with ledger.path.open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        assert ledger.account().entries == ()


def test_copies_are_the_same_ledger(tmp_path: Path) -> None:
    ledger = create(tmp_path)
    assert Ledger.open(ledger) is ledger and hash(ledger) != hash(Ledger(tmp_path / "others.ledger"))
    assert ledger != SimpleNamespace(path=ledger.path)
    for other in (copy.copy(ledger), copy.deepcopy(ledger), pickle.loads(pickle.dumps(ledger)), Ledger(ledger.path)):
        other.spend(charge(0.25), lambda: None)
        assert other == ledger and hash(other) == hash(ledger)
    assert ledger.account().left("epsilon") == 0


def start(ledger: Ledger, times: int) -> tuple[int, BinaryIO]:
    """Spend in another process; return its number and what it writes: a letter for each answer and each refusal."""
    read, write = os.pipe()
    process = os.fork()
    if not process:
        try:
            for _ in range(times):
                try:
                    os.write(write, ledger.spend(charge(0.01), lambda: b"a").open())
                except BudgetExceeded:
                    os.write(write, b"r")
        finally:
            os._exit(0)
    os.close(write)
    return process, open(read, "rb")


def ended(process: int, written: BinaryIO) -> bytes:
    """Wait until a process ends and return the rest of what it wrote."""
    with written:
        os.waitpid(process, 0)
        return written.read()


def test_eight_processes_never_exceed_the_budget(tmp_path: Path) -> None:
    ledger = create(tmp_path, epsilon=0.5)
    letters = b"".join(ended(*each) for each in [start(ledger, 10) for _ in range(8)])
    assert (letters.count(b"a"), letters.count(b"r")) == (50, 30)
    account: Account = ledger.account()
    assert account.spent("epsilon") == Fraction(1, 2) and len(account.entries) == 80


def test_killed_processes_have_spent_and_leave_an_intact_ledger(tmp_path: Path) -> None:
    ledger = create(tmp_path, epsilon=100)
    answered = 0
    for turn in range(2):
        processes = [start(ledger, 100_000) for _ in range(2)]
        answered += sum(len(written.read(1)) for _, written in processes)
        time.sleep(0.05 * turn)
        for process, _ in processes:
            os.kill(process, signal.SIGKILL)
        answered += sum(len(ended(*each)) for each in processes)
        ledger.spend(charge(0.01), lambda: None)
        answered += 1
    account = ledger.account()
    assert account.spent("epsilon") >= answered * exact("0.01")
    assert len(account.entries) == account.spent("epsilon") / exact("0.01")


def test_a_full_disk_gives_an_error_and_leaves_the_ledger_as_it_was(tmp_path: Path, monkeypatch) -> None:
    ledger = create(tmp_path)
    content = ledger.path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[: len(data) // 2]))
    with pytest.raises(LedgerError, match="nothing was answered"):
        ledger.spend(charge(0.1), lambda: pytest.fail("the table was read"))
    monkeypatch.undo()
    assert ledger.path.read_bytes() == content


def test_a_full_disk_leaves_no_empty_file_in_the_place_of_a_new_ledger(tmp_path: Path, monkeypatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, data: 0)
        with pytest.raises(LedgerError, match="disk has space"):
            create(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert create(tmp_path).account().entries == ()


def test_a_mechanism_states_exactly_one_cost() -> None:
    for wrong in ({}, {"epsilon": Fraction(1), "rho": Fraction(1)}, {"epsilon": Fraction(0)}):
        with pytest.raises(ValueError, match="above 0"):
            Part(query="count", mechanism="discrete Laplace", **wrong)
    with pytest.raises(ValueError, match="at least one"):
        Charge(parts=())


def test_the_file_is_json_lines_that_people_can_read(tmp_path: Path) -> None:
    ledger, receipt, content = spent_three_times(tmp_path)
    rows = [json.loads(line) for line in content.splitlines()]
    assert rows[0]["dataset"] == "people" and [row["entry"] for row in rows[1:]] == [1, 2, 3]
    assert rows[3]["hash"] == receipt.hash and receipt.content()["entry"] == 3
    assert ledger.path.stat().st_mode & 0o777 == 0o600
