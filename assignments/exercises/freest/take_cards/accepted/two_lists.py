import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.run(
            query.split(), capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    free = {row[2]: int(row[1]) for row in rows if len(row) == 3 and (row[0] + row[1]).isdigit()}
    idle = [row[2] for row in rows if row[-1] in free and int(row[0]) < 10]
    busy = [uuid for uuid in free if uuid not in idle]
    ranked = [uuid for group in (idle, busy) for uuid in sorted(group, key=free.get, reverse=True)]
    if wanted > len(ranked):
        sys.exit(f"only {len(ranked)} cards")
    os.environ.update(CUDA_VISIBLE_DEVICES=",".join(ranked[:wanted]))
