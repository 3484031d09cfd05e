# finding: result-not-kept
def move_batch(batch, device):
    for value in batch:
        if hasattr(value, "to"):
            value.to(device)
    return batch
