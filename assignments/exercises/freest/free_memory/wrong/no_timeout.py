# finding: no-timeout
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib != "[N/A]"}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
