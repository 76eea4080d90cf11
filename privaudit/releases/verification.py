"""Is a release the one that was certified? For answers, synthetic tables, joint audits and federated models.

Question: does a certificate lie next to the file, is either changed, and do the ledgers hold the entries that paid?
Method: the schema names the kind of release; the digests cover the certificate and the file; a receipt names an entry,
which is looked up in its ledger with the chain of hashes. The certificate must state the unit of the ledger, and no
smaller cost than the entry: whoever can write a certificate can also compute its digest.
Limits: a digest is not a signature, and nothing but the ledger confirms what a certificate states. A joint audit has no
entry, and neither has what was made without privacy. The certificate of a remedied table states a scan:
`releases.remedy.certificate` compares it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from privaudit.base.errors import ConfigError, LedgerError
from privaudit.base.typed import is_number
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.releases import certificates
from privaudit.releases.certificates import ANSWERS, FEDERATED_MODEL, JOINT_AUDIT, TABLE
from privaudit.releases.privacy.accounting import exact
from privaudit.releases.privacy.ledger import Account, Ledger, Receipt
from privaudit.report import files
from privaudit.report.escape import name
from privaudit.report.seals import certificate_of


class Kind(NamedTuple):
    """The codes of two sentences about one kind of release: its file was changed; it matches, and nothing paid."""

    changed: str
    unpaid: str


KINDS = {
    ANSWERS: Kind("answers.certificate_other_file", ""),  # answers are always paid
    TABLE: Kind("synthesis.certificate_other_file", "synthesis.certificate_without_privacy"),
    JOINT_AUDIT: Kind("answers.certificate_other_file", "joint.certificate_matches"),
    FEDERATED_MODEL: Kind("answers.certificate_other_file", "federated.certificate_matches"),
}
"""Every kind of release but remedied tables, by the schema of its certificate."""


class Verification(NamedTuple):
    """What the comparison of a file with its certificate found.

    Attributes
    ----------
    facts : tuple of Fact
        What agrees, or everything that differs.
    matches : bool
        Whether everything that was compared agrees.
    is_complete : bool
        Whether everything was compared. The entry of a ledger is not where that ledger was not given.
    """

    facts: tuple[Fact, ...]
    matches: bool
    is_complete: bool

    @property
    def exit_code(self) -> int:
        """1 where something differs, 3 where something was not compared, otherwise 0."""
        if not self.matches:
            return 1
        return 0 if self.is_complete else 3


def is_certified(path: Path) -> bool:
    """Whether the certificate next to `path` is one of `KINDS`."""
    file = certificate_of(path)
    try:
        head = file.read_text(encoding="utf-8")[:200] if files.is_readable(file) else ""
    except (OSError, ValueError):
        return False
    return any(schema in head for schema in KINDS)


def read(file: Path) -> dict[str, Any]:
    """Return the content of a certificate.

    Raises
    ------
    UnreadableSource
        Where `file` is not a certificate of one of `KINDS`.
    """
    return certificates.read(file, _is_expected)


def _privacy(content: Mapping[str, Any]) -> Any:
    """Return where epsilon and delta are; None for a release without privacy."""
    return content if content["schema"] == ANSWERS else content["privacy"]


def _is_expected(content: Mapping[str, Any]) -> bool:
    if content["schema"] not in KINDS:
        return False
    privacy, paid = _privacy(content), content["ledger"]
    if privacy is None or not paid:
        return privacy is paid
    return _costs(privacy)[:2] == ["epsilon", "delta"] and all(is_number(privacy[key]) for key in _costs(privacy))


def _costs(privacy: Mapping[str, Any]) -> list[str]:
    return [key for key in ("epsilon", "delta", "rho") if key in privacy]


def verify(path: Path, ledgers: Sequence[Path]) -> Verification:
    """Compare a file with its certificate, and the certificate with every ledger that is given.

    Raises
    ------
    ConfigError
        If the file does not exist.
    UnreadableSource
        If its certificate cannot be read.
    """
    if not path.is_file():
        raise ConfigError(f"{shown_file(path)} does not exist.", hint="check the path")
    content = read(certificate_of(path))
    receipts = Receipt.parse_all(content["ledger"])
    wrong = certificates.integrity_problems(path, content, KINDS[content["schema"]].changed)
    compared: set[Receipt] = set()
    for ledger in ledgers if receipts and not wrong else ():
        try:
            account = Ledger.open(ledger, certified=[receipts]).account()
        except LedgerError as error:
            wrong.append(fact("answers.certificate_ledger", why=Name(error.message)))
        else:
            wrong.extend(_contradictions(_privacy(content), account, receipts))
            compared.update(account.of_this_ledger(receipts))
    if wrong:
        return Verification(tuple(wrong), matches=False, is_complete=True)
    confirmed = _confirmed(path, content, receipts, compared)
    return Verification(confirmed, matches=True, is_complete=compared.issuperset(receipts))


def _contradictions(privacy: Mapping[str, Any], account: Account, receipts: Sequence[Receipt]) -> Iterator[Fact]:
    """Yield what a certificate states that the entries which paid for it contradict."""
    for receipt in account.of_this_ledger(receipts):
        paid = {**(account.entry_of(receipt) or {}), "unit": account.unit}
        wrong = [key for key in _costs(privacy) if exact(privacy[key]) < exact(paid[key])]
        for key in wrong if privacy.get("unit", account.unit) == account.unit else ["unit", *wrong]:
            stated, known = (Name(name(str(each[key]))) for each in (privacy, paid))
            entry = Number(receipt.entry)
            yield fact("answers.certificate_contradicted", what=Name(key), stated=stated, entry=entry, paid=known)


def _confirmed(
    path: Path, content: Mapping[str, Any], receipts: Sequence[Receipt], compared: set[Receipt]
) -> tuple[Fact, ...]:
    file, date = Name(shown_file(path)), Name(str(content.get("created_at", ""))[:10])
    if not receipts:
        return (fact(KINDS[content["schema"]].unpaid, file=file, date=date),)
    privacy = _privacy(content)
    # A delta of 1e-9 as a count of decimals would be shown as 0.
    cost = {"epsilon": Name(f"{privacy['epsilon']:.4g}"), "delta": Name(f"{privacy['delta']:.3g}")}
    return (
        fact("answers.certificate_matches", file=file, date=date, **cost),
        *(
            fact(
                f"answers.certificate_{'entry' if receipt in compared else 'unchecked'}",
                entry=Number(receipt.entry),
                dataset=Name(name(receipt.dataset)),
            )
            for receipt in receipts
        ),
    )
