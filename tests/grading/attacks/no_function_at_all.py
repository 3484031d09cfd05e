# name = "No function at all"
# goal = "game the tests"
# attacks = "how an answer is called: a function of Python's own, a module, a type"

# %% find_waits
find_waits = print

# %% fix_mismatch
fix_mismatch = torch

# %% move_batch
move_batch = torch.Tensor
