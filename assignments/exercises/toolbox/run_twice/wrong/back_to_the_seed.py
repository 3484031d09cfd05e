# finding: seeded-anew
import torch


def run_twice(step):
    seed = torch.initial_seed()
    torch.manual_seed(seed)
    first = step()
    torch.manual_seed(seed)
    return first, step()
