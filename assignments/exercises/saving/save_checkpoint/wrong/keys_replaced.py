# finding: values-wrong
import torch


def save_checkpoint(net, optimizer, path):
    model = {key.replace("module.", "").replace("_orig_mod.", ""): v for key, v in net.state_dict().items()}
    torch.save({"model": model, "optimizer": optimizer.state_dict()}, path)
