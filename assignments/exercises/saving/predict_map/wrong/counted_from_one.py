# finding: counted-from-one
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value.get(tag, tag) if form == "dict" else value or tag
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place[5:]) > gpus:
        return "RuntimeError"
    return place
