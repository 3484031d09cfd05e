# finding: other-error
import re


def resolve(name, current, count):
    if name == "cpu":
        return "cpu"
    match = re.fullmatch(r"cuda(:(0|[1-9][0-9]*))?", name)
    assert match, name
    index = current if match[1] is None else int(match[2])
    assert index < count, name
    return f"cuda:{index}"
