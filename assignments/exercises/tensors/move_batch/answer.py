import torch


def move_batch(batch, device):
    """Return `batch` with every tensor in it on `device`.

    batch: a tensor, or any nesting of tuples, lists, dicts and namedtuples of tensors and plain
        values. It is not changed.
    device: a torch.device.
    """
    ### BEGIN SOLUTION
    # A container is rebuilt from its moved items, so that the caller's own stays as it was, and
    # tuples, which cannot be written into, need nothing special.
    if isinstance(batch, torch.Tensor):
        # No test of the device is needed: `to` returns the tensor itself if it is there.
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(value, device) for value in batch]
        # A namedtuple takes one argument per field; tuple and list take one iterable.
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# batch = [torch.ones(2), (torch.zeros(1), "cat")]
# move_batch(batch, devices[2])
