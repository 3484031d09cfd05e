# finding: nothing-returned
def move_batch(batch, device):
    batch = tuple(value.to(device) for value in batch)
