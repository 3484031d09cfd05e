# finding: floats
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
            mib = None if mib.strip() == "[N/A]" else float(mib)
            if pid in held:
                held[pid] = None if held[pid] is None or mib is None else held[pid] + mib
            else:
                held[pid] = mib
    except ValueError:
        return None
    return held
