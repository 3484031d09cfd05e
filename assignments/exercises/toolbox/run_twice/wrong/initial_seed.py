# finding: seed-for-state
import torch


def run_twice(step):
    seed = torch.initial_seed()
    first = step()
    torch.manual_seed(seed)
    return first, step()
