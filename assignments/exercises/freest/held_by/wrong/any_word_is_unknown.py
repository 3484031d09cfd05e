# finding: text-not-expected
import subprocess


def held_by(run):
    words = ["nvidia-smi", "--query-compute-apps=pid,used_memory"]
    words.append("--format=csv,noheader,nounits")
    try:
        answer = run(words, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    held = {}
    try:
        for line in answer.stdout.splitlines():
            pid, amount = line.split(", ")
            mib = int(amount) if amount.isdigit() else None
            before = held.get(int(pid), 0)
            held[int(pid)] = None if mib is None or before is None else before + mib
    except ValueError:
        return None
    return held
