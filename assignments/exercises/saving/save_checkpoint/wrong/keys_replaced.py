# finding: part-renamed
import torch


def save_checkpoint(model, optimizer, path):
    weights = {key.replace("module.", "").replace("_orig_mod.", ""): v for key, v in model.state_dict().items()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict()}, path)
