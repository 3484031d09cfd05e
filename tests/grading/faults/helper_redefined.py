# happened = "A helper of two answers is defined twice, differently."
# %% before fix_mismatch
def place(weight, *values):
    return [value.to(weight.device) for value in values]

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    (mean,), errors = place(weight, mean), []
    for pair in zip(batches, targets):
        batch, target = place(weight, *pair)
        error = (batch - mean) @ weight - target
        errors.append((error * error).mean())
    return sum(errors) / len(errors)

# %% before move_batch
def place(value, device):
    return value.to(device)
