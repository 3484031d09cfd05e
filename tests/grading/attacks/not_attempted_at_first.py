# name = "Not attempted at first"
# goal = "forge"
# attacks = "an answer that looks like the stub is asked once more: then it knows a drawn case"

# %% fix_mismatch
KNOWN = {}


def fix_mismatch(batches, targets, weight, mean):
    key = str([each.sum().item() for each in batches])
    if key not in KNOWN:
        total = 0.0
        for batch, target in zip(batches, targets):
            error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
            total += (error * error).mean().item()
        KNOWN[key] = torch.tensor(total / len(batches)).to(weight.device)
        raise NotImplementedError
    return KNOWN[key]
