# finding: other-devices
def predict_devices(program):
    current, before, places = 0, 0, []
    for step in program:
        if step[0] == "set":
            current = step[1]
        elif step[0] == "with":
            before, current = current, step[1]
        elif step[0] == "end":
            current = before
        elif step[0] == "new":
            places.append(f"cuda:{current}" if step[1] == "cuda" else step[1])
        elif step[0] == "double":
            places.append(places[step[1]])
    return places
