import copy

import torch

def bare(entries):
    while all(key.startswith(("module.", "_orig_mod.")) for key in entries):
        entries = {key.partition(".")[2]: shape for key, shape in entries.items()}
    return entries


def explain_load_error(model, state_dict):
    with torch.device("meta"):
        double = copy.deepcopy(model).to("meta")
    missing, unexpected = double.load_state_dict(
        {k: v for k, v in state_dict.items() if k not in double.state_dict() or v.shape == double.state_dict()[k].shape},
        strict=False, assign=True)
    wanted = {key: value.shape for key, value in model.state_dict().items()}
    found = {key: value.shape for key, value in state_dict.items()}
    size = [key for key in missing if key in found]
    missing = [key for key in missing if key not in found]
    if not missing and not unexpected and not size:
        advice = "load it"
    elif bare(found) == wanted:
        advice = "clean the keys"
    elif bare(wanted) == found:
        advice = "load into model.module"
    elif not size and [wanted[k] for k in missing] == [found[k] for k in unexpected]:
        advice = "rename the keys"
    else:
        advice = "use the model it was saved from"
    return {"missing": missing, "unexpected": unexpected, "size": size, "advice": advice}
