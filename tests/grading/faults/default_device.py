# happened = "A cell makes another device the default, and another type."
# %% before fix_mismatch
import torch

torch.set_default_device("cuda:2")
torch.set_default_dtype(torch.float64)
