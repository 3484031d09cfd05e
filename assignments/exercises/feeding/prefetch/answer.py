import torch


def prefetch(loader, device):
    """Yield the batches of `loader` on `device`, with the next one always on its way."""
    ### BEGIN SOLUTION
    def move(batch):
        if isinstance(batch, torch.Tensor):
            return batch.to(device, non_blocking=True)
        if isinstance(batch, dict):
            return {key: move(item) for key, item in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)(move(item) for item in batch)
        return batch

    # What has been fetched and not handed out: nothing at first, then one batch, for a moment
    # two. A list needs no special case for an empty loader.
    waiting = []
    for batch in loader:
        waiting.append(move(batch))
        if len(waiting) > 1:
            yield waiting.pop(0)
    yield from waiting
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# loader = DataLoader(range(6), batch_size=2, pin_memory=True)
# for batch in prefetch(loader, devices[1]):
#     print(batch)
