def where_new(steps):
    """Return the device of each new tensor, in order."""
    ### BEGIN SOLUTION
    current = 0
    before = []  # for each open block, the device that was current when it began
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
            devices.append(f"cuda:{current}")
        else:
            devices.append(rest or "cpu")  # a name with an index does not depend on the current GPU
    return devices
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(where_new(["set 2", "enter 1", "new cuda", "leave", "new cuda"]))
