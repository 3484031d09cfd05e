# finding: one-tag-mapped
import torch


def load_anywhere(path, model, device):
    try:
        state_dict = torch.load(path)
    except RuntimeError as error:
        tag = "cuda:" + "".join(c for c in str(error).split("but")[0] if c.isdigit())
        if tag == "cuda:":
            state_dict = torch.load(path, map_location="cpu")
        else:
            state_dict = torch.load(path, map_location={tag: "cpu"})
    model.load_state_dict(state_dict)
    return model.to(device)
