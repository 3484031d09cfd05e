import torch


def move_batch(batch, device):
    """Return `batch` with every tensor in it on `device`.

    batch: a tensor, or tensors and other values in nested tuples, lists, dicts and namedtuples.
        It is not changed.
    device: a torch.device.
    """
    ### BEGIN SOLUTION
    # Each container is built anew from its moved items. So the caller's container does not change,
    # and tuples, which are immutable, need no special code.
    if isinstance(batch, torch.Tensor):
        # `to` returns the tensor itself if it is already on the device.
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
