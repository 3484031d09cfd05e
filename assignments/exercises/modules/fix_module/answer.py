import torch
from torch import nn


def fix_module(batches, width, device):
    """Run a Centre(width) over the batches, on `device`. Return the results and the model."""

    ### BEGIN SOLUTION
    class Centre(nn.Module):
        def __init__(self, width):
            super().__init__()
            # Known from the start, changed by every call, and worth saving: a buffer. What is
            # assigned to its name in forward is the buffer from then on.
            self.register_buffer("mean", torch.zeros(width))

        def forward(self, batch, lengths):
            # The mask depends on the batch, so it is made here, and where the batch is: what is
            # born in the right place need not be copied.
            mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
            average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
            self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
            return average - self.mean

    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

    ### END SOLUTION
    # Delete the line above. What follows is the program to be fixed.
    class Centre(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.mean = torch.zeros(width)

        def forward(self, batch, lengths):
            mask = torch.arange(batch.shape[1]) < lengths[:, None]
            average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
            self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
            return average - self.mean

    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model


# %% try
# Try it out here: remove the # signs and run.
# batches = [(torch.ones(2, 4, 3), torch.tensor([4, 2]))]
# results, model = fix_module(batches, 3, devices[1])
# print(results, model.state_dict())
