# finding: shapes-always-raise
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    result = model.load_state_dict(found, strict=False)
    return {"missing": result.missing_keys, "unexpected": result.unexpected_keys, "mismatched": []}
