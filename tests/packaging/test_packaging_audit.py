"""The licences of the locked packages are known, allowed and stated; the audit ends without a database, too."""

from __future__ import annotations

import pytest

from tests.helpers.paths import ROOT
from tests.packaging import audit


@pytest.fixture(scope="module")
def licences() -> list[audit.Licence]:
    return audit.licences()


def test_every_licence_is_known_and_allowed(licences):
    assert len(licences) > 30
    assert [one for one in licences if not one.is_allowed] == []


def test_lesser_licences_are_stated_in_the_security_page(licences):
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    lesser = [one.package for one in licences if "LGPL" in one.licence or "Lesser" in one.licence]
    assert "python-stdnum" in page and all(name in page for name in lesser)


def test_the_audit_ends_without_a_database(monkeypatch):
    monkeypatch.setattr(audit.importlib.util, "find_spec", lambda _name: None)
    assert audit.advisories()[1] is False
