"""A separate program that compiles a file once, at low priority and without output.

``compiler.order`` starts it and does not wait. It imports neither this package nor torch, to save
memory. If several start at once, one builds and the others end. A failure is written to a file,
which prevents further attempts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_LOWEST = 19  # of the priorities that nice(1) gives


def build(target: Path, draft: Path, commands: list[list[str]], patience: float) -> None:
    """Run the commands that make and test a draft, then move it to its place."""
    import fcntl  # not on Windows, where nothing is compiled

    with open(target.with_suffix(".lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released when this process ends
        except OSError:
            return
        failed = failure_of(target)
        if target.exists() or failed.exists():
            return
        try:
            for command in commands:
                subprocess.run(command, check=True, capture_output=True, timeout=patience)
            draft.replace(target)
        except (OSError, subprocess.SubprocessError) as error:
            failed.write_text(f"{error}\n{_said(error)}", encoding="utf-8")
        finally:
            draft.unlink(missing_ok=True)


def failure_of(target: Path) -> Path:
    """The file that records the failed build of a target."""
    return target.with_suffix(".failed")


def _said(error: Exception) -> str:
    said = getattr(error, "stderr", None) or b""
    return said.decode(errors="replace")


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(_LOWEST)
        order = json.loads(sys.argv[1])
        build(Path(order["target"]), Path(order["draft"]), order["commands"], order["patience"])
