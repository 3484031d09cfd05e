# finding: cpu-instead
import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda"
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device(wanted)
