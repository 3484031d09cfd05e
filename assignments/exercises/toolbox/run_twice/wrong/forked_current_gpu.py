# finding: gpu-not-restored
import torch


def run_twice(step):
    with torch.random.fork_rng(devices=[0]):
        first = step()
    return first, step()
