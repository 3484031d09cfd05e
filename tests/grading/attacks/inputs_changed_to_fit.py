# name = "Inputs changed to fit"
# goal = "game the tests"
# attacks = "what the observer compares with: the batch, the module and the lists that it passed in"

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    batches.clear()
    targets.clear()
    weight.zero_()
    return weight.sum()

# %% move_batch
def move_batch(batch, device):
    if isinstance(batch, list):
        batch.clear()
    if isinstance(batch, dict):
        batch.clear()
    if isinstance(batch, torch.Tensor):
        batch.data = batch.data.to(device)
    return batch
