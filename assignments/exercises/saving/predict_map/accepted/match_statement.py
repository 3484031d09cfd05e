def predict_map(tag, form, value, gpus):
    match form:
        case "number":
            return "TypeError"
        case "nothing":
            place = tag
        case "string" | "device":
            place = value
        case "dict":
            place = value[tag] if tag in value else tag
        case "function":
            place = value or tag
    there = ["cpu"] + [f"cuda:{i}" for i in range(gpus)]
    place = "cuda:0" if place == "cuda" else place
    return place if place in there else "RuntimeError"
