# finding: default-changed
def where_new(steps):
    result, current, stack, touched = [], 0, [], False
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
            touched = True
        elif step.startswith("enter"):
            stack.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = stack.pop()
        elif step == "new":
            result.append(f"cuda:{current}" if touched else "cpu")
        elif step == "new cuda":
            result.append(f"cuda:{current}")
        else:
            result.append(step[4:])
    return result
