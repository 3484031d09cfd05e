"""Observe `step`: called on two ranks, which are real processes on virtual GPUs."""

from collections.abc import Mapping
from typing import Any

from exercise_kit import Facts

from ..launching import OnWatchedRanks

_PROGRAM = """

def facts():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    model = nn.Linear(2, 1, bias=False).cuda()
    with torch.no_grad():
        model.weight.copy_(torch.tensor([{weight}]))
    weight = model.weight  # afterwards the model may have another
    optimizer, past, grads = torch.optim.SGD(model.parameters(), lr=0.0625), [], []
    optimizer.register_step_post_hook(
        lambda *_: grads.append(None if (grad := weight.grad) is None else grad.tolist()))
    for samples in {steps}:
        batch = torch.tensor(samples[rank]).cuda()
        step(model, optimizer, batch, batch.prod(dim=1, keepdim=True) + 4)
        past.append(weight[0].tolist())
    dist.destroy_process_group()
    return past, grads
"""


class Step(OnWatchedRanks):
    """Facts: the first `error` of a rank; whether the weights are `equal`; whether the optimizer
    used the same gradients on both ranks (`together`); the weights of rank 0."""

    name = "step"
    parameters = ("model", "optimizer", "batch", "targets")

    def observe(self, answer: Any, inputs: Mapping[str, Any]) -> Facts:
        """The facts of two processes that define and call the answer."""
        found, error = self.ranks(answer, _PROGRAM.format(**inputs))
        if error:
            return {"error": error}
        (weights, grads), (others, other_grads) = found
        same = {"equal": weights == others, "together": grads == other_grads}
        return {"error": None, **same, "weights": weights}


observer = Step()
