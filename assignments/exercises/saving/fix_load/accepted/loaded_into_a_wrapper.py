import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    # The wrapper has the file's names; the model inside gets the values.
    torch.nn.DataParallel(model).load_state_dict(checkpoint["model"])
    model.to(device).eval()
    mean, std = (checkpoint[name] for name in ("mean", "std"))
    outputs = []
    with torch.no_grad():
        for batch in batches:
            # Both are on the CPU, as the batch is: it crosses once, normalised.
            outputs.append(model(((batch - mean) / std).to(device)))
    return tuple(outputs)
