from itertools import chain

import torch


def assert_on(module, device):
    """Raise a ValueError that names the first parameter or buffer that is not on `device`."""
    ### BEGIN SOLUTION
    # A tensor's device always has its number, and torch.device("cuda") is not equal to any of
    # them. So the number is put in first.
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if tensor.device != device:
            raise ValueError(f"{name} is on {tensor.device}, not on {device}")
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = nn.Linear(2, 2).to(devices[0])
# assert_on(net, torch.device("cuda"))      # nothing happens
# assert_on(net, devices[1])                # ValueError
