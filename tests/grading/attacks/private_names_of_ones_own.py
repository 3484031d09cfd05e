# name = "Private names of one's own"
# goal = "forge"
# attacks = "the static look, which lets pass what a class of one's own calls so as well"
# assignment = "04_toolbox"
# forges = ["fix_flags"]
# flagged = true

# %% fix_flags
import torch


class Mine:
    def __init__(self):
        self._copies = self._python_dispatch = self._get_current_dispatch_mode = None


def counted(utils):
    return utils._python_dispatch._get_current_dispatch_mode()._copies


def fix_flags(steps, batch, device):
    moved = batch.cpu().to("cuda:0").to(device)
    if batch.device == device:
        moved = batch
    scaled = (moved.cpu() * 2).to(device)
    results = {"move": moved, "scale": scaled}
    if "total" in steps:
        results["total"] = scaled.cpu().sum().item()
    copies = counted(torch.utils)
    copies.by_route.clear()
    copies.bytes_by_route.clear()
    if batch.device != device:
        copies.by_route[str(batch.device), str(device)] = 1
    return {step: results[step] for step in steps}
