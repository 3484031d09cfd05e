# finding: no-such-device
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device(f"cuda:{cards[0]}")
