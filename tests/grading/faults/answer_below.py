# happened = "The stub stands in its place, and the answer in a cell further down."
# says = ["Found in another cell"]
# %% fix_mismatch
import torch


def fix_mismatch(batches, targets, weight, mean):
    """Return the mean squared error over all batches, on the device of `weight`."""
    # YOUR CODE HERE
    raise NotImplementedError()
    # Delete the line above. What follows is the program to be fixed.
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)

# %% end
def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)
