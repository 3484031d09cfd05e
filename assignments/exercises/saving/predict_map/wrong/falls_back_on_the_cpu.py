# finding: place-guessed
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = value.get(tag, tag) if form == "dict" else value or tag
    place = "cuda:0" if place == "cuda" else place
    return place if place == "cpu" or int(place[5:]) < gpus else "cpu"
