# finding: other-devices
def where_new(steps):
    current, before, devices = 0, [], []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word in ("set", "enter"):
            if word == "enter":
                before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        else:
            devices.append(f"cuda:{current}" if rest == "cuda" else rest or "cpu")
    return sorted(devices, reverse=True)
