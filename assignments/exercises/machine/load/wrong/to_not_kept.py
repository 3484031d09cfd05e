# finding: on-the-cpu
import torch


def load(numbers, card):
    tensor = torch.tensor(numbers)
    tensor.to(f"cuda:{card}")
    return tensor
