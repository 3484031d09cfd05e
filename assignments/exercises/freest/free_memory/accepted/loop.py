import subprocess


def free_memory(command, timeout=10):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    free = {}
    for line in done.stdout.splitlines():
        uuid, _, mib = line.partition(", ")
        if mib.isdigit():
            free[uuid] = int(mib)
        elif mib != "[N/A]":
            return None
    return free
