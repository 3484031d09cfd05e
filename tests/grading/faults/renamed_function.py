# happened = "An answer's function has another name."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def mended_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)
