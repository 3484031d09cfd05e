# finding: other-form
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value.get(tag, tag) if form == "dict" else value or tag
    import torch
    return torch.device(place)
