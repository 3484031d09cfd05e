# finding: no-index
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append("cuda" if current == 0 else f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices
