import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=device)
    bare = {}
    for key in checkpoint["model"]:
        bare[key[len("module."):]] = checkpoint["model"][key]
    model.load_state_dict(bare)
    model = model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
