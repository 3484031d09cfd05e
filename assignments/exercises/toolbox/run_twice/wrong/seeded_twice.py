# finding: seeded-anew
import torch


def run_twice(step):
    torch.manual_seed(0)
    first = step()
    torch.manual_seed(0)
    return first, step()
