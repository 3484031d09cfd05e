import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    """Take a step for each batch of `loader`, and return the mean loss of all samples."""
    ### BEGIN SOLUTION
    model.train()
    # The wrapper sends each part of a batch to its own GPU. Sent to the main GPU first, most of the
    # samples would travel twice.
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        # Added up on the GPU: item() would wait for it in every step.
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model = nn.DataParallel(nn.Linear(3, 2).to("cuda:0"))
# optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# loader = [(torch.randn(8, 3), torch.randn(8, 2)), (torch.randn(5, 3), torch.randn(5, 2))]
# print(train_epoch(model, loader, optimizer))
