import os

import torch


def early(cards):
    there = torch.cuda.device_count() > 0
    os.environ.update(CUDA_VISIBLE_DEVICES=cards)
    if there and torch.cuda.is_available():
        return torch.device("cuda", 0)
    return torch.device("cpu")
