"""What a program gets from `privaudit.synthesize`: the table, the generator, the internal comparison and the decision.

Question: how does a notebook or a pipeline use a synthetic table?
Method: wraps the records of `releases.synthetic.run`; a frame comes back in the library of the frame that was given. A
JSON file next to the table holds method, declared domain, measured sets of columns, epsilon, delta, rho, unit, the
receipt of the ledger and the SHA-256 of the table. A table without privacy states it in place of the receipt. A
comparison that was paid for, which has noise, is part of it.
Limits: measures nothing. The JSON file holds neither a fingerprint of the source, nor an exact comparison, nor an
attack, because they disclose the data. A digest is not a signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError, GateFailed, ScanIncomplete
from privaudit.model import Attack
from privaudit.model.headers import shown_file
from privaudit.model.synthesis import Synthesis, SynthesisComparison
from privaudit.model.wording import Fact, Name, fact
from privaudit.model.wording.render import Wording
from privaudit.releases import certificates, verification
from privaudit.releases.output import Target, frame_like, replace_release, target_of, written_apart
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.estimator import Synthesizer
from privaudit.releases.synthetic.judgement import Verdict
from privaudit.releases.synthetic.run import Synthesised
from privaudit.report import files
from privaudit.report.pages import page as pages
from privaudit.report.pages import synthesis_page, synthesis_public
from privaudit.report.seals import certificate_of


class SyntheticTable:
    """A synthetic table with all that is known about it.

    Attributes
    ----------
    table : pyarrow.Table
    children : pyarrow.Table or None
        The second table.
    synthesizer : Synthesizer
        Draws more records; ``save(path)`` writes it as JSON.
    statement : Synthesis
        What the certificate states.
    comparison : SynthesisComparison
        Internal: made from private rows.
    comparisons : tuple of SynthesisComparison
        That of the table, and that of the children next to their parents where there are some.
    verdict : Verdict
        Internal: attacks and decision.
    """

    def __init__(self, made: Synthesised, verdict: Verdict, source: Any, notes: Sequence[Fact] = ()) -> None:
        self._like = type(source).__module__.partition(".")[0]
        self._notes = tuple(notes)
        self.table: pa.Table = made.table
        self.children: pa.Table | None = made.children
        self.synthesizer = Synthesizer.of(made.generator)
        self.statement: Synthesis = made.statement
        self.comparisons: tuple[SynthesisComparison, ...] = made.comparisons
        self.verdict = verdict

    @property
    def comparison(self) -> SynthesisComparison:
        """The comparison of the table."""
        return self.comparisons[0]

    @property
    def attacks(self) -> tuple[Attack, ...]:
        """The attacks on the table."""
        return self.verdict.attacks

    @property
    def frame(self) -> Any:
        """The table as a pandas, Polars or Arrow table, like the source; pandas where the source was a file."""
        return frame_like(self.table, self._like)

    def raise_if_failed(self) -> None:
        """Raise where the gate did not pass.

        Raises
        ------
        GateFailed, ScanIncomplete
        """
        reason = str(self.verdict.reasons[0])
        if self.verdict.exit_code == 3:
            raise ScanIncomplete(reason)
        if not self.verdict.passed:
            raise GateFailed(reason)

    def write_table(self, path: str | Path) -> None:
        """Write the table, and its certificate next to it.

        Raises
        ------
        ConfigError
            If a file cannot be written; both are then as they were.
        """
        self._write(target_of(path), self.table, self.statement)

    def write_children(self, path: str | Path) -> None:
        """Write the second table, and its certificate next to it.

        Raises
        ------
        ConfigError
            If there is none, or a file cannot be written.
        """
        if self.children is None:
            raise ConfigError("There is no second table.", hint="declare [children] in the domain")
        self._write(target_of(path), self.children, self.statement.of_children())

    def _write(self, target: Target, table: pa.Table, statement: Synthesis) -> None:
        check_target(target, ())
        with written_apart(target, table) as part:
            replace_release(target, part, certificate(part, target.path.name, self.synthesizer.domain, statement))

    def write(self, path: str | Path) -> None:
        """Write the internal report: .html, .md or .json.

        Raises
        ------
        ConfigError
            For another suffix, or a file that cannot be written.
        """
        page = synthesis_page.page(
            self.statement,
            self.comparisons,
            self.verdict.attempts,
            self.verdict.passed,
            self.verdict.reasons,
            self._notes,
            # A page names no option of the command line.
            wording=Wording(has_options=Path(path).suffix.lower() != ".html"),
        )
        forms = pages.forms(
            page, lambda: synthesis_page.as_json(self.statement, self.comparisons, self.attacks, self.verdict.passed)
        )
        files.write_form(Path(path), forms, private=True)

    def write_public(self, path: str | Path) -> None:
        """Write the public report, .html, .md or .json: how the table was made, and the comparison that was paid for.

        Raises
        ------
        ConfigError
            For another suffix, or a file that cannot be written.
        """
        page = synthesis_public.page(self.statement, self._notes)
        forms = pages.forms(page, lambda: synthesis_public.as_json(self.statement))
        files.write_form(Path(path), forms, private=False)

    def text(self, internal: Sequence[str | Path] = ()) -> str:
        """Return the summary for a terminal.

        Parameters
        ----------
        internal : sequence of path
            Where the internal report was written.
        """
        return synthesis_page.text(
            self.statement,
            self.comparisons,
            self.verdict.passed,
            self.verdict.reasons,
            self._notes,
            [shown_file(Path(each)) for each in internal],
        )

    def __repr__(self) -> str:
        return f"SyntheticTable({self.statement.method!r}, {self.statement.n_rows:,} records)"


def written_sentence(path: str | Path) -> Fact:
    """Return the sentence about a written table."""
    file = Path(str(path).rpartition("#")[0] or str(path))
    return fact("synthesis.written", file=Name(shown_file(file)), certificate=Name(shown_file(certificate_of(file))))


def certificate(file: Path, name: str, domain: Domain, made: Synthesis) -> dict[str, Any]:
    """Return the certificate of `file`, which is published as `name`."""
    content: dict[str, Any] = {
        "method": made.method,
        "differentially_private": made.privacy is not None,
        "privacy": None if made.privacy is None else dict(made.privacy),
        "ledger": None if made.receipt is None else dict(made.receipt),
        "n_rows": made.n_rows,
        "columns": list(made.columns),
        "invented": list(made.invented),
        "derived": list(made.derived),
        "declared": domain.stated,
        "max_cells": made.max_cells,
        "post_processing": ["values inside bands", "constraints by rejection"],
    }
    if made.privacy is not None:
        # Which sets were measured was chosen privately; without privacy it depends on single records.
        content["margins"] = [list(names) for names in made.margins]
    if made.paid:
        content["comparison"] = [each.content() for each in made.paid]
    head = {"schema": certificates.TABLE}
    return certificates.sealed(file, head=head, published_as=name, created_at=made.created_at, content=content)


def check_target(target: Target, read: Iterable[str | Path]) -> None:
    """Refuse a table, or its certificate, that would replace an input or a file that privaudit did not write.

    Raises
    ------
    ConfigError
    """
    files.check(target.path, read, may_replace=lambda path: certificates.may_replace(path, verification.read))
    files.check(target.certificate, read)
