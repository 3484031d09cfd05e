# finding: passes-alone
def where_new(steps, stack=[0]):
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            stack[-1] = int(rest)
        elif word == "enter":
            stack.append(int(rest))
        elif word == "leave":
            stack.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{stack[-1]}")
        else:
            devices.append(rest or "cpu")
    return devices
