# finding: checkpoint-asked
import torch


def assert_on(module, device):
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    tensors = {**dict(module.named_parameters()), **module.state_dict()}
    for name, tensor in tensors.items():
        if tensor.device != device:
            raise ValueError(name)
