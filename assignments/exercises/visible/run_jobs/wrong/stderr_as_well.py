# finding: stderr-included
import numbers
import os
import subprocess


def name_of(card):
    if isinstance(card, bool):
        raise ValueError(card)
    if isinstance(card, numbers.Integral) and card >= 0:
        return str(int(card))
    if isinstance(card, str):
        if card.isascii() and card.isdigit():
            return str(int(card))
        if card.startswith(("GPU-", "MIG-")):
            return card
    raise ValueError(f"{card!r} is not a card")


def value_of(cards):
    names = [name_of(card) for card in cards]
    if len(set(names)) < len(names):
        raise ValueError("a card twice")
    return ",".join(names)



def run_jobs(command, jobs):
    envs = [None if cards is None else {**os.environ, "CUDA_VISIBLE_DEVICES": value_of(cards)} for cards in jobs]
    processes = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for env in envs]
    return [p.communicate()[0] for p in processes]
