import argparse
import os
import subprocess
import sys


def take_cards(wanted):
    problem = argparse.ArgumentParser().error
    if os.getenv("CUDA_VISIBLE_DEVICES") is not None:
        problem("chosen already")
    command = ["nvidia-smi", "--query-gpu=uuid,memory.free,utilization.gpu", "--format=csv"]
    try:
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=30)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        problem("no answer")
    cards = []
    for number, line in enumerate(answer.stdout.splitlines()[1:]):
        uuid, free, busy = line.split(", ")
        if "[N/A]" not in (free, busy):
            cards.append((int(busy.split()[0]) >= 10, -int(free.split()[0]), number, uuid))
    if answer.returncode or len(cards) < wanted:
        problem("too few cards")
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(card[3] for card in sorted(cards)[:wanted])
