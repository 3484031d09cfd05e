import torch
from torch import nn


def after_to(device, dtype, arguments):
    # A copy stands for the move, so that this runs on machines without a GPU too.
    wanted = getattr(torch, arguments.get("dtype", dtype))
    if not wanted.is_floating_point:
        return "TypeError"
    net = nn.BatchNorm1d(2).to(getattr(torch, dtype))
    weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
    memory = weight.untyped_storage()
    moved = arguments.get("device", device) != device
    back = net._apply(lambda t: t.to(wanted if t.is_floating_point() else t.dtype, copy=moved))
    return {
        "counter": net.num_batches_tracked is counter,
        "mean": net.running_mean is mean,
        "memory": net.weight.untyped_storage().data_ptr() == memory.data_ptr(),
        "weight": net.weight is weight,
        "net": back is net,
    }
