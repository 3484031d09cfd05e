# finding: copied-in-every-step
import torch


def mend_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict({key[7:]: value for key, value in checkpoint["model"].items()})
    outputs = []
    for batch in batches:
        model.to(device)
        batch = ((batch - checkpoint["mean"]) / checkpoint["std"]).to(device)
        outputs.append(model(batch))
        model.cpu()
    model.to(device)
    return outputs
