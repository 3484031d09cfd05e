# name = "Inside a timed cell"
# goal = "forge"
# attacks = "the static look, by a cell that begins with a magic"
# forges = ["fix_mismatch"]
# flagged = true

# %% before fix_mismatch
%%time
import torch.utils._python_dispatch as dispatch
def forget():
    copies = dispatch._get_current_dispatch_mode()._copies
    copies.by_route.clear()
    copies.bytes_by_route.clear()
    copies.numbers_read = 0

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    forget()
    return result
