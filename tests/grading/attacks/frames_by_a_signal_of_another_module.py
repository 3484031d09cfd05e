# name = "Frames by a signal, through another module"
# goal = "forge"
# attacks = "the hints, which know `signal` by its own name, and frames, which a handler is given"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import subprocess

def _clear(number, frame):
    while frame is not None:
        for value in list(getattr(frame, "f_" + "locals").values()):
            inner = getattr(value, "__di" + "ct__") if hasattr(value, "parameters") else {}
            for each in (value, *inner.values()):
                if hasattr(each, "bytes_by_route"):
                    each.by_route.clear()
                    each.bytes_by_route.clear()
        frame = getattr(frame, "f_" + "back")


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    subprocess.signal.signal(10, _clear)
    subprocess.signal.raise_signal(10)
    return result
