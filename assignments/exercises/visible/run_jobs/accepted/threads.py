import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

NAME = "CUDA_VISIBLE_DEVICES"


def value_of(gpus):
    if any(not re.fullmatch(r"[0-9]+|(GPU|MIG)-.*", str(gpu)) for gpu in gpus):
        raise ValueError(f"not a list of cards: {gpus}")
    if len({str(gpu) for gpu in gpus}) != len(gpus):
        raise ValueError(f"twice in {gpus}")
    return ",".join(f"{gpu}" for gpu in gpus)


def run_jobs(command, jobs):
    envs = [{**os.environ} if g is None else {**os.environ, NAME: value_of(g)} for g in jobs]
    with ThreadPoolExecutor(max(1, len(jobs))) as pool:
        return list(pool.map(lambda e: subprocess.check_output(command, env=e).decode(), envs))
