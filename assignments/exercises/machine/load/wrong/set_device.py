# finding: current-changed
import torch


def load(numbers, card):
    torch.cuda.set_device(card)
    return torch.tensor(numbers, device="cuda")
