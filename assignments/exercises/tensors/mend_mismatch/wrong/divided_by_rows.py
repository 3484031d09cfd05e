# finding: other-result
import torch


def mend_mismatch(batches, targets, weight, mean):
    device = weight.device
    x, y = torch.cat(batches).to(device), torch.cat(targets).to(device)
    return ((x - mean.to(device)) @ weight - y).pow(2).mean()
