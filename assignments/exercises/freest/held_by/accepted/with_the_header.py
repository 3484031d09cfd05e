import csv
import subprocess


def held_by(run, uuids):
    try:
        answer = run(
            ("nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory",
             "--format=csv,nounits"),
            stdout=subprocess.PIPE, universal_newlines=True, timeout=20, check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    try:
        held = {}
        rows = list(csv.DictReader(answer.stdout.splitlines(), skipinitialspace=True))
        if "gpu_uuid" not in answer.stdout.split(","):
            return None
        for row in rows:
            pid, amount = int(row["pid"]), list(row.values())[2]
            amount = float("nan") if amount == "[N/A]" else int(amount)
            if row["gpu_uuid"] in uuids:
                held[pid] = held.get(pid, 0) + amount
        return {pid: None if amount != amount else amount for pid, amount in held.items()}
    except ValueError:
        return None
