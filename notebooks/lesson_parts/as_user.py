"""For `python SCRIPT` in a notebook's commands: run the script on the machine of the notebook."""

import os
import runpy
import sys
from pathlib import Path

_, machine, *sys.argv = sys.argv
if not sys.argv or sys.argv[0].startswith("-"):
    os.execv(sys.executable, [sys.executable, *sys.argv])
sys.path[0] = str(Path(__file__).parents[1])
from lesson_parts.hosts import enter  # noqa: E402

enter(machine)
sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
runpy.run_path(sys.argv[0], run_name="__main__")
