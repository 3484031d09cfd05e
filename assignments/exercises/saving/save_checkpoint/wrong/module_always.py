# finding: wrapper-assumed
import torch


def save_checkpoint(net, optimizer, path):
    torch.save({"model": net.module.state_dict(), "optimizer": optimizer.state_dict()}, path)
