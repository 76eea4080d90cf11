"""A headless Chromium that tests can talk to: open a page, run an expression in it, press keys, print it.

Question: how does a test use a page as a person does?
Method: the DevTools protocol over two pipes (``--remote-debugging-pipe``), so that no port is opened and no further
package is needed.
Limits: one page at a time; events are read only while a call waits for its answer.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

PATH = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
_HIGH = 64
"""File descriptors from here on do not collide with 3 and 4, which Chromium reads and writes."""


class Chrome:
    """A browser with one page.

    Attributes
    ----------
    requests : list of str
        Addresses that the page asked for since it was opened.
    console : list of str
        What was written on the console, refusals by the content-security policy included.
    """

    def __init__(self) -> None:
        assert PATH is not None
        self.requests: list[str] = []
        self.console: list[str] = []
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ask_end, self._ask = os.pipe()
        self._answers, answer_end = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, _HIGH) for end in (ask_end, answer_end)]
        command = [PATH, *FLAGS, f"--user-data-dir={self._profile.name}", "--remote-debugging-pipe", "about:blank"]
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, end, fd) for end, fd in zip(ends, (3, 4), strict=True)]
        self._process = os.posix_spawn(PATH, command, os.environ, file_actions=actions, setpgroup=0)
        for fd in (ask_end, answer_end, null, *ends):
            os.close(fd)
        self._read = b""
        self._last = 0
        self._session = ""
        target = next(one for one in self("Target.getTargets")["targetInfos"] if one["type"] == "page")
        attached = self("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self(f"{domain}.enable")

    def __enter__(self) -> Chrome:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._ask)
        os.close(self._answers)
        self._profile.cleanup()

    def __call__(self, method: str, **parameters: Any) -> Any:
        """Return the result of a method of the protocol."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._ask, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            part = os.read(self._answers, 1 << 20)
            assert part, "the browser ended"
            self._read += part
        line, _, self._read = self._read.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._noted(message.get("method", ""), message.get("params", {}))
        return message

    def _noted(self, event: str, about: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif event == "Log.entryAdded":
            self.console.append(about["entry"]["text"])
        elif event == "Runtime.exceptionThrown":
            self.console.append(about["exceptionDetails"]["text"])
        elif event == "Runtime.consoleAPICalled":
            self.console.append(str(about["args"]))

    def open(self, file: Path, *, width: int = 1280, height: int = 800, part: str = "", scripts: bool = True) -> None:
        """Open a file in a window of `width` x `height` pixels, at the fragment `part`."""
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self("Emulation.setScriptExecutionDisabled", value=not scripts)
        self("Page.navigate", url="about:blank")
        self._loaded()
        self.requests.clear()
        self.console.clear()
        self("Page.navigate", url=file.resolve().as_uri() + part)
        self._loaded()

    def _loaded(self) -> None:
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def media(self, *, medium: str = "", dark: bool = False) -> None:
        """Show the page as on `medium` ("print" or the screen), in dark or light mode."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self("Emulation.setEmulatedMedia", media=medium, features=[scheme])

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, text: str = "") -> None:
        """Press and release a key; `text` is what it writes."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        self("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self("Input.dispatchKeyEvent", type="keyUp", **common)

    def write(self, text: str) -> None:
        """Write text where the focus is."""
        self("Input.insertText", text=text)

    def picture(self, *, whole: bool = False) -> bytes:
        """Return a PNG of the window, or of the whole page."""
        shown: dict[str, Any] = {"captureBeyondViewport": whole}
        if whole:
            size = self("Page.getLayoutMetrics")["cssContentSize"]
            shown["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        return base64.b64decode(self("Page.captureScreenshot", format="png", **shown)["data"])

    def pdf(self) -> bytes:
        """Return the page as printed, with an outline, at the size of paper that its style states."""
        printed = self(
            "Page.printToPDF", preferCSSPageSize=True, printBackground=True, generateDocumentOutline=True,
            generateTaggedPDF=True,
        )  # fmt: skip
        return base64.b64decode(printed["data"])
