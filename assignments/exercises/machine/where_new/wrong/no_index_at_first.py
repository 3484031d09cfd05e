# finding: no-index
def where_new(steps):
    result, current, stack = [], None, []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            stack.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = stack.pop()
        elif step == "new":
            result.append("cpu")
        elif step == "new cuda":
            result.append("cuda" if current is None else f"cuda:{current}")
        else:
            result.append(step[4:])
    return result
