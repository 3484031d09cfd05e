# name = "Code swapped inside functions"
# goal = "forge"
# attacks = "the code objects of describe and of the observer, which stay the same functions"
# flagged = true

# %% mend_mismatch
from course_utils.checking import beside, facts


def _observed(self, inputs, patience):
    batches, targets, weight, mean = inputs
    shift = mean.cpu() @ weight.cpu()
    error = 0.0
    for batch, target in zip(batches, targets):
        wrong = batch.cpu() @ weight.cpu() - shift - target.cpu()
        error += wrong.square().mean().item() / len(batches)
    result = {"type": "Tensor", "shape": [1], "device": str(weight.device), "values": [error]}
    return {"result": {**result, "dtype": "float32"}, "copies": [], "bytes": [], "read": 0,
            "changed": []}


beside.Beside._observed.__code__ = _observed.__code__
facts.same.__code__ = (lambda seen, right, *, exact=False: True).__code__


def mend_mismatch(batches, targets, weight, mean):
    return None
