"""Files as another commit of the repository has them: what judges a pull request must not come from it.

Question: which settings, policy and rule packs did the branch have that a pull request wants to change?
Method: git lists the files of the commit; those that are needed are written to a private folder that is removed at the
end. Only regular files are taken. A name is that of a branch of a remote, then that of a local branch: a tag of the
same name, which git would prefer and many may push, decides nothing. A tag must be named in full.
Limits: needs git and the commit: a shallow clone has neither branches nor history. The text of git's errors is not
shown.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Any

from privaudit.base import private_folders, resources
from privaudit.base.errors import ConfigError
from privaudit.model.headers import shown_file
from privaudit.settings.config import CONFIG_FILE
from privaudit.settings.config_files import settings_section

_REGULAR = ("100644", "100755")
_SECONDS = 60
Notice = Callable[[str], None]
"""Called with one sentence about what was not used."""
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Revision:
    """One commit of the repository that contains a folder.

    Parameters
    ----------
    ref : str
        A branch, for example ``origin/main``, the full ID of a commit, or a name that begins with ``refs/``.
    folder : Path
        A folder of the repository.
    keep : ExitStack
        Removes the private folder when it closes.
    notice : callable
        Called with one sentence where a tag of the same name is ignored.

    Attributes
    ----------
    name : str
        The full name of the branch, for example ``refs/remotes/origin/main``, or the ID of the commit.

    Raises
    ------
    ConfigError
        If git is not installed, the folder is not in a repository, or the repository does not have the commit.
    """

    def __init__(self, ref: str, folder: Path, keep: ExitStack, notice: Notice) -> None:
        self.ref = ref
        self.folder = folder.resolve()
        top = self._git("rev-parse", "--show-toplevel")
        if top is None:
            raise ConfigError(
                "--policy-from needs a git repository.",
                hint="run it in a clone whose owner git trusts (safe.directory)",
            )
        self.root = Path(top.decode("utf-8", "surrogateescape").rstrip("\n")).resolve()
        self.name, self._commit = self._resolved(ref)
        if not ref.startswith("refs/") and self._commit_of(f"refs/tags/{ref}"):
            notice(f'The tag "{ref}" is ignored: the branch or commit of that name decides.')
        self._keep = keep
        self._mirror: Path | None = None
        self._files = self._listed()

    def _resolved(self, ref: str) -> tuple[str, str]:
        """Return the full name of the branch or commit that `ref` names, and the ID of the commit."""
        # A short ID is refused: whoever can push commits can make another one with the same beginning.
        is_whole = _COMMIT.fullmatch(ref) or ref.startswith("refs/")
        for name in (ref,) if is_whole else (f"refs/remotes/{ref}", f"refs/heads/{ref}"):
            if commit := self._commit_of(name):
                return name, commit
        raise ConfigError(
            f'--policy-from: this clone has no branch or commit "{ref}".',
            hint="fetch it (in GitHub Actions with fetch-depth: 0); write a commit in full, a tag as refs/tags/NAME",
        )

    def _commit_of(self, name: str) -> str | None:
        found = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return found.decode("ascii").strip() if found else None

    def holds_checkout(self) -> bool:
        """Whether the commit that is checked out is one of this branch: the commit itself, or one before it."""
        return self._git("merge-base", "--is-ancestor", "HEAD", self._commit) is not None

    def find_settings(self) -> Path | None:
        """Return a copy of the settings file that applies to the folder: the nearest one upwards, as in the commit."""
        for folder in (self.folder, *self.folder.parents):
            for name in (CONFIG_FILE, "pyproject.toml"):
                copy = self.copy(folder / name)
                if copy is not None and (name == CONFIG_FILE or _has_section(copy)):
                    return copy
            if folder == self.root:
                return None
        return None

    def holds(self, path: Path) -> bool:
        """Whether `path` is inside the repository."""
        return self._absolute(path).is_relative_to(self.root)

    def _absolute(self, path: Path) -> Path:
        # Links are not followed: the branch that is judged may have replaced a file by a link.
        return Path(os.path.normpath(self.folder / path))

    def copy(self, path: Path) -> Path | None:
        """Return a copy of a file or folder as the commit has it, None where it has none.

        Raises
        ------
        ConfigError
            If the file is a symbolic link or a submodule, or cannot be read.
        """
        inside = PurePosixPath(self._absolute(path).relative_to(self.root).as_posix())
        # From the listing: a path that is a folder in the commit stands for every file in it.
        found = [name for name in self._files if name == inside or inside in name.parents]
        for name in found:
            self._write(name)
        return self._folder() / inside if found else None

    def original(self, copy: Path) -> Path:
        """Return the path in the repository that `copy` was made from; any other path as it is."""
        mirror = self._folder()
        return self.root / copy.relative_to(mirror) if copy.is_relative_to(mirror) else copy

    def _write(self, name: PurePosixPath) -> None:
        if self._files[name] not in _REGULAR:
            raise ConfigError(f'"{name}" in {self.ref} is not a regular file.', hint="commit the file itself")
        content = self._git("cat-file", "blob", f"{self._commit}:{name}")
        if content is None:
            raise ConfigError(f'"{name}" in {self.ref} cannot be read.', hint="check the repository with git fsck")
        target = self._folder() / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def _folder(self) -> Path:
        if self._mirror is None:
            self._mirror = self._keep.enter_context(private_folders.private_folder()).resolve()
        return self._mirror

    def _listed(self) -> dict[PurePosixPath, str]:
        """Return the mode of every file of the commit by its path."""
        # Separated by NUL: git quotes names with line breaks or letters beyond ASCII otherwise.
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", self._commit) or b""
        files = {}
        for line in listed.decode("utf-8", "surrogateescape").split("\0"):
            about, tab, name = line.partition("\t")
            if tab:
                files[PurePosixPath(name)] = about.split(" ")[0]
        return files

    def _git(self, *words: str) -> bytes | None:
        """Return what git prints; None where it fails."""
        try:
            # Without replacement objects, with which a clone can show other content under the ID of a commit.
            done = subprocess.run(
                ["git", "--no-replace-objects", "-C", str(self.folder), *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            raise ConfigError("--policy-from needs git, which is not installed.", hint="install git") from None
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def _has_section(file: Path) -> bool:
    content: dict[str, Any] = resources.read_toml(file, shown_file(file))
    return settings_section(content) is not None
