# finding: other-value
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
    here = os.environ.get("CUDA_VISIBLE_DEVICES")
    values = []
    for cards in jobs:
        if cards is None:
            values.append(None)
            continue
        value = value_of(cards)
        if here:
            entries = here.split(",")
            value = ",".join(entries[int(n)] if n.isdigit() and int(n) < len(entries) else n for n in value.split(",") if n)
        values.append(value)
    envs = [None if v is None else {**os.environ, "CUDA_VISIBLE_DEVICES": v} for v in values]
    processes = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for env in envs]
    return [p.communicate()[0] for p in processes]
