import torch


def load_partial(model, path):
    found, own = torch.load(path, map_location="cpu"), model.state_dict()
    mismatched = {key for key in found.keys() & own.keys() if found[key].shape != own[key].shape}
    model.load_state_dict({**own, **{k: v for k, v in found.items() if k in own.keys() - mismatched}})
    return dict(
        mismatched=mismatched,
        unexpected=found.keys() - own.keys(),
        missing=tuple(own.keys() - found.keys()),
    )
