# finding: one-tag-mapped
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path, map_location={"cuda:0": str(device)})
    except RuntimeError as error:
        tag = "cuda:" + "".join(c for c in str(error).split("but")[0] if c.isdigit())
        state_dict = torch.load(path, map_location={tag: str(device), "cuda:0": str(device)})
    model.load_state_dict(state_dict)
    return model.to(device)
