"""Write docs/gallery.md, and with --pictures its pictures in docs/pictures: python docs/make_gallery.py.

The pictures are made from the table of `make demo` with a headless Chromium on the path.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PEOPLE = DOCS.parent / "fixtures" / "people.csv"
HEAD = """# Gallery

Pages that privaudit writes, with the commands that write them. The pictures are from the table of `make demo`, whose people are
invented; `python docs/make_gallery.py` writes this page.
"""


@dataclass(frozen=True)
class Shown:
    """A page: its title, what it is for, the commands that write it, and the picture of `page`."""

    title: str
    about: str
    commands: tuple[str, ...]
    page: str
    picture: str


SCAN = "privaudit scan people.csv --framework gdpr -o report.html -o report.json"
GALLERY = (
    Shown(
        "Report",
        "The verdict, what is wrong, and what to do, before anything else.",
        (SCAN,),
        "report.html",
        "gallery-report.png",
    ),
    Shown(
        "Public edition",
        "Rounded numbers, from which no count below 11 follows.",
        ("privaudit render report.json --edition public -o public.html",),
        "public.html",
        "gallery-public.png",
    ),
    Shown(
        "Impact assessment",
        "The annex of an assessment: each line is measured, answered by a person, or open.",
        ("privaudit judge report.json --document dpia -o dpia.html",),
        "dpia.html",
        "gallery-dpia.png",
    ),
    Shown(
        "Breach sheet",
        "What a leak of the file would expose.",
        ("privaudit judge report.json --document breach-sheet -o breach.html",),
        "breach.html",
        "gallery-breach.png",
    ),
    Shown(
        "Remedies",
        "Before and after, and what the plan did.",
        ("privaudit remedy people.csv -o safer.parquet -o remedies.html",),
        "remedies.html",
        "gallery-remedies.png",
    ),
)


def text() -> str:
    """Return the page."""
    parts = [HEAD]
    for shown in GALLERY:
        commands = "\n".join(shown.commands)
        picture = f"![{shown.title}](pictures/{shown.picture})"
        parts.append(f"## {shown.title}\n\n{shown.about}\n\n```\n{commands}\n```\n\n{picture}\n")
    return "\n".join(parts)


def take_pictures() -> None:
    """Run the commands and take a picture of each page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "people.csv").write_bytes(PEOPLE.read_bytes())
        for shown in GALLERY:
            for command in shown.commands:
                words = [sys.executable, "-m", *command.split(), "-q"]
                subprocess.run(words, cwd=folder, check=False)  # a gate that fails is what the demo shows
            subprocess.run(
                [
                    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    "--window-size=1280,800", f"--screenshot={DOCS / 'pictures' / shown.picture}",
                    (folder / shown.page).as_uri(),
                ],
                check=True,
                capture_output=True,
            )  # fmt: skip


if __name__ == "__main__":
    (DOCS / "gallery.md").write_text(text(), encoding="utf-8")
    if "--pictures" in sys.argv:
        take_pictures()
