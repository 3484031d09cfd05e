"""For `python SCRIPT` in a notebook's commands: run the script on the machine of the notebook."""

import os
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Enter the machine of the first argument; run the script that the second argument names."""
    _, machine, *sys.argv = sys.argv
    if sys.argv[:1] == ["-u"]:  # as torchrun starts a rank
        del sys.argv[0]
    if not sys.argv or sys.argv[0].startswith("-"):
        os.execv(sys.executable, [sys.executable, *sys.argv])
    sys.path[0] = str(Path(__file__).parents[1])
    from lesson_parts.hosts import enter

    enter(machine)
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
