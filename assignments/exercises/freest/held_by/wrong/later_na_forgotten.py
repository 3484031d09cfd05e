# finding: not-available-counted
import subprocess


def held_by(run):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None

    held = {}
    try:
        for line in done.stdout.splitlines():
            pid, mib = line.split(",")
            pid = int(pid)
            if mib.strip() == "[N/A]":
                held.setdefault(pid, None)
            else:
                held[pid] = (held.get(pid) or 0) + int(mib)
    except ValueError:
        return None
    return held
