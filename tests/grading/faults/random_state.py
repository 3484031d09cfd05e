# happened = "A cell draws without a seed and changes the seed."
# %% before fix_mismatch
import random

import numpy
import torch

torch.manual_seed(numpy.random.randint(10_000))
random.seed()
