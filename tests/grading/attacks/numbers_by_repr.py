# name = "Numbers read out of a text"
# goal = "forge"
# attacks = "the count of numbers that are fetched from a GPU: repr() of a tensor holds them all"

# %% before mend_mismatch
import json

torch.set_printoptions(precision=10, threshold=10**6, linewidth=10**6, sci_mode=False)


def numbers(tensor):
    text = repr(tensor).partition("(")[2].rpartition("]")[0] + "]"
    return json.loads(text.replace(".,", ".0,").replace(".]", ".0]"))

# %% mend_mismatch
def mend_mismatch(batches, targets, weight, mean):
    w, m = numbers(weight), numbers(mean)
    total = 0.0
    for batch, target in zip(batches, targets):
        rows, wanted = numbers(batch), numbers(target)
        errors = [sum((a - c) * b for a, b, c in zip(row, w, m)) for row in rows]
        total += sum((e - t) ** 2 for e, t in zip(errors, wanted)) / len(errors)
    return torch.tensor([total / len(batches)], device=weight.device)
