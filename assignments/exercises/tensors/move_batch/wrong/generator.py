# finding: container-changed
def move_batch(batch, device):
    return (value.to(device) for value in batch)
