"""`train_on_server`: a run of train.py on a server with other people's programs."""

import inspect
from collections.abc import Callable

from course_utils.program.holes import before, put
from lesson_parts.server_run import run_on_server

_LOOK = """
table = subprocess.run("nvidia-smi", shell=True, capture_output=True, text=True).stdout
print(table[table.index("| Processes:") :])
"""


def train_on_server(words: str, pick_device: Callable[[str], object] | None = None) -> None:
    """Run `python train.py` with these options on the server, and print its output line by line.

    Before the program ends, nvidia-smi lists the processes that compute there.

    pick_device: replaces the function of that name in train.py; without it, train.py is as before
        lesson 01.
    """
    files = before("machine.pick_device")
    if pick_device is not None:
        files = put(files, inspect.getsource(pick_device))
    run_on_server('hosts.log_in("porto")', _LOOK, files, words, 40)
