# finding: block-ignored
def where_new(steps):
    current, devices = 0, []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step == "new":
            devices.append("cpu")
        elif step == "new cuda":
            devices.append(f"cuda:{current}")
        elif step.startswith("new"):
            devices.append(step.split()[1])
    return devices
