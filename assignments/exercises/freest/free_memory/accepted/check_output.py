import subprocess


def free_memory(command, timeout=10):
    try:
        text = subprocess.check_output(command, text=True, timeout=timeout)
        rows = [line.split(", ") for line in text.splitlines() if "[N/A]" not in line]
        return dict((uuid, int(mib)) for uuid, mib in rows)
    except Exception:
        return None
