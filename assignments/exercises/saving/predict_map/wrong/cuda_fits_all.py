# finding: dict-misread
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    if form == "dict":
        place = value.get(tag, value.get("cuda", tag))
    else:
        place = value or tag
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place[5:]) >= gpus:
        return "RuntimeError"
    return place
