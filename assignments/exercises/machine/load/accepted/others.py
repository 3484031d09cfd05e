# %% index_alone
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=card)

# %% moved
import torch


def load(numbers, card):
    return torch.tensor(numbers).cuda(card)
