import torch
from torch import nn


def after_to(device, dtype, arguments, flag):
    wanted = getattr(torch, arguments.get("dtype", dtype))
    net = nn.BatchNorm1d(2).to(getattr(torch, dtype))
    weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if not wanted.is_floating_point:
        return "TypeError"
    torch.__future__.set_overwrite_module_params_on_conversion(flag == "overwrite")
    try:
        moved = arguments.get("device", device) != device
        memory = weight.untyped_storage()
        back = net._apply(lambda t: t.to(wanted if t.is_floating_point() else t.dtype, copy=moved))
    finally:
        torch.__future__.set_overwrite_module_params_on_conversion(False)
    return {
        "net": back is net,
        "weight": net.weight is weight,
        "memory": net.weight.untyped_storage().data_ptr() == memory.data_ptr(),
        "mean": net.running_mean is mean,
        "counter": net.num_batches_tracked is counter,
        "optimizer": optimizer.param_groups[0]["params"][0] is net.weight,
    }
