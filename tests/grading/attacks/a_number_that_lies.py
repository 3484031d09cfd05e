# name = "A number that lies"
# goal = "forge"
# attacks = "subclasses of int, float, str, list and tuple, whose content depends on who asks"
# assignment = "07_parallel"

# %% before split_sizes
class Number(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = None


class Parts(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 0

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Parts()

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
    return Number(1)
