# happened = "A cell switches gradients off and determinism on."
# %% before fix_mismatch
import torch

torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
