# finding: through-another-gpu
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda").to(f"cuda:{card}")
