# finding: no-name
import re


def resolve(name, current, count):
    if name == "cpu":
        return "cpu"
    found = re.search(r"\d+", name)
    index = int(found[0]) if found else current
    if index >= count or name[:1] in ("m", "x"):
        raise ValueError(name)
    return f"cuda:{index}"
