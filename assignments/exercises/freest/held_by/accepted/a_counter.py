import subprocess
from collections import Counter


def held_by(run, uuids):
    query = "nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory --format=csv,noheader,nounits"
    try:
        done = run(query.split(), capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held, unknown = Counter(), set()
    try:
        for line in done.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            pid, amount = int(pid), None if amount == "[N/A]" else int(amount)
            if uuid not in uuids:
                continue
            if amount is None:
                unknown.add(pid)
            else:
                held[pid] += amount
    except ValueError:
        return None
    for pid in unknown:
        held[pid] = None
    return held
