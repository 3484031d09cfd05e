# finding: other-result
import torch


def load(numbers, card):
    return torch.tensor(numbers, dtype=torch.float32, device=f"cuda:{card}")
