"""Observe `fix_ranks`: called on two ranks, which are real processes without a GPU."""

from collections.abc import Mapping, Sequence
from typing import Any

from exercise_kit import Facts

from ...parallel.launching import by_rank
from ..launching import OnWatchedRanks

_PROGRAM = """
def facts():
    from torch.utils.data import TensorDataset
    dist.init_process_group("gloo")
    weight, bias = {starts}[dist.get_rank()]
    model, start, samples = nn.Linear(len(weight[0]), 1), [], []
    model.load_state_dict({{"weight": torch.tensor(weight), "bias": torch.tensor(bias)}})
    parameters = [*model.parameters()]  # afterwards the model may name others
    def weights():
        return nn.utils.parameters_to_vector(parameters).tolist()
    def note(layer, args):
        start[:] = start or weights()
        samples.extend(round(8 * tag) for tag in args[0][:, 0].tolist())
    model.register_forward_pre_hook(note)
    dataset = TensorDataset(torch.tensor({batch}), torch.tensor({targets}))
    result = fix_ranks(model, dataset, {epochs})
    if isinstance(result, (list, tuple)):
        result = [float(each) for each in result]
    dist.barrier()
    dist.destroy_process_group()
    return [start, weights(), samples[:1000], result]
"""


class FixRanks(OnWatchedRanks):
    """Facts: the first `error` of a rank; `result` of rank 0; by rank, its samples, and the weights
    at the end; of rank 1, the first weights and all steps, minus those of rank 0."""

    name = "fix_ranks"
    parameters = ("model", "data", "epochs")

    def observe(self, answer: Any, inputs: Mapping[str, Any]) -> Facts:
        """The facts of two processes that define and call the answer."""
        found, error = self.ranks(answer, _PROGRAM.format(**inputs))
        if error:
            return {"error": error}
        starts, ends, samples, results = (list(each) for each in zip(*found, strict=True))
        steps = [_minus(end, start) for end, start in zip(ends, starts, strict=True)]
        return {
            "error": None,
            "samples": by_rank([" ".join(map(str, each)) for each in samples]),
            "steps": _minus(steps[1], steps[0]),
            "starts": _minus(starts[1], starts[0]),
            "weights": by_rank(ends),
            "result": results[0],
        }


def _minus(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(one, other, strict=False)]


observer = FixRanks()
