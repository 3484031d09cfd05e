# finding: other-form
def where_new(steps):
    current, before, devices = 0, [], []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            before.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = before.pop()
        elif step == "new":
            devices.append("cpu")
        elif step == "new cuda":
            devices.append(f"cuda:{current}")
        else:
            devices.append(step.split()[1])
    return " ".join(devices)
