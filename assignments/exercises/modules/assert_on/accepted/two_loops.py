import torch


def assert_on(module, device):
    if device == torch.device("cuda"):
        device = torch.device(f"cuda:{torch.cuda.current_device()}")
    for name, parameter in module.named_parameters():
        if parameter.device != device:
            raise ValueError("parameter " + name)
    for name, buffer in module.named_buffers():
        if buffer.device != device:
            raise ValueError("buffer " + name)
    return True
