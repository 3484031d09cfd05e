def read_load_error(message):
    lines = message.split("\n")
    first = lines[0].split()
    if first[:1] == ["Attempting"]:
        place = first[first.index("CUDA") + 2]
        if place.isdigit():
            return {"problem": "too few GPUs", "cause": f"cuda:{place}", "cure": "map_location"}
        return {"problem": "no GPU", "cause": "cuda", "cure": "map_location"}
    if first[:3] == ["Weights", "only", "load"]:
        words = message.split()
        name = words[words.index("GLOBAL") + 1]
        return {"problem": "pickled objects", "cause": name, "cure": "save a state_dict"}
    if first[:4] != ["Error(s)", "in", "loading", "state_dict"]:
        return None
    other = "use the model it was saved from"
    if "size mismatch for " in lines[1]:
        key = lines[1].split("for ")[1].split(":")[0]
        return {"problem": "sizes", "cause": key, "cure": other}
    found = {line.split()[0]: line.split('"')[1::2] for line in lines[1:]}
    a, b = found.get("Missing", []), found.get("Unexpected", [])
    for short, long, cure in ((a, b, "clean the keys"), (b, a, "load into model.module")):
        fronts = {l[:-len(s)] if l.endswith(s) else "" for s, l in zip(short, long)}
        if len(short) == len(long) and len(fronts) == 1 and fronts != {""}:
            return {"problem": "keys", "cause": fronts.pop(), "cure": cure}
    return {"problem": "keys", "cause": "other names", "cure": other}
