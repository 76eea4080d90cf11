"""The page in a real browser: nothing refused, nothing fetched, all sections, light, dark, narrow and on paper."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from privaudit import report
from privaudit.report.view import OPTIONAL, SECTIONS

CHROMIUM = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr",
)  # fmt: skip
DARK = "--blink-settings=preferredColorScheme=0"


@dataclass
class Site:
    """A folder served on this machine, and the requests it received."""

    folder: Path
    profile: Path
    port: int
    asked: list[str] = field(default_factory=list)

    def open(self, name: str, *flags: str) -> subprocess.CompletedProcess[str]:
        assert CHROMIUM is not None
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={self.profile}", *flags, f"http://127.0.0.1:{self.port}/{name}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0
        return done


@pytest.fixture(scope="module")
def site(sample: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    report.write(sample.example(), folder / "example.html")
    report.write(sample.bare_report(), folder / "bare.html")
    report.write(sample.hostile_report(), folder / "hostile.html")
    report.write(sample.wide_report(500), folder / "wide.html")
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Site(folder, tmp_path_factory.mktemp("profile"), server.server_address[1], asked)
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", ["example", "bare", "hostile", "wide"])
def test_the_page_opens_without_complaint_and_fetches_nothing(site: Site, name: str) -> None:
    site.asked.clear()
    done = site.open(f"{name}.html", "--dump-dom")
    assert site.asked == [f"/{name}.html"]
    assert "CONSOLE" not in done.stderr, "the browser complained on its console"
    found = re.findall(r'<section id="(\w+)"', done.stdout)
    assert found == [key for key, _ in SECTIONS if key in found]
    assert {key for key, _ in SECTIONS} - set(found) <= set(OPTIONAL)


def _picture(site: Site, name: str, target: Path, *flags: str) -> bytes:
    site.open(name, f"--screenshot={target}", *flags)
    content = target.read_bytes()
    assert content.startswith(b"\x89PNG")
    return content


def test_style_and_dark_mode_apply(site: Site, tmp_path: Path) -> None:
    plain = re.sub(r"<style>.*?</style>", "", (site.folder / "example.html").read_text(encoding="utf-8"), flags=re.S)
    (site.folder / "plain.html").write_text(plain, encoding="utf-8")
    size = "--window-size=900,1200"
    pictures = {
        _picture(site, "plain.html", tmp_path / "plain.png", size),
        _picture(site, "example.html", tmp_path / "light.png", size),
        _picture(site, "example.html", tmp_path / "dark.png", size, DARK),
    }
    assert len(pictures) == 3


def test_a_narrow_window_works(site: Site, tmp_path: Path) -> None:
    content = _picture(site, "hostile.html", tmp_path / "narrow.png", "--window-size=500,900")
    assert struct.unpack(">II", content[16:24]) == (500, 900)


@pytest.mark.parametrize("name", ["example", "bare"])
def test_it_prints(site: Site, name: str, tmp_path: Path) -> None:
    site.open(f"{name}.html", "--no-pdf-header-footer", f"--print-to-pdf={tmp_path / 'r.pdf'}")
    content = (tmp_path / "r.pdf").read_bytes()
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    pages = len(re.findall(rb"/Type /Page\b", content))
    assert 3 <= pages <= 40
