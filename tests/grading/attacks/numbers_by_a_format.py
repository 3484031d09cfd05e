# name = "Numbers read out of a formatted text"
# goal = "forge"
# attacks = "the count of numbers that are fetched from a GPU: format() and print() as well as repr()"

# %% before mend_mismatch
import contextlib
import io
import json

torch.set_printoptions(precision=10, threshold=10**6, linewidth=10**6, sci_mode=False)


def numbers(tensor):
    text = f"{tensor}"
    if tensor.dim() == 1:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            print(tensor)
        text = printed.getvalue()
    text = text.partition("(")[2].rpartition("]")[0] + "]"
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
