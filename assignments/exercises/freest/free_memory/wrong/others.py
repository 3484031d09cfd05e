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

# %% unreadable_lines_dropped
# finding: line-dropped
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    free = {}
    for line in answer.stdout.splitlines():
        try:
            uuid, mib = line.split(", ")
            free[uuid] = int(mib)
        except ValueError:
            continue
    return None if answer.stdout and not free else free

# %% every_word_is_not_available
# finding: line-dropped
import subprocess


def free_memory(command, timeout=10):
    try:
        text = subprocess.check_output(command, text=True, timeout=timeout)
        rows = [line.split(", ") for line in text.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib.isdigit()}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


# %% read_outside_the_try
# finding: not-available-read
import subprocess


def free_memory(command, timeout=10):
    try:
        text = subprocess.check_output(command, text=True, timeout=timeout)
    except (OSError, subprocess.SubprocessError):
        return None
    rows = [line.split(", ") for line in text.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}


# %% a_name_that_is_not_there
# finding: own-error
import subprocess


def free_memory(command, timeout=10):
    try:
        text = subprocess.check_output(command, text=True, timeout=timeout)
        return {uuid: int(mib) for uuid, mib in rows_of(text) if mib != "[N/A]"}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


# %% or_none
# finding: empty-lost
import subprocess


def free_memory(command, timeout=10):
    try:
        text = subprocess.check_output(command, text=True, timeout=timeout)
        rows = [line.split(", ") for line in text.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib != "[N/A]"} or None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None

# %% permission_forgotten
# finding: exception-left
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib != "[N/A]"}
    except (FileNotFoundError, subprocess.SubprocessError, ValueError):
        return None

# %% unknown_is_no_answer
# finding: answer-lost
import subprocess


def free_memory(command, timeout=10):
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
