# name = "Copies in a thread that was there before"
# goal = "forge"
# attacks = "copies, which are counted in the thread of a call, and in those that it starts"
# flagged = true

# %% fix_mismatch
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(torch.ones, 1).result()  # its thread stays


def fix_mismatch(batches, targets, weight, mean):
    def slowly():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return (sum(each.square().mean() for each in errors) / len(errors)).to(weight.device)

    return pool.submit(slowly).result()
