def predict_devices(program):
    """Return the device of each tensor that the program makes, in order, as strings.

    program: a list of steps such as ["set", 1], ["with", 2], ["end"], ["new", "cuda"], ["double", 0].
    """
    ### BEGIN SOLUTION
    current, outside, places = 0, [], []
    for step, *values in program:
        if step == "set":
            current = values[0]
        elif step == "with":
            # What was current before the block is current again after it, whatever happened inside.
            outside.append(current)
            current = values[0]
        elif step == "end":
            current = outside.pop()
        elif step == "new":
            # Only a device without an index means the current one.
            places.append(f"cuda:{current}" if values[0] == "cuda" else values[0])
        else:
            # A result is where its input is, whatever device is current.
            places.append(places[values[0]])
    return places
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(predict_devices([["new", "cuda"], ["set", 1], ["new", "cuda"], ["double", 0]]))
#
# with torch.cuda.device(1):
#     torch.cuda.set_device(2)
#     print(torch.ones(1, device="cuda").device)
# print(torch.ones(1, device="cuda").device)
