# finding: raised-needlessly
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = rows
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])
