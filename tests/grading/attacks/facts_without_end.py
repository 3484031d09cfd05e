# name = "Facts without end"
# goal = "harm"
# attacks = "the size and depth of facts: containers in containers, a number of many digits"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep

# %% fix_parallel
class Endless(dict):
    def __iter__(self):
        return iter(range(10**12))

    def values(self):
        return range(10**12)


def fix_parallel(*arguments, **options):
    itself = []
    itself.append(itself)
    return [itself, Endless(), "x" * 100_000_000]

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
    return 10 ** 300_000
