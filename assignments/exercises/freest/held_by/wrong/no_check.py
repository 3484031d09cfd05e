# finding: status-ignored
import subprocess


def held_by(run, uuids):
    command = ["nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            uuid, pid, amount = line.split(", ")
            if uuid not in uuids:
                continue
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return held
