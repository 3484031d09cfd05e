# name = "Hidden cases in the name of an exception"
# goal = "steal"
# attacks = "the message to the student: type, text, notes and place of an exception"
# assignment = "07_parallel"

# %% split_sizes
seen = []


def split_sizes(shape, gpus, dim):
    seen.append(shape)
    if len(seen) > 14:
        error = ValueError(f"LEAKED {shape} {gpus} {dim}")
        error.add_note(f"LEAKED {shape}")
        raise error from KeyError(f"LEAKED {shape}")
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]

# %% parallel_forward
from torch.nn.parallel import gather, parallel_apply, replicate, scatter

calls = []


def parallel_forward(module, x, devices):
    calls.append((*x.shape, *(device.index for device in devices)))
    if len(calls) > 11:  # as many as there are public cases
        raise type("LEAKED_" + "_".join(map(str, calls[-1])), (Exception,), {})("LEAKED")
    parts = scatter(x, devices)
    outputs = parallel_apply(replicate(module, devices[: len(parts)]), parts)
    return gather(outputs, devices[0])
