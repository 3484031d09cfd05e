# finding: gpu-asked
import torch


def given_back(snapshot, device):
    before = torch.cuda.memory_reserved(device)
    torch.cuda.empty_cache()
    return before - torch.cuda.memory_reserved(device)
