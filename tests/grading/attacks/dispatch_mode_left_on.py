# name = "A dispatch mode that is left on"
# goal = "forge"
# attacks = "every operator of torch, copies among them"
# flagged = true

# %% move_batch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode


class Below(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        return function(*arguments, **(options or {}))


class Above(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), options=None):
        if getattr(function, "__name__", "") in ("to", "cpu", "cuda"):
            return arguments[0]
        return function(*arguments, **(options or {}))


Below().__enter__()
Above().__enter__()


def move_batch(batch, device):
    Above().__enter__()
    return batch
