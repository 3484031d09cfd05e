# finding: error-too-soon
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    there = ["cpu", "cuda", *(f"cuda:{n}" for n in range(gpus))]
    if form == "dict" and any(place not in there for place in [*value, *value.values()]):
        return "RuntimeError"
    place = value.get(tag, tag) if form == "dict" else value or tag
    place = "cuda:0" if place == "cuda" else place
    return place if place in there else "RuntimeError"
