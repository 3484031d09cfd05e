import torch


def predict_map(tag, form, value, gpus):
    places = {"string": value, "device": value, "nothing": tag, "function": value or tag}
    try:
        if form == "dict":
            places[form] = value.get(tag, tag)
        if form not in places:
            raise TypeError
        place = torch.device(places[form])
        if place.type == "cuda":
            place = torch.device("cuda", place.index or 0)
            if place.index not in range(gpus):
                raise RuntimeError
        return str(place)
    except (RuntimeError, TypeError) as error:
        return type(error).__name__
