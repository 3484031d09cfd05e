import torch


@torch.no_grad()
def load_partial(model, path):
    found = torch.load(path, map_location=lambda storage, tag: storage)
    report = {"missing": [], "unexpected": [], "mismatched": []}
    own = model.state_dict()
    for key, tensor in own.items():
        if key not in found:
            report["missing"].append(key)
        elif tensor.size() != found[key].size():
            report["mismatched"].append(key)
        else:
            tensor.copy_(found[key])
    report["unexpected"] += [key for key in found if key not in own]
    return report
