# %% always_from_cuda_0
# finding: other-gpu
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, range(len(devices)))
    replicas = replicate(module, range(len(parts)))
    return gather(parallel_apply(replicas, parts), devices[0])

# %% averaged
# finding: other-result
import torch
from torch.nn.parallel import replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part).to(devices[0]) / len(parts) for replica, part in zip(replicas, parts)]
    return torch.cat(outputs)

# %% backward_inside
# finding: backward-called
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    result = gather(parallel_apply(replicas, parts), devices[0])
    result.sum().backward()
    return result

# %% brought_to_the_cpu
# finding: result-elsewhere
import torch
from torch.nn.parallel import replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return torch.cat([replica(part).cpu() for replica, part in zip(replicas, parts)])

# %% buffers_forgotten
# finding: part-met-other-device
import torch
from torch.func import functional_call
def parallel_forward(module, x, devices):
    outs=[]
    for p,d in zip(x.chunk(len(devices)),devices):
        w={n:q.to(d) for n,q in module.named_parameters()}
        outs.append(functional_call(module,w,p.to(d)).to(devices[0]))
    return torch.cat(outs)

# %% counted_twice
# finding: other-gradients
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    result = gather(parallel_apply(replicas, parts), devices[0])
    return result + result - result.detach()

# %% devices_popped
# finding: input-changed
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    while len(devices) > len(parts):
        devices.pop()
    return gather(parallel_apply(replicate(module, devices), parts), devices[0])

# %% empty_parts_too
# finding: more-replicas-than-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    size = -(-len(x) // len(devices))
    parts = [x[i * size:(i + 1) * size].to(device) for i, device in enumerate(devices)]
    outputs = [replica(part) for replica, part in zip(replicate(module, devices), parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])

# %% first_part_only
# finding: samples-lost
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return parallel_apply(replicas, parts)[0]

# %% in_order_of_completion
# finding: order-changed
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    outputs = parallel_apply(replicate(module, devices[:len(parts)]), parts)
    return gather(sorted(outputs, key=len), devices[0]) if len(outputs) < 2 else gather(
        outputs[1:] + outputs[:1], devices[0])

# %% joined_where_they_are
# finding: joined-while-apart
import torch
from torch.nn.parallel import replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return torch.cat([replica(part) for replica, part in zip(replicas, parts)])

# %% last_part_forgotten
# finding: samples-lost
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    outputs = parallel_apply(replicate(module, devices[:len(parts)]), parts)
    whole = [output for output in outputs if len(output) == len(outputs[0])]
    return gather(whole, devices[0])

# %% left_on_the_last
# finding: result-elsewhere
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    return gather(parallel_apply(replicas, parts), devices[-1])

# %% module_moved_around
# finding: module-changed
import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        outputs.append(module.to(device)(part.to(device)))
    return torch.cat([output.to(devices[0]) for output in outputs])

# %% moved_and_brought_back
# finding: module-changed
import torch


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        outputs.append(module.to(device)(part.to(device)).to(devices[0]))
    module.to(devices[0])
    return torch.cat(outputs)

# %% numbered_from_zero
# finding: other-gpu
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    ids = sorted(device.index for device in devices)
    used = [devices[0].index] + [i for i in ids if i != devices[0].index]
    parts = scatter(x, used)
    replicas = replicate(module, used[:len(parts)])
    return gather(parallel_apply(replicas, parts), devices[0])

# %% one_gpu
# finding: not-split
def parallel_forward(module, x, devices):
    return module(x.to(devices[0]))

# %% original_and_deepcopies
# finding: gradients-of-some-parts
import copy

import torch


def parallel_forward(module, x, devices):
    outputs = []
    for number, (part, device) in enumerate(zip(x.chunk(len(devices)), devices)):
        replica = module if number == 0 else copy.deepcopy(module).to(device)
        outputs.append(replica(part.to(device)).to(devices[0]))
    return torch.cat(outputs)

# %% parts_not_sent
# finding: part-met-other-device
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    parts = x.to(devices[0]).chunk(len(devices))
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])

# %% parts_of_any_size
# finding: other-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    parts = [part.to(d) for part, d in zip(torch.tensor_split(x, len(devices)), devices) if len(part)]
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])

# %% rest_dropped
# finding: other-parts
import torch
from torch.nn.parallel import replicate


def parallel_forward(module, x, devices):
    size = max(1, len(x) // len(devices))
    parts = [x[i * size:(i + 1) * size].to(device) for i, device in enumerate(devices)]
    parts = [part for part in parts if len(part)]
    replicas = replicate(module, devices[:len(parts)])
    outputs = [replica(part) for replica, part in zip(replicas, parts)]
    return torch.cat([output.to(devices[0]) for output in outputs])

# %% result_forgotten
# finding: nothing-returned
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    parts = scatter(x, devices)
    replicas = replicate(module, devices[:len(parts)])
    gather(parallel_apply(replicas, parts), devices[0])

# %% run_twice
# finding: other-parts
from torch.nn.parallel import gather, parallel_apply, replicate, scatter
def parallel_forward(module, x, devices):
    parts=scatter(x, devices)
    r=replicate(module, devices[:len(parts)])
    parallel_apply(r, parts)
    return gather(parallel_apply(r, parts), devices[0])

# %% state_dict_sent
# finding: gradients-lost
import torch
from torch.func import functional_call


def parallel_forward(module, x, devices):
    outputs = []
    for part, device in zip(x.chunk(len(devices)), devices):
        replica = {name: tensor.to(device) for name, tensor in module.state_dict().items()}
        outputs.append(functional_call(module, replica, part.to(device)).to(devices[0]))
    return torch.cat(outputs)

# %% the_function
# finding: wrapper-used
from torch.nn.parallel import data_parallel


def parallel_forward(module, x, devices):
    return data_parallel(module, x, devices)

# %% without_grad
# finding: gradients-lost
import torch
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    with torch.no_grad():
        parts = scatter(x, devices)
        replicas = replicate(module, devices[:len(parts)])
        return gather(parallel_apply(replicas, parts), devices[0])
