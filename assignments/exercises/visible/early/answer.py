import os

import torch


def early(cards):
    """Let this process use only the GPUs of `cards`, as "2,3"; return the first, or the CPU."""
    ### BEGIN SOLUTION
    # CUDA reads the variable at the first question that reaches it. So set it before you ask.
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")
    ### END SOLUTION


# %% try
# In a notebook, CUDA has usually started, and then nothing changes its list.
