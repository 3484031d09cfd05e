# finding: exception-left
import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    answer = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}
