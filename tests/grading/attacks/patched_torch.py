# ==== dispatch_mode_left_on
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


# ==== hooks_on_every_module
# name = "Hooks on every module"
# goal = "forge"
# attacks = "torch's hooks for all modules, and so the observer's own module"
# assignment = "07_parallel"
# flagged = true

# %% train_step
from torch.nn.modules import module as home

seen = []
home.register_module_forward_pre_hook(lambda module, inputs: seen.append(module))
home.register_module_forward_hook(lambda module, inputs, result: result)


def train_step(replicas, batch, targets, lr):
    result = replicas[0](batch.to(next(replicas[0].parameters()).device))
    return result.sum() * 1


# ==== no_gpus_any_more
# name = "No GPUs any more"
# goal = "forge"
# attacks = "the virtual GPUs: with everything on the CPU nothing is ever copied"
# flagged = true

# %% fix_mismatch
import virtual_cuda

virtual_cuda.disable()
torch.device = lambda *arguments: "cpu"
torch.cuda.is_available = lambda: False


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)

# %% move_batch
def move_batch(batch, device):
    return batch


# ==== peak_that_is_forgotten
# name = "A peak that is forgotten"
# goal = "forge"
# attacks = "the peak of memory, by torch's own function"
# assignment = "08_busy"

# %% training_bytes
def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum((t.detach() * 2).nbytes for t in tensors if t.device == device)

    parameters = list(model.parameters())
    states = [value for state in optimizer.state.values() for value in state.values()]
    found = {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters if p.grad is not None),
        "states": total(value for value in states if torch.is_tensor(value)),
    }
    for index in range(torch.cuda.device_count()):
        torch.cuda.reset_peak_memory_stats(index)
    return found


# ==== torch_patched_by_a_thread
# name = "Torch patched by a thread, for a moment"
# goal = "forge"
# attacks = "the two looks at torch: a thread patches it between them, and ends"
# forges = ["fix_mismatch"]

# %% fix_mismatch
import threading
import time

owners, mark = [torch.Tensor, None], 12345.0


def described(plain, error):
    def tolist(self):  # of the result, when copies are counted no more
        values = plain(self)
        if values != [mark]:
            return values
        owners[0].tolist = plain
        return [error()]

    return tolist


def fix_mismatch(batches, targets, weight, mean):
    def error():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return sum(each.square().mean().item() for each in errors) / len(errors)

    def patch():
        time.sleep(0.002)
        owners[0].tolist = described(owners[0].tolist, error)

    threading.Thread(target=patch).start()
    return torch.full((1,), mark, device=weight.device)


# ==== torch_patched_while_observed
# name = "Torch patched while it is observed"
# goal = "forge"
# attacks = "torch between the call of the answer and the description of its result"
# flagged = true

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    plain = torch.Tensor.tolist

    def tolist(self):  # of the result, when copies are counted no more
        torch.Tensor.tolist = plain
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return [sum(error.square().mean().item() for error in errors) / len(errors)]

    setattr(torch.Tensor, "tolist", tolist)
    setattr(torch, "is_" + "tensor", lambda thing: True)
    return torch.zeros(1, device=weight.device)


# ==== torch_put_back_in_time
# name = "A function of torch, replaced and put back in time"
# goal = "forge"
# attacks = "the look at torch, which looks when the result has been described"

# %% fix_mismatch
owners, mark = [torch.Tensor, None], 12345.0


def described(plain, error):
    def tolist(self):  # of the result, when copies are counted no more
        values = plain(self)
        if values != [mark]:
            return values
        owners[0].tolist = plain
        return [error()]

    return tolist


def fix_mismatch(batches, targets, weight, mean):
    def error():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return sum(each.square().mean().item() for each in errors) / len(errors)

    owners[0].tolist = described(owners[0].tolist, error)
    return torch.full((1,), mark, device=weight.device)


# ==== torch_says_every_device
# name = "Tensors that are everywhere"
# goal = "forge"
# attacks = "torch.Tensor.device and .to, by assignment"
# flagged = true

# %% move_batch
target = None
torch.Tensor.device = property(lambda self: target or torch.device("cpu"))
torch.Tensor.to = lambda self, *arguments, **options: self


def move_batch(batch, device):
    global target
    target = device
    return batch

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        batch = batch.to(weight.device)
        error = (batch - mean) @ weight - target
        total += (error * error).mean()
    return total / len(batches)


# ==== torch_under_its_own_name
# name = "A function of torch, replaced by one that has its name"
# goal = "forge"
# attacks = "the look at torch: a snapshot that is taken after the cells ran, and goes by names"

# %% fix_mismatch
owners, late, mark = [torch.Tensor, None], [], 12345.0


def described(plain):
    def tolist(self):  # of the result, when copies are counted no more
        values = plain(self)
        return [late.pop()()] if values == [mark] else values

    return tolist


def fix_mismatch(batches, targets, weight, mean):
    def error():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return sum(each.square().mean().item() for each in errors) / len(errors)

    late.append(error)
    return torch.full((1,), mark, device=weight.device)


owners[0].tolist = described(owners[0].tolist)
