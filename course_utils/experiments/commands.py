"""What commands that a notebook starts with `!` find."""

import os
import sys
from pathlib import Path


def this_python_first() -> None:
    """Let `python` be the one that runs the notebook."""
    here = str(Path(sys.executable).parent)
    paths = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([here, *(path for path in paths if path != here)])
