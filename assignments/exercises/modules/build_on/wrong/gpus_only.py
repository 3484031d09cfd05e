# finding: cpu-refused
import torch


def build_on(make, device):
    with torch.cuda.device(device), torch.device("cuda"):
        return make()
