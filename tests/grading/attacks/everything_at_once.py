# name = "All results at once"
# goal = "game the tests"
# attacks = "how a result is compared: a generator, a mock, the input itself"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return (number for number in range(100))

# %% fix_parallel
from unittest import mock

fix_parallel = mock.MagicMock()

# %% train_step
def train_step(replicas, batch, targets, lr):
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        (loss * len(x) / len(batch)).backward()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return mock.MagicMock(return_value=68)
