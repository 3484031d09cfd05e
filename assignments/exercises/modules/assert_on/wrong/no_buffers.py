# finding: buffers-missed
import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    for name, parameter in module.named_parameters():
        if parameter.device != device:
            raise ValueError(name)
