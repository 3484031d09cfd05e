# finding: dict-followed-twice
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value or tag
    if form == "dict":
        place = tag
        for key, target in value.items():
            if key == place:
                place = target
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place[5:]) >= gpus:
        return "RuntimeError"
    return place
