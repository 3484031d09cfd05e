# finding: block-without-effect
def predict_devices(program):
    current, outside, places = 0, [], []
    for step in program:
        if step[0] == "set":
            current = step[1]
        elif step[0] == "with":
            outside.append(current)
        elif step[0] == "end":
            current = outside.pop()
        elif step[0] == "new":
            places.append(f"cuda:{current}" if step[1] == "cuda" else step[1])
        elif step[0] == "double":
            places.append(places[step[1]])
    return places
