import torch


def fix_retry(model, rows, size):
    """Return the outputs for all rows, on the CPU, in batches that fit into the GPU's memory."""
    ### BEGIN SOLUTION
    while True:
        try:
            with torch.no_grad():  # no graph keeps the tensors of earlier batches
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
            size = size // 2
        # The next attempt begins after the `except` block. Inside it, the exception still holds the
        # tensors of the attempt that failed.
    ### END SOLUTION
    # Delete the line above. The program to fix is below.
    try:
        return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        return fix_retry(model, rows, size // 2)


# %% try
# Try it out here: remove the # signs and run.
# model = nn.Sequential(nn.Linear(4, 2**20), nn.ReLU(), nn.Linear(2**20, 1)).to(devices[1])
# print(fix_retry(model, torch.ones(12, 4, device=devices[1]), 8).shape)
