# finding: tag-ignored
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value.get(tag, "cpu") if form == "dict" else value or "cpu"
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place[5:]) >= gpus:
        return "RuntimeError"
    return place
