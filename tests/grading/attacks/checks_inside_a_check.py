# name = "A check inside a check"
# goal = "forge"
# attacks = "check() called by an answer that is being checked"

# %% move_batch
def move_batch(batch, device):
    check("tensors.move_batch", lambda batch, device: batch)
    for seed in range(3):
        check("tensors.fix_mismatch", lambda batches, targets, weight, mean: None, seed=seed)
    return batch
