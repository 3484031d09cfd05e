def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    place = {
        "nothing": lambda: tag,
        "string": lambda: value,
        "device": lambda: value,
        "dict": lambda: value.get(tag, tag),
        "function": lambda: tag if value is None else value,
    }[form]()
    kind, _, number = place.partition(":")
    if kind == "cpu":
        return place
    return f"cuda:{int(number or 0)}" if int(number or 0) < gpus else "RuntimeError"
