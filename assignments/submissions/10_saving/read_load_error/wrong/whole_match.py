# finding: cure-wrong
import re


def row(problem, cause, cure):
    return {"problem": problem, "cause": cause, "cure": cure}


def keys(word, message):
    found = re.search(word + r" key\(s\) in state_dict: (.*)", message)
    return re.findall(r'"([^"]+)"', found[1]) if found else []


def prefix(short, long):
    if not short or len(short) != len(long) or not long[0].endswith(short[0]):
        return None
    front = long[0][:len(long[0]) - len(short[0])]
    return front if front and long == [front + key for key in short] else None


def read_load_error(message):
    number = re.search(r"CUDA device (\d+)", message)
    if "Attempting to deserialize" in message:
        if number:
            return row("too few GPUs", "cuda:" + number[1], "map_location")
        return row("no GPU", "cuda", "map_location")
    if "Weights only load failed" in message:
        return row("pickled objects", re.search(r"GLOBAL (\S+)", message)[1], "save a state_dict")
    size = re.search(r"size mismatch for (\S+):", message)
    if size:
        return row("sizes", size[0], "use the model it was saved from")
    missing, unexpected = keys("Missing", message), keys("Unexpected", message)
    if prefix(missing, unexpected):
        return row("keys", prefix(missing, unexpected), "clean the keys")
    if prefix(unexpected, missing):
        return row("keys", prefix(unexpected, missing), "load into model.module")
    if missing or unexpected:
        return row("keys", "other names", "use the model it was saved from")
    return None
