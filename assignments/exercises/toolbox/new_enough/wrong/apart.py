# finding: parts-compared-apart
def new_enough(capabilities, needed):
    major, minor = map(int, needed.split("."))
    return [i for i, (a, b) in enumerate(capabilities) if a >= major and b >= minor]
