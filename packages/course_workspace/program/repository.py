"""The git repository of a learner's program, with a commit for each part that passed.

git ignores the learner's own settings and all hooks here: our commits need no passphrase and run
no program. They are made on the branch that is checked out.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from course_notebooks.safe_files import replace_file
from course_utils.errors import CourseError
from course_utils.program.holes import FILES

_PATIENCE = 30.0  # seconds
_SETTINGS = {
    "user.name": "On the Right Device",
    "user.email": "course@localhost",
    "commit.gpgSign": "false",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "gc.auto": "0",  # it would run in the background
}
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_NOT_OURS = ("shapes/", "run/", "runs/", "start/", "[0-9][0-9]/", "__pycache__/", "*.tmp")
"""Ignored files: pictures, runs, and programs of an earlier version of the course."""


class Repository:
    """The repository in `folder`, made at the first commit if there is none.

    Each method raises CourseError if git is missing or fails.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def under_way(self) -> str:
        """An unfinished operation of the learner's, such as "a merge"; "" if none."""
        if not self._is_there():
            return ""
        inside = self.folder / self._git("rev-parse", "--git-dir").strip()
        for name, what in _UNDER_WAY.items():
            if (inside / name).exists():
                return what
        return "a conflict" if self._git("ls-files", "--unmerged") else ""

    def commit(self, message: str, files: Sequence[str] = FILES) -> bool:
        """Commit these files of the program; False if there is nothing to commit."""
        if not self._is_there():
            self._git("init", "--quiet", "--template=")
            exclude = self.folder / ".git" / "info" / "exclude"
            replace_file(exclude, "".join(f"{path}\n" for path in _NOT_OURS).encode())
        if not self._git("status", "--porcelain", "--untracked-files=all", "--", *files):
            return False
        known = self._git("ls-files", "--", *files).split()
        paths = [name for name in files if name in known or (self.folder / name).exists()]
        self._git("add", "--", *paths)
        self._git("commit", "--quiet", "--only", f"--message={message}", "--", *paths)
        return True

    def _is_there(self) -> bool:
        return os.path.lexists(self.folder / ".git")

    def _git(self, *words: str) -> str:
        program = shutil.which("git")
        if program is None:
            raise CourseError("git is not installed here")
        # A workspace that is mounted into a container has another owner there.
        settings = {**_SETTINGS, "safe.directory": str(self.folder.resolve())}
        options = [word for name in settings for word in ("-c", f"{name}={settings[name]}")]
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        env |= {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            # The workspace may be inside the course's own repository.
            "GIT_CEILING_DIRECTORIES": str(self.folder.resolve().parent),
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }
        try:
            done = subprocess.run(
                [program, *options, *words],
                cwd=self.folder,
                env=env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise CourseError(f"git cannot be used here ({problem})") from problem
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no reason"]
            raise CourseError(f"git failed: “{lines[0]}”")
        return done.stdout
