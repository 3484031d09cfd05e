# finding: no-name
def resolve(name, current, count):
    kind, colon, number = name.partition(":")
    if kind == "cpu":
        return "cpu"
    index = int(number) if colon else current
    if kind != "cuda" or not 0 <= index < count:
        raise ValueError(name)
    return f"cuda:{index}"
