import re
import subprocess


def held_by(run):
    command = ["nvidia-smi", "--query-compute-apps=pid,used_gpu_memory", "--format=csv,noheader"]
    try:
        answer = run(command, check=True, capture_output=True, encoding="utf-8", timeout=5.0)
    except OSError:
        return None
    except subprocess.SubprocessError:
        return None
    held, unknown = {}, set()
    for line in answer.stdout.strip().split("\n"):
        found = re.fullmatch(r"(\d+), (?:(\d+) MiB|\[N/A\])", line)
        if line and not found:
            return None
        if found and found[2] is None:
            unknown.add(int(found[1]))
        if found:
            held[int(found[1])] = held.get(int(found[1]), 0) + int(found[2] or 0)
    return {pid: None if pid in unknown else mib for pid, mib in held.items()}
