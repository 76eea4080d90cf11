"""Write the sources of the documentation site into a folder, from the Markdown of this repository.

    python docs/make_site.py build/site-source

README.md becomes the first page, the pages of this folder keep their names, and CONTRIBUTING.md and CHANGELOG.md join them.
The generated pages are written anew. Links between the files are adjusted; `mkdocs build --strict` then checks each of them.
"""

from __future__ import annotations

import re
import runpy
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
ABOVE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
GENERATED = (
    "make_commands.py", "make_measures.py", "make_coverage.py", "make_remedies.py", "make_frameworks.py", "make_api.py",
    "make_man.py", "make_gallery.py", "make_rules.py",
)  # fmt: skip


def write(target: Path) -> None:
    """Write all pages and pictures into `target`, which is replaced."""
    for script in GENERATED:
        runpy.run_path(str(DOCS / script), run_name="__main__")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("*.py", "*.1", "__pycache__"))
    for name, page in ABOVE.items():
        (target / page).write_text(_from_root((ROOT / name).read_text(encoding="utf-8"), target), encoding="utf-8")
    for page in target.glob("*.md"):
        page.write_text(_links_above(page.read_text(encoding="utf-8")), encoding="utf-8")


def _from_root(text: str, target: Path) -> str:
    """Return a page of the root with its links adjusted, and copy the pictures it shows."""
    for picture in re.findall(r"\]\(((?!docs/|https?:)[^)]+\.(?:svg|png))\)", text):
        (target / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / picture, target / picture)
    return re.sub(r"\]\(docs/", "](", _linked(text, ""))


def _links_above(text: str) -> str:
    return _linked(text, "../")


def _linked(text: str, prefix: str) -> str:
    """Replace links to pages of the root, and name other files of the repository without a link."""
    for name, page in ABOVE.items():
        text = text.replace(f"]({prefix}{name}", f"]({page}")
    outside = (
        r"\[([^\]]+)\]\(" + re.escape(prefix) + r"(?:LICENSE|rules|reports|tests|privaudit|benchmarks|fixtures)[^)]*\)"
    )
    return re.sub(outside, lambda found: found[0] if found[0].endswith((".svg)", ".png)")) else found[1], text)


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "build/site-source"))
