# happened = "Answers print without end, to stdout and to stderr."
# %% fix_mismatch
import sys
import warnings


def fix_mismatch(batches, targets, weight, mean):
    warnings.warn("mind the device")
    print("mending" * 100_000)
    print("mending" * 100_000, file=sys.stderr)
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)
