import re
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_gpu_memory", "--format=csv,noheader"]
    try:
        answer = run(command, check=True, capture_output=True, encoding="utf-8", timeout=5.0)
    except OSError:
        return None
    except subprocess.SubprocessError:
        return None
    held, unknown = {}, set()
    for line in answer.stdout.strip().split("\n"):
        found = re.fullmatch(r"(\S+), (\d+), (?:(\d+) MiB|\[N/A\])", line)
        if line and not found:
            return None
        if not found or found[1] not in uuids:
            continue
        pid = int(found[2])
        if found[3] is None:
            unknown.add(pid)
        held[pid] = held.get(pid, 0) + int(found[3] or 0)
    return {pid: None if pid in unknown else mib for pid, mib in held.items()}
