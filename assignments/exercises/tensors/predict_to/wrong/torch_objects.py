# finding: other-form
import torch


def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    same = (target, wanted) == (device, dtype) and not arguments.get("copy", False)
    return torch.device(target), getattr(torch, wanted), same
