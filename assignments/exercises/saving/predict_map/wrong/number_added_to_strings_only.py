# finding: cuda-without-number
def predict_map(tag, form, value, gpus):
    if form == "number":
        return "TypeError"
    if form in ("string", "device"):
        place = "cuda:0" if value == "cuda" else value
    else:
        place = value.get(tag, tag) if form == "dict" else value or tag
    there = ["cpu", "cuda", *(f"cuda:{n}" for n in range(gpus))]
    return place if place in there else "RuntimeError"
