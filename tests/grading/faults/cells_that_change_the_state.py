# ==== another_lab
# happened = "A cell makes a lab of one card in the middle."
# %% before fix_mismatch
from course_utils import lab

lab(gpus=1)


# ==== cards_hidden
# happened = "A cell hides all cards from what comes later."
# %% before fix_mismatch
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""


# ==== default_device
# happened = "A cell makes another device the default, and another type."
# %% before fix_mismatch
import torch

torch.set_default_device("cuda:2")
torch.set_default_dtype(torch.float64)


# ==== memory_full
# happened = "A cell fills a card and keeps it so."
# %% before fix_mismatch
import torch

kept = []
try:
    while True:
        kept.append(torch.empty(256 << 20, dtype=torch.uint8, device="cuda:1"))
except torch.OutOfMemoryError:
    print(len(kept))


# ==== name_of_check_taken
# happened = "A variable is called check."
# %% before fix_mismatch
check = [1, 2, 3]


# ==== names_of_torch_taken
# happened = "Variables are called torch, devices and lab."
# %% before fix_mismatch
torch = "a torch"
devices = []
lab = None


# ==== no_gradients
# happened = "A cell switches gradients off and determinism on."
# %% before fix_mismatch
import torch

torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)


# ==== random_state
# happened = "A cell draws without a seed and changes the seed."
# %% before fix_mismatch
import random

import numpy
import torch

torch.manual_seed(numpy.random.randint(10_000))
random.seed()


# ==== seeds_and_warnings
# happened = "A cell turns warnings into errors."
# %% before fix_mismatch
import warnings

warnings.simplefilter("error")
warnings.warn("this one")
