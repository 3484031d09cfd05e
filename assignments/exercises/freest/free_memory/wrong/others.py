# %% unknown_is_zero
# finding: other-amounts
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: 0 if mib == "[N/A]" else int(mib) for uuid, mib in rows}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None

# %% missing_only
# finding: exception-left
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib != "[N/A]"}
    except FileNotFoundError:
        return None
