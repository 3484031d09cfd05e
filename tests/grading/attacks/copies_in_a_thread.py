# name = "Copies in a thread"
# goal = "forge"
# attacks = "copies, which are counted in one thread"

# %% fix_mismatch
from concurrent.futures import ThreadPoolExecutor


def fix_mismatch(batches, targets, weight, mean):
    def slowly():
        total = torch.zeros(1)
        for batch, target in zip(batches, targets):
            error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
            total += (error * error).mean()
        return (total / len(batches)).to(weight.device)

    return ThreadPoolExecutor().submit(slowly).result()
