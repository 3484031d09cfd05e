# finding: input-changed
def move_batch(batch, device):
    for i in range(len(batch)):
        batch[i] = batch[i].to(device)
    return batch
