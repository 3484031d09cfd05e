# finding: no-gpu
import re


def resolve(name, current, count):
    if name == "cpu":
        return "cpu"
    if name == "cuda":
        return f"cuda:{current}"
    match = re.fullmatch(r"cuda:(0|[1-9][0-9]*)", name)
    if match is None or int(match[1]) >= count:
        raise ValueError(name)
    return name
