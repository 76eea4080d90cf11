"""What the certificates of paid releases, of answers and of synthetic tables, have in common.

Question: does a certificate of this kind lie next to the file, is either changed, and does the ledger hold its entry?
Method: the schema names the kind; the digests cover the certificate and the file; the receipt names the entry, which
is looked up in the ledger with its chain of hashes.
Limits: a digest is not a signature. A synthetic table without privacy has no entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from privaudit.base.errors import ConfigError, LedgerError
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, Number, fact
from privaudit.releases import certificates
from privaudit.releases.certificates import MOST_BYTES, certificate_of
from privaudit.releases.privacy.ledger import Ledger, Receipt
from privaudit.report.escape import name

ANSWERS = "privaudit certificate of answers 1"
TABLE = "privaudit certificate of a synthetic table 1"
_OTHER_FILE = {ANSWERS: "answers.certificate_other_file", TABLE: "synthesis.certificate_other_file"}
"""The sentence about a file that is not the one of the certificate, by the schema."""


class Verification(NamedTuple):
    """What the comparison of a file with its certificate found.

    Attributes
    ----------
    facts : tuple of Fact
        What agrees, or everything that differs.
    matches : bool
        Whether everything that was compared agrees.
    is_complete : bool
        Whether everything was compared. The entry of the ledger is not where the ledger was not given.
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


def sealed(
    file: Path, *, schema: str, published_as: str, created_at: str, content: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the certificate of `file` with its digest."""
    head = {"schema": schema}
    return certificates.sealed(file, head=head, published_as=published_as, created_at=created_at, content=content)


def is_paid(path: Path) -> bool:
    """Whether the certificate next to `path` is one of answers or of a synthetic table."""
    file = certificate_of(path)
    try:
        head = file.read_text(encoding="utf-8")[:200] if file.stat().st_size <= MOST_BYTES else ""
    except (OSError, ValueError):
        return False
    return any(schema in head for schema in _OTHER_FILE)


def read(file: Path) -> dict[str, Any]:
    """Return the content of a certificate.

    Raises
    ------
    UnreadableSource
        Where `file` is not a certificate of answers or of a synthetic table.
    """
    return certificates.read(file, _is_expected)


def _privacy(content: Mapping[str, Any]) -> Any:
    """Return where epsilon and delta are; None for a synthetic table without privacy."""
    return content if content["schema"] == ANSWERS else content["privacy"]


def _is_expected(content: Mapping[str, Any]) -> bool:
    if content["schema"] not in _OTHER_FILE:
        return False
    privacy, paid = _privacy(content), content["ledger"]
    if privacy is None or paid is None:
        return privacy is paid
    return all(isinstance(privacy[key], int | float) for key in ("epsilon", "delta"))


def verify(path: Path, ledger: Path | None) -> Verification:
    """Compare a file with its certificate, and the certificate with the ledger where `ledger` is given.

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
    receipt = None if content["ledger"] is None else Receipt.parse(content["ledger"])
    wrong = certificates.integrity_problems(path, content, _OTHER_FILE[content["schema"]])
    if receipt is not None and ledger is not None and not wrong:
        try:
            Ledger.open(ledger, receipts=[receipt])
        except LedgerError as error:
            wrong.append(fact("answers.certificate_ledger", why=Name(text=error.message)))
    if wrong:
        return Verification(tuple(wrong), matches=False, is_complete=True)
    confirmed = _confirmed(path, content, receipt, ledger)
    return Verification(confirmed, matches=True, is_complete=receipt is None or ledger is not None)


def _confirmed(
    path: Path, content: Mapping[str, Any], receipt: Receipt | None, ledger: Path | None
) -> tuple[Fact, ...]:
    file, date = Name(text=shown_file(path)), Name(text=str(content.get("created_at", ""))[:10])
    privacy = _privacy(content)
    if receipt is None:
        return (fact("synthesis.certificate_without_privacy", file=file, date=date),)
    # A delta of 1e-9 as a count of decimals would be shown as 0.
    cost = {"epsilon": Name(text=f"{privacy['epsilon']:.4g}"), "delta": Name(text=f"{privacy['delta']:.3g}")}
    seen = "unchecked" if ledger is None else "entry"
    entry, dataset = Number(value=receipt.entry), Name(text=name(receipt.dataset))
    return (
        fact("answers.certificate_matches", file=file, date=date, **cost),
        fact(f"answers.certificate_{seen}", entry=entry, dataset=dataset),
    )
