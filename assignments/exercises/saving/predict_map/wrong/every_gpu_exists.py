# finding: missing-gpu-ignored
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value.get(tag, tag) if form == "dict" else value or tag
    return "cuda:0" if place == "cuda" else place
