# name = "Attributes by update_wrapper"
# goal = "forge"
# attacks = "the counter of copies, by names that functools copies from one object to another"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import functools


class Taken:
    def __setattr__(self, name, value):
        found.append(value)


found = []


def pick(thing, *names):
    for name in names:
        functools.update_wrapper(Taken(), thing, assigned=["_" + name], updated=())
        thing = found.pop(0)
        found.clear()
    return thing


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    mode = pick(torch.utils, "python_dispatch", "get_current_dispatch_mode")
    copies = pick(mode(), "copies")
    copies.by_route.clear()
    copies.bytes_by_route.clear()
    return result
