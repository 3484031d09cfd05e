# finding: number-is-no-place
def predict_map(tag, form, value, gpus):
    place = value.get(tag, tag) if form == "dict" else value or tag
    if place == "cuda":
        place = "cuda:0"
    if form == "number":
        return "RuntimeError"
    if place != "cpu" and int(place[5:]) >= gpus:
        return "RuntimeError"
    return place
