# finding: other-devices
def predict_devices(program):
    current, outside, places = 0, [], []
    for step in program:
        if step[0] == "set":
            current = step[1]
        elif step[0] == "with":
            outside.append(current)
            current = step[1]
        elif step[0] == "end":
            current = outside.pop()
        elif step[0] == "new":
            places.append(f"cuda:{current}" if step[1] == "cuda" else step[1])
        elif step[0] == "double":
            pass
    return places
