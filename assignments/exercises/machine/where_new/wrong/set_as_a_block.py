# finding: set-pushed
def where_new(steps):
    result, stack = [], [0]
    for step in steps:
        if step.startswith("set") or step.startswith("enter"):
            stack.append(int(step[-1]))
        elif step == "leave":
            stack.pop()
        elif step == "new":
            result.append("cpu")
        elif step == "new cuda":
            result.append(f"cuda:{stack[-1]}")
        else:
            result.append(step[4:])
    return result
