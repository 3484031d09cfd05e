# name = "Facts that are no JSON"
# goal = "harm"
# attacks = "the judge's reader: NaN, infinity, lone surrogates, null bytes, tensors of odd dtypes"
# assignment = "07_parallel"

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return [float("inf"), float("-inf"), "\ud800", "\0"]

# %% fix_parallel
def fix_parallel(*arguments, **options):
    return {"\ud800": torch.tensor([float("nan")]), (): torch.ones(2, dtype=torch.complex64),
            frozenset(): torch.empty(0, device="meta")}

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
    return float("nan")
