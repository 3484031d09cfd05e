# finding: wrong-device
import torch


def mend_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    place = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(place)
    mean, std = checkpoint["mean"].to(place), checkpoint["std"].to(place)
    outputs = []
    for batch in batches:
        batch = batch.to(place)
        outputs.append(model((batch - mean) / std))
    return outputs
