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
