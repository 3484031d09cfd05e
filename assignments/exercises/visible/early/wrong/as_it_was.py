# finding: set-too-late
import os

import torch


def early(cards):
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0")
