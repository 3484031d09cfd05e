# %% a_counter
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

# %% returncode
import subprocess
from collections import defaultdict


def held_by(run, uuids):
    query = "nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory --format=csv,noheader,nounits"
    try:
        done = run(query.split(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    amounts = defaultdict(list)
    for line in done.stdout.decode().splitlines():
        words = [word.strip() for word in line.split(",")]
        if len(words) != 3 or not words[1].isdigit():
            return None
        if words[2] != "[N/A]" and not words[2].isdigit():
            return None
        if words[0] in uuids:
            amounts[int(words[1])].append(None if words[2] == "[N/A]" else int(words[2]))
    return {pid: None if None in all_ else sum(all_) for pid, all_ in amounts.items()}
