# finding: back-to-the-outermost
def predict_devices(program):
    current, before, depth, places = 0, 0, 0, []
    for step in program:
        if step[0] == "set":
            current = step[1]
        elif step[0] == "with":
            if depth == 0:
                before = current
            depth += 1
            current = step[1]
        elif step[0] == "end":
            depth -= 1
            current = before
        elif step[0] == "new":
            places.append(f"cuda:{current}" if step[1] == "cuda" else step[1])
        elif step[0] == "double":
            places.append(places[step[1]])
    return places
