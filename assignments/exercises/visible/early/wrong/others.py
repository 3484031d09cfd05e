# %% always_the_cpu
# finding: cpu-instead
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cpu")

# %% only_the_first
# finding: other-cards
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards[:1]
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")

# %% the_last
# finding: other-device
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    count = torch.cuda.device_count()
    return torch.device("cuda", count - 1) if count else torch.device("cpu")


# %% a_default
# finding: never-set
import os

import torch


def early(cards):
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", cards)
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")

# %% a_text_is_no_gpu
# finding: gpu-of-none
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0" if cards else "cpu")

# %% another_variable
# finding: never-set
import os

import torch


def early(cards):
    os.environ["VISIBLE_DEVICES"] = cards
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")

# %% all_of_them
# finding: other-value
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,2,3"
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")

# %% no_such_name
# finding: raised-in-the-process
import os

import torch


def early(cards):
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, wanted))
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")
