import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0" if torch.cuda.device_count() else "cpu")
