# finding: strings
import subprocess


def held_by(run):
    command = ["nvidia-smi", "--query-compute-apps=pid,used_memory",
               "--format=csv,noheader,nounits"]
    try:
        answer = run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            pid, amount = line.split(", ")
            before = held.get(int(pid), 0)
            unknown = amount == "[N/A]" or before is None
            held[int(pid)] = None if unknown else before + int(amount)
    except ValueError:
        return None
    return {pid: mib if mib is None else str(mib) for pid, mib in held.items()}
