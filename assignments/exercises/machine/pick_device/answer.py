import sys

import torch


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    ### BEGIN SOLUTION
    if wanted == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    # torch.device parses a name even if the machine has no such device, so the devices are counted.
    try:
        device = torch.device(wanted)
        count = torch.get_device_module(device).device_count()
    except RuntimeError:
        sys.exit(f"--device {wanted}: no device is called that; try cpu, cuda:0 or auto")
    if not 0 <= (device.index or 0) < count:
        sys.exit(f"--device {wanted}: PyTorch sees {count} devices of this kind")
    return device
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(pick_device("auto"))
# pick_device("gpu")  # in a notebook, sys.exit ends the cell alone
