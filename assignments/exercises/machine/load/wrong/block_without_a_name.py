# finding: on-the-cpu
import torch


def load(numbers, card):
    with torch.cuda.device(card):
        return torch.tensor(numbers)
