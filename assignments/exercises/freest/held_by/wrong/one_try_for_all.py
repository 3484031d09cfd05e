# finding: other-error-caught
import subprocess


def held_by(run):

    try:
        done = run(["nvidia-smi", "--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10, check=True)
        held = {}
        for line in done.stdout.splitlines():
            pid, mib = line.split(",")
            pid = int(pid)
            mib = None if mib.strip() == "[N/A]" else int(mib)
            held[pid] = None if pid in held and held[pid] is None or mib is None else held.get(pid, 0) + mib
        return held
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
