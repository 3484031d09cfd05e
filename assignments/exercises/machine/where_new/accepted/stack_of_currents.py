def where_new(steps):
    stack = [0]
    found = ()
    for step in steps:
        if step.startswith("set"):
            stack[-1] = step[-1]
        elif step.startswith("enter"):
            stack.append(step[-1])
        elif step == "leave":
            del stack[-1]
        elif step == "new":
            found += ("cpu",)
        elif step == "new cuda":
            found += (f"cuda:{stack[-1]}",)
        else:
            found += (step[4:],)
    return found
