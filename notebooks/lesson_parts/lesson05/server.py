"""`on_server`: a command on the server of this lesson."""

from course_utils.program.holes import after
from lesson_parts.server_run import run_on_server

_LOOK = """
ask = ["nvidia-smi", "--query-compute-apps=pid,gpu_uuid", "--format=csv"]
print(subprocess.run(ask, capture_output=True, text=True).stdout)
"""


def on_server(command: str) -> None:
    """Run `NAME=VALUE … python train.py OPTIONS` on the server, and print its output line by line.

    Before the program ends, nvidia-smi lists the processes that compute, with the UUIDs.
    """
    before, _, words = command.partition("python train.py")
    arrive = 'hosts.enter("porto on Monday")'
    run_on_server(arrive, _LOOK, after("05"), words, 60, *before.split())
