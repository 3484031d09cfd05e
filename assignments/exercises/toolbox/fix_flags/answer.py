import torch


def fix_flags(steps, batch, device):
    """Run the blocks that `steps` names, and return their results by name."""
    ### BEGIN SOLUTION
    # Each block has what it needs, because it is made here, whether it was asked for or not.
    # `to` is told the device, so the current one need not be changed. `mul_` would have scaled what
    # "move" returns as well, and even the caller's batch, where that is on the device already.
    moved = batch.to(device)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled}
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return {step: results[step] for step in steps}
    ### END SOLUTION
    # Delete the line above. What follows is the program to be fixed.
    results = {}
    torch.cuda.set_device(device)
    if "move" in steps:
        moved = batch.to("cuda")
        results["move"] = moved
    if "scale" in steps:
        scaled = moved.mul_(2)
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results


# %% try
# Try it out here: remove the # signs and run.
# batch = torch.tensor([1.0, 2.0])
# print(fix_flags(["scale", "total"], batch, devices[1]))
# print(fix_flags(["total"], batch, devices[1]))
