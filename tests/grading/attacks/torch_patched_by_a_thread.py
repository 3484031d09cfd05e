# name = "Torch patched by a thread, for a moment"
# goal = "forge"
# attacks = "the two looks at torch: a thread patches it between them, and ends"
# forges = ["fix_mismatch"]

# %% fix_mismatch
import threading
import time

owners, mark = [torch.Tensor, None], 12345.0


def described(plain, error):
    def tolist(self):  # of the result, when copies are counted no more
        values = plain(self)
        if values != [mark]:
            return values
        owners[0].tolist = plain
        return [error()]

    return tolist


def fix_mismatch(batches, targets, weight, mean):
    def error():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return sum(each.square().mean().item() for each in errors) / len(errors)

    def patch():
        time.sleep(0.002)
        owners[0].tolist = described(owners[0].tolist, error)

    threading.Thread(target=patch).start()
    return torch.full((1,), mark, device=weight.device)
