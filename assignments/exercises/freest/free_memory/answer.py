import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    ### BEGIN SOLUTION
    # `check` raises an error for an exit status other than 0, and `int` for a text without a number.
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows if mib != "[N/A]"}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    ### END SOLUTION


# %% try
# Try it out here: remove the # sign and run.
# print(free_memory(["nvidia-smi-of-another-server"]))
