# finding: prefixed-keys
import torch


def save_checkpoint(net, optimizer, path):
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
