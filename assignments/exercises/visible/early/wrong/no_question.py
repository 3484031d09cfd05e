# finding: gpu-of-none
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0")
