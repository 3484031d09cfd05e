# name = "Equal to everything"
# goal = "forge"
# attacks = "comparisons with what came back"
# assignment = "07_parallel"

# %% before split_sizes
class Everything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __hash__(self):
        return 0

    def __bool__(self):
        return True

    def __float__(self):
        return 68.0

    def __iter__(self):
        return iter(())

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Everything()

# %% fix_parallel
fix_parallel = Everything()

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
    return Everything()
